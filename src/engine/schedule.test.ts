import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Step } from "./plan/steps.ts";
import { nextMoves, prepare, type MoveOptions, type StepProgress } from "./schedule.ts";

const step = (id: string, ...dependsOn: string[]): Step => ({
  id,
  kind: "apply",
  resource: id,
  type: "model:Plain",
  action: "create",
  dependsOn,
});

const ids = (steps: readonly Step[]): string[] => steps.map(({ id }) => id);
const succeeded: StepProgress = { status: "succeeded" };
const failed: StepProgress = { status: "failed" };
const running: StepProgress = { status: "running" };
const waiting = (notBeforeMs: number): StepProgress => ({ status: "waiting", notBeforeMs });

function moves(
  steps: readonly Step[],
  progress: Record<string, StepProgress> = {},
  options: Partial<MoveOptions> = {},
) {
  return nextMoves(prepare(steps), new Map(Object.entries(progress)), {
    canceling: false,
    nowMs: 1000,
    ...options,
  });
}

describe("nextMoves", () => {
  it("starts steps without dependencies first, and the rest once those have succeeded", () => {
    const steps = [step("a"), step("b", "a"), step("c")];
    expect(ids(moves(steps).start)).toEqual(["a", "c"]);
    expect(ids(moves(steps, { a: running }).start)).toEqual(["c"]);
    expect(ids(moves(steps, { a: succeeded, c: running }).start)).toEqual(["b"]);
    expect(moves(steps, { a: succeeded, b: succeeded, c: succeeded })).toEqual({
      start: [],
      resume: [],
      skip: [],
      end: "succeeded",
    });
  });

  it("starts a last step once every apply has succeeded, and skips it once one has failed", () => {
    const last = (id: string, ...dependsOn: string[]): Step => ({
      ...step(id, ...dependsOn),
      kind: "delete",
      action: "delete",
      last: true,
    });
    const steps = [step("a"), step("b"), step("c", "b"), last("x"), last("y", "x")];
    expect(moves(steps, { a: succeeded, b: running }).start).toEqual([]);
    expect(moves(steps, { a: succeeded, b: waiting(2000) }).skip).toEqual([]);
    const applied = { a: succeeded, b: succeeded, c: succeeded };
    expect(ids(moves(steps, applied).start)).toEqual(["x"]);
    expect(ids(moves(steps, { ...applied, x: succeeded }).start)).toEqual(["y"]);
    for (const progress of [
      { a: failed, b: succeeded, c: running },
      { a: failed, b: running },
      { a: { status: "skipped" } as const, b: running },
    ])
      expect(moves(steps, progress)).toMatchObject({ start: [], skip: ["x", "y"] });
    expect(moves(steps, { a: succeeded, b: failed })).toMatchObject({
      skip: ["c", "x", "y"],
      end: "failed",
    });
    expect(moves(steps, { a: succeeded, b: succeeded }, { canceling: true }).end).toBe("canceled");
    expect(() => prepare([last("x"), step("a")])).toThrow(/comes after/);
  });

  it("ends an empty plan at once", () => {
    expect(moves([]).end).toBe("succeeded");
    expect(moves([], {}, { canceling: true }).end).toBe("succeeded");
  });

  it("makes at most six concurrent calls by default; waiting steps make none", () => {
    const steps = Array.from({ length: 12 }, (_, i) => step(`s${i}`));
    expect(moves(steps).start).toHaveLength(6);
    const progress = {
      s0: running,
      s1: running,
      s2: waiting(9000),
      s3: waiting(1000),
      s4: waiting(900),
    };
    const next = moves(steps, progress);
    expect(ids(next.resume)).toEqual(["s4", "s3"]);
    expect(ids(next.start)).toEqual(["s5", "s6"]);
    expect(next.wakeAtMs).toBe(9000);
    expect(moves(steps, progress, { limit: 3 })).toMatchObject({ start: [], resume: [steps[4]] });
    expect(moves(steps, progress, { limit: 1 })).toMatchObject({ start: [], resume: [] });
  });

  it("returns the wake time and resumes from that millisecond on", () => {
    const steps = [step("a"), step("b")];
    const progress = { a: waiting(1500), b: waiting(1200) };
    expect(moves(steps, progress)).toEqual({ start: [], resume: [], skip: [], wakeAtMs: 1200 });
    expect(ids(moves(steps, progress, { nowMs: 1199 }).resume)).toEqual([]);
    expect(ids(moves(steps, progress, { nowMs: 1200 }).resume)).toEqual(["b"]);
  });

  it("skips direct and indirect dependents of a failed step and continues with the others", () => {
    const steps = [step("a"), step("b", "a"), step("c", "b"), step("d"), step("e", "d", "c")];
    const next = moves(steps, { a: failed });
    expect(next.skip).toEqual(["b", "c", "e"]);
    expect(ids(next.start)).toEqual(["d"]);
    expect(next.end).toBeUndefined();
    expect(moves(steps, { a: failed, d: succeeded })).toMatchObject({
      skip: ["b", "c", "e"],
      end: "failed",
    });
    const skipped: StepProgress = { status: "skipped" };
    const recorded = { a: failed, b: skipped, c: skipped, d: succeeded, e: skipped };
    expect(moves(steps, recorded)).toMatchObject({ skip: [], end: "failed" });
  });

  describe("while canceling", () => {
    const canceling = { canceling: true };

    it("starts nothing and waits for running steps", () => {
      const steps = [step("a"), step("b"), step("c", "a")];
      expect(moves(steps, { a: running }, canceling)).toEqual({ start: [], resume: [], skip: [] });
      expect(moves(steps, { a: succeeded }, canceling).end).toBe("canceled");
    });

    it("polls and retries nothing", () => {
      const steps = [step("a"), step("b"), step("c", "a")];
      const progress = { a: waiting(1000), b: waiting(9000) };
      const nothing = { start: [], resume: [], skip: [] };
      expect(moves(steps, progress, canceling)).toEqual({ ...nothing, end: "canceled" });
      expect(moves(steps, { ...progress, a: running }, canceling)).toEqual(nothing);
      expect(moves(steps, { ...progress, b: succeeded }, canceling).end).toBe("canceled");
    });

    it("ends as succeeded if every step had finished, and as failed if any step failed", () => {
      const steps = [step("a"), step("b")];
      expect(moves(steps, { a: succeeded, b: succeeded }, canceling).end).toBe("succeeded");
      expect(moves(steps, { a: failed }, canceling).end).toBe("failed");
      expect(moves(steps, { a: failed, b: running }, canceling).end).toBeUndefined();
    });
  });

  it("starts the longest chain first, then in plan order", () => {
    const steps = [step("a"), step("b"), step("c"), step("d", "c"), step("e", "d")];
    expect(ids(moves(steps, {}, { limit: 2 }).start)).toEqual(["c", "a"]);
  });

  it("runs a wide plan that ends in a chain in the minimum number of rounds", () => {
    const wide = Array.from({ length: 30 }, (_, i) => step(`w${i}`));
    const chain = Array.from({ length: 10 }, (_, i) =>
      step(`c${i}`, ...(i === 0 ? [] : [`c${i - 1}`])),
    );
    const prepared = prepare([...wide, ...chain]);
    const inPlanOrder = { steps: prepared.steps, byRank: prepared.steps };
    expect(roundsOf(prepared)).toBe(10);
    expect(roundsOf(inPlanOrder)).toBe(15);
  });

  it("visits each step once, however dense the plan", () => {
    const steps = Array.from({ length: 500 }, (_, i) =>
      step(`s${i}`, ...Array.from({ length: Math.min(i, 60) }, (_, j) => `s${i - 1 - j}`)),
    );
    class Counted extends Map<string, StepProgress> {
      reads = 0;
      override get(id: string): StepProgress | undefined {
        this.reads += 1;
        return super.get(id);
      }
    }
    const progress = new Counted(steps.slice(0, 250).map(({ id }) => [id, succeeded]));
    expect(ids(nextMoves(prepare(steps), progress, { canceling: false, nowMs: 0 }).start)).toEqual([
      "s250",
    ]);
    expect(progress.reads).toBe(500);
  });

  it("completes every plan: each step once, after its dependencies, within the concurrency limit", () => {
    const plan = fc
      .array(fc.array(fc.nat(30), { maxLength: 3 }), { maxLength: 25 })
      .map((all) =>
        all.map((dependsOn, i) =>
          step(`s${i}`, ...new Set(dependsOn.filter((d) => d < i).map((d) => `s${d}`))),
        ),
      );
    const outcomes = fc.array(
      fc.constantFrom("succeeded", "succeeded", "waits", "waits", "failed"),
      {
        minLength: 5,
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(
        plan,
        outcomes,
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 6 }),
        (steps, outcomes, cancelAt, limit) => {
          const prepared = prepare(steps);
          const progress = new Map<string, StepProgress>();
          const started = new Set<string>();
          let nowMs = 0;
          let end: string | undefined;
          for (let turn = 0; end === undefined; turn += 1) {
            expect(turn).toBeLessThan(600);
            const canceling = turn >= cancelAt;
            const next = nextMoves(prepared, progress, { canceling, nowMs, limit });
            for (const id of next.skip) {
              expect(started.has(id)).toBe(false);
              progress.set(id, { status: "skipped" });
            }
            for (const { id, dependsOn } of next.start) {
              expect(canceling || started.has(id)).toBe(false);
              expect(dependsOn.every((d) => progress.get(d)?.status === "succeeded")).toBe(true);
              started.add(id);
            }
            if (canceling) expect(next.resume).toEqual([]);
            for (const { id } of [...next.start, ...next.resume]) progress.set(id, running);
            const calls = [...progress].filter(([, { status }]) => status === "running");
            expect(calls.length).toBeLessThanOrEqual(limit);
            end = next.end;
            const call = calls[turn % Math.max(1, calls.length)];
            if (call === undefined) {
              nowMs = next.wakeAtMs ?? nowMs;
              continue;
            }
            const outcome =
              turn > 500 ? "succeeded" : (outcomes[turn % outcomes.length] ?? "succeeded");
            if (outcome === "waits") progress.set(call[0], waiting(nowMs + 10));
            else progress.set(call[0], { status: outcome === "failed" ? "failed" : "succeeded" });
          }
          const statuses = steps.map(({ id }) => progress.get(id)?.status);
          expect(statuses).not.toContain("running");
          const all = statuses.every((status) => status === "succeeded");
          const whole = all ? "succeeded" : "canceled";
          expect(end).toBe(statuses.includes("failed") ? "failed" : whole);
        },
      ),
      { numRuns: 200 },
    );
  });
});

function roundsOf(prepared: ReturnType<typeof prepare>): number {
  const progress = new Map<string, StepProgress>();
  for (let round = 0; ; round += 1) {
    const next = nextMoves(prepared, progress, { canceling: false, nowMs: 0 });
    if (next.end !== undefined) return round;
    for (const { id } of next.start) progress.set(id, succeeded);
  }
}

describe("prepare", () => {
  it("rejects steps that depend on a later or missing step or share an id", () => {
    expect(() => prepare([step("a", "b"), step("b")])).toThrow("Step a depends on b");
    expect(() => prepare([step("a", "a")])).toThrow("Step a depends on a");
    expect(() => prepare([step("a"), step("a")])).toThrow("Two steps of the plan have the id a");
  });
});
