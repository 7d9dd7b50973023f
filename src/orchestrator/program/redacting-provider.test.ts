import { expect, it } from "vitest";
import type { Outcome, Provider, ProviderContext } from "#providers/provider.ts";
import { redactingProvider } from "./redacting-provider.ts";

it.for<Outcome>([
  {
    kind: "failed",
    code: "c",
    message: "got hunter2222",
    retryable: false,
    unknownOutcome: false,
  },
  { kind: "pending", handle: null, afterMs: 1, note: "got hunter2222" },
  { kind: "done", id: "1", outputs: {}, note: "no keys: got hunter2222" },
])("what a cloud says of a call that is $kind shows no secret", async (outcome) => {
  const provider = { read: async () => outcome } as unknown as Provider;
  const redacted = redactingProvider(provider, () => ["hunter2222"]);
  const call = { type: "mock:Server", id: "1", properties: {} };
  const told = JSON.stringify(await redacted.read({} as ProviderContext, call));
  expect(told).not.toContain("hunter2222");
  expect(told).toContain("got ");
});
