/**
 * W3C Trace Context (https://www.w3.org/TR/trace-context/): a caller's `traceparent` puts what is done because of
 * the request into the caller's own trace. Nothing here makes traces: without one there is none.
 */

export interface Trace {
  /** 32 hex digits, not all zero. */
  traceId: string;
  /** Two hex digits: bit 0 says that the caller records the trace. */
  flags: string;
}

/** The flags that version 00 knows: sampled, and random trace id. Unknown ones are not passed on. */
const KNOWN_FLAGS = 0b11;

/** The trace a header names; undefined for none and for a header that is not well-formed. */
export function parseTraceparent(header: string | undefined): Trace | undefined {
  const parts = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(
    header ?? "",
  );
  const [, version = "", traceId = "", spanId = "", flags = "", rest] = parts ?? [];
  if (parts === null || version === "ff" || (version === "00" && rest !== undefined))
    return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, flags: hex(parseInt(flags, 16) & KNOWN_FLAGS) };
}

/** The header of one outgoing request of the trace: a span of its own. */
export function traceparentOf(
  { traceId, flags }: Trace,
  random: Uint8Array = crypto.getRandomValues(new Uint8Array(8)),
): string {
  const span = random.every((byte) => byte === 0)
    ? "0000000000000001"
    : [...random].map(hex).join("");
  return `00-${traceId}-${span}-${flags}`;
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}
