/** One HTTP request to a receiver, with limits on its time and on the stored part of the answer. */
import { type Outcome, parseRetryAfterMs } from "./after-attempt.ts";

export const USER_AGENT = "control-api-webhooks/1";
export const SEND_TIMEOUT_MS = 15_000;
const KEPT_BYTES = 16 * 1024;

export interface SendParts {
  /** Epoch milliseconds. */
  now: () => number;
  fetch: (request: Request) => Promise<Response>;
  timeoutMs: number;
}

export interface Sent extends Outcome {
  /** The first 16 KiB of the answer's body. */
  answer: string;
  /** The stored answer is a part: the answer had 16 KiB or more, did not end in time or broke off. */
  answerCut: boolean;
}

/**
 * Posts the body and classifies the answer by its head: 200 to 299 is a success, however its body ends, which is kept
 * for people alone. An accepted delivery must not be sent again. Never throws for failures of the network or the
 * receiver. Redirects are not followed: a signed body must not reach an unchecked address. The time-out covers the head
 * and the read part of the body.
 */
export async function send(
  request: { url: URL; headers: Readonly<Record<string, string>>; body: string },
  parts: SendParts,
): Promise<Sent> {
  const startedMs = parts.now();
  const abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const timedOut = new Promise<"timeout">((resolve) => {
    timer = setTimeout(() => {
      resolve("timeout");
      abort.abort();
    }, parts.timeoutMs);
  });
  const sent = (
    errorClass: Sent["errorClass"],
    head?: Response,
    kept: Kept = { text: "", cut: false },
  ): Sent => {
    const nowMs = parts.now();
    const retryAfterMs = parseRetryAfterMs(head?.headers.get("retry-after") ?? null, nowMs);
    return {
      status: head?.status ?? null,
      errorClass,
      durationMs: nowMs - startedMs,
      answer: kept.text,
      answerCut: kept.cut,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
  };
  try {
    const answering = parts.fetch(
      new Request(request.url, {
        method: "POST",
        headers: request.headers,
        body: request.body,
        redirect: "manual",
        signal: abort.signal,
      }),
    );
    const first = await Promise.race([answering, timedOut]);
    if (first === "timeout") {
      discardLate(answering);
      return sent("timeout");
    }
    return sent(classOf(first.status), first, await keepStart(first.body, timedOut));
  } catch {
    return sent(abort.signal.aborted ? "timeout" : "network");
  } finally {
    clearTimeout(timer);
  }
}

function classOf(status: number): Sent["errorClass"] {
  if (status >= 200 && status <= 299) return null;
  return status >= 300 && status <= 399 ? "redirect" : "http_status";
}

interface Kept {
  text: string;
  cut: boolean;
}

/** The start of the body, or the part that arrived. Never throws. */
async function keepStart(
  stream: ReadableStream | null,
  timedOut: Promise<"timeout">,
): Promise<Kept> {
  if (stream === null) return { text: "", cut: false };
  const reader = (stream as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let left = KEPT_BYTES; left > 0;) {
    const next = await Promise.race([reader.read(), timedOut]).catch(() => "broken" as const);
    if (next === "timeout" || next === "broken") break;
    if (next.done) return { text: storable(text + decoder.decode()), cut: false };
    text += decoder.decode(next.value.subarray(0, left), { stream: true });
    left -= next.value.byteLength;
  }
  cancel(reader);
  return { text: storable(text), cut: true };
}

/** Removes NUL, at which some SQLite functions cut a text. */
function storable(text: string): string {
  return text.replaceAll("\0", "\ufffd");
}

function cancel(reader: ReadableStreamDefaultReader): void {
  reader.cancel().catch(() => undefined);
}

function discardLate(answering: Promise<Response>): void {
  answering
    .then(
      (response) => response.body?.cancel(),
      () => undefined,
    )
    .catch(() => undefined);
}
