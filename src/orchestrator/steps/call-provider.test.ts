import { describe, expect, it } from "vitest";
import type { StoredResource } from "#engine/state/state.ts";
import { Secret } from "#engine/value.ts";
import { newRecord, type StepRecord, type Verb } from "#orchestrator/storage/journal.ts";
import type { Outcome, Provider } from "#providers/provider.ts";
import { callProvider, type ProviderCallParts } from "./call-provider.ts";
import type { DueCall } from "./decide-step.ts";

const creating: DueCall = {
  verb: "create",
  resource: "net",
  type: "model:Plain",
  inputs: { name: "net", key: new Secret("s") },
  dependsOn: [],
};
const done: Outcome = { kind: "done", id: "n-2", outputs: {} };

function recordOf(verb: Verb, more: Partial<StepRecord> = {}): StepRecord {
  return {
    ...newRecord(0),
    intent: { verb, token: "t-1", objectName: "new-name" },
    intents: 1,
    ...more,
  };
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

  it("sends secrets in plain text, and says which objects are not looked for", async () => {
    seen.length = 0;
    await callProvider(parts, creating, recordOf("create"));
    await callProvider(parts, creating, recordOf("create"), { known: ["n-1"] });
    const call = {
      type: "model:Plain",
      name: "new-name",
      properties: { name: "net", key: "s" },
      token: "t-1",
    };
    expect(seen).toEqual([
      { verb: "create", ...call },
      { verb: "lookUp", ...call, known: ["n-1"] },
    ]);
  });

  it("reads the object of an update that an answer did not find, or that shows what it was", async () => {
    const updating: DueCall = { ...creating, verb: "update", id: "n-2" };
    const pending = { verb: "update", id: "n-2", handle: 1 } as const;
    const read = { type: "model:Plain", id: "n-2", properties: { name: "net", key: "s" } };
    seen.length = 0;
    await callProvider(parts, updating, recordOf("update", { emptyLooks: 1, pending }));
    await callProvider(parts, updating, recordOf("update", { unshownSinceMs: 1, pending }));
    expect(seen).toEqual([read, { ...read, awaitReady: true }]);
  });

  it("says what the object showed last, in its properties and beside them", async () => {
    const drift = { kind: "changed", observed: { name: "net", place: "b" } } as const;
    const shown = { inputs: { name: "net", place: "a" }, outputs: { arn: "n", place: "a" } };
    const stored = { ...shown, drift } as unknown as StoredResource;
    const of: DueCall = { ...creating, id: "n-2", stored };
    const pending = { verb: "delete", id: "n-2", handle: 1 } as const;
    seen.length = 0;
    await callProvider(parts, { ...of, verb: "read" }, recordOf("read"));
    await callProvider(parts, { ...of, verb: "update" }, recordOf("update"));
    await callProvider(parts, { ...of, verb: "delete" }, recordOf("delete"));
    await callProvider(parts, { ...of, verb: "delete" }, recordOf("delete", { pending }));
    expect(seen).toHaveLength(4);
    for (const call of seen)
      expect(call).toMatchObject({ seen: { name: "net", place: "b", arn: "n" } });
  });

  it("sends what the template ignores as a read before the update shows it", async () => {
    const shown = { name: "old", size: 5 };
    const reading = {
      ...provider,
      read: async () => ({ kind: "done", id: "n-2", outputs: shown }) as const,
    } as unknown as Provider;
    const stored = { inputs: { name: "old", size: 1 }, outputs: { name: "old", size: 1 } };
    const options = { ignoreChanges: ["size"], replaceOnChanges: [] };
    const updating = {
      ...creating,
      verb: "update",
      id: "n-2",
      inputs: { name: "net", size: 1 },
      stored,
      declaration: { options },
    } as unknown as DueCall;
    seen.length = 0;
    await callProvider({ ...parts, provider: reading }, updating, recordOf("update"));
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
    expect(await callProvider({ ...parts, provider: failing }, updating, recordOf("update"))).toBe(
      unread,
    );
    expect(seen).toEqual([]);
  });

  it("says when a create was first sent that is looked for, if it knows", async () => {
    seen.length = 0;
    const look = { known: [] };
    const sent = { firstMs: 5, lastMs: 9 };
    await callProvider(parts, creating, recordOf("create", { sent }), look);
    // Lost by a version that did not keep it.
    const unknown = { firstMs: 0, lastMs: 0 };
    await callProvider(parts, creating, recordOf("create", { sent: unknown }), look);
    expect(seen).toMatchObject([{ verb: "lookUp", sentMs: 5 }, { verb: "lookUp" }]);
    expect(seen[1]).not.toHaveProperty("sentMs");
  });

  it("says what an update starts from, and whether that is sure, in its polls too", async () => {
    seen.length = 0;
    const updating: DueCall = {
      ...creating,
      verb: "update",
      id: "n-2",
      stored: {
        inputs: { name: "old", key: new Secret("k") },
        unsure: false,
      } as unknown as StoredResource,
    };
    const before = { name: "old", key: "k" };
    await callProvider(parts, updating, recordOf("update"));
    expect(seen.pop()).toMatchObject({ id: "n-2", before });
    const unsure = { ...updating, stored: { ...updating.stored, unsure: true } as StoredResource };
    await callProvider(parts, unsure, recordOf("update"));
    expect(seen.pop()).toMatchObject({ before, unsure: true });
    const drift = { kind: "changed", observed: { name: "now", image: "v2" } } as const;
    const drifted = { ...updating.stored, inputs: { name: "old", image: "v1" }, drift };
    await callProvider(
      parts,
      { ...updating, stored: drifted as StoredResource },
      recordOf("update"),
    );
    // What cannot be changed back in place is no part of the update.
    expect(seen.pop()).toMatchObject({ before: { name: "now", image: "v1" } });
    const pending = { verb: "update" as const, id: "n-2", handle: {} };
    await callProvider(parts, unsure, recordOf("update", { pending }));
    expect(seen.pop()).toMatchObject({ verb: "update", update: { before, unsure: true } });
  });

  it("sends every repetition with the token and the name of the intent", async () => {
    seen.length = 0;
    await callProvider(parts, creating, recordOf("create"));
    await callProvider(parts, creating, recordOf("create", { retries: 1, unknown: true }));
    await callProvider(
      parts,
      creating,
      recordOf("create", { retries: 2, looks: 2, emptyLooks: 2 }),
    );
    const call = { verb: "create", name: "new-name", token: "t-1" };
    expect(seen).toMatchObject([call, call, call]);
  });

  it("names the object of a read and a delete, except one that is imported", async () => {
    seen.length = 0;
    const stored = { objectName: "its-name" } as StoredResource;
    const deleting: DueCall = { ...creating, verb: "delete", id: "n-1", stored };
    await callProvider(parts, deleting, recordOf("delete"));
    await callProvider(parts, { ...deleting, verb: "read" }, recordOf("read"));
    await callProvider(parts, { ...creating, verb: "read", id: "n-1" }, recordOf("read"));
    expect(seen).toMatchObject([{ name: "its-name" }, { name: "its-name" }, { id: "n-1" }]);
    expect(seen[2]).not.toHaveProperty("name");
  });

  it("polls a pending call with its handle", async () => {
    seen.length = 0;
    const pending = { verb: "create" as const, id: "n-2", handle: { op: 1 } };
    await callProvider(parts, creating, recordOf("create", { pending }));
    expect(seen).toMatchObject([
      { verb: "create", id: "n-2", handle: { op: 1 }, name: "new-name", token: "t-1" },
    ]);
  });

  it("reports a provider that throws as an internal failure with an unknown outcome", async () => {
    expect(
      await callProvider(parts, { ...creating, verb: "update" }, recordOf("update")),
    ).toMatchObject({
      kind: "failed",
      code: "internal",
      retryable: true,
      unknownOutcome: true,
    });
  });
});
