/** Expressions within the limits of their length, built to be slow. Without its bound, each took seconds or gigabytes. */
import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { hostileExpressions, hostileScope } from "#test/support/hostile-expressions.ts";
import { processorTime } from "#test/support/processor-time.ts";
import { Budget } from "./budget.ts";
import { check } from "./check.ts";
import { evaluate } from "./evaluate.ts";
import { parse } from "./parse.ts";

describe("an expression built to be slow", () => {
  it.for(hostileExpressions)("is bounded: %s", { timeout: 60_000 }, ([, text, outcome]) => {
    expect(text.length).toBeLessThanOrEqual(2_000);
    const spentMs = processorTime();
    const parsed = parse(text);
    const budget = new Budget();
    const result = parsed.kind === "parsed" ? evaluate(parsed.node, hostileScope, budget) : parsed;
    const checkBudget = new Budget();
    if (parsed.kind === "parsed") check(parsed.node, hostileScope, checkBudget);
    // On an idle machine both take less than 150 ms.
    expect(spentMs()).toBeLessThan(1_500);
    expect(result.kind === "problem" ? result.problem.kind : result.kind).toBe(outcome);
  });

  it("ends when the budget of earlier expressions is spent", () => {
    const parsed = parse("list.map(a, a.id)");
    if (parsed.kind !== "parsed") throw new Error("The expression cannot be read");
    const budget = new Budget();
    let count = 0;
    while (evaluate(parsed.node, hostileScope, budget).kind === "value") count += 1;
    expect(count).toBeGreaterThan(30);
    expect(count).toBeLessThan(200);
    expect(budget.left).toBe(0);
  });

  it("takes little memory", { timeout: 120_000 }, async () => {
    // Node and the scope take 24 MiB. A process that needs more than the limit ends with an error.
    const limits = ["--max-old-space-size=56", "--max-semi-space-size=4"];
    const { stdout } = await promisify(execFile)(process.execPath, [...limits, evaluateAll]);
    expect(JSON.parse(stdout)).toEqual(hostileExpressions.map(([, , outcome]) => outcome));
  });
});

const evaluateAll = path.join(
  import.meta.dirname,
  "../../../test/support/evaluate-hostile-expressions.ts",
);
