/**
 * The checks of a request, in order, before the use case: caller, CSRF, body, parameters. A caller whose request fails
 * a check is authenticated before the error is returned.
 */
import { zValidator } from "@hono/zod-validator";
import type { MiddlewareHandler } from "hono";
import type * as z from "zod";
import { strangerError } from "#kernel/call/stranger-error.ts";
import { ApiError, type RequestFault } from "#kernel/errors.ts";
import { escapePointer } from "#platform/json.ts";
import { allowedOrigins } from "./allowed-origins.ts";
import { DEFAULT_MAX_BODY_BYTES, isTextType, type JsonBody, readJsonBody } from "./body.ts";
import { csrfError, csrfProblem } from "./csrf.ts";
import { type Endpoint, isMutation } from "./endpoint.ts";
import {
  type AppContext,
  type AppEnv,
  type CheckedEndpoint,
  authenticateCaller,
} from "./request-call.ts";

/** The middleware that runs before the endpoint's handler. */
export function checksOf(endpoint: Endpoint): MiddlewareHandler<AppEnv>[] {
  const checks: MiddlewareHandler<AppEnv>[] = [refuseStrangers(endpoint)];
  if (endpoint.access !== "public" && isMutation(endpoint.method)) checks.push(refuseForged);
  if (endpoint.deprecated !== undefined) checks.unshift(announceSunset(endpoint.deprecated));
  if (endpoint.body !== undefined) checks.push(readBody(endpoint));
  if (endpoint.params !== undefined)
    checks.push(zValidator("param", endpoint.params, problemHook(endpoint, "path")));
  if (endpoint.query !== undefined) {
    if (endpoint.openQuery !== true) checks.push(knownQuery(endpoint));
    checks.push(zValidator("query", endpoint.query, problemHook(endpoint, "query")));
  }
  if (endpoint.body !== undefined)
    checks.push(zValidator("json", endpoint.body, problemHook(endpoint, "body")));
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
      if (c.var.refusal !== undefined) throw c.var.refusal;
      if (c.var.caller === undefined) throw strangerError();
    }
    await next();
  };
}

/** A change by session cookie must come from a page of the service (csrf.ts). */
const refuseForged: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { caller } = c.var;
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
      body = await readJsonBody(c.req.raw, maxBytes, endpoint.textBody);
      if (body === undefined && endpoint.bodyOptional !== true)
        throw new ApiError("validation_failed", "A JSON body is required.", {
          faults: [{ in: "body", pointer: "", code: "required", detail: "The body is missing." }],
        });
    } catch (error) {
      await authenticateCaller(c, endpoint);
      throw error;
    }
    if (isTextType(c.req.header("content-type"), endpoint.textBody)) {
      // The validator takes a body of any other type for `{}`.
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

function knownQuery(
  endpoint: Pick<Endpoint, "query" | "method" | "path" | "access">,
): MiddlewareHandler<AppEnv> {
  const known = new Set(Object.keys((endpoint.query as unknown as z.ZodObject).shape));
  return async (c, next) => {
    const unknown = [...new URL(c.req.url).searchParams.keys()].find((name) => !known.has(name));
    if (unknown !== undefined) {
      await authenticateCaller(c, endpoint);
      throw new ApiError("unknown_parameter", "A query parameter is not known here.", {
        faults: [
          {
            in: "query",
            pointer: unknown.slice(0, 100),
            code: "unknown_parameter",
            detail: `Known: ${[...known].join(", ")}.`,
          },
        ],
      });
    }
    await next();
  };
}

function problemHook(endpoint: CheckedEndpoint, place: RequestFault["in"]) {
  return async (
    result: { success: true } | { success: false; error: z.core.$ZodError },
    c: AppContext,
  ) => {
    if (result.success) return;
    await authenticateCaller(c, endpoint);
    throw new ApiError("validation_failed", "The request is not valid; `errors` says where.", {
      faults: result.error.issues.slice(0, 100).map((issue) => faultOf(issue, place)),
    });
  };
}

function faultOf(issue: z.core.$ZodIssue, place: RequestFault["in"]): RequestFault {
  const path = issue.path.map((part) => String(part));
  const pointer =
    place === "body" ? path.map((part) => `/${escapePointer(part)}`).join("") : path.join(".");
  return { in: place, pointer, code: issue.code, detail: issue.message };
}
