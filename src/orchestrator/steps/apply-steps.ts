/**
 * The loop that carries a plan out. It asks the scheduler for moves, starts them, and comes back when one ends;
 * at most six calls are under way, since a Worker waits on six connections. While something can be done now the
 * loop goes on in memory; to wait it returns, and the alarm brings it back.
 */
import { nextMoves } from "#engine/schedule.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import type { Run } from "#orchestrator/storage/run.ts";
import type { DeploymentError } from "#schema/deployments.ts";
import type { StepExecutor } from "./step-executor.ts";

export interface StepsEnd {
  end: "succeeded" | "failed" | "canceled";
  /** A call was made. */
  touched: boolean;
  /** The first failure. */
  error?: DeploymentError;
}

/** The run's slot at its target. */
export interface Slot {
  /** Keeps it. False: it lapsed and is another's now, so nothing may be started until there is one again. */
  hold: () => Promise<boolean>;
  /** `hold` has to be called so often. */
  holdEveryMs: number;
  /** Asked before each move: true makes way for another run, as a cancel does. */
  yields?: () => boolean;
}

/** So long a loop may run before it lets the alarm begin anew: an alarm has a quarter of an hour. */
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
      const held = await slot.hold();
      const canceling = run.canceling || slot.yields?.() === true;
      const moves = nextMoves(executor.prepared, executor.progress(), {
        canceling,
        nowMs,
      });
      if (moves.skip.length > 0) await executor.skip(moves.skip);
      if (moves.end !== undefined) {
        await executor.abandon();
        return {
          end: moves.end,
          touched: executor.touched,
          ...(executor.firstError === undefined ? {} : { error: executor.firstError }),
        };
      }
      const turnOver = nowMs - startedMs > TURN_MS;
      // A canceled run starts nothing: what it finishes needs no slot.
      if (!turnOver && (held || canceling))
        for (const step of [...moves.resume, ...moves.start]) {
          executor.begin(step);
          const executed = executor
            .execute(step)
            .catch((error: unknown) => void faults.push(error))
            .finally(() => inFlight.delete(step.id));
          inFlight.set(step.id, executed);
        }
      if (inFlight.size > 0) await anyOf(inFlight.values(), RENEW_MS);
      else if (turnOver) return { wakeAtMs: nowMs + 1 };
      else if (!held && !canceling) return { wakeAtMs: nowMs + RENEW_MS };
      else return { wakeAtMs: Math.min(moves.wakeAtMs ?? nowMs + 1, nowMs + slot.holdEveryMs) };
    }
  } finally {
    // Nothing may still be writing when the next turn begins.
    await Promise.all(inFlight.values());
  }
}

/** The first of them to end, or the time. */
async function anyOf(promises: Iterable<Promise<void>>, atMostMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, atMostMs);
  });
  try {
    await Promise.race([...promises, late]);
  } finally {
    clearTimeout(timer);
  }
}
