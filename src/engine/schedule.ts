import type { Step } from "./plan/steps.ts";

export type StepProgress =
  | { status: "running" }
  /** Waits for a poll or retry, no earlier than `notBeforeMs` (epoch milliseconds). No call is in flight. */
  | { status: "waiting"; notBeforeMs: number }
  | { status: "succeeded" }
  | { status: "failed" }
  | { status: "skipped" };

export interface Moves {
  /** Steps to start now, those with the longest chain of dependents first. */
  start: Step[];
  /** Waiting steps that are due, longest overdue first. */
  resume: Step[];
  /**
   * Ids of steps that can never start: they depend, directly or indirectly, on a failed or skipped step, or are `last`
   * and an apply failed or was skipped.
   */
  skip: string[];
  /** The time at which the next waiting step is due, in epoch milliseconds. */
  wakeAtMs?: number;
  /** Set when the run ends as soon as `skip` is recorded. */
  end?: "succeeded" | "failed" | "canceled";
}

export interface MoveOptions {
  canceling: boolean;
  nowMs: number;
  /** Maximum concurrent calls: a Worker has at most six simultaneous connections. */
  limit?: number;
}

/** A plan's steps, prepared once per run so that each `nextMoves` needs only one pass. */
export interface Prepared {
  /** `last` steps come after all applies. */
  readonly steps: readonly Step[];
  /** Steps with the longest chain of dependents first, then in plan order. */
  readonly byRank: readonly Step[];
}

/**
 * Prepares a plan's steps for `nextMoves`. Throws when a step depends on anything but an earlier step, when two steps
 * share an id, or when an apply comes after a `last` step. `makePlan` produces no such plan.
 */
export function prepare(steps: readonly Step[]): Prepared {
  const place = new Map<string, number>();
  let isLast = false;
  for (const [i, step] of steps.entries()) {
    isLast ||= step.last === true;
    if (isLast && step.kind === "apply")
      throw new Error(`Step ${step.id} comes after a step that waits for every apply`);
    if (place.has(step.id)) throw new Error(`Two steps of the plan have the id ${step.id}`);
    for (const id of step.dependsOn)
      if (!place.has(id))
        throw new Error(`Step ${step.id} depends on ${id}, which is not an earlier step`);
    place.set(step.id, i);
  }
  const ranks = new Map<string, number>();
  for (const step of steps.toReversed()) {
    const below = (ranks.get(step.id) ?? 0) + 1;
    for (const id of step.dependsOn) ranks.set(id, Math.max(ranks.get(id) ?? 0, below));
  }
  const rank = (step: Step): number => ranks.get(step.id) ?? 0;
  return { steps, byRank: steps.toSorted((a, b) => rank(b) - rank(a)) };
}

/**
 * The next moves of a run. A pure function of its arguments, so a runner that was evicted, repeated or upgraded decides
 * the same as one that never stopped. Only running steps occupy a call.
 *
 * While canceling, no call is made: no step starts, is polled or is retried, and the run waits only for calls in
 * flight. A run ends as failed when any step failed, else as canceled when any step was left undone.
 */
export function nextMoves(
  prepared: Prepared,
  progress: ReadonlyMap<string, StepProgress>,
  { canceling, nowMs, limit = 6 }: MoveOptions,
): Moves {
  const ready = new Set<string>();
  const blocked = new Set<string>();
  const done = new Set<string>();
  const skip: string[] = [];
  const due: { step: Step; notBeforeMs: number }[] = [];
  let applies: "done" | "open" | "failed" = "done";
  let running = 0;
  let pending = 0;
  let stopped = 0;
  let wakeAtMs: number | undefined;
  for (const step of prepared.steps) {
    const now = progress.get(step.id);
    switch (now?.status) {
      case "succeeded":
        done.add(step.id);
        break;
      case "failed":
      case "skipped":
        blocked.add(step.id);
        break;
      case "running":
        running += 1;
        break;
      case "waiting":
        if (canceling) stopped += 1;
        else if (now.notBeforeMs <= nowMs) due.push({ step, notBeforeMs: now.notBeforeMs });
        else {
          pending += 1;
          wakeAtMs = Math.min(wakeAtMs ?? now.notBeforeMs, now.notBeforeMs);
        }
        break;
      case undefined:
        if (
          step.dependsOn.some((id) => blocked.has(id)) ||
          (step.last === true && applies === "failed")
        ) {
          blocked.add(step.id);
          skip.push(step.id);
        } else if (canceling) stopped += 1;
        else if (step.last === true && applies === "open") pending += 1;
        else if (step.dependsOn.every((id) => done.has(id))) ready.add(step.id);
        else pending += 1;
        break;
    }
    if (step.kind !== "apply" || done.has(step.id)) continue;
    if (blocked.has(step.id)) applies = "failed";
    else if (applies === "done") applies = "open";
  }
  let slots = Math.max(0, limit - running);
  const resume = due
    .sort((a, b) => a.notBeforeMs - b.notBeforeMs)
    .slice(0, slots)
    .map(({ step }) => step);
  slots -= resume.length;
  const start: Step[] = [];
  if (ready.size > 0 && slots > 0)
    for (const step of prepared.byRank) {
      if (start.length === slots) break;
      if (ready.has(step.id)) start.push(step);
    }
  const moves: Moves = { start, resume, skip };
  if (wakeAtMs !== undefined) moves.wakeAtMs = wakeAtMs;
  if (running + pending + due.length + ready.size === 0)
    moves.end = blocked.size > 0 ? "failed" : stopped > 0 ? "canceled" : "succeeded";
  return moves;
}
