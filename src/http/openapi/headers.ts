/** The headers of requests and answers: each is defined once in the document and referenced where it is used. */
import { BOOKMARK_HEADER } from "#http/bookmark.ts";
import type { JsonMap } from "#platform/json.ts";

export interface Header {
  name: string;
  description: string;
  required?: boolean;
  schema?: JsonMap;
}

export const idempotencyKey: Header = {
  name: "Idempotency-Key",
  description:
    "Makes the request safe to repeat: for 24 hours, or ten minutes if it changed nothing, the same request with the same key gets the first answer again.",
  schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,255}$" },
};
export const ifMatch: Header = {
  name: "If-Match",
  description:
    "The ETag of the version to change. If the object's ETag is another one, the answer is 412 and nothing changes.",
};
export const ifNoneMatch: Header = {
  name: "If-None-Match",
  description:
    "An ETag that the caller already has. If it is still current, the answer is 304 without a body.",
};
export const bookmark: Header = {
  name: BOOKMARK_HEADER,
  description:
    "The `X-D1-Bookmark` of an earlier answer. The read may then be answered by a copy of the database near the caller that knows at least as much. Default: the primary answers, which knows everything.",
};
export const csrfProof: Header = {
  name: "x-service-csrf",
  description: "Required with a browser session; send `1`. Not needed with an API key.",
};
export const prefer: Header = {
  name: "Prefer",
  description:
    "`handling=lenient`: ignore unknown members of the body and unknown query parameters. Default: they are refused. `wait=N`, where a deployment starts or changes: answer when it has ended or waits for approval, after at most N seconds (maximum 25). Default: answer at once. Other preferences are ignored.",
};
export const requestHeaders = [idempotencyKey, ifMatch, ifNoneMatch, bookmark, csrfProof, prefer];

export const answerHeaders = {
  "X-Request-Id": "The id of this request. Quote it when you ask for help.",
  Location: "The URL of the resource, or of the page to go to.",
  Link: 'The URL of the next page, `rel="next"`. Absent on the last page.',
  ETag: "The version of the object, for `If-Match` and `If-None-Match`.",
  "Retry-After": "Seconds to wait before the next try.",
  "Preference-Applied": "The part of `Prefer` that was applied.",
  RateLimit:
    "For each limit that this request counts against: at most `r` more requests within the next `t` seconds. Exact for quotas; for `default`, which is counted in several places, `r` is an upper bound.",
  "RateLimit-Policy": "The limits that this request counts against: `q` requests in `w` seconds.",
  "WWW-Authenticate": "How to authenticate.",
  "X-D1-Bookmark":
    "How far into the database this answer has seen, the caller's own change included. Send it with later reads.",
} as const;
type AnswerHeader = keyof typeof answerHeaders;

export const componentName = ({ name }: { name: string }): string => name.replaceAll("-", "");

export function headerParameter({ name, description, required = false, schema }: Header): JsonMap {
  return { name, in: "header", required, description, schema: schema ?? { type: "string" } };
}

export const parameterRefs = (headers: readonly Header[]): JsonMap[] =>
  headers.map((header) => ({ $ref: `#/components/parameters/${componentName(header)}` }));

export function headerRefs(...names: AnswerHeader[]): JsonMap {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${componentName({ name })}` }]),
  );
}

export const ON_EVERY_ANSWER = ["X-Request-Id", "RateLimit", "RateLimit-Policy"] as const;
