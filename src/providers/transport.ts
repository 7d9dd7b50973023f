/**
 * Sends one request to a cloud and reads the whole answer, with limits on time and size. Never throws for a failure
 * of the network or the cloud: every failure is a tagged result, and no message contains a secret. Does not retry; a
 * caller that crashes during the request must assume that it arrived.
 */
import { exceedsNesting } from "#platform/json-nesting.ts";
import { type Json, readJson } from "#platform/json.ts";
import type { ProviderContext } from "./provider.ts";
import { redactSecrets } from "./redact-secrets.ts";

export const DEFAULT_TIMEOUT_MS = 30_000;
export const DEFAULT_MAX_BYTES = 4 * 1024 * 1024;
const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;
const MAX_REQUEST_ID_LENGTH = 200;
const MAX_REASON_LENGTH = 1_000;
/** What walks through an answer calls itself for each level. */
const MAX_NESTING = 100;

export interface TransportRequest {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

export interface TransportOptions {
  timeoutMs?: number;
  maxBytes?: number;
}

export interface Answer {
  ok: true;
  status: number;
  headers: Headers;
  /** The parsed body, if it is JSON. */
  json?: Json;
  /** The body as text, if it is not empty. */
  text?: string;
  requestId?: string;
  /** Retry-After in milliseconds from now. */
  afterMs?: number;
}

export interface NoAnswer {
  ok: false;
  kind: "timeout" | "network" | "too_large" | "invalid";
  message: string;
  /** Set if the response headers arrived. */
  status?: number;
  /** False when the request was not sent and so had no effect. */
  sent: boolean;
  requestId?: string;
}

const requestIdHeaders = [
  "x-request-id",
  "request-id",
  "x-amzn-requestid",
  "x-amz-request-id",
  "x-ms-request-id",
  "opc-request-id",
  "x-vercel-id",
  "cf-ray",
] as const;

/** The provider's request id, for its support: printable ASCII, at most 200 characters; one that is longer is none. */
export function requestIdOf(headers: Headers): string | undefined {
  for (const name of requestIdHeaders) {
    const id = headers.get(name)?.replace(/[^\x20-\x7e]/g, "");
    if (id && id.length <= MAX_REQUEST_ID_LENGTH) return id;
  }
  return undefined;
}

/** `Retry-After` (seconds or an HTTP date) as milliseconds from `nowMs`, at most one day. */
export function retryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const text = headers.get("retry-after")?.trim().slice(0, 64);
  if (!text) return undefined;
  const isDate = /^[A-Za-z].* GMT$/.test(text);
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  const waitMs = isDate ? Date.parse(text) - nowMs : seconds * 1000;
  if (Number.isNaN(waitMs)) return undefined;
  return Math.round(Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS));
}

type ReadText = { kind: "text"; text: string } | { kind: "too_large" } | { kind: "timeout" };

/**
 * Reads a body as text. Cancels the stream as soon as it exceeds `maxBytes` or `timedOut` resolves. Rejects when the
 * stream fails.
 */
export async function readAtMost(
  stream: ReadableStream | null,
  maxBytes: number,
  timedOut?: Promise<"timeout">,
): Promise<ReadText> {
  if (stream === null) return { kind: "text", text: "" };
  const reader = (stream as ReadableStream<Uint8Array>).getReader();
  const cancel = (kind: "too_large" | "timeout"): ReadText => {
    reader.cancel().catch(() => undefined);
    return { kind };
  };
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for (;;) {
    const next = await (timedOut ? Promise.race([reader.read(), timedOut]) : reader.read());
    if (next === "timeout") return cancel("timeout");
    if (next.done) break;
    bytes += next.value.byteLength;
    if (bytes > maxBytes) return cancel("too_large");
    parts.push(decoder.decode(next.value, { stream: true }));
  }
  parts.push(decoder.decode());
  return { kind: "text", text: parts.join("") };
}

/**
 * Sends one request and reads the whole answer. Does not follow redirects: a signed request must not go to an address
 * outside the provider's table. The timeout covers headers and body. Any status is `ok`; a 2xx with a JSON content
 * type but invalid JSON is `invalid`, and so is one whose JSON is nested too deep.
 */
export async function send(
  context: Pick<ProviderContext, "fetch" | "credential" | "session" | "now">,
  request: TransportRequest,
  options: TransportOptions = {},
): Promise<Answer | NoAnswer> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxBytes = DEFAULT_MAX_BYTES } = options;
  const abort = new AbortController();
  const failure = (
    kind: NoAnswer["kind"],
    reason: string,
    head?: Response,
    sent = true,
  ): NoAnswer => {
    const requestId = head && requestIdOf(head.headers);
    return {
      ok: false,
      kind,
      message: redactSecrets(
        reason,
        [context.credential, context.session ?? null],
        request.headers,
      ),
      sent,
      ...(head && { status: head.status }),
      ...(requestId && { requestId }),
    };
  };

  let outgoing: Request;
  try {
    outgoing = new Request(request.url, {
      method: request.method,
      headers: request.headers,
      redirect: "manual",
      signal: abort.signal,
      ...(request.body !== undefined && { body: request.body }),
    });
  } catch {
    // The runtime's message quotes the invalid header, which may contain the credential, so it is dropped.
    const reason =
      "The request could not be built: its URL or a header is not valid. Check the credential and the target's config for line breaks and other characters that are not allowed in headers.";
    return failure("invalid", reason, undefined, false);
  }

  let timer: ReturnType<typeof setTimeout> | undefined;
  const timedOut = new Promise<"timeout">((resolve) => {
    timer = setTimeout(() => {
      resolve("timeout");
      abort.abort();
    }, timeoutMs);
  });
  const timeoutMessage = `No complete answer within ${timeoutMs} ms.`;
  let head: Response | undefined;
  try {
    const answering = context.fetch(outgoing);
    const first = await Promise.race([answering, timedOut]);
    if (first === "timeout") {
      answering
        .then(
          (response) => response.body?.cancel(),
          () => undefined,
        )
        .catch(() => undefined);
      return failure("timeout", timeoutMessage);
    }
    head = first;
    const body = await readAtMost(head.body, maxBytes, timedOut);
    if (body.kind === "timeout") return failure("timeout", timeoutMessage, head);
    if (body.kind === "too_large")
      return failure("too_large", `The answer is larger than ${maxBytes} bytes.`, head);

    const isDeep = exceedsNesting(body.text, MAX_NESTING);
    if (head.ok && isDeep)
      return failure("invalid", `The answer is nested more than ${MAX_NESTING} levels deep.`, head);
    const json = body.text === "" || isDeep ? undefined : readJson(body.text);
    const claimsJson = /\bjson\b/i.test(head.headers.get("content-type") ?? "");
    if (head.ok && body.text !== "" && json === undefined && claimsJson)
      return failure("invalid", "The answer has a JSON content type but is not valid JSON.", head);
    const requestId = requestIdOf(head.headers);
    const afterMs = retryAfterMs(head.headers, context.now());
    return {
      ok: true,
      status: head.status,
      headers: head.headers,
      ...(json !== undefined && { json }),
      ...(body.text !== "" && { text: body.text }),
      ...(requestId !== undefined && { requestId }),
      ...(afterMs !== undefined && { afterMs }),
    };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "unknown reason";
    // Not cut: what a cut leaves of a secret is not found by who redacts it.
    const told = reason.length > MAX_REASON_LENGTH ? "the reason is too long to show" : reason;
    return failure("network", `The connection failed: ${told}`, head);
  } finally {
    clearTimeout(timer);
  }
}
