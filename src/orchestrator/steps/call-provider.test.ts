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
    create: (context, call) => recordCall(context, { verb: "create", ...call }),
    lookUp: (context, call) => recordCall(context, { verb: "lookUp", ...call }),
    poll: recordCall,
    read: recordCall,
    delete: recordCall,
    update: async () => {
      throw new Error("a bug");
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
