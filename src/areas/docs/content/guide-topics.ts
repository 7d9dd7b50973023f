import type { Topic } from "./topic.ts";

/** The rules of every endpoint, to be read once, before the first request. */
export const guideTopics: readonly Topic[] = [
  {
    id: "guide-authentication",
    title: "Authentication",
    text: "Send an API key as `Authorization: Bearer <key>`; in the samples it is `$KEY`. A key belongs to one tenant and has scopes; it never does more than the role of whoever made it. A browser session does as well; its changes carry `x-service-csrf: 1`. Another tenant's object answers exactly like one that does not exist.",
  },
  {
    id: "guide-errors",
    title: "Errors",
    text: "Every error is `application/problem+json` (RFC 9457). `code` is stable: decide by it. `detail` says what is wrong and what to do, `errors` names each place in the request, and `type` leads to the entry of the code. Quote `requestId` when you ask for help.",
  },
  {
    id: "guide-idempotency",
    title: "Repeating safely",
    text: "Send an `Idempotency-Key` of your own with a change. If the answer is lost, send the same request with the same key within 24 hours (ten minutes, if it changed nothing): it is done once, and you get the first answer again, marked `Idempotent-Replayed: true`.",
  },
  {
    id: "guide-versions",
    title: "Changing what you have read",
    text: "A single resource answers with an `ETag`. Send it as `If-Match` with a change, and the change is refused with 412 if somebody else was faster. Send it as `If-None-Match` when you read again, and 304 says that nothing changed.",
  },
  {
    id: "guide-lists",
    title: "Lists",
    text: "A list answers `data` and `nextCursor`. Send the cursor, with the same filters, for the next page; it is null on the last one. `limit` is 1 to 100, 20 by default. The `Link` header has the address of the next page.",
  },
  {
    id: "guide-deployments",
    title: "Following a deployment",
    text: "What takes time answers 202 with the deployment and its address in `Location`. Its log is a page of entries, or with `Accept: text/event-stream` a live stream that goes on exactly where it broke off. Webhooks tell the rest.",
  },
];
