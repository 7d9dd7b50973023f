import { describe, expect, it } from "vitest";
import type { Step } from "#engine/plan/steps.ts";
import { prepare, type StepProgress } from "#engine/schedule.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import type { Run } from "#orchestrator/storage/run.ts";
import { applySteps, type Slot } from "./apply-steps.ts";
import type { StepExecutor } from "./step-executor.ts";

const steps: Step[] = ["a", "b"].map((resource) => ({
  id: `apply:${resource}`,
  kind: "apply",
  resource,
  type: "model:Plain",
  action: "create",
  dependsOn: resource === "b" ? ["apply:a"] : [],
}));

/** The steps of a run, each of which succeeds at once. */
function open(slot: (run: { canceling: boolean }) => boolean) {
  const run = { canceling: false };
  const progress = new Map<string, StepProgress>();
  const begun: string[] = [];
  const executor = {
    prepared: prepare(steps),
    progress: () => progress,
    begin: ({ id }: Step) => {
      begun.push(id);
      progress.set(id, { status: "running" });
    },
    execute: async ({ id }: Step) => void progress.set(id, { status: "succeeded" }),
    stop: async () => undefined,
    firstError: undefined,
    get touched() {
      return begun.length > 0;
    },
  } satisfies Partial<StepExecutor> as unknown as StepExecutor;
  const parts = { now: () => 1_000 } as RunnerParts;
  const held: Slot = {
    renewEveryMs: 30_000,
    renew: async () => slot(run),
    calls: { due: false, free: 6, waitsUntilMs: undefined },
    share: async () => undefined,
  };
  return { begun, apply: async () => applySteps(parts, run as Run, executor, held) };
}

describe("the steps of a run", () => {
  it("are all executed while it has its slot", async () => {
    const { begun, apply } = open(() => true);
    expect(await apply()).toEqual({ end: "succeeded", touched: true });
    expect(begun).toEqual(["apply:a", "apply:b"]);
  });

  it("are not started if the run is canceled while its slot is renewed", async () => {
    const { begun, apply } = open((run) => {
      run.canceling = true;
      return true;
    });
    expect(await apply()).toEqual({ end: "canceled", touched: false });
    expect(begun).toEqual([]);
  });

  it("are not started without a slot; it is asked for again", async () => {
    const { begun, apply } = open(() => false);
    expect(await apply()).toEqual({ wakeAtMs: 11_000 });
    expect(begun).toEqual([]);
  });
});
