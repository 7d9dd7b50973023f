/** A cloud that never tells an account, and a runner that Cloudflare evicts while it waits to ask again. */
import { expect, it } from "vitest";
import type { CallPermit } from "#orchestrator/gate/run-calls.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { InstanceAccount } from "#orchestrator/steps/instance-account.ts";
import type { Unread } from "#orchestrator/steps/unread.ts";
import type { Run } from "#orchestrator/storage/run.ts";
import type { Provider, ProviderContext } from "#providers/provider.ts";

const DAY_MS = 86_400_000;

it("does not keep the instance from every other run for ever", async () => {
  let nowMs = 0;
  const facts = new Map([["account", "own"]]);
  const parts = {
    store: { facts: { get: (name: string) => facts.get(name), set: facts.set.bind(facts) } },
    resources: async () => ({ view: { current: new Map(), pendingDeletes: [] } }),
    commit: async (change: () => void) => change(),
    now: () => nowMs,
    random: () => 0.5,
  } as unknown as RunnerParts;
  const run = { phase: "applying", spec: { inputs: { target: { name: "t", provider: "mock" } } } };
  const provider = {
    account: async () => ({
      kind: "failed",
      code: "unavailable",
      message: "away",
      retryable: true,
      unknownOutcome: false,
      // As a cloud says it that is throttled or being maintained.
      afterMs: 300_000,
    }),
  } as unknown as Provider;
  const permit = { context: (context: ProviderContext) => context } as CallPermit;
  let delayMs: number | undefined = 0;
  while (delayMs !== undefined && nowMs < DAY_MS) {
    nowMs += delayMs;
    // Each alarm, minutes later, finds an object that was evicted: what it had in memory is gone.
    const account: InstanceAccount = new InstanceAccount(
      parts,
      run as unknown as Run,
      { provider, context: {} as ProviderContext },
      () => undefined,
    );
    const problem: Unread | undefined = await account.require(permit).then(
      () => undefined,
      (error: Unread) => error,
    );
    delayMs = problem?.retryAfterMs;
  }
  expect(nowMs).toBeLessThan(DAY_MS);
});
