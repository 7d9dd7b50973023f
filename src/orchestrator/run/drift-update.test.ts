import { describe, expect, it } from "vitest";
import type { Drift, InstanceState, KnownResource, StoredResource } from "#engine/state/state.ts";
import { asLost } from "#test/support/stored-resource.ts";
import { driftUpdate } from "./drift-update.ts";

const resource = (name: string, more: Partial<KnownResource> = {}): KnownResource => ({
  name,
  type: "model:Plain",
  id: `${name}-1`,
  objectName: name,
  inputs: { size: 1 },
  outputs: {},
  dependsOn: [],
  protect: false,
  retainOnDelete: false,
  deleteSeconds: null,
  state: "ready",
  ...more,
});
const stateOf = (...all: StoredResource[]): InstanceState => ({
  serial: 1,
  current: new Map(all.map((one) => [one.name, one])),
  pendingDeletes: [],
});
const changed: Drift = { kind: "changed", observed: { size: 2 } };
const drifted = stateOf(resource("a", { drift: changed }), resource("b"));
const same = stateOf(resource("a"), resource("b"));

describe("the drift after a run", () => {
  it("is told once, and again when it changes", async () => {
    const first = await driftUpdate(drifted, "", true);
    expect(first).toMatchObject({
      status: "DRIFTED",
      event: { type: "instance.drift_detected", resources: ["a"] },
    });
    expect(first.findings).toMatch(/^[0-9a-f]{64}$/);
    const again = await driftUpdate(drifted, first.findings, true);
    expect(again).toEqual({ status: "DRIFTED", findings: first.findings });
    const other = stateOf(resource("a", { drift: { kind: "missing" } }), resource("b"));
    const next = await driftUpdate(other, first.findings, true);
    expect(next.event?.type).toBe("instance.drift_detected");
    expect(next.findings).not.toBe(first.findings);
  });

  it("is the same whether the run covered every resource", async () => {
    expect(await driftUpdate(drifted, "", false)).toEqual(await driftUpdate(drifted, "", true));
  });

  it("is resolved by a run that covered every resource and found none", async () => {
    expect(await driftUpdate(same, "f", true)).toEqual({
      status: "IN_SYNC",
      findings: "",
      event: { type: "instance.drift_resolved", resources: [] },
    });
    expect(await driftUpdate(same, "", true)).toEqual({ status: "IN_SYNC", findings: "" });
  });

  it("is unknown after a run that did not cover every resource, and stays told until a later run resolves it", async () => {
    expect(await driftUpdate(same, "f", false)).toEqual({ status: "UNKNOWN", findings: "f" });
    const { findings } = await driftUpdate(same, "f", false);
    expect((await driftUpdate(same, findings, true)).event?.type).toBe("instance.drift_resolved");
  });

  it.for<StoredResource>([
    resource("a", { state: "unsure" }),
    resource("a", { state: "unready" }),
    resource("a", { state: "deleting" }),
    asLost(resource("a")),
  ])("is unknown while a change was not seen to end: $state", async (open) => {
    const state = stateOf(open, resource("b"));
    expect(await driftUpdate(state, "f", true)).toEqual({ status: "UNKNOWN", findings: "f" });
  });

  it("names a limited number of resources", async () => {
    const many = Array.from({ length: 51 }, (_, at) => resource(`r${at}`, { drift: changed }));
    expect((await driftUpdate(stateOf(...many), "", true)).event?.resources).toHaveLength(50);
    expect((await driftUpdate(stateOf(...many.slice(1)), "", true)).event?.resources).toHaveLength(
      50,
    );
  });
});
