/**
 * The checks of a request before the use case, in order: caller, CSRF, body, names, values. The caller is authenticated
 * before an error is returned, and before a large body is read, because anybody can invent a key.
 */
import { zValidator } from "@hono/zod-validator";
import type { MiddlewareHandler } from "hono";
import * as z from "zod";
import { strangerError } from "#kernel/call/stranger-error.ts";
import { ApiError, type RequestFault } from "#kernel/errors.ts";
import { isJsonMap } from "#platform/json.ts";
import { allowedOrigins } from "./allowed-origins.ts";
import {
  DEFAULT_MAX_BODY_BYTES,
  isTextType,
  type JsonBody,
  readJsonBody,
  readBytes,
} from "./body.ts";
import { csrfError, csrfProblem } from "./csrf.ts";
import { type Endpoint, isMutation, isStrict } from "./endpoint.ts";
import { faultsOf, unknownParameter } from "./faults.ts";
import { prefersLenient } from "./prefer.ts";
import { spendBeforeParsing } from "./quota-before-parsing.ts";
import {
  type AppContext,
  type AppEnv,
  type CheckedEndpoint,
  authenticateCaller,
} from "./request-call.ts";
import { unknownMembers } from "./unknown-members.ts";

/** The most that is read of an undeclared body. */
const MAX_UNWANTED_BYTES = 4_096;
const SLOW_BODY_MS = 1_000;
const noParameters = z.object({});

/** The middleware that runs before the endpoint's handler. */
export function checksOf(endpoint: Endpoint): MiddlewareHandler<AppEnv>[] {
  const checks: MiddlewareHandler<AppEnv>[] = [refuseStrangers(endpoint)];
  if (endpoint.access !== "public" && isMutation(endpoint.method)) checks.push(refuseForged);
  if (endpoint.deprecated !== undefined) checks.unshift(announceSunset(endpoint.deprecated));
  if (isStrict(endpoint)) checks.unshift(announceLeniency);
  if (endpoint.body !== undefined) checks.push(readBody(endpoint));
  else if (endpoint.openBody !== true) checks.push(refuseBody(endpoint));
  if (endpoint.params !== undefined)
    checks.push(zValidator("param", endpoint.params, problemHook(endpoint, "path")));
  if (endpoint.openQuery !== true)
    checks.push(refuseUnknown(endpoint, "query", endpoint.query ?? noParameters));
  if (endpoint.query !== undefined)
    checks.push(zValidator("query", endpoint.query, problemHook(endpoint, "query")));
  if (endpoint.body !== undefined)
    checks.push(
      refuseUnknown(endpoint, "body", endpoint.body),
      zValidator("json", endpoint.body, problemHook(endpoint, "body")),
    );
  return checks;
}

/** RFC 9745 and RFC 8594. */
function announceSunset(of: NonNullable<Endpoint["deprecated"]>): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    await next();
    c.res.headers.set("deprecation", `@${Math.floor(of.sinceMs / 1000)}`);
    c.res.headers.set("sunset", new Date(of.sunsetMs).toUTCString());
    c.res.headers.append("link", `<${of.link}>; rel="deprecation"`);
  };
}

function refuseStrangers(endpoint: CheckedEndpoint): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (endpoint.access !== "public") {
      if (c.get("refusal") !== undefined) throw c.get("refusal");
      if (c.get("caller") === undefined) throw strangerError();
    }
    await next();
  };
}

/** A change by session cookie must come from a page of the service (csrf.ts). */
const refuseForged: MiddlewareHandler<AppEnv> = async (c, next) => {
  const caller = c.get("caller");
  if (caller !== undefined && "sessionDigest" in caller) {
    const problem = csrfProblem(
      {
        proof: c.req.header("x-service-csrf"),
        fetchSite: c.req.header("sec-fetch-site"),
        origin: c.req.header("origin"),
      },
      {
        ownOrigin: new URL(c.req.url).origin,
        allowedOrigins: allowedOrigins(c.env.ALLOWED_ORIGINS),
      },
    );
    if (problem !== undefined) throw csrfError(problem);
  }
  await next();
};

function readBody(
  endpoint: CheckedEndpoint & Pick<Endpoint, "maxBodyBytes" | "bodyOptional" | "textBody">,
): MiddlewareHandler<AppEnv> {
  const maxBytes = endpoint.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
  return async (c, next) => {
    let body: JsonBody | undefined;
    try {
      body = await readJsonBody(c.req.raw, maxBytes, endpoint.textBody, {
        whenLarge: async () => {
          if (c.get("isKnown")) return;
          await authenticateCaller(c, endpoint);
          // The rest may take long to arrive: the change authenticates the caller again.
          c.set("actor", undefined);
        },
        beforeParsing: (text, bytes) => spendBeforeParsing(c, endpoint, text, bytes),
      });
      if (body === undefined && endpoint.bodyOptional !== true)
        throw new ApiError("validation_failed", "A body is required.", {
          faults: [{ in: "body", pointer: "", code: "required", detail: "The body is missing." }],
        });
    } catch (error) {
      await authenticateCaller(c, endpoint);
      throw error;
    }
    await goOnAt(c, Date.now());
    if (isTextType(c.req.header("content-type"), endpoint.textBody)) {
      // The validator treats a body of any other type as `{}`.
      const headers = new Headers(c.req.raw.headers);
      headers.set("content-type", "application/json");
      c.req.raw = new Request(c.req.url, { method: c.req.method, headers });
    }
    // Hono's cache holds promises, although its type names the values.
    c.req.bodyCache.text = Promise.resolve(body?.text ?? "{}") as unknown as string;
    c.req.bodyCache.json = Promise.resolve(body?.value ?? {});
    await next();
  };
}

/** A change counts from the arrival of its body: a credential that ended meanwhile is refused. */
async function goOnAt(c: AppContext, now: number): Promise<void> {
  if (now - c.get("now") < SLOW_BODY_MS || c.get("caller") === undefined) return;
  c.set("now", now);
  c.set("caller", await c.get("callerAt")(now));
  c.set("actor", undefined);
}

/** Refuses a body where the endpoint declares none. `{}` is accepted. */
function refuseBody(endpoint: CheckedEndpoint): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (c.req.raw.body !== null && !isLenient(c)) {
      const error = await bodyProblem(c.req.raw);
      if (error !== undefined) {
        await authenticateCaller(c, endpoint);
        throw error;
      }
    }
    await next();
  };
}

/** The error names the members of the body, if it has any: the caller meant something by them. */
async function bodyProblem(request: Request): Promise<ApiError | undefined> {
  const value = await readBytes(request, MAX_UNWANTED_BYTES).then(valueOf, () => null);
  const [first, ...others] = isJsonMap(value)
    ? Object.keys(value).map((name) => ({ path: [name], known: [] }))
    : [];
  if (first !== undefined) return unknownParameter([first, ...others], "body");
  if (value === undefined || isJsonMap(value)) return undefined;
  return new ApiError(
    "validation_failed",
    "This endpoint takes no body. Send the request without one.",
    {
      faults: [
        {
          in: "body",
          pointer: "",
          code: "invalid_value",
          detail: "It must be empty. `Prefer: handling=lenient` has it ignored.",
        },
      ],
    },
  );
}

/** Undefined: the body is empty; null: it is no JSON. */
function valueOf(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes).trim();
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Refuses names that the schema does not declare: a typing error must not change the meaning of a request. */
function refuseUnknown(
  endpoint: CheckedEndpoint & Pick<Endpoint, "elsewhere">,
  place: "body" | "query",
  schema: z.ZodType,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const value =
      place === "body"
        ? await c.req.json<unknown>()
        : Object.fromEntries(new URL(c.req.url).searchParams);
    const [first, ...others] = isLenient(c) ? [] : unknownMembers(schema, value);
    if (first !== undefined) {
      await authenticateCaller(c, endpoint);
      throw unknownParameter([first, ...others], place, endpoint.elsewhere);
    }
    await next();
  };
}

function isLenient(c: AppContext): boolean {
  return prefersLenient(c.req.header("prefer"));
}

const announceLeniency: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  if (isLenient(c)) c.res.headers.append("preference-applied", "handling=lenient");
};

function problemHook(endpoint: CheckedEndpoint, place: RequestFault["in"]) {
  return async (
    result: { data: unknown } & ({ success: true } | { success: false; error: z.core.$ZodError }),
    c: AppContext,
  ) => {
    if (result.success) return;
    await authenticateCaller(c, endpoint);
    throw new ApiError("validation_failed", "The request is not valid; `errors` says where.", {
      faults: faultsOf(result.error.issues, place, result.data),
    });
  };
}
