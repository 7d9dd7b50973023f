/**
 * Continues recoveries that are too large for their first request. Each step is one commit under the recovery's
 * version: the next sweep continues after a crash, and one of two simultaneous sweeps takes the step.
 */
import { sql } from "drizzle-orm";
import type { Bindings } from "#kernel/bindings.ts";
import type { Call } from "#kernel/call/call.ts";
import { isConflict } from "#kernel/call/retry-on-conflict.ts";
import { serviceCall } from "#kernel/call/service-call.ts";
import { describeError, log } from "#platform/log.ts";
import { type Recovery, webhookRecoveries } from "#schema/webhooks.ts";
import { findRunningRecoveries, findStep, setRecovery, takeStep } from "./recovery.ts";
import { findWebhook } from "./store.ts";

const STEPS_A_SWEEP = 20;

export async function sweepRecoveries(
  env: Bindings,
  nowMs: number,
  stepsASweep = STEPS_A_SWEEP,
): Promise<void> {
  const after: Promise<unknown>[] = [];
  const call = serviceCall({ env, name: "recoveries", nowMs, after: (work) => after.push(work) });
  const [running] = await call.read(findRunningRecoveries(call, stepsASweep));
  let stepsLeft = stepsASweep;
  let waiting: Recovery[] = running;
  // In rounds, so that a large recovery does not delay the others.
  while (waiting.length > 0 && stepsLeft > 0) {
    const round = waiting.slice(0, stepsLeft);
    stepsLeft -= round.length;
    waiting = [];
    for (const recovery of round) {
      const after = await step(call, recovery);
      if (after?.state === "RUNNING") waiting.push(after);
    }
  }
  await Promise.all(after);
}

/** The recovery after its next step; undefined: the step was not possible now. */
async function step(call: Call, recovery: Recovery): Promise<Recovery | undefined> {
  try {
    const [[webhook], [looked], lost] = await call.read(
      findWebhook(call, recovery.webhookId),
      ...findStep(call, recovery, sql`${recovery.tenantId}`),
    );
    const version = recovery.version + 1;
    const { after, writes } =
      webhook?.state === "ENABLED"
        ? takeStep(call, recovery, { looked, lost })
        : {
            after: { ...recovery, state: "CANCELED" as const, version, updatedAtMs: call.now },
            writes: [],
          };
    return await call.commitUnaudited(after, [
      call.requireVersion(webhookRecoveries, recovery),
      ...writes,
      setRecovery(call, after),
    ]);
  } catch (error) {
    if (!isConflict(error))
      log("error", "A recovery step failed; the next sweep repeats it", {
        tenantId: recovery.tenantId,
        recoveryId: recovery.id,
        error: describeError(error),
      });
    return undefined;
  }
}
