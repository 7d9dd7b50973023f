import { expect, it } from "vitest";
import { emptyState, modelPlan } from "#test/support/model-instance.ts";
import { planHash } from "./plan-hash.ts";

const plan = modelPlan({ net: { properties: { cidr: "10.0.0.0/16" } } }, emptyState);

it("is the SHA-256 of the plan's canonical JSON", async () => {
  const summary = { create: 0, update: 0, replace: 0, delete: 0, unchanged: 0 };
  const empty = { operation: "deploy", stateSerial: 0, summary, changes: [], steps: [] } as const;
  expect(await planHash({ ...empty, changes: [], steps: [] })).toBe(
    "8ef7a839cf1c2280ac8b3b81395244b282cd4487671cd82292211e84f2f20d2f",
  );
});

it("does not depend on the order of keys", async () => {
  const turned = Object.fromEntries(Object.entries(plan).reverse()) as unknown as typeof plan;
  expect(await planHash(turned)).toBe(await planHash(plan));
});

it("differs when the state, a change or a step differs", async () => {
  const others = [
    plan,
    { ...plan, stateSerial: 1 },
    modelPlan({ net: { properties: { cidr: "10.1.0.0/16" } } }, emptyState),
    { ...plan, steps: [] },
  ];
  expect(new Set(await Promise.all(others.map(planHash))).size).toBe(others.length);
});
