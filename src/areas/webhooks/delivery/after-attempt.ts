/** The consequences of one attempt. Pure, so that every rule of the retry schedule is a row in a test. */
import type { AttemptErrorClass, DeliveryState } from "#schema/webhooks.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The wait after the first, second, … failure: twelve attempts in all, over 67.6 hours. */
const stepsMs = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  ...Array.from({ length: 6 }, () => 10 * HOUR_MS),
] as const;

export const MAX_ATTEMPTS = stepsMs.length + 1;
const JITTER = 0.2;
/** The minimum wait after an answer from an overloaded receiver. */
const OVERLOADED_FLOOR_MS = MINUTE_MS;
const overloaded: ReadonlySet<number> = new Set([429, 502, 504]);
/** An exhausted delivery disables a webhook without a success for this long. */
export const FAILING_LIMIT_MS = 5 * 24 * HOUR_MS;
/** A receiver that takes longer is slow: its deliveries use the slow queue. */
export const SLOW_MS = 2 * SECOND_MS;

export interface Outcome {
  /** The HTTP status; null: there was no answer. */
  status: number | null;
  /** Null: delivered. */
  errorClass: AttemptErrorClass | null;
  durationMs: number;
  /** The wait from the receiver's `Retry-After`. */
  retryAfterMs?: number;
}

export interface NextState {
  state: Extract<DeliveryState, "SUCCEEDED" | "RETRYING" | "EXHAUSTED">;
  dueAtMs: number | null;
  /** The webhook is disabled, for this reason. */
  disable?: "gone" | "failing";
  /** True: the receiver is slow; its next deliveries go to the slow queue. */
  slow: boolean;
}

/**
 * The delivery's next state. `attempts` includes this one; `failingSinceMs`: the webhook's first failure since its last
 * success, including this one; `random` is in [0, 1).
 */
export function afterAttempt(
  delivery: { attempts: number; manual: boolean },
  outcome: Outcome,
  context: { nowMs: number; failingSinceMs: number; random: number },
): NextState {
  const slow = outcome.errorClass === "timeout" || outcome.durationMs > SLOW_MS;
  if (outcome.errorClass === null) return { state: "SUCCEEDED", dueAtMs: null, slow };
  if (outcome.status === 410) return { state: "EXHAUSTED", dueAtMs: null, disable: "gone", slow };
  const stepMs = delivery.manual ? undefined : stepsMs[delivery.attempts - 1];
  if (stepMs !== undefined)
    return {
      state: "RETRYING",
      dueAtMs: context.nowMs + waitMs(stepMs, outcome, context.random),
      slow,
    };
  const failing = !delivery.manual && context.nowMs - context.failingSinceMs >= FAILING_LIMIT_MS;
  return { state: "EXHAUSTED", dueAtMs: null, slow, ...(failing ? { disable: "failing" } : {}) };
}

/** The step ± 20 %, or the receiver's `Retry-After`, between the step and twice the step. */
function waitMs(stepMs: number, outcome: Outcome, random: number): number {
  const jittered = stepMs * (1 - JITTER + 2 * JITTER * random);
  const asked = Math.min(outcome.retryAfterMs ?? 0, 2 * stepMs);
  const isOverloaded =
    outcome.errorClass === "timeout" || (outcome.status !== null && overloaded.has(outcome.status));
  return Math.round(Math.max(jittered, asked, isOverloaded ? OVERLOADED_FLOOR_MS : 0));
}

/** A `Retry-After` header (seconds or HTTP date) as milliseconds from now; undefined: absent or invalid. */
export function parseRetryAfterMs(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim().slice(0, 64) ?? "";
  if (text === "") return undefined;
  // An HTTP date starts with the name of the day; `Date.parse` alone would take "-5" for a year.
  const isDate = /^[A-Za-z]{3}/.test(text);
  if (!isDate && !/^\d+$/.test(text)) return undefined;
  const ms = isDate ? Date.parse(text) - nowMs : Number(text) * SECOND_MS;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
