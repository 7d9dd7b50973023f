/** A runner with work has an alarm. Without one, only another request or the sweep would continue it. */
import { runInDurableObject } from "cloudflare:test";
import { RunnerStore } from "#orchestrator/storage/runner-store.ts";
import { runnerOf } from "./runner.ts";

const problems = new Map<string, string[]>();

/** Checks the instance's runner after each of its turns from now on, until it restarts. */
export async function watchLiveness(instanceId: string): Promise<void> {
  await runInDurableObject(runnerOf(instanceId), (runner, { storage }) => {
    const turn = runner.alarm.bind(runner);
    runner.alarm = async () => {
      await turn();
      const problem = workWithoutAlarm(new RunnerStore(storage), await storage.getAlarm());
      if (problem !== undefined)
        problems.set(instanceId, [...livenessProblems(instanceId), problem]);
    };
  });
}

/** What the checks of this instance's runner have found. */
export function livenessProblems(instanceId: string): readonly string[] {
  return problems.get(instanceId) ?? [];
}

/** The reason why the runner would not go on by itself; undefined: it would, or it has no work. */
export function workWithoutAlarm(
  store: Pick<RunnerStore, "hasWork" | "runs">,
  alarmAtMs: number | null,
): string | undefined {
  if (alarmAtMs !== null || !store.hasWork()) return undefined;
  return `A runner has work and no alarm; its next run is ${store.runs.nextId() ?? "none"}`;
}
