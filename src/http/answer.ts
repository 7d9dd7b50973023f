/** Makes the response from the result of a use case. */
import type { StoredAnswer } from "#kernel/call/idempotency.ts";
import { matchesIfNoneMatch } from "#platform/etag.ts";
import { answerProblems } from "./answer-check.ts";
import { API_PREFIX } from "./api-prefix.ts";
import { type Endpoint, isMutation } from "./endpoint.ts";
import type { AppContext } from "./request-call.ts";

/** The answer to a result, in the form that is stored for a repeated request. */
export function answerOf(endpoint: Endpoint, result: unknown, view: unknown): StoredAnswer {
  const headers: Record<string, string> = {};
  if (endpoint.dryRun === true && (view as { id: unknown }).id === null)
    return { status: 200, headers, body: JSON.stringify(view) };
  if (endpoint.location !== undefined)
    headers["location"] =
      API_PREFIX +
      endpoint.location.replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(String((view as Record<string, unknown>)[name])),
      );
  if (endpoint.etag === true)
    headers["etag"] = `"${String((result as { version: number }).version)}"`;
  return {
    status: endpoint.answer.status,
    headers,
    body: endpoint.answer.schema === undefined ? "" : JSON.stringify(view),
  };
}

/** `Link` (RFC 8288) to the rest of a list: the same request with the next cursor. */
export function nextLink(c: AppContext, view: unknown): Record<string, string> {
  const cursor = (view as { nextCursor?: unknown } | undefined)?.nextCursor;
  if (typeof cursor !== "string") return {};
  const next = new URL(c.req.url);
  next.searchParams.set("cursor", cursor);
  return { link: `<${next.pathname}${next.search}>; rel="next"` };
}

export function respond(c: AppContext, endpoint: Endpoint, answer: StoredAnswer): Response {
  if (c.env.CHECK_ANSWERS === "on" && endpoint.answer.schema !== undefined)
    assertAnswer(endpoint, answer.body);
  const etag = answer.headers["etag"];
  if (
    !isMutation(c.req.method) &&
    etag !== undefined &&
    matchesIfNoneMatch(c.req.header("if-none-match"), etag)
  )
    return new Response(null, { status: 304, headers: answer.headers });
  return storedResponse(answer);
}

export const replayedHeader = { "idempotent-replayed": "true" } as const;

export function storedResponse(answer: StoredAnswer): Response {
  if (answer.body === "")
    return new Response(null, { status: answer.status, headers: answer.headers });
  return new Response(answer.body, {
    status: answer.status,
    headers: { ...answer.headers, "content-type": "application/json" },
  });
}

export const PLAIN_TEXT = "text/plain";

/** Whether the caller asks for lines of text instead of JSON. */
export function wantsText(accept: string | undefined): boolean {
  return accept?.includes(PLAIN_TEXT) === true && !accept.includes("application/json");
}

export function textResponse(text: string): Response {
  return new Response(text, { headers: { "content-type": `${PLAIN_TEXT}; charset=utf-8` } });
}

function assertAnswer(endpoint: Endpoint, body: string): void {
  const problems = answerProblems(endpoint.answer.schema, body);
  if (problems !== undefined)
    throw new Error(`${endpoint.operationId} answered what it does not declare: ${problems}`);
}
