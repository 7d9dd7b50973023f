/**
 * W3C Trace Context (https://www.w3.org/TR/trace-context/): a caller's `traceparent` adds the request's work to the
 * caller's trace, and `tracestate` accompanies it. A request without a valid one begins a trace that appears in the log
 * and the stored rows. It is not sent on: this service does not decide whether its spans are recorded (decision 0091).
 */
import { parseTracestate } from "./tracestate.ts";

export interface Trace {
  /** 32 hex digits, not all zero. */
  traceId: string;
  /** Two hex digits; bit 0 means that the caller records the trace. */
  flags: string;
  /** The caller's `tracestate`. Only the caller's own tenant gets it. */
  state?: string;
  /** The request brought no trace, so only this service knows it. */
  begunHere?: true;
}

/** The flags of version 00: sampled, and random trace id. Unknown flags are dropped. */
const KNOWN_FLAGS = 0b11;

/** The trace of a request with these headers: the caller's, or a new one if `traceparent` is missing or malformed. */
export function traceOf(
  traceparent: string | undefined,
  tracestate: string | undefined,
  random: Uint8Array = crypto.getRandomValues(new Uint8Array(16)),
): Trace {
  const given = parseTraceparent(traceparent);
  if (given === undefined) return { traceId: hexOf(random), flags: "00", begunHere: true };
  const state = parseTracestate(tracestate);
  return state === undefined ? given : { ...given, state };
}

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

/** The trace without `tracestate`, which only the caller's own tenant gets. */
export function withoutState(trace: Trace): Trace {
  const { state: _, ...others } = trace;
  return others;
}

/** The headers of one outgoing request, with a new span; none for a trace that began here. */
export function traceHeaders(
  trace: Trace | undefined,
  random: Uint8Array = crypto.getRandomValues(new Uint8Array(8)),
): { traceparent?: string; tracestate?: string } {
  if (trace === undefined || trace.begunHere === true) return {};
  const { traceId, flags, state } = trace;
  return {
    traceparent: `00-${traceId}-${hexOf(random)}-${flags}`,
    ...(state === undefined ? {} : { tracestate: state }),
  };
}

/** The bytes as hex digits, never all zero, which would be an invalid id. */
function hexOf(bytes: Uint8Array): string {
  let digits = "";
  for (const byte of bytes) digits += hexOfByte[byte] ?? "";
  return /[^0]/.test(digits) ? digits : digits.replace(/0$/, "1");
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}

const hexOfByte = Array.from({ length: 256 }, (_, byte) => hex(byte));
