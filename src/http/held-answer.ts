/** `Prefer: wait`: an answer that is held until what it speaks of has ended. */
import type * as z from "zod";
import type { Call } from "#kernel/call/call.ts";
import type { StoredAnswer } from "#kernel/call/idempotency.ts";
import { describeError, log } from "#platform/log.ts";
import { preferredWaitSeconds } from "./prefer.ts";
import type { AppContext } from "./request-call.ts";

/** How what was answered looks once it has ended, or when so many milliseconds have passed. */
export type WhenEnded<A extends z.ZodType> = (
  call: Call,
  answered: z.output<A>,
  waitMs: number,
) => Promise<z.input<A>>;

/**
 * The answer as it is when what it speaks of has ended, if the caller wants to wait for that. Why the wait or the
 * reading after it failed is no matter of the caller's, whose change was made: they get the first answer then.
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
    // What was rung for must have heard of the change before it is asked how the change goes on.
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
