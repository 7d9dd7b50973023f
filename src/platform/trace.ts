/**
 * W3C Trace Context (https://www.w3.org/TR/trace-context/): a caller's `traceparent` adds the work for its request to
 * the caller's trace. Never starts a trace of its own.
 */

export interface Trace {
  /** 32 hex digits, not all zero. */
  traceId: string;
  /** Two hex digits; bit 0 means that the caller records the trace. */
  flags: string;
}

/** The flags of version 00: sampled, and random trace id. Unknown flags are dropped. */
const KNOWN_FLAGS = 0b11;

/** Parses a `traceparent` header; undefined when it is missing or malformed. */
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

/** The `traceparent` header of one outgoing request, with a new span. */
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
