import { assert, dictionary, jsonValue, property, string, type Arbitrary } from "fast-check";
import { describe, expect, it } from "vitest";
import type { KnownResource, StoredResource } from "#engine/state/state.ts";
import { Secret, type ValueMap } from "#engine/value.ts";
import type { JsonMap } from "#platform/json.ts";
import { modelOptions } from "#test/support/model-instance.ts";
import { asLost } from "#test/support/stored-resource.ts";
import { decideChange } from "./decide-change.ts";
import { driftPlan, driftReport, type DriftRules, findDrift, lastSeenInputs } from "./drift.ts";

const stored = (inputs: ValueMap, outputs: ValueMap = inputs): KnownResource => ({
  name: "app",
  type: "mock:Server",
  id: "srv-1",
  objectName: "web-app-1",
  inputs,
  outputs,
  dependsOn: [],
  protect: false,
  retainOnDelete: false,
  deleteSeconds: null,
  state: "ready",
});
const noRules: Parameters<typeof findDrift>[2] = { writeOnly: [], ignoreChanges: [] };
const observed = (resource: KnownResource, shown: JsonMap, rules = noRules) => {
  const drift = findDrift(resource, shown, rules);
  return drift?.kind === "changed" ? drift.observed : drift;
};

const declaration = {
  type: "mock:Server",
  options: {
    dependsOn: [],
    protect: false,
    retainOnDelete: false,
    deleteBeforeReplace: false,
    ignoreChanges: [],
    replaceOnChanges: [],
    additionalSecretOutputs: [],
    aliases: [],
  },
} as unknown as Parameters<typeof decideChange>[0];

describe("drift", () => {
  it.for<[string, ValueMap, ValueMap, JsonMap, unknown]>([
    ["a property with the sent value", { size: 1 }, {}, { size: 1 }, undefined],
    ["a property added by the provider", { size: 1 }, {}, { size: 1, status: "on" }, undefined],
    [
      "a property normalized by the provider",
      { region: "nyc3" },
      { region: { slug: "nyc3" } },
      { region: { slug: "nyc3" } },
      undefined,
    ],
    ["a property that was never returned", { key: "k" }, {}, {}, undefined],
    ["a list in another order", { tags: ["a", "b"] }, {}, { tags: ["b", "a"] }, undefined],
    [
      "a key added by the provider inside our map",
      { net: { cidr: "10.0.0.0/8" } },
      {},
      { net: { cidr: "10.0.0.0/8", id: "n-1" } },
      undefined,
    ],
    ["a changed property", { size: 1 }, { size: 1 }, { size: 2 }, { size: 2 }],
    ["a property taken away", { size: 1, name: "a" }, { size: 1 }, { name: "a" }, { name: "a" }],
    [
      "a change to neither the sent nor the returned value",
      { region: "nyc3" },
      { region: { slug: "nyc3" } },
      { region: { slug: "fra1" } },
      { region: { slug: "fra1" } },
    ],
    [
      "a nested change",
      { net: { cidr: "a", rules: [{ port: 1 }, { port: 2 }] } },
      {},
      { net: { cidr: "a", rules: [{ port: 1 }, { port: 3 }], id: 9 } },
      { net: { cidr: "a", rules: [{ port: 1 }, { port: 3 }] } },
    ],
    ["an item more", { tags: ["a"] }, {}, { tags: ["a", "b"] }, { tags: ["a", "b"] }],
  ])("of %s", ([, inputs, outputs, shown, expected]) => {
    expect(observed(stored(inputs, outputs), shown)).toEqual(expected);
  });

  it("of a deleted object is `missing`", () => {
    expect(findDrift(stored({ size: 1 }), "gone", noRules)).toEqual({ kind: "missing" });
  });

  it("ignores write-only and ignored properties", () => {
    const resource = stored({ password: "p", tags: ["a"], size: 1 });
    const shown = { password: "other", tags: ["b"], size: 1 };
    expect(
      findDrift(resource, shown, { writeOnly: ["password"], ignoreChanges: ["tags"] }),
    ).toBeUndefined();
    expect(observed(resource, shown, { writeOnly: ["password"], ignoreChanges: [] })).toEqual({
      password: "p",
      tags: ["b"],
      size: 1,
    });
  });

  it("of a secret stays secret, and a masked value is no drift", () => {
    const resource = stored({ token: new Secret("s3cret") }, { token: new Secret("••••") });
    expect(findDrift(resource, { token: "••••" }, noRules)).toBeUndefined();
    expect(observed(resource, { token: "leaked" })).toEqual({ token: new Secret("leaked") });
    const drift = findDrift(resource, { token: "leaked" }, noRules);
    const { changes } = driftReport(
      stateOf(drift === undefined ? resource : { ...resource, drift }),
    );
    expect(changes[0]?.changes).toEqual([
      { path: "token", before: "[secret]", after: "[secret]", replaces: false },
    ]);
  });

  it.for<[string, JsonMap[string]]>([
    [
      "grew",
      [
        { name: "new", value: "n" },
        { name: "key", value: "s3cret" },
      ],
    ],
    [
      "was reordered and changed",
      [
        { name: "plain", value: "q" },
        { name: "key", value: "s3cret" },
      ],
    ],
    ["became a text", "key=s3cret"],
  ])("of a list with a secret that %s does not reveal it", ([, env]) => {
    const inputs = {
      env: [
        { name: "key", value: new Secret("s3cret") },
        { name: "plain", value: "p" },
      ],
    };
    const resource = stored({ settings: inputs }, {});
    const drift = findDrift(resource, { settings: { env } }, noRules);
    expect(drift).toMatchObject({ kind: "changed" });
    const drifted = { ...resource, ...(drift === undefined ? {} : { drift }) };
    const reported = driftReport(stateOf(drifted)).changes;
    const next = decideChange(declaration, drifted, { settings: { env: inputs.env } }, undefined);
    expect(JSON.stringify([reported, next.changes])).not.toContain("s3cret");
    expect(reported[0]).toMatchObject({ action: "update" });
    expect(next).toMatchObject({ action: "update", inputs: { settings: { env: inputs.env } } });
  });

  it("is absent for any value that reads as sent", () => {
    const json = jsonValue({ maxDepth: 3 }) as Arbitrary<JsonMap[string]>;
    assert(
      property(dictionary(string(), json), (inputs) => {
        expect(findDrift(stored(inputs as ValueMap, {}), inputs, noRules)).toBeUndefined();
      }),
    );
  });
});

const stateOf = (...resources: StoredResource[]) => ({
  serial: 4,
  current: new Map(resources.map((resource) => [resource.name, resource])),
  pendingDeletes: [],
});

describe("the change for a drifted resource", () => {
  const facts = { immutable: ["image"], writeOnly: [], required: [], deleteBeforeReplace: false };
  const drifted = (shown: JsonMap | "gone"): KnownResource => {
    const resource = stored({ size: 1, image: "v1" });
    const drift = findDrift(resource, shown, noRules);
    return drift === undefined ? resource : { ...resource, drift };
  };

  it("is an update from the observed to the desired state", () => {
    const decision = decideChange(
      declaration,
      drifted({ size: 9, image: "v1" }),
      { size: 1, image: "v1" },
      facts,
    );
    expect(decision).toMatchObject({
      action: "update",
      reason: "changed at the provider",
      changes: [{ path: "size", before: 9, after: 1, replaces: false }],
    });
  });

  describe("of an immutable property", () => {
    const seen = { size: 1, image: "v2" };
    const wanted = { size: 1, image: "v1" };

    it("never replaces the object: it stays, and the plan reports it with advice", () => {
      const decision = decideChange(declaration, drifted(seen), wanted, facts);
      expect(decision).toMatchObject({ action: "unchanged", keptDrift: ["image"], changes: [] });
      expect(decision.reason).toMatch(/^changed at the provider: image, .*`ignoreChanges`/);
    });

    it("leaves the rest of the drift to an update, which starts from the sent values", () => {
      const decision = decideChange(declaration, drifted({ ...seen, size: 9 }), wanted, facts);
      expect(decision).toMatchObject({
        action: "update",
        changes: [{ path: "size", before: 9, after: 1, replaces: false }],
      });
    });

    it("replaces if `replaceOnChanges` names it, or the template changes it too", () => {
      const options = modelOptions({ replaceOnChanges: ["image"] });
      expect(decideChange({ ...declaration, options }, drifted(seen), wanted, facts)).toMatchObject(
        {
          action: "replace",
        },
      );
      const other = { ...wanted, image: "v3" };
      expect(decideChange(declaration, drifted(seen), other, facts)).toMatchObject({
        action: "replace",
        reason: "image cannot be changed in place",
      });
    });

    it("of a list keeps all items added outside", () => {
      const lists = { ...facts, immutable: ["disks"], sets: ["disks"] };
      const sent = { size: 1, disks: ["a"] };
      const stored = {
        ...drifted({ size: 1, disks: ["x", "a", "y"] }),
        inputs: sent,
      };
      expect(decideChange(declaration, stored, sent, lists)).toMatchObject({
        action: "unchanged",
        keptDrift: ["disks"],
        inputs: sent,
      });
    });
  });

  it("is none when the observed state equals the desired one", () => {
    const decision = decideChange(
      declaration,
      drifted({ size: 9, image: "v1" }),
      { size: 9, image: "v1" },
      facts,
    );
    expect(decision).toMatchObject({ action: "unchanged", changes: [] });
  });

  it("is a create when the object is missing", () => {
    const decision = decideChange(declaration, drifted("gone"), { size: 1, image: "v1" }, facts);
    expect(decision).toMatchObject({ action: "create", reason: "missing at the provider" });
  });

  it("is found by a check that skips objects which may not exist", () => {
    const lost = { ...asLost(stored({ size: 1 })), name: "lost" };
    const plan = driftPlan(stateOf(drifted("gone"), lost));
    expect(plan.steps.map(({ id, kind, objectId }) => [id, kind, objectId])).toEqual([
      ["read:app", "read", "srv-1"],
    ]);
    expect(lastSeenInputs(drifted({ size: 9, image: "v1" }))).toEqual({ size: 9, image: "v1" });
  });
});

describe("drift by the facts of a type", () => {
  const rules = (facts: Partial<DriftRules>): DriftRules => ({ ignoreChanges: [], ...facts });

  it.for<[string, Partial<DriftRules>, ValueMap, JsonMap, unknown]>([
    [
      "a nested write-only value",
      { writeOnly: ["login.password", "users[*].key"] },
      { login: { name: "a", password: "p" }, users: [{ name: "u", key: "k" }] },
      { login: { name: "a" }, users: [{ name: "u", id: 1 }] },
      undefined,
    ],
    [
      "a change beside a nested write-only value",
      { writeOnly: ["login.password"] },
      { login: { name: "a", password: "p" } },
      { login: { name: "b" } },
      { login: { name: "b", password: "p" } },
    ],
    [
      "a nested read-only value",
      { readOnly: ["settings.version"] },
      { settings: { tier: "a", version: 1 } },
      { settings: { tier: "a", version: 2 } },
      undefined,
    ],
    [
      "letter case that means nothing",
      { caseInsensitive: ["region", "zones[*]"] },
      { region: "WestEurope", zones: ["A"], name: "x" },
      { region: "westeurope", zones: ["a"], name: "X" },
      { region: "WestEurope", zones: ["A"], name: "X" },
    ],
    [
      "the order of a set, and of no other list",
      { sets: ["tags"] },
      { tags: ["a", "b"], steps: [1, 2] },
      { tags: ["b", "a"], steps: [2, 1] },
      { tags: ["a", "b"], steps: [2, 1] },
    ],
    [
      "the order of a set whose items the cloud completes",
      { sets: ["rules"] },
      { rules: [{ port: 2 }, { port: 1 }] },
      {
        rules: [
          { port: 1, id: "x" },
          { port: 2, id: "y" },
        ],
      },
      undefined,
    ],
    [
      "a property that is shown elsewhere",
      { shownAt: { size: "size_slug", region: "region.slug", networks: "nets.v4[*].id" } },
      { size: "s", region: "nyc3", networks: ["n1", "n2"] },
      {
        size: { memory: 1 },
        size_slug: "s",
        region: { slug: "nyc3" },
        nets: { v4: [{ id: "n1" }, { id: "n2" }] },
      },
      undefined,
    ],
    [
      "a change of a property shown at another path",
      { shownAt: { size: "size_slug", "spec.kind": "kind" } },
      { size: "s", spec: { kind: "a", open: true } },
      { size: { memory: 1 }, size_slug: "m", kind: "b", spec: { open: true } },
      { size: "m", spec: { kind: "b", open: true } },
    ],
  ])("of %s", ([, facts, inputs, shown, expected]) => {
    expect(observed(stored(inputs, shown), shown, rules(facts))).toBeUndefined();
    expect(observed(stored(inputs, {}), shown, rules(facts))).toEqual(expected);
  });

  it("seals the cloud's secrets wherever the cloud shows them", () => {
    const facts = { secretOutputs: ["auth.token", "shown_key"], shownAt: { key: "shown_key" } };
    const shown = { auth: { token: "new-token", user: "a" }, shown_key: "new-key" };
    const found = findDrift(
      stored({ auth: { token: "old-token", user: "a" }, key: "old-key" }),
      shown,
      rules(facts),
    );
    expect(found).toEqual({
      kind: "changed",
      observed: { auth: { token: new Secret("new-token"), user: "a" }, key: new Secret("new-key") },
    });
  });
});
