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
  {
    kind: "failed",
    code: "hunter2222",
    message: "got it",
    fault: "user",
    permission: "hunter2222",
    retryable: false,
    unknownOutcome: false,
    requestId: "hunter2222",
  },
  { kind: "pending", handle: null, afterMs: 1, note: "got hunter2222" },
  { kind: "done", id: "1", outputs: {}, note: "no keys: got hunter2222" },
])("the message of a call that is $kind shows no secret", async (outcome) => {
  const provider = { read: async () => outcome } as unknown as Provider;
  const redacted = redactingProvider(provider, () => ["hunter2222"]);
  const call = { type: "mock:Server", id: "1", properties: {} };
  const told = JSON.stringify(await redacted.read({} as ProviderContext, call));
  expect(told).not.toContain("hunter2222");
  expect(told).toContain("got ");
});

const withMessage = (message: string): Provider =>
  ({
    read: async () => ({
      kind: "failed",
      code: "cannot_tell",
      message,
      retryable: false,
      unknownOutcome: false,
    }),
  }) as unknown as Provider;
const anyCall = { type: "mock:Server", id: "1", properties: {} };

it("a message is cut after its secrets are redacted, so that no part of one stays at the cut", async () => {
  for (const length of [1_990, 1_995, 1_999, 2_000]) {
    const provider = redactingProvider(withMessage(`${"x".repeat(length)}hunter2222`), () => [
      "hunter2222",
    ]);
    const outcome = await provider.read({} as ProviderContext, anyCall);
    const message = outcome.kind === "failed" ? outcome.message : "";
    expect(message).not.toContain("hu");
    expect(message.length).toBeLessThanOrEqual(2_000);
  }
});

it("a message that is too long to be searched is not quoted", async () => {
  const provider = redactingProvider(withMessage("hunter2222 ".repeat(6_000)), () => []);
  const told = JSON.stringify(await provider.read({} as ProviderContext, anyCall));
  expect(told).toContain("a message of 66000 characters, which is too long to show");
});

it("the credential is redacted too, and this service's own codes stay, whatever the secrets are", async () => {
  const provider = redactingProvider(withMessage("sent t0ken-t0ken"), () => ["cannot_tell"]);
  const context = { credential: { token: "t0ken-t0ken" } } as unknown as ProviderContext;
  expect(await provider.read(context, anyCall)).toMatchObject({
    code: "cannot_tell",
    message: "sent [redacted]",
  });
});

it("the message of a failed request for the account shows no secret", async () => {
  const failed = {
    kind: "failed",
    code: "c",
    message: "got hunter2222",
    retryable: false,
    unknownOutcome: false,
  } as const;
  const provider = { account: async () => failed } as unknown as Provider;
  const told = await redactingProvider(provider, () => ["hunter2222"]).account?.(
    {} as ProviderContext,
  );
  expect(told).toMatchObject({ kind: "failed", message: expect.stringContaining("got ") });
  expect(JSON.stringify(told)).not.toContain("hunter2222");
});
