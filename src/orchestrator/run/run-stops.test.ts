import { beforeEach, describe, expect, it } from "vitest";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { RunStops } from "./run-stops.ts";

/**
 * The contents of a runner's storage: `ended` steps of the run, and the facts. A new `RunStops` is a restarted runner.
 */
const stored = { ended: 0, facts: new Map<string, string>() };
const parts = {
  store: {
    facts: {
      get: (name: string) => stored.facts.get(name),
      set: (name: string, value: string) => void stored.facts.set(name, value),
    },
    runs: { phaseOf: () => "applying", markCanceling: () => true },
    journal: { countEnded: () => stored.ended },
  },
  commit: async (change: () => void) => change(),
} as unknown as RunnerParts;
const count = async (message: string) => new RunStops(parts).count("d1", new Error(message));
const countAll = async (messages: readonly string[]) => {
  const over: boolean[] = [];
  for (const message of messages) over.push(await count(message));
  return over;
};
const equal = (times: number) => Array.from({ length: times }, () => "it broke");

describe("faults", () => {
  beforeEach(() => {
    stored.ended = 0;
    stored.facts.clear();
  });

  it("end a run when the same fault comes five times", async () => {
    expect(await countAll(equal(5))).toEqual([false, false, false, false, true]);
    expect(new RunStops(parts).of("d1")?.code).toBe("cannot_continue");
    expect(new RunStops(parts).of("d2")).toBeUndefined();
  });

  it("end a run after twenty-five faults, whatever their messages", async () => {
    const over = await countAll(Array.from({ length: 25 }, (_, at) => `it broke at ${at}`));
    expect(over.indexOf(true)).toBe(24);
  });

  it("before the run progressed do not count", async () => {
    for (let round = 0; round < 10; round += 1) {
      expect(await countAll(equal(4))).not.toContain(true);
      stored.ended += 1;
    }
    expect(new RunStops(parts).of("d1")).toBeUndefined();
  });

  it("of a run's end close the run, and keep no unfinished objects", async () => {
    await countAll(equal(5));
    expect(new RunStops(parts).of("d1")?.keepsUnfinished).toBe(true);
    // A commit of the end is no progress of the run.
    for (const _ of equal(4)) {
      stored.ended += 1;
      expect(await count("the end broke")).toBe(false);
    }
    expect(await count("the end broke")).toBe(true);
    expect(new RunStops(parts).of("d1")?.keepsUnfinished).toBe(false);
  });
});
