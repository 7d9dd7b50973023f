/** `Prefer: wait`: holds an answer until the work that the request started has ended. */
import type * as z from "zod";
import type { Endpoint } from "#http/endpoint.ts";
import { preferredWaitSeconds } from "#http/prefer.ts";
import type { AppContext } from "#http/request-call.ts";
import type { Bindings } from "#kernel/bindings.ts";
import type { Call } from "#kernel/call/call.ts";
import type { StoredAnswer } from "#kernel/call/idempotency.ts";
import { ApiError } from "#kernel/errors.ts";
import { describeError, log } from "#platform/log.ts";
import { heartbeat, type Renew, renewalOf } from "./renewal.ts";

export interface Waiting {
  env: Bindings;
  /** Every read after the wait goes through a renewed call: the caller may have lost the right. */
  renew: Renew;
  /** The longest wait before the next read. */
  atMostMs: number;
}

/** The answer once the work has ended, or after `waitMs` milliseconds. It reads at least once every `atMostMs`. */
export type WhenEnded<A extends z.ZodType> = (
  waiting: Waiting,
  answered: z.output<A>,
  waitMs: number,
) => Promise<z.input<A>>;

/**
 * The answer after the work has ended, if the caller asked to wait. If the wait or the read fails, or the caller loses
 * the right, they get the first answer: their change was made, and that answer reveals nothing newer.
 */
export async function heldAnswer(
  c: AppContext,
  of: {
    endpoint: Endpoint;
    call: Call;
    answer: StoredAnswer;
    whenEnded: WhenEnded<z.ZodType>;
    begun: readonly Promise<unknown>[];
  },
): Promise<StoredAnswer> {
  const { call, answer, endpoint } = of;
  const waitSeconds = preferredWaitSeconds(c.req.header("prefer"));
  if (waitSeconds === undefined) return answer;
  try {
    // The notifications must have arrived before the runner is asked about the change.
    await Promise.allSettled(of.begun);
    const waiting = {
      env: c.env,
      renew: renewalOf(c, endpoint),
      atMostMs: heartbeat.intervalMs,
    };
    const view = await of.whenEnded(waiting, JSON.parse(answer.body), waitSeconds * 1000);
    return {
      ...answer,
      body: JSON.stringify(view),
      headers: { ...answer.headers, "preference-applied": `wait=${waitSeconds}` },
    };
  } catch (error) {
    if (!(error instanceof ApiError))
      log("warn", "An answer could not be held until its end", {
        requestId: call.requestId,
        traceId: call.trace?.traceId,
        error: describeError(error),
      });
    return answer;
  }
}
