/** `Prefer: wait`: holds an answer until the work that the request started has ended. */
import type * as z from "zod";
import type { Call } from "#kernel/call/call.ts";
import type { StoredAnswer } from "#kernel/call/idempotency.ts";
import { describeError, log } from "#platform/log.ts";
import { preferredWaitSeconds } from "./prefer.ts";
import type { AppContext } from "./request-call.ts";

/** The answer once the work has ended, or after `waitMs` milliseconds. */
export type WhenEnded<A extends z.ZodType> = (
  call: Call,
  answered: z.output<A>,
  waitMs: number,
) => Promise<z.input<A>>;

/**
 * The answer after the work has ended, if the caller asked to wait. If waiting or the read after it fails, the caller
 * gets the first answer: their change was made.
 */
export async function heldAnswer(
  c: AppContext,
  of: {
    call: Call;
    answer: StoredAnswer;
    whenEnded: WhenEnded<z.ZodType>;
    begun: readonly Promise<unknown>[];
  },
): Promise<StoredAnswer> {
  const { call, answer } = of;
  const waitSeconds = preferredWaitSeconds(c.req.header("prefer"));
  if (waitSeconds === undefined) return answer;
  try {
    // The notifications must have arrived before the runner is asked about the change.
    await Promise.allSettled(of.begun);
    const view = await of.whenEnded(call, JSON.parse(answer.body), waitSeconds * 1000);
    return {
      ...answer,
      body: JSON.stringify(view),
      headers: { ...answer.headers, "preference-applied": `wait=${waitSeconds}` },
    };
  } catch (error) {
    log("warn", "An answer could not be held until its end", {
      requestId: call.requestId,
      traceId: call.trace?.traceId,
      error: describeError(error),
    });
    return answer;
  }
}
