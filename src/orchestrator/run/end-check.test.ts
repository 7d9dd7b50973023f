import { describe, expect, it } from "vitest";
import type { StoredResource } from "#engine/state/state.ts";
import { modelOptions } from "#test/support/model-instance.ts";
import { endOfCheck } from "./end-check.ts";
import type { OpenRun } from "./open-run.ts";

const facts = { immutable: ["cidr"], writeOnly: [], required: [], deleteBeforeReplace: false };

const stored = (name: string, observed?: StoredResource["inputs"] | "missing"): StoredResource => ({
  name,
  type: "mock:Network",
  id: `${name}-1`,
  objectName: name,
  inputs: { cidr: "10.0.0.0/16", size: 1 },
  outputs: {},
  dependsOn: [],
  protect: false,
  retainOnDelete: false,
  deleteSeconds: null,
  state: "ready",
  ...(observed === undefined
    ? {}
    : { drift: observed === "missing" ? { kind: "missing" } : { kind: "changed", observed } }),
});

const recut = { cidr: "10.1.0.0/16", size: 1 };
const resized = { cidr: "10.0.0.0/16", size: 2 };

async function endOf(objects: StoredResource[], options = {}) {
  const view = {
    serial: 3,
    current: new Map(objects.map((one) => [one.name, one])),
    pendingDeletes: [],
  };
  const open = {
    run: { canceling: false },
    parts: { resources: async () => ({ view }) },
    program: async () => ({
      declaration: () => ({ options: modelOptions(options) }),
      provider: { facts: () => facts },
    }),
  } as unknown as OpenRun;
  const { state, message, plan } = await endOfCheck(open, { end: "succeeded", touched: true });
  return { state, message, actions: plan?.changes.map(({ action }) => action) };
}

describe("the end of a drift check", () => {
  it("names the changes that a deploy restores, and those that it cannot", async () => {
    expect(await endOf([stored("net"), stored("db", resized), stored("web", "missing")])).toEqual({
      state: "SUCCEEDED",
      message: "2 of 3 resources have drifted. A deploy restores them.",
      actions: ["unchanged", "update", "create"],
    });
    expect(await endOf([stored("net", recut), stored("db", resized)])).toEqual({
      state: "SUCCEEDED",
      message:
        "2 of 2 resources have drifted. A deploy restores 1 of them. A deploy cannot restore net: what differs cannot be changed in place. Name it in `replaceOnChanges` to replace the object, or in `ignoreChanges` to accept it.",
      actions: ["unchanged", "update"],
    });
    expect((await endOf([stored("net", recut)])).message).toBe(
      "1 of 1 resources have drifted. A deploy cannot restore net: what differs cannot be changed in place. Name it in `replaceOnChanges` to replace the object, or in `ignoreChanges` to accept it.",
    );
  });

  it("plans the replacement that the template requires", async () => {
    expect(await endOf([stored("net", recut)], { replaceOnChanges: ["cidr"] })).toEqual({
      state: "SUCCEEDED",
      message: "1 of 1 resources have drifted. A deploy restores them. It replaces net.",
      actions: ["replace"],
    });
  });

  it("finds no drift", async () => {
    expect(await endOf([stored("net")])).toMatchObject({
      state: "NO_CHANGES",
      message: "No drift: every resource is as last applied.",
    });
  });
});
