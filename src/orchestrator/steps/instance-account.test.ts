import { describe, expect, it } from "vitest";
import type { StoredResource } from "#engine/state/state.ts";
import type { CallPermit } from "#orchestrator/gate/run-calls.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import type { Run } from "#orchestrator/storage/run.ts";
import type { Outcome, Provider, ProviderContext } from "#providers/provider.ts";
import type { RunPhase } from "#schema/lists/run-phases.ts";
import { AccountRefused, InstanceAccount } from "./instance-account.ts";
import type { Unread } from "./unread.ts";

type Told = Awaited<ReturnType<NonNullable<Provider["account"]>>>;

const away: Told = {
  kind: "failed",
  code: "unavailable",
  message: "away",
  retryable: true,
  unknownOutcome: false,
};
const object = { name: "net", type: "mock:Network", id: "net-1", objectName: "n", inputs: {} };
const done: Outcome = { kind: "done", id: "net-1", outputs: {} };

function setUp({
  kept = "",
  alias = "",
  objects = [object],
  phase = "applying" as RunPhase,
  told = () => ({ kind: "account", id: "own" }) as Told,
  read = (): Outcome => ({ kind: "gone" }),
}) {
  const facts = new Map([
    ["account", kept],
    ["accountAlias", alias],
  ]);
  const state = { nowMs: 0, asked: 0, reads: 0, throttledMs: [] as (number | undefined)[] };
  const provider = {
    account: async () => {
      state.asked += 1;
      return told();
    },
    read: async () => {
      state.reads += 1;
      return read();
    },
  };
  const parts = {
    store: { facts: { get: (name: string) => facts.get(name), set: facts.set.bind(facts) } },
    resources: async () => ({
      view: {
        current: new Map(objects.map((one, at) => [String(at), one as unknown as StoredResource])),
        pendingDeletes: [],
      },
    }),
    commit: async (change: () => void) => change(),
    now: () => state.nowMs,
    random: () => 0.5,
  } as unknown as RunnerParts;
  const run = { phase, spec: { inputs: { target: { name: "main", provider: "mock" } } } };
  const begin = () =>
    new InstanceAccount(
      parts,
      run as unknown as Run,
      { provider: provider as unknown as Provider, context: {} as ProviderContext },
      (forMs) => state.throttledMs.push(forMs),
    );
  let account = begin();
  const permit = { context: (context: ProviderContext) => context } as CallPermit;
  return {
    state,
    kept: () => facts.get("account"),
    alias: () => facts.get("accountAlias"),
    /** The runner continues in another life, which knows of the last one only by its storage. */
    goOn: () => (account = begin()),
    require: () => account.require(permit),
    refusal: async () =>
      account.require(permit).then(
        () => undefined,
        (error: Unread) => error,
      ),
  };
}

describe("the account of an instance's objects", () => {
  it("is asked once for calls at the same time and later", async () => {
    const { state, require } = setUp({ kept: "own" });
    await Promise.all([require(), require(), require()]);
    await require();
    expect(state).toMatchObject({ asked: 1, reads: 0 });
  });

  it("is learned by the first call of an instance without objects", async () => {
    const { require, kept } = setUp({ objects: [] });
    await require();
    expect(kept()).toBe("own");
  });

  it("stays while a run applies, although the state has no object yet: a call may be open", async () => {
    const { refusal, kept } = setUp({ kept: "other", objects: [] });
    expect(await refusal()).toBeInstanceOf(AccountRefused);
    expect(kept()).toBe("other");
  });

  it("is not asked for a plan's reads while there are no objects", async () => {
    const { state, require, kept } = setUp({ kept: "other", objects: [], phase: "planning" });
    await require();
    expect(state.asked).toBe(0);
    expect(kept()).toBe("other");
  });

  it("refuses for good, without asking again", async () => {
    const { state, refusal } = setUp({ kept: "other" });
    for (let tries = 0; tries < 3; tries += 1)
      expect(await refusal()).toMatchObject({ code: "account_changed", retryAfterMs: undefined });
    expect(state.asked).toBe(1);
  });
});

describe("an account whose name changes", () => {
  const told = (): Told => ({ kind: "account", id: "new@shop.example", nameChanges: true });

  it("is the same if it has one of the objects, and is then known by its new name", async () => {
    const { state, require, kept } = setUp({ kept: "old@shop.example", told, read: () => done });
    await require();
    expect(kept()).toBe("new@shop.example");
    expect(state.reads).toBe(1);
  });

  it("is another if it has none of them, or if none can be read", async () => {
    for (const objects of [[object], []]) {
      const { refusal, kept } = setUp({ kept: "old@shop.example", told, objects });
      expect(await refusal()).toMatchObject({ code: "account_changed" });
      expect(kept()).toBe("old@shop.example");
    }
  });
});

describe("an account with an alias", () => {
  const told =
    (id: string, alias: string): (() => Told) =>
    () => ({ kind: "account", id, alias, nameChanges: true });

  it.each([
    ["the name has come", "token a", "acme", "acme"],
    ["the name has gone", "acme", "token a", "acme"],
    ["the name stays", "acme", "acme", "acme"],
  ])("is the same by its alias when %s", async (_, kept, id, after) => {
    const scene = setUp({ kept, alias: "token a", told: told(id, "token a") });
    await scene.require();
    expect([scene.kept(), scene.alias()]).toEqual([after, "token a"]);
    expect(scene.state.reads).toBe(0);
  });

  it("takes the alias of a new credential that opens it", async () => {
    const scene = setUp({ kept: "acme", alias: "token a", told: told("acme", "token b") });
    await scene.require();
    expect([scene.kept(), scene.alias()]).toEqual(["acme", "token b"]);
  });

  it("is another if neither name is known and it has none of the objects", async () => {
    const scene = setUp({ kept: "acme", alias: "token a", told: told("token b", "token b") });
    expect(await scene.refusal()).toMatchObject({ code: "account_changed" });
    expect([scene.kept(), scene.alias()]).toEqual(["acme", "token a"]);
  });

  it("is not proven by the alias of an account that the instance has left", async () => {
    const scene = setUp({ kept: "", alias: "token a", told: told("token a", "token a") });
    expect(await scene.refusal()).toMatchObject({ code: "account_unproven" });
  });
});

describe("an instance whose account is not known", () => {
  it("has the account that contains one of its objects", async () => {
    const found: Outcome[] = [{ kind: "gone" }, done];
    const { require, kept } = setUp({
      objects: [object, object],
      read: () => found.shift() ?? { kind: "gone" },
    });
    await require();
    expect(kept()).toBe("own");
  });

  it("has none while all objects seem gone or hidden, and a limited number is read", async () => {
    const denied: Outcome = { ...away, retryable: false, means: "denied" };
    for (const outcome of [{ kind: "gone" } as const, denied]) {
      const objects = Array.from({ length: 50 }, () => object);
      const { refusal, kept, state } = setUp({ objects, read: () => outcome });
      expect(await refusal()).toMatchObject({ code: "account_unproven", fault: "user" });
      expect(kept()).toBe("");
      expect(state.reads).toBe(20);
    }
  });
});

describe("a cloud that does not tell", () => {
  it("is asked again for half an hour, and told to the gate when it throttles", async () => {
    const told: Told = { ...away, means: "throttled", afterMs: 60_000 };
    const { state, refusal } = setUp({ told: () => told });
    expect(await refusal()).toMatchObject({ code: "unavailable", retryAfterMs: 60_000 });
    state.nowMs = 29 * 60_000;
    expect(await refusal()).not.toBeInstanceOf(AccountRefused);
    state.nowMs = 30 * 60_000;
    expect(await refusal()).toBeInstanceOf(AccountRefused);
    expect(state).toMatchObject({ asked: 3, throttledMs: [60_000, 60_000, 60_000] });
  });

  it("gets half an hour from its last answer, in each life of the run", async () => {
    const answers: Told[] = [away, { kind: "account", id: "own" }, away];
    const { state, refusal, goOn } = setUp({ kept: "own", told: () => answers.shift() ?? away });
    expect(await refusal()).toMatchObject({ code: "unavailable" });
    expect(await refusal()).toBeUndefined();
    state.nowMs = 48 * 60 * 60_000;
    goOn();
    expect(await refusal()).not.toBeInstanceOf(AccountRefused);
  });

  it("ends the run with its reason if it denies the question", async () => {
    const denied: Told = { ...away, retryable: false, means: "denied", message: "No." };
    const { refusal } = setUp({ told: () => denied });
    const refused = await refusal();
    expect(refused).toBeInstanceOf(AccountRefused);
    expect(refused?.message).toContain("which account the target's credential opens: No.");
  });
});
