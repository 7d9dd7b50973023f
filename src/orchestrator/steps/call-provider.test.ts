import { describe, expect, it } from "vitest";
import { Secret } from "#engine/value.ts";
import type { StepRecord, Verb } from "#orchestrator/storage/journal.ts";
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
    progress: { status: "running" },
    startedAtMs: 0,
    intent: { verb, token: "t-1", objectName: "new-name" },
    retries: 0,
    unknown: false,
    intents: 1,
    ...more,
  };
}

describe("callProvider", () => {
  const seen: unknown[] = [];
  const recordCall: Provider["create"] = async (_, call) => {
    seen.push(call);
    return done;
  };
  const provider = {
    create: recordCall,
    poll: recordCall as unknown as Provider["poll"],
    update: async () => {
      throw new Error("a bug");
    },
  } as unknown as Provider;
  const parts = { provider, context: {} } as ProviderCallParts;

  it("sends secrets in plain text, and tells whether an earlier attempt may have had an effect", async () => {
    seen.length = 0;
    await callProvider(parts, creating, recordOf("create"));
    await callProvider(parts, creating, recordOf("create", { unknown: true }));
    const call = {
      type: "model:Plain",
      name: "new-name",
      properties: { name: "net", key: "s" },
      token: "t-1",
    };
    expect(seen).toEqual([
      { ...call, repeated: false },
      { ...call, repeated: true },
    ]);
  });

  it("polls a pending call with its handle", async () => {
    seen.length = 0;
    const pending = { verb: "create" as const, id: "n-2", handle: { op: 1 } };
    await callProvider(parts, creating, recordOf("create", { pending }));
    expect(seen).toMatchObject([{ verb: "create", id: "n-2", handle: { op: 1 } }]);
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
