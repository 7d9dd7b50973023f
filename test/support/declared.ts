/** Checks that every answer is as its endpoint declares. */
import { expect } from "vitest";
import * as z from "zod";
import type { Endpoint } from "#http/endpoint.ts";
import { problemCodes } from "#http/openapi/openapi.ts";
import { errorStatus, errorTitle, isErrorCode } from "#kernel/errors.ts";
import { type Answer, send } from "./api.ts";
import { headersOf, sessionBeside } from "./sessions.ts";

export interface Asked {
  key?: string | undefined;
  body?: BodyInit | undefined;
  headers?: Record<string, string>;
}

/**
 * Sends a request to the endpoint and checks the answer against the declaration. For endpoints that need a
 * session, uses the one registered with the key (`useBeside`), if any.
 */
export async function ask(endpoint: Endpoint, path: string, asked: Asked = {}): Promise<Answer> {
  const { key, body, headers } = asked;
  const { access, operationId } = endpoint;
  const session =
    key === undefined || access === "public" || access.role !== "session"
      ? undefined
      : await sessionBeside(key, operationId);
  const answer = await send(endpoint.method, path, {
    headers: {
      ...(key === undefined
        ? {}
        : session === undefined
          ? { authorization: `Bearer ${key}` }
          : headersOf(session)),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  expectSecured(answer);
  // A dry run made nothing.
  const isDry = endpoint.dryRun === true && /[?&]dryRun=true(&|$)/.test(path);
  if (answer.status < 303)
    expect(answer.status, answer.text).toBe(isDry ? 200 : endpoint.answer.status);
  else if (answer.status === 304) expect(headers).toHaveProperty("if-none-match");
  else if (isForeignFailure(endpoint, answer)) {
    const { body, status, text } = answer;
    expect(endpoint.failures?.[status]?.schema.safeParse(body).error, text).toBeUndefined();
    expect(status, text).toBeLessThan(500);
  } else {
    expectProblem(answer);
    expect([...problemCodes(endpoint)], answer.text).toContain(answer.body.code);
  }
  return answer;
}

/** The names of the top-level fields of a body or query. */
export function fieldsOf(schema: z.ZodType | undefined): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.in as z.ZodType);
  if (schema instanceof z.ZodUnion)
    return [...new Set((schema.options as z.ZodType[]).flatMap(fieldsOf))];
  if (schema === undefined) return [];
  throw new Error(`test/support/declared.ts knows no fields of ${schema.constructor.name}`);
}

/** Whether the endpoint reports this failure in another protocol's shape, which has no code. */
export function isForeignFailure(
  { failures }: Endpoint,
  { status }: Pick<Answer, "status">,
): boolean {
  return failures !== undefined && Object.hasOwn(failures, status);
}

/** Checks the status and code of an error; only the status in another protocol's shape. */
export function expectRefused(
  endpoint: Endpoint,
  answer: Answer,
  [status, ...codes]: readonly [number, ...string[]],
): void {
  expect(answer.status, answer.text).toBe(status);
  if (!isForeignFailure(endpoint, answer)) expect(codes, answer.text).toContain(answer.body.code);
}

/** Codes of the validator must not reach callers: its next version may name them otherwise. */
const ownFaultCode =
  /^(?!(invalid_type|too_big|unrecognized_keys|invalid_union|invalid_key|invalid_element|not_multiple_of|custom)$)[a-z_]+$/;

/** A complete and consistent RFC 9457 problem, without internal details. */
export function expectProblem(answer: Answer): void {
  const { body, status, headers, text } = answer;
  expect(status, text).toBeLessThan(500);
  expect(headers.get("content-type"), text).toBe("application/problem+json");
  expect(isErrorCode(body.code), body.code).toBe(true);
  expect(body).toMatchObject({
    type: `/docs/errors#${body.code}`,
    title: errorTitle(body.code),
    status,
    detail: expect.stringMatching(/^[^\n]{10,}[.;!)]$|`errors` says where\.$/),
    instance: expect.stringMatching(/^\//),
    requestId: headers.get("x-request-id"),
  });
  expect(errorStatus(body.code)).toBe(status);
  const members = ["type", "title", "status", "detail", "instance", "code", "requestId", "errors"];
  expect(members).toEqual(expect.arrayContaining(Object.keys(body)));
  for (const fault of body.errors ?? [])
    expect(fault).toEqual({
      in: expect.stringMatching(/^(body|query|path|header)$/),
      pointer: expect.any(String),
      code: expect.stringMatching(ownFaultCode),
      detail: expect.any(String),
    });
  expect(text).not.toMatch(
    /\bat [^"]*\.[cm]?[jt]s:\d+:\d+|SQLITE|D1_ERROR|constraint failed|\bSELECT\b.+\bFROM\b/,
  );
  if (status === 401) expect(headers.get("www-authenticate")).toMatch(/^Bearer/);
}

/** The headers of every answer, success or not. */
export function expectSecured({ headers }: Answer): void {
  expect(Object.fromEntries(headers)).toMatchObject({
    "x-request-id": expect.stringMatching(/^[A-Za-z0-9._-]{1,64}$/),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
    "cache-control": expect.stringMatching(
      /^(no-store|private, no-cache, no-transform|public, max-age=60)$/,
    ),
    "strict-transport-security": expect.stringMatching(/^max-age=\d{8}/),
  });
}

/** `<statements>/<round trips>` to D1. */
export function d1Spend(answer: Answer): string {
  return /d1;desc="(\d+\/\d+)"/.exec(answer.headers.get("server-timing") ?? "")?.[1] ?? "none";
}
