import { describe, expect, it } from "vitest";
import type { KnownResource } from "#engine/state/state.ts";
import type { ResourceDeclaration } from "#engine/template/template.ts";
import { Secret } from "#engine/value.ts";
import type { OpenCall, Verb } from "#orchestrator/storage/journal.ts";
import type { Outcome, Provider } from "#providers/provider.ts";
import { modelOptions } from "#test/support/model-instance.ts";
import { callProvider, type ProviderCallParts } from "./call-provider.ts";
import type { DueCall, Update } from "./decide-step.ts";

const declaration = { type: "model:Plain", options: modelOptions() } as ResourceDeclaration;
const applying = {
  resource: "net",
  type: "model:Plain",
  inputs: { name: "net", key: new Secret("s") },
  dependsOn: [],
  declaration,
};
const creating: DueCall = { ...applying, does: "create" };
const stored: KnownResource = {
  name: "net",
  type: "model:Plain",
  state: "ready",
  id: "n-2",
  objectName: "its-name",
  inputs: { name: "old", key: new Secret("k") },
  outputs: {},
  dependsOn: [],
  protect: false,
  retainOnDelete: false,
  deleteSeconds: null,
};
const updating: Update = { ...applying, does: "update", stored };
const done: Outcome = { kind: "done", id: "n-2", outputs: {} };

function callOf(verb: Verb, more: Partial<OpenCall> = {}): OpenCall {
  const sent = { firstMs: 5, lastMs: 5 };
  const counts = { retries: 0, looks: 0, emptyLooks: 0 };
  const call = { verb, token: "t-1", objectName: "new-name", unknown: false, sent, ...counts };
  return { ...call, ...more };
}

describe("callProvider", () => {
  const seen: unknown[] = [];
  const recordCall = async (_: unknown, call: object): Promise<Outcome> => {
    seen.push(call);
    return done;
  };
  const provider = {
    facts: () => ({
      immutable: ["image"],
      writeOnly: [],
      required: [],
      deleteBeforeReplace: false,
    }),
    create: (context, call) => recordCall(context, { verb: "create", ...call }),
    lookUp: (context, call) => recordCall(context, { verb: "lookUp", ...call }),
    poll: recordCall,
    read: recordCall,
    delete: recordCall,
    update: async (_, call) => {
      if (call.id === "") throw new Error("a bug");
      return recordCall(_, call);
    },
  } satisfies Partial<Provider> as unknown as Provider;
  const parts = { provider, context: {} } as ProviderCallParts;

  it("sends secrets in plain text, and names the objects that a look-up must exclude", async () => {
    seen.length = 0;
    await callProvider(parts, creating, callOf("create"));
    await callProvider(parts, creating, callOf("create"), { known: ["n-1"] });
    const call = {
      type: "model:Plain",
      name: "new-name",
      properties: { name: "net", key: "s" },
      token: "t-1",
    };
    expect(seen).toEqual([
      { verb: "create", ...call },
      { verb: "lookUp", ...call, known: ["n-1"], sentMs: 5 },
    ]);
  });

  it("reads the object of an update if an answer did not find it, or showed its earlier form", async () => {
    const pending = { id: "n-2", handle: 1 };
    const read = { id: "n-2", name: "its-name", properties: { name: "net", key: "s" } };
    seen.length = 0;
    await callProvider(parts, updating, callOf("update", { emptyLooks: 1, pending }));
    await callProvider(parts, updating, callOf("update", { unshownSinceMs: 1, pending }));
    expect(seen).toMatchObject([read, { ...read, awaitReady: true }]);
    expect(seen[0]).not.toHaveProperty("awaitReady");
  });

  it("sends the object's last shown properties and outputs", async () => {
    const drift = { kind: "changed", observed: { name: "net", place: "b" } } as const;
    const shown = { inputs: { name: "net", place: "a" }, outputs: { arn: "n", place: "a" } };
    const of = { ...applying, stored: { ...stored, ...shown, drift } };
    const deleting: DueCall = { ...of, does: "delete", id: "n-2", isCurrent: true };
    const pending = { id: "n-2", handle: 1 };
    seen.length = 0;
    await callProvider(parts, { ...of, does: "check" }, callOf("read"));
    await callProvider(parts, { ...of, does: "update" }, callOf("update"));
    await callProvider(parts, deleting, callOf("delete"));
    await callProvider(parts, deleting, callOf("delete", { pending }));
    expect(seen).toHaveLength(4);
    for (const call of seen)
      expect(call).toMatchObject({ seen: { name: "net", place: "b", arn: "n" } });
  });

  it("sends ignored properties with the values that a read before the update shows", async () => {
    const shown = { name: "old", size: 5 };
    const reading = {
      ...provider,
      read: async () => ({ kind: "done", id: "n-2", outputs: shown }) as const,
    } as unknown as Provider;
    const values = { name: "old", size: 1 };
    const options = modelOptions({ ignoreChanges: ["size"] });
    const ignoring: Update = {
      ...updating,
      inputs: { name: "net", size: 1 },
      stored: { ...stored, inputs: values, outputs: values },
      declaration: { ...declaration, options },
    };
    seen.length = 0;
    await callProvider({ ...parts, provider: reading }, ignoring, callOf("update"));
    expect(seen).toMatchObject([
      { properties: { name: "net", size: 5 }, before: { name: "old", size: 5 } },
    ]);
    const unread: Outcome = {
      kind: "failed",
      code: "c",
      message: "m",
      retryable: true,
      unknownOutcome: false,
    };
    const failing = { ...provider, read: async () => unread } as unknown as Provider;
    seen.length = 0;
    expect(await callProvider({ ...parts, provider: failing }, ignoring, callOf("update"))).toBe(
      unread,
    );
    expect(seen).toEqual([]);
  });

  it("sends the time of the first attempt with a look-up for a create", async () => {
    seen.length = 0;
    const sent = { firstMs: 7, lastMs: 9 };
    await callProvider(parts, creating, callOf("create", { sent }), { known: [] });
    expect(seen).toMatchObject([{ verb: "lookUp", sentMs: 7 }]);
  });

  it("sends the start of an update, and its certainty, in its polls too", async () => {
    seen.length = 0;
    const before = { name: "old", key: "k" };
    await callProvider(parts, updating, callOf("update"));
    expect(seen.pop()).toMatchObject({ id: "n-2", before });
    const unsure: Update = { ...updating, stored: { ...stored, state: "unsure" } };
    await callProvider(parts, unsure, callOf("update"));
    expect(seen.pop()).toMatchObject({ before, unsure: true });
    const drift = { kind: "changed", observed: { name: "now", image: "v2" } } as const;
    const drifted = { ...stored, inputs: { name: "old", image: "v1" }, drift };
    await callProvider(parts, { ...updating, stored: drifted }, callOf("update"));
    // The update leaves out a property that it cannot change back in place.
    expect(seen.pop()).toMatchObject({ before: { name: "now", image: "v1" } });
    const pending = { id: "n-2", handle: {} };
    await callProvider(parts, unsure, callOf("update", { pending }));
    expect(seen.pop()).toMatchObject({ verb: "update", update: { before, unsure: true } });
  });

  it("sends every repetition with the token and the name of the intent", async () => {
    seen.length = 0;
    await callProvider(parts, creating, callOf("create"));
    await callProvider(parts, creating, callOf("create", { retries: 1, unknown: true }));
    await callProvider(parts, creating, callOf("create", { retries: 2, looks: 2, emptyLooks: 2 }));
    const call = { verb: "create", name: "new-name", token: "t-1" };
    expect(seen).toMatchObject([call, call, call]);
  });

  it("names the object of a read and a delete, except one that is imported", async () => {
    seen.length = 0;
    const deleting: DueCall = { ...applying, does: "delete", id: "n-1", stored, isCurrent: true };
    await callProvider(parts, deleting, callOf("delete"));
    await callProvider(parts, { ...applying, does: "check", stored }, callOf("read"));
    await callProvider(parts, { ...applying, does: "import", id: "n-1" }, callOf("read"));
    expect(seen).toMatchObject([{ name: "its-name" }, { name: "its-name" }, { id: "n-1" }]);
    expect(seen[2]).not.toHaveProperty("name");
  });

  it("polls a pending call with its handle", async () => {
    seen.length = 0;
    const pending = { id: "n-2", handle: { op: 1 } };
    await callProvider(parts, creating, callOf("create", { pending }));
    expect(seen).toMatchObject([
      { verb: "create", id: "n-2", handle: { op: 1 }, name: "new-name", token: "t-1" },
    ]);
  });

  it("reports a provider that throws as an internal failure with an unknown outcome", async () => {
    expect(
      await callProvider(parts, { ...updating, stored: { ...stored, id: "" } }, callOf("update")),
    ).toMatchObject({
      kind: "failed",
      code: "internal",
      retryable: true,
      unknownOutcome: true,
    });
  });
});
