import { describe, expect, it } from "vitest";
import type { Step } from "#engine/plan/steps.ts";
import { prepare, type StepProgress } from "#engine/schedule.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import type { Run } from "#orchestrator/storage/run.ts";
import { applySteps, type Slot } from "./apply-steps.ts";
import type { StepExecutor } from "./step-executor.ts";

const apply = (resource: string, ...dependsOn: string[]): Step => ({
  id: `apply:${resource}`,
  kind: "apply",
  resource,
  type: "model:Plain",
  action: "create",
  dependsOn,
});

interface Opened {
  steps?: Step[];
  /** Steps whose execution does not end by itself. */
  executes?: Readonly<Record<string, Promise<void>>>;
  slot: (run: { canceling: boolean }) => boolean | Promise<boolean>;
}

/** The steps of a run. Each succeeds at once. */
function open({ steps = [apply("a"), apply("b", "apply:a")], executes = {}, slot }: Opened) {
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
    execute: async ({ id, resource }: Step) => {
      await executes[resource ?? ""];
      progress.set(id, { status: "succeeded" });
    },
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
    const { begun, apply } = open({ slot: () => true });
    expect(await apply()).toEqual({ end: "succeeded", touched: true });
    expect(begun).toEqual(["apply:a", "apply:b"]);
  });

  it("are not started if the run is canceled while its slot is renewed", async () => {
    const { begun, apply } = open({
      slot: (run) => {
        run.canceling = true;
        return true;
      },
    });
    expect(await apply()).toEqual({ end: "canceled", touched: false });
    expect(begun).toEqual([]);
  });

  it("are not started without a slot; the gate is asked again", async () => {
    const { begun, apply } = open({ slot: () => false });
    expect(await apply()).toEqual({ wakeAtMs: 11_000 });
    expect(begun).toEqual([]);
  });

  it("fail when one of them fails during a renewal of the slot", async () => {
    const { promise, reject } = Promise.withResolvers<void>();
    let renewals = 0;
    const { apply: applied } = open({
      steps: [apply("a"), apply("b")],
      executes: { a: promise },
      slot: async () => {
        renewals += 1;
        if (renewals < 2) return true;
        reject(new Error("the commit failed"));
        // Wait until the fault of `a` is noted.
        await new Promise((resolve) => {
          setTimeout(resolve, 0);
        });
        return true;
      },
    });
    await expect(applied()).rejects.toThrow("the commit failed");
  });
});
