import { setTimeout as wait } from "node:timers/promises";
import type { Caller } from "./caller.ts";
import { itemsOf } from "./holdings.ts";

const STEP_MS = 1_000;

/** Waits until no tenant has a deployment under way. Returns the ones still under way at the end of the time. */
export async function untilIdle(callers: readonly Caller[], withinMs: number): Promise<string[]> {
  const until = performance.now() + withinMs;
  for (;;) {
    const open: string[] = [];
    for (const caller of callers)
      for (const { id, state } of await itemsOf<{ id: string; state: string }>(
        caller,
        "/deployments?state=QUEUED,PLANNING,APPLYING,CANCELING",
      ))
        open.push(`${id} ${state}`);
    if (open.length === 0 || performance.now() > until) return open;
    await wait(STEP_MS);
  }
}

/** Discards waiting plans, because no client approves them any more. */
export async function discardWaiting(
  callers: readonly { admin: Caller; approver: Caller }[],
): Promise<void> {
  for (const { admin, approver } of callers)
    for (const { id } of await itemsOf<{ id: string }>(
      admin,
      "/deployments?state=AWAITING_APPROVAL",
    ))
      await approver.change({ method: "POST", path: `/deployments/${id}/discard` });
}
