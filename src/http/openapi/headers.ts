/** The headers of requests and answers, as the document names them: each once, referred to from where it is used. */
import type { JsonMap } from "#platform/json.ts";

export interface Header {
  name: string;
  description: string;
  required?: boolean;
  schema?: JsonMap;
}

export const idempotencyKey: Header = {
  name: "Idempotency-Key",
  description: "Repeating the request with the same key repeats the answer, for 24 hours.",
  schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,255}$" },
};
export const ifMatch: Header = {
  name: "If-Match",
  description: "The ETag the change is meant for; the object has another: 412.",
};
export const ifNoneMatch: Header = {
  name: "If-None-Match",
  description: "An ETag the caller has; it is still the object's: 304.",
};
export const csrfProof: Header = {
  name: "x-service-csrf",
  description: "A browser session sends `1`; with an API key it is not needed.",
};
export const prefer: Header = {
  name: "Prefer",
  description:
    "`wait=N` holds the answer back until what was asked for has ended, for N seconds at most, 25 at the most.",
};
export const requestHeaders = [idempotencyKey, ifMatch, ifNoneMatch, csrfProof, prefer];

export const answerHeaders = {
  "X-Request-Id": "Quote it when you ask for help.",
  Location: "The resource.",
  Link: 'The next page, `rel="next"`.',
  ETag: "The version, for If-Match and If-None-Match.",
  "Retry-After": "Try again after so many seconds.",
  "Preference-Applied": "What of `Prefer` was heeded.",
  RateLimit:
    "Of each limit that the request was counted against: at most `r` more within the next `t` seconds. Of a quota that is exact; `default` is counted in several places, and `r` is what one of them knows.",
  "RateLimit-Policy": "Those limits: `q` requests in `w` seconds.",
  "WWW-Authenticate": "How to authenticate.",
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
