import { expect, it } from "vitest";
import { planText } from "./plan-text.ts";

const change = (resource: string, action: "create" | "delete" | "unchanged" | "replace") => ({
  resource,
  type: "mock:Server",
  action,
  tentative: false,
  changes: [],
});

it("a plan as lines has what it deletes and replaces first, with reasons and values", () => {
  const text = planText({
    deploymentId: "d",
    planHash: "abc",
    stateSerial: 3,
    summary: { create: 1, update: 0, replace: 1, delete: 1, unchanged: 1 },
    changes: [
      { ...change("web", "create"), tentative: true },
      change("same", "unchanged"),
      {
        ...change('db["a"]', "replace"),
        movedFrom: "data",
        reason: "tainted",
        changes: [
          { path: "engine", before: "pg", after: null, replaces: true },
          { path: "text", before: "x".repeat(100), after: "a\nb", replaces: false },
        ],
      },
      { ...change("old", "delete"), leaves: "A snapshot." },
    ],
  });
  expect(text).toBe(`1 to create, 1 to replace, 1 to delete; 1 unchanged.

  delete     old      mock:Server
             what stays: A snapshot.
  replace    db["a"]  mock:Server
             was data before
             why: tainted
             engine: "pg" → nothing  (replaces the object)
             text: "${"x".repeat(79)}… → "a\\nb"
  create     web      mock:Server  perhaps

plan hash abc
`);
});

it("a plan that changes nothing says so", () => {
  const none = { create: 0, update: 0, replace: 0, delete: 0, unchanged: 2 };
  const plan = { deploymentId: "d", planHash: "abc", stateSerial: 3, summary: none };
  expect(planText({ ...plan, changes: [change("a", "unchanged")] })).toBe(
    "Nothing to change; 2 unchanged.\n\nplan hash abc\n",
  );
});
