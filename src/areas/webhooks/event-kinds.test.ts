import { describe, expect, it } from "vitest";
import { eventTypes } from "#schema/lists/event-kinds.ts";
import { eventKindFaults } from "./event-kinds.ts";

describe("event kinds", () => {
  it("accepts every exact kind, every resource and all", () => {
    expect(eventKindFaults([...eventTypes, "deployment.*", "feature_flag.*", "*"])).toEqual([]);
  });

  it.each([
    ["deployment.startd", '"deployment.started"'],
    ["Deployment.started", '"deployment.started"'],
    ["deployments.*", '"deployment.*"'],
    ["webhook.tests", '"webhook.test"'],
  ])("suggests the likely kind for %s", (kind, meant) => {
    const [fault] = eventKindFaults(["*", kind]);
    expect(fault?.index).toBe(1);
    expect(fault?.message).toContain(`Did you mean ${meant}?`);
  });

  it.each([
    "",
    "constructor",
    "__proto__",
    "constructor.*",
    "*.*",
    "deployment",
    "**",
    "x".repeat(5000),
  ])("rejects %j and refers to the list", (kind) => {
    expect(eventKindFaults([kind])).toHaveLength(1);
    expect(eventKindFaults([kind])[0]?.message.length).toBeLessThan(200);
  });

  it("reports at most ten faults", () => {
    expect(eventKindFaults(Array.from({ length: 5000 }, (_, at) => `x${at}.y`))).toHaveLength(10);
  });
});
