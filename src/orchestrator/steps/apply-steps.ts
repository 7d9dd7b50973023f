/**
 * Executes the steps of a plan. The loop asks the scheduler for moves, starts as many as the run's share of calls
 * allows, and continues when one ends. It stays in memory while a step can proceed. To wait, it returns, and the alarm
 * resumes it.
 */
import { type Moves, nextMoves } from "#engine/schedule.ts";
import type { RunCalls } from "#orchestrator/gate/run-calls.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import type { Run } from "#orchestrator/storage/run.ts";
import type { UnclassifiedError } from "#schema/deployments.ts";
import type { StepExecutor } from "./step-executor.ts";

export interface StepsEnd {
  end: "succeeded" | "failed" | "canceled";
  /** At least one call was made. */
  touched: boolean;
  /** The first failure. */
  error?: UnclassifiedError;
}

/** The run's slot at its target. */
export interface Slot {
  /** Renews the lease if due. False: another run has the slot, because the lease lapsed. No step may be started. */
  renew: () => Promise<boolean>;
  /** Maximum interval between calls of `renew`. */
  renewEveryMs: number;
  /** The calls that may begin. */
  calls: Pick<RunCalls, "due" | "free" | "waitsUntilMs">;
  /** Asks the gate for the next share of calls. */
  share: () => Promise<void>;
  /** Checked before each move. True: the run stops, as if canceled, to let another run proceed. */
  yields?: () => boolean;
}

/** The longest turn. Then the alarm resumes, which the platform limits to 15 minutes. */
const TURN_MS = 60_000;
const RENEW_MS = 10_000;

export async function applySteps(
  parts: RunnerParts,
  run: Run,
  executor: StepExecutor,
  slot: Slot,
): Promise<StepsEnd | { wakeAtMs: number }> {
  const inFlight = new Map<string, Promise<void>>();
  const faults: unknown[] = [];
  const startedMs = parts.now();
  let renewedMs = startedMs;
  try {
    for (;;) {
      if (faults.length > 0) throw faults[0];
      const nowMs = parts.now();
      if (nowMs - renewedMs > RENEW_MS) {
        renewedMs = nowMs;
        await parts.renewLease();
      }
      const held = await slot.renew();
      const canceling = () => run.canceling || slot.yields?.() === true;
      const look = () =>
        nextMoves(executor.prepared, executor.progress(), { canceling: canceling(), nowMs });
      let moves = look();
      if (held && isMoving(moves) && slot.calls.due) {
        await slot.share();
        moves = look();
      }
      if (moves.skip.length > 0) await executor.skip(moves.skip);
      if (moves.end !== undefined) {
        await executor.stop();
        return {
          end: moves.end,
          touched: executor.touched,
          ...(executor.firstError === undefined ? {} : { error: executor.firstError }),
        };
      }
      const turnOver = nowMs - startedMs > TURN_MS;
      if (!turnOver && held)
        for (const step of [...moves.resume, ...moves.start].slice(0, slot.calls.free)) {
          executor.begin(step);
          const executed = executor
            .execute(step)
            .catch((error: unknown) => void faults.push(error))
            .finally(() => inFlight.delete(step.id));
          inFlight.set(step.id, executed);
        }
      if (inFlight.size > 0) await anyOf(inFlight.values(), RENEW_MS);
      // A step may fail while this loop waits for another. The fault must be thrown: nothing else reports that step.
      else if (faults.length > 0) throw faults[0];
      else if (turnOver) return { wakeAtMs: nowMs + 1 };
      else if (!held) return { wakeAtMs: nowMs + RENEW_MS };
      else {
        const dueMs = isMoving(moves) ? slot.calls.waitsUntilMs : undefined;
        const nextMs = Math.min(dueMs ?? Infinity, moves.wakeAtMs ?? Infinity);
        const wakeAtMs = nextMs === Infinity ? nowMs + 1 : nextMs;
        return { wakeAtMs: Math.min(wakeAtMs, nowMs + slot.renewEveryMs) };
      }
    }
  } finally {
    // No step may still be writing when the next turn starts.
    await Promise.all(inFlight.values());
  }
}

/** Whether a call can be made now. */
function isMoving({ start, resume }: Moves): boolean {
  return start.length + resume.length > 0;
}

/** Waits until the first promise is done or the time is up. */
async function anyOf(promises: Iterable<Promise<void>>, atMostMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, atMostMs);
  });
  try {
    await Promise.race([...promises, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
