import { describe, expect, it } from "vitest";
import { knownObject, type KnownResource } from "#engine/state/state.ts";
import type { ResourceDeclaration } from "#engine/template/template.ts";
import { Secret, type ValueMap } from "#engine/value.ts";
import type { OpenCall, Verb } from "#orchestrator/storage/journal.ts";
import type { JsonMap } from "#platform/json.ts";
import type { Outcome, Provider, TypeFacts } from "#providers/provider.ts";
import { modelOptions } from "#test/support/model-instance.ts";
import { asLost } from "#test/support/stored-resource.ts";
import type { ProviderCallParts } from "./call-provider.ts";
import { conclude } from "./conclude-call.ts";
import { concludeFailure } from "./conclude-failure.ts";
import {
  type Create,
  decideDelete,
  type Decision,
  type DueCall,
  type Find,
  type Import,
  type Await,
  type Update,
  verbOf,
} from "./decide-step.ts";
import type { StateChange } from "./state-change.ts";

const NOW_MS = 100_000;
const TIMEOUT_MS = 60_000;

function makeCallParts(
  more: Partial<Provider> = {},
  nowMs = NOW_MS,
  random = 0.5,
): ProviderCallParts {
  const repeats = () => ({ longestRequestMs: 10_000, repeatableMs: 0, findable: true });
  const facts = () => undefined;
  const provider = { timeoutMs: () => TIMEOUT_MS, repeats, facts, ...more } as unknown as Provider;
  return {
    provider,
    context: {
      targetId: "t",
      region: "r",
      config: {},
      credential: null,
      fetch,
      now: () => nowMs,
    },
    random: () => random,
  };
}

const declaration = {
  type: "model:Plain",
  options: modelOptions(),
} as unknown as ResourceDeclaration;
const stored: KnownResource = {
  name: "net",
  type: "model:Plain",
  state: "ready",
  id: "n-1",
  objectName: "old-name",
  inputs: { name: "net" },
  outputs: { id: "n-1" },
  dependsOn: ["base"],
  protect: false,
  retainOnDelete: false,
  deleteSeconds: null,
};
const lost = asLost(stored, { token: "t-0" });

const about = { resource: "net", type: "model:Plain", dependsOn: ["wall"] };
const applying = { ...about, inputs: { name: "net", key: new Secret("s") }, declaration };
const creating: Create = { ...applying, does: "create" };
const replacing: Create = { ...creating, stored };
const updating: Update = { ...applying, does: "update", stored };

function due(decision: Decision): DueCall {
  if (decision.does === "nothing") throw new Error("Nothing is due");
  return decision;
}

type Open = { startedAtMs: number; call: OpenCall };

function recordOf(
  verb: Verb,
  { startedAtMs = NOW_MS - 1_000, ...more }: Partial<OpenCall> & { startedAtMs?: number } = {},
): Open {
  const sent = { firstMs: startedAtMs, lastMs: startedAtMs };
  const counts = { retries: 0, looks: 0, emptyLooks: 0 };
  const call = { verb, token: "t-1", objectName: "new-name", unknown: false, sent, ...counts };
  return { startedAtMs, call: { ...call, ...more } };
}

const withCall = ({ startedAtMs, call }: Open, more: Partial<OpenCall>): Open => ({
  startedAtMs,
  call: { ...call, ...more },
});

const done: Outcome = { kind: "done", id: "n-2", outputs: { id: "n-2", key: "s" } };
const refused: Outcome = {
  kind: "failed",
  code: "bad",
  message: "no",
  retryable: false,
  unknownOutcome: false,
};
const dropped: Outcome = { ...refused, retryable: true, unknownOutcome: true };

function putOf(change: StateChange): KnownResource | undefined {
  return change !== undefined && "put" in change ? knownObject(change.put) : undefined;
}

describe("an output that the cloud shows only for a while", () => {
  const facts = (): TypeFacts => ({
    immutable: [],
    writeOnly: [],
    required: [],
    deleteBeforeReplace: false,
    secretOutputs: ["password"],
    shownOnce: ["password"],
  });
  const before = { ...stored, outputs: { id: "n-1", password: new Secret("canary") } };
  const outputsAfter = (decision: Create | Update, outputs: JsonMap, id = "n-1") => {
    const outcome: Outcome = { kind: "done", id, outputs };
    const { change } = conclude(
      { ...decision, stored: before },
      recordOf(verbOf[decision.does]),
      outcome,
      makeCallParts({ facts }),
    );
    return putOf(change)?.outputs;
  };

  it("stays in the state, sealed, as long as the object lives", () => {
    for (const shown of [{}, { password: "" }, { password: null }])
      expect(outputsAfter(updating, { id: "n-1", ...shown })).toEqual({
        id: "n-1",
        password: new Secret("canary"),
      });
    expect(outputsAfter(updating, { id: "n-1", password: "new" })).toEqual({
      id: "n-1",
      password: new Secret("new"),
    });
  });

  it("is not passed from a replaced object to its successor", () => {
    expect(outputsAfter(replacing, { id: "n-2" }, "n-2")).toEqual({ id: "n-2" });
  });
});

describe("conclude", () => {
  it("puts a created object into the state and marks echoed secrets", () => {
    const { entry, change } = conclude(creating, recordOf("create"), done, makeCallParts());
    expect(entry).toEqual({ kind: "done", verb: "create", id: "n-2", elapsedMs: 1_000 });
    expect(change).toMatchObject({
      put: {
        id: "n-2",
        objectName: "new-name",
        outputs: { id: "n-2", key: new Secret("s") },
        dependsOn: ["wall"],
        state: "ready",
      },
    });
    expect(change).not.toHaveProperty("replaced");
  });

  it("makes the object that a create replaces a pending delete", () => {
    const { change } = conclude(replacing, recordOf("create"), done, makeCallParts());
    expect(change).toMatchObject({ put: { id: "n-2" }, replaced: stored });
  });

  it("keeps the object's name over an update", () => {
    const outcome: Outcome = { kind: "done", id: "n-1", outputs: { id: "n-1" } };
    const { change } = conclude(updating, recordOf("update"), outcome, makeCallParts());
    expect(change).toMatchObject({ put: { id: "n-1", objectName: "old-name" } });
  });

  it("treats a missing object as deleted by a delete, and as not found by an import", () => {
    const gone: Outcome = { kind: "gone" };
    const deleting = due(decideDelete(stored, false, undefined));
    expect(conclude(deleting, recordOf("delete"), gone, makeCallParts())).toMatchObject({
      entry: { kind: "done", verb: "delete" },
      change: { forget: stored },
    });
    const importing: DueCall = { ...applying, does: "import", id: "n-9" };
    const missing = conclude(importing, recordOf("read"), gone, makeCallParts());
    expect(missing.entry).toMatchObject({ kind: "failed", code: "import_not_found" });
  });

  it("waits while a call is pending, and keeps the object's id once known", () => {
    const pending: Outcome = { kind: "pending", handle: 1, afterMs: 500 };
    const record = recordOf("create", { pending: { id: "n-2", handle: 0 } });
    expect(conclude(creating, record, pending, makeCallParts()).entry).toEqual({
      kind: "pending",
      verb: "create",
      id: "n-2",
      handle: 1,
      notBeforeMs: NOW_MS + 500,
    });
  });

  it("waits no longer than the timeout, and leaves the object unready, since it may become usable", () => {
    const pending: Outcome = { kind: "pending", id: "n-2", handle: 1, afterMs: 10 * TIMEOUT_MS };
    const record = recordOf("create");
    const deadlineMs = record.startedAtMs + TIMEOUT_MS;
    expect(conclude(creating, record, pending, makeCallParts()).entry).toMatchObject({
      notBeforeMs: deadlineMs,
    });
    const late = conclude(creating, record, pending, makeCallParts({}, deadlineMs));
    expect(late.entry).toMatchObject({ kind: "failed", code: "timed_out" });
    expect(late.change).toMatchObject({ put: { id: "n-2", state: "unready" } });
  });

  it("retries with a doubled delay, ±20 %, and not before the time the provider asks for", () => {
    const delayOf = (retries: number, random: number, afterMs?: number): number => {
      const outcome: Outcome = { ...dropped, ...(afterMs === undefined ? {} : { afterMs }) };
      const record = recordOf("create", { retries, startedAtMs: NOW_MS });
      const { entry } = conclude(creating, record, outcome, makeCallParts({}, NOW_MS, random));
      return entry.kind === "retry" ? entry.notBeforeMs - NOW_MS : -1;
    };
    expect([0, 1, 2, 3].map((retries) => delayOf(retries, 0.5))).toEqual([500, 1000, 2000, 4000]);
    expect([delayOf(0, 0), delayOf(0, 1)]).toEqual([400, 600]);
    expect(delayOf(50, 0.5)).toBe(30_000);
    expect(delayOf(0, 0.5, 7_000)).toBe(7_000);
    // A retry after the timeout is not made.
    expect(delayOf(0, 0.5, TIMEOUT_MS)).toBe(-1);
  });

  it("keeps the effect of an attempt unknown after a look-up that failed", () => {
    const record = recordOf("create", { unknown: true });
    const failed: Outcome = { ...refused, retryable: true };
    const looked = conclude(creating, record, failed, makeCallParts(), { lookedAtMs: NOW_MS });
    expect(looked.entry).toMatchObject({ kind: "retry", unknown: true });
    const sent = conclude(creating, record, failed, makeCallParts());
    expect(sent.entry).not.toHaveProperty("unknown");
  });

  it("records on a retry whether the call may have had an effect", () => {
    const clean = conclude(
      creating,
      recordOf("create"),
      { ...dropped, unknownOutcome: false },
      makeCallParts(),
    );
    expect(clean.entry).not.toHaveProperty("unknown");
    const maybe = conclude(creating, recordOf("create"), dropped, makeCallParts());
    expect(maybe.entry).toMatchObject({ kind: "retry", unknown: true });
  });

  it("waits for an object that is in use, and says so", () => {
    const deleting = due(decideDelete(stored, false, undefined));
    const busy: Outcome = { ...refused, retryable: true, means: "busy" };
    const { entry } = conclude(deleting, recordOf("delete"), busy, makeCallParts());
    expect(entry).toMatchObject({ kind: "retry", busy: true, notBeforeMs: NOW_MS + 500 });
    const late = recordOf("delete", { startedAtMs: NOW_MS - TIMEOUT_MS });
    expect(conclude(deleting, late, busy, makeCallParts()).entry).toMatchObject({
      kind: "failed",
      code: "bad",
    });
  });

  it("sends a call again if its operation has ended, and polls one that has not", () => {
    const deleting = due(decideDelete(stored, false, undefined));
    const ended: Outcome = { ...refused, retryable: true, ended: true };
    const pending = { id: "n-1", handle: { op: 1 } };
    const record = recordOf("delete", { pending });
    const again = conclude(deleting, record, ended, makeCallParts());
    expect(again.entry).toMatchObject({ kind: "retry", ended: true });
    const still = conclude(deleting, record, { ...refused, retryable: true }, makeCallParts());
    expect(still.entry).not.toHaveProperty("ended");
  });

  it("sends a create that ended without an object as a new call where the cloud remembers its token", () => {
    const ended: Outcome = { ...refused, retryable: true, ended: true };
    const unknown = recordOf("create", { unknown: true });
    const repeats = { longestRequestMs: 10_000, repeatableMs: 60_000, findable: true };
    const remembering = makeCallParts({ repeats: () => repeats });
    for (const record of [recordOf("create"), unknown]) {
      // All attempts had the token.
      const { entry } = conclude(creating, record, ended, remembering);
      expect(entry).toMatchObject({ kind: "retry", ended: true, renewed: true });
      const { entry: tokenless } = conclude(creating, record, ended, makeCallParts());
      expect(tokenless).toMatchObject({ kind: "retry", ended: true });
      expect(tokenless).not.toHaveProperty("renewed");
    }
    // The cloud may have forgotten the token of the unknown attempt, which is looked for first.
    const old = recordOf("create", { unknown: true, sent: { firstMs: -60_000, lastMs: -60_000 } });
    const { entry } = conclude(creating, old, ended, remembering);
    expect(entry).toMatchObject({ kind: "retry", ended: true });
    expect(entry).not.toHaveProperty("renewed");
    // The cloud has forgotten the operation, so its end is not known.
    const forgotten = { ...ended, unknownOutcome: true };
    const lostEnd = conclude(creating, recordOf("create"), forgotten, remembering).entry;
    expect(lostEnd).toMatchObject({ kind: "retry", unknown: true });
    expect(lostEnd).not.toHaveProperty("renewed");
  });

  it("updates what a create left that failed for a reason that passes", () => {
    const left: Outcome = { ...refused, ended: true, mendable: true, id: "n-1" };
    for (const outcome of [
      { ...left, retryable: true },
      { ...left, spreads: { withinMs: 30_000, byCloud: true as const } },
    ]) {
      const { entry, change } = conclude(creating, recordOf("create"), outcome, makeCallParts());
      expect(entry).toMatchObject({
        kind: "done",
        verb: "create",
        id: "n-1",
        left: "no",
        more: true,
      });
      expect(change).toMatchObject({ put: { id: "n-1", state: "unsure" } });
    }
    const { entry } = conclude(creating, recordOf("create"), left, makeCallParts());
    expect(entry).toMatchObject({ kind: "failed" });
  });

  describe("refused because of what is not visible yet", () => {
    const spreads = { withinMs: 30_000 };
    const invisible: Outcome = { ...refused, spreads };
    const after = (
      decision: DueCall,
      {
        outcome = invisible,
        changed = ["role"],
        ...more
      }: {
        outcome?: Outcome;
        changed?: readonly string[];
        startedAtMs?: number;
        retries?: number;
      } = {},
    ) =>
      conclude(decision, recordOf(verbOf[decision.does], more), outcome, makeCallParts(), {
        changed,
      }).entry;

    it("is sent again after a change of what it needs", () => {
      expect(after(creating)).toMatchObject({ kind: "retry", visible: ["role"] });
      expect(after(updating)).toMatchObject({ kind: "retry", visible: ["role"] });
      expect(after(creating, { changed: [] })).toMatchObject({ kind: "failed", code: "bad" });
    });

    it("is sent again without a change where the cloud makes the missing object", () => {
      const outcome: Outcome = { ...refused, spreads: { ...spreads, byCloud: true } };
      expect(after(creating, { outcome, changed: [] })).toMatchObject({
        kind: "retry",
        visible: [],
      });
    });

    it("stands after the time that the cloud takes, and three attempts at least", () => {
      const startedAtMs = NOW_MS - spreads.withinMs;
      expect(after(creating, { startedAtMs, retries: 2 }).kind).toBe("retry");
      expect(after(creating, { startedAtMs, retries: 3 }).kind).toBe("failed");
      expect(after(creating, { retries: 3 }).kind).toBe("retry");
    });

    it("stands for a delete", () => {
      expect(after(due(decideDelete(stored, false, undefined))).kind).toBe("failed");
    });
  });

  it.for([
    ["denied", "The target's credential may not do this: give it the permission for model:Plain"],
    ["quota", "The account has no room for another model:Plain: have its quota raised"],
  ] as const)("says what to do about a call that is %s", ([means, hint]) => {
    const outcome: Outcome = { ...refused, fault: "user", means };
    const { entry } = conclude(creating, recordOf("create"), outcome, makeCallParts());
    expect(entry).toMatchObject({ kind: "failed", code: "bad", fault: "user" });
    expect(entry.kind === "failed" && entry.message).toMatch(/^no\. /);
    expect(entry.kind === "failed" && entry.message).toContain(hint);
  });

  it("does not ask for a permission where the credential itself is refused", () => {
    const unknown = { fault: "user", means: "denied", unauthenticated: true } as const;
    const outcome: Outcome = { ...refused, code: "unauthorized", ...unknown };
    const { entry } = conclude(creating, recordOf("create"), outcome, makeCallParts());
    expect(entry).toMatchObject({ kind: "failed", message: "no" });
  });

  it("keeps nothing of a failed create that had no effect", () => {
    const result = conclude(creating, recordOf("create"), refused, makeCallParts());
    expect(result).toEqual({
      entry: { kind: "failed", verb: "create", code: "bad", message: "no", elapsedMs: 1_000 },
    });
  });

  it("keeps a lost object if any attempt of the create may have had an effect", () => {
    const record = recordOf("create", { unknown: true });
    const { change } = conclude(replacing, record, refused, makeCallParts());
    expect(change).toMatchObject({
      put: { state: "lost", token: "t-1", objectName: "new-name" },
      replaced: stored,
    });
  });
});

describe("the object of a create that was given up", () => {
  const pendingId = recordOf("create", { pending: { id: "n-2", handle: 1 } });

  it.for<[what: string, outcome: Outcome, kept: object]>([
    [
      "is tainted if the cloud says that it failed",
      { ...refused, id: "n-2" },
      { state: "tainted" },
    ],
    [
      "is unready if it could not be read",
      { ...refused, id: "n-2", unread: true },
      { state: "unready" },
    ],
    ["is unready if polls failed until the end", dropped, { state: "unready" }],
  ])("%s", ([, outcome, kept]) => {
    const late = makeCallParts({}, pendingId.startedAtMs + TIMEOUT_MS);
    const { change } = conclude(creating, pendingId, outcome, late);
    expect(change).toMatchObject({ put: { id: "n-2", ...kept } });
  });

  it("is lost if its id was never known, with the times at which the create was sent", () => {
    const record = recordOf("create", { unknown: true, sent: { firstMs: 3, lastMs: 5 } });
    const { change } = conclude(creating, record, refused, makeCallParts());
    expect(change).toMatchObject({
      put: { state: "lost", token: "t-1", sent: { firstMs: 3, lastMs: 5 } },
    });
  });
});

describe("the read of an object whose create timed out", () => {
  const unready: KnownResource = { ...stored, state: "unready" };
  const awaiting: Await = {
    ...applying,
    does: "await",
    inputs: stored.inputs,
    stored: unready,
  };
  const awaited = (outcome: Outcome, nowMs = NOW_MS) =>
    conclude(awaiting, recordOf("read"), outcome, makeCallParts({}, nowMs));

  it("keeps a usable object with its outputs, and decides again", () => {
    const outputs = { id: "n-1", uri: "u" };
    const { entry, change } = awaited({ kind: "done", id: "n-1", outputs });
    expect(entry).toMatchObject({ kind: "done", verb: "read", more: true });
    expect(change).toEqual({ put: { ...stored, outputs } });
  });

  it.for<[Partial<TypeFacts>, KnownResource["state"], KnownResource["state"]]>([
    [{ immutable: [] }, "unready", "ready"],
    [{ immutable: [], createdInParts: true }, "unready", "unsure"],
    [{ immutable: [] }, "deleting", "unsure"],
    [{ immutable: ["*"] }, "deleting", "ready"],
  ])(
    "updates it then if something may be missing: with %j, %s becomes %s",
    ([facts, before, after]) => {
      const parts = makeCallParts({ facts: () => facts as TypeFacts });
      const decision = { ...awaiting, stored: { ...unready, state: before } };
      const seen: Outcome = { kind: "done", id: "n-1", outputs: {} };
      const { change } = conclude(decision, recordOf("read"), seen, parts);
      expect(change).toMatchObject({ put: { state: after } });
    },
  );

  it("taints an object that the cloud says has failed", () => {
    const { entry, change } = awaited({ ...refused, id: "n-1" });
    expect(entry).toMatchObject({ kind: "failed" });
    expect(change).toEqual({ put: { ...stored, state: "tainted" } });
  });

  it("waits as long as a create may take, and leaves the object unready", () => {
    const pending: Outcome = { kind: "pending", id: "n-1", handle: 1, afterMs: 1 };
    expect(awaited(pending).entry).toMatchObject({ kind: "pending", verb: "read" });
    const late = awaited(pending, NOW_MS + TIMEOUT_MS);
    expect(late.entry).toMatchObject({ kind: "failed", code: "timed_out" });
    expect(late).not.toHaveProperty("change");
  });

  it("leaves the object unready if the read is refused", () => {
    const { entry, change } = awaited(refused);
    expect(entry).toMatchObject({ kind: "failed", code: "bad" });
    expect(change).toBeUndefined();
  });

  it("forgets an object that is gone at the third look only, and creates it again", () => {
    for (const emptyLooks of [0, 1]) {
      // Failures of another kind say nothing about the object.
      const record = recordOf("read", { retries: 5, emptyLooks });
      const again = conclude(awaiting, record, { kind: "gone" }, makeCallParts());
      const notBeforeMs = NOW_MS + 5_000;
      expect(again).toEqual({
        entry: { kind: "looked", verb: "read", empty: emptyLooks + 1, notBeforeMs },
      });
    }
    const record = recordOf("read", { emptyLooks: 2 });
    const { entry, change } = conclude(awaiting, record, { kind: "gone" }, makeCallParts());
    expect(entry).toMatchObject({ kind: "done", verb: "none", more: true });
    expect(change).toEqual({ forget: unready });
  });
});

describe("an update whose object one answer does not find", () => {
  const gone: Outcome = { kind: "gone" };
  const looked = (empty: number, more: Partial<OpenCall> = {}) =>
    conclude(updating, recordOf("update", { emptyLooks: empty, ...more }), gone, parts);
  const parts = makeCallParts();

  it("looks for it twice more, apart in time", () => {
    for (const empty of [0, 1])
      expect(looked(empty)).toEqual({
        entry: { kind: "looked", verb: "read", empty: empty + 1, notBeforeMs: NOW_MS + 5_000 },
      });
    const handle = { sinceMs: NOW_MS };
    const polled = looked(0, { pending: { id: "n-1", handle } });
    expect(polled.entry).toMatchObject({ kind: "looked", empty: 1 });
  });

  it("looks for a minute for one that a create left unfinished", () => {
    const mending = { ...updating, stored: { ...updating.stored, state: "unsure" as const } };
    const after = (emptyLooks: number) =>
      conclude(mending, recordOf("update", { emptyLooks }), gone, parts).entry;
    expect(after(11)).toMatchObject({ kind: "looked", empty: 12, notBeforeMs: NOW_MS + 5_000 });
    expect(after(12)).toMatchObject({ kind: "failed", code: "deleted_outside" });
  });

  it("then ends as a drift check would find it, and creates nothing beyond the plan", () => {
    const { entry, change } = looked(2);
    expect(entry).toMatchObject({ kind: "failed", verb: "update", code: "deleted_outside" });
    expect(entry).toHaveProperty("message", expect.stringContaining("Plan again"));
    expect(change).toMatchObject({
      put: { id: "n-1", drift: { kind: "missing" }, state: "unsure" },
    });
  });

  it("continues once a look finds it, and puts nothing of the look into the state", () => {
    const record = recordOf("update", { emptyLooks: 1, looks: 1 });
    const seen = conclude(updating, record, { ...done, id: "n-1" }, parts);
    expect(seen).toEqual({
      entry: { kind: "looked", verb: "read", empty: 0, notBeforeMs: expect.any(Number) },
    });
    const often = recordOf("update", { emptyLooks: 1, looks: 12 });
    const ended = conclude(updating, often, { ...done, id: "n-1" }, parts);
    expect(ended.entry).toMatchObject({ kind: "failed", code: "inconsistent" });
    expect(ended.change).toMatchObject({ put: { id: "n-1", state: "unsure" } });
    expect(ended).not.toHaveProperty("change.put.drift");
  });

  it("is tried again, but not for ever, if the missing object is another one", () => {
    const other: Outcome = { ...refused, means: "gone" };
    const endOf = (retries: number) =>
      conclude(updating, recordOf("update", { retries }), other, parts).entry.kind;
    expect([0, 1, 2].map(endOf)).toEqual(["retry", "retry", "failed"]);
  });
});

describe("an accepted update whose object shows the earlier value", () => {
  const old = { ...stored, inputs: { size: 10, tags: ["a"] }, outputs: { size: 10, tags: ["a"] } };
  const inputs = { size: 50, tags: ["a"] };
  const resizing: Update = { ...updating, stored: old, inputs };
  const shown = (size: number): Outcome => ({
    kind: "done",
    id: "n-1",
    outputs: { ...inputs, size },
  });
  const parts = makeCallParts({ timeoutMs: () => 3_600_000 });
  const after = (waitedMs: number, outcome = shown(10)) =>
    conclude(resizing, recordOf("update", { unshownSinceMs: NOW_MS - waitedMs }), outcome, parts);

  it("is not done, and is read again and again", () => {
    const looked = { kind: "looked", verb: "update", empty: 0, unshown: ["size"] };
    const first = conclude(resizing, recordOf("update"), shown(10), parts);
    expect(first).toEqual({ entry: { ...looked, notBeforeMs: NOW_MS + 2_000 } });
    expect(after(60_000)).toEqual({ entry: { ...looked, notBeforeMs: NOW_MS + 12_000 } });
    expect(after(299_000)).toEqual({ entry: { ...looked, notBeforeMs: NOW_MS + 30_000 } });
  });

  it("is done once it shows the sent value, or the cloud's own form of it", () => {
    for (const size of [50, 51]) {
      const { entry, change } = after(60_000, shown(size));
      expect(entry).toEqual({ kind: "done", verb: "update", id: "n-1", elapsedMs: 1_000 });
      expect(change).toMatchObject({ put: { inputs } });
      expect(change).not.toHaveProperty("put.drift");
    }
  });

  it("is done, with drift, after five minutes, since the cloud may write the new value so", () => {
    const { entry, change } = after(300_000);
    expect(entry).toMatchObject({ kind: "done", verb: "update", unshown: ["size"] });
    const drift = { kind: "changed", observed: { size: 10, tags: ["a"] } };
    expect(change).toMatchObject({ put: { inputs, drift, state: "ready" } });
  });

  it("fails at the step's timeout with a message about the earlier value", () => {
    const record = recordOf("update", { unshownSinceMs: NOW_MS, startedAtMs: NOW_MS - 60_000 });
    const { entry, change } = conclude(resizing, record, shown(10), makeCallParts());
    expect(entry).toMatchObject({
      kind: "failed",
      code: "timed_out",
      message: expect.stringContaining("after 60 s it still shows the earlier value of size"),
    });
    expect(change).toMatchObject({ put: { inputs: old.inputs, state: "unsure" } });
  });

  it("is compared with the last drift check", () => {
    const drifted = { ...old, drift: { kind: "changed", observed: { ...old.inputs, size: 7 } } };
    const correcting = { ...resizing, stored: drifted as KnownResource };
    const { entry } = conclude(correcting, recordOf("update"), shown(7), parts);
    expect(entry).toMatchObject({ kind: "looked", unshown: ["size"] });
  });
});

it("creates an object that a drift check found missing only after a second read", () => {
  const missing: KnownResource = { ...stored, drift: { kind: "missing" } };
  const reading: DueCall = { ...applying, does: "confirm", stored: missing };
  const readOf = (emptyLooks: number) =>
    conclude(reading, recordOf("read", { emptyLooks }), { kind: "gone" }, makeCallParts());
  expect(readOf(0).entry).toMatchObject({ kind: "looked", verb: "read", empty: 1 });
  expect(readOf(1)).toMatchObject({
    entry: { kind: "done", verb: "none", more: true },
    change: { forget: missing },
  });
});

describe("a create whose operation ends because the name exists", () => {
  const exists: Outcome = { ...refused, means: "exists" };
  const pending = { id: "theirs", handle: 1 };

  it("leaves nothing in the state of the object that the operation named", () => {
    const record = recordOf("create", { pending });
    const { entry, change } = conclude(creating, record, exists, makeCallParts());
    expect(entry).toMatchObject({ kind: "failed", code: "bad" });
    expect(change).toBeUndefined();
  });

  it("does not make it the lost object of a delete", () => {
    const looking = due(decideDelete(lost, false, undefined));
    const record = recordOf("create", { pending, unknown: true });
    const { entry } = conclude(looking, record, exists, makeCallParts());
    expect(entry).toMatchObject({ kind: "failed" });
  });
});

describe("a look-up that finds nothing", () => {
  const gone: Outcome = { kind: "gone" };
  const sent = { firstMs: NOW_MS - 10_000, lastMs: NOW_MS - 10_000 };
  const record = recordOf("create", { unknown: true, sent });

  it("is journaled, and after the second one the create is sent again", () => {
    const first = conclude(creating, record, gone, makeCallParts(), { lookedAtMs: NOW_MS });
    expect(first.entry).toEqual({
      kind: "looked",
      verb: "create",
      empty: 1,
      notBeforeMs: NOW_MS + 5_000,
    });
    const again = withCall(record, { emptyLooks: 1 });
    const second = conclude(creating, again, gone, makeCallParts(), { lookedAtMs: NOW_MS });
    expect(second).toEqual({
      entry: { kind: "looked", verb: "create", empty: 2, notBeforeMs: NOW_MS },
    });
  });

  it("ends the step at its timeout, and the object stays lost", () => {
    const startedAtMs = NOW_MS - TIMEOUT_MS;
    const late = conclude(creating, { ...record, startedAtMs }, gone, makeCallParts(), {
      lookedAtMs: NOW_MS,
    });
    expect(late.entry).toMatchObject({ kind: "failed", code: "timed_out" });
    expect(late.change).toMatchObject({ put: { state: "lost", token: "t-1", sent } });
  });

  it("forgets a lost object only after the second one", () => {
    const looking = due(decideDelete(lost, false, undefined));
    const first = conclude(looking, record, gone, makeCallParts(), { lookedAtMs: NOW_MS });
    expect(first).toMatchObject({ entry: { kind: "looked", empty: 1 } });
    expect(first).not.toHaveProperty("change");
    const again = withCall(record, { emptyLooks: 1 });
    expect(conclude(looking, again, gone, makeCallParts(), { lookedAtMs: NOW_MS })).toMatchObject({
      entry: { kind: "done", verb: "create" },
      change: { forget: lost },
    });
  });

  it("names the way to forget the object if it cannot tell", () => {
    const outcome: Outcome = { ...refused, code: "cannot_tell", message: "two have the name." };
    const { entry } = conclude(creating, record, outcome, makeCallParts(), { lookedAtMs: NOW_MS });
    expect(entry).toMatchObject({
      kind: "failed",
      code: "cannot_tell",
      message: expect.stringMatching(
        /two have the name\. If it exists, .* To have the lost object forgotten/,
      ),
    });
  });
});

describe("the timeout of a delete", () => {
  const endOf = (decision: Decision) => {
    const record = recordOf("delete", { startedAtMs: NOW_MS - 30_000 });
    return conclude(due(decision), record, dropped, makeCallParts()).entry.kind;
  };

  it("is the last deployed one, also when the template no longer has the resource", () => {
    expect(endOf(decideDelete(stored, false, undefined))).toBe("retry");
    expect(endOf(decideDelete({ ...stored, deleteSeconds: 20 }, false, undefined))).toBe("failed");
  });

  it("is the template's while it has the resource", () => {
    const object = { ...stored, deleteSeconds: 20 };
    expect(endOf(decideDelete(object, false, undefined, { deleteSeconds: 3_600 }))).toBe("retry");
  });
});

describe("the apply of a lost object", () => {
  const sent = { firstMs: NOW_MS - 20_000, lastMs: NOW_MS - 20_000 };
  const old = { ...lost, sent };
  const again: Find = { ...applying, does: "find", inputs: lost.inputs, stored: old };
  const intent = { token: "t-0", objectName: "old-name" };
  const record = recordOf("create", { ...intent, unknown: true, sent });
  const LATE_MS = NOW_MS + TIMEOUT_MS;
  const keeping = (retainOnDelete: boolean): Find => ({
    ...again,
    declaration: { ...declaration, options: { ...modelOptions(), retainOnDelete } },
  });

  it("keeps the found object, and continues with it", () => {
    const { entry, change } = conclude(again, record, done, makeCallParts(), {
      lookedAtMs: NOW_MS,
    });
    expect(entry).toMatchObject({ kind: "done", verb: "create", id: "n-2", more: true });
    expect(change).toMatchObject({ put: { id: "n-2", objectName: "old-name", state: "ready" } });
    expect(change).not.toHaveProperty("put.token");
    expect(change).not.toHaveProperty("put.sent");
    expect(change).not.toHaveProperty("replaced");
  });

  it("reads the object that its repeated create named, since it may have been deleted meanwhile", () => {
    const repeated = conclude(again, record, done, makeCallParts());
    expect(repeated.entry).toMatchObject({ kind: "done", id: "n-2", more: true });
    expect(repeated.change).toMatchObject({ put: { id: "n-2", state: "unready" } });
    const seen = conclude(again, record, done, makeCallParts(), { lookedAtMs: NOW_MS });
    expect(seen.change).toMatchObject({ put: { state: "ready" } });
  });

  it("creates another object once none exists", () => {
    const gone: Outcome = { kind: "gone" };
    const first = conclude(again, record, gone, makeCallParts(), { lookedAtMs: NOW_MS });
    expect(first).toMatchObject({ entry: { kind: "looked", empty: 1 } });
    const looked = withCall(record, { emptyLooks: 1 });
    expect(conclude(again, looked, gone, makeCallParts(), { lookedAtMs: NOW_MS })).toEqual({
      entry: { kind: "done", verb: "create", elapsedMs: 1_000, more: true },
      change: { forget: old },
    });
  });

  it("leaves it lost after a failure, as it was deployed, with the time of the last attempt", () => {
    const tried = withCall(record, { sent: { ...sent, lastMs: NOW_MS } });
    const { change } = conclude(keeping(true), tried, dropped, makeCallParts({}, LATE_MS));
    expect(change).toEqual({ put: { ...old, sent: { ...sent, lastMs: NOW_MS } } });
    const named = conclude(again, tried, { ...refused, id: "n-2" }, makeCallParts());
    expect(named.change).toMatchObject({ put: { id: "n-2", state: "tainted" } });
    expect(named.change).not.toHaveProperty("put.token");
  });

  it("gives the object up if no provider can tell and the template has since set retainOnDelete", () => {
    const untold: Outcome = { ...refused, code: "cannot_tell", message: "two have the name." };
    const end = (decision: DueCall) => conclude(decision, record, untold, makeCallParts());
    const givenUp = {
      entry: { kind: "done", verb: "none", more: true, forgotten: "lost" },
      change: { forget: old },
    };
    expect(end(keeping(true))).toMatchObject(givenUp);
    expect(conclude(keeping(true), record, refused, makeCallParts())).toMatchObject(givenUp);
    expect(end(keeping(false)).entry).toMatchObject({
      kind: "failed",
      message: expect.stringContaining("set `retainOnDelete: true`"),
    });
    // The option was set before the create, so it is no decision about the lost object.
    const retained = { ...old, retainOnDelete: true };
    const { entry, change } = end({ ...keeping(true), stored: retained });
    expect(entry).toMatchObject({
      kind: "failed",
      message: expect.stringContaining("remove the resource from the template"),
    });
    expect(change).toMatchObject({ put: { state: "lost", token: "t-0" } });
  });
});

describe("the delete of a lost object", () => {
  const looking = due(decideDelete(lost, false, undefined));

  it("first repeats the create with its token, then deletes the object found", () => {
    expect(looking).toMatchObject({ does: "find", stored: lost });
    const found = conclude(looking, recordOf("create"), done, makeCallParts());
    expect(found.entry).toMatchObject({ kind: "done", verb: "create", id: "n-2", more: true });
    expect(found.change).toBeUndefined();
    expect(decideDelete(lost, false, "n-2")).toMatchObject({ does: "delete", id: "n-2" });
  });

  it.for<[what: string, outcome: Outcome]>([
    ["failed for good", { ...refused, code: "resource_failed", id: "n-2" }],
    ["was not ready in time", { kind: "pending", id: "n-2", handle: 1, afterMs: 1 }],
  ])("deletes an object that %s", ([, outcome]) => {
    const late = makeCallParts({}, NOW_MS + TIMEOUT_MS);
    expect(conclude(looking, recordOf("create"), outcome, late).entry).toMatchObject({
      kind: "done",
      id: "n-2",
      more: true,
    });
  });

  it("deletes an object that vanished during the wait, and forgets a gone one", () => {
    const waiting = recordOf("create", { pending: { id: "n-2", handle: 1 } });
    const vanished: Outcome = { ...refused, code: "vanished" };
    expect(conclude(looking, waiting, vanished, makeCallParts()).entry).toMatchObject({
      kind: "done",
      id: "n-2",
      more: true,
    });
    const gone = conclude(looking, recordOf("create"), { kind: "gone" }, makeCallParts());
    expect(gone).toMatchObject({ entry: { kind: "done" }, change: { forget: lost } });
  });

  it("fails and stays pending if the object cannot be identified", () => {
    const result = conclude(looking, recordOf("create"), refused, makeCallParts());
    expect(result.entry).toMatchObject({ kind: "failed" });
    expect(result).not.toHaveProperty("change");
  });

  it("is skipped if the found object belongs to another resource", () => {
    const found = decideDelete(lost, false, "n-2", { isAnothers: true });
    expect(found).toEqual({ does: "nothing", forget: lost });
  });

  it("names the way to forget the object when the provider refuses the repetition", () => {
    const { entry } = conclude(looking, recordOf("create"), refused, makeCallParts());
    expect(entry).toMatchObject({ message: expect.stringContaining("`retainOnDelete: true`") });
  });

  it("is skipped with retainOnDelete: the object is forgotten without a call", () => {
    expect(decideDelete(lost, true, undefined)).toEqual({ does: "nothing", forget: lost });
    expect(decideDelete(undefined, false, undefined)).toEqual({ does: "nothing" });
  });
});

describe("concludeFailure", () => {
  const failure = { code: "canceled", message: "stopped", elapsedMs: 5, unknown: true };

  it("leaves an updated object unsure, with its old and new dependencies", () => {
    expect(concludeFailure(updating, recordOf("update").call, failure).change).toEqual({
      put: { ...stored, dependsOn: ["base", "wall"], state: "unsure" },
    });
  });

  it("keeps the object of a failed delete in the state", () => {
    const deleting = due(decideDelete(stored, false, undefined));
    expect(concludeFailure(deleting, recordOf("delete").call, failure)).not.toHaveProperty(
      "change",
    );
  });

  it("keeps the object of a pending create as unready, with its id", () => {
    const record = recordOf("create", { pending: { id: "n-2", handle: 1 } });
    const { change } = concludeFailure(creating, record.call, { ...failure, unknown: false });
    expect(change).toMatchObject({ put: { id: "n-2", state: "unready" } });
  });
});

describe("the stored object", () => {
  const put = (decision: DueCall, outputs: JsonMap) => {
    const done: Outcome = { kind: "done", id: "n-1", outputs };
    const parts = makeCallParts({ facts: () => undefined });
    const { change } = conclude(decision, recordOf(verbOf[decision.does]), done, parts);
    return putOf(change);
  };

  it("has the imported values where changes are ignored", () => {
    const inputs = { name: "net", size: 1, key: new Secret("s3cret"), hidden: "h" };
    const options = modelOptions({ ignoreChanges: ["*"] });
    const importing: DueCall = {
      ...about,
      does: "import",
      id: "n-1",
      inputs,
      declaration: { ...declaration, options },
    };
    expect(put(importing, { name: "net", size: 9, key: "other", status: "on" })?.inputs).toEqual({
      name: "net",
      // A property outside the template may have been given as a secret.
      size: new Secret(9),
      key: new Secret("other"),
      hidden: "h",
    });
  });

  it("keeps its former names", () => {
    const renamed = { ...stored, formerNames: ["lan"] };
    expect(put({ ...updating, stored: renamed }, {})?.formerNames).toEqual(["lan"]);
    expect(put(updating, {})).not.toHaveProperty("formerNames");
  });

  it("marks outputs that repeat a secret as secret", () => {
    const inputs = { key: new Secret("s3cret") };
    expect(put({ ...creating, inputs }, { key: "x", uri: "to s3cret", size: 1 })?.outputs).toEqual({
      key: new Secret("x"),
      uri: new Secret("to s3cret"),
      size: 1,
    });
  });

  it("keeps a sealed value secret while the cloud still shows it after the template dropped it", () => {
    const before = {
      ...stored,
      inputs: { env: new Secret("s3cret"), pin: new Secret("12") },
      outputs: { env: new Secret("s3cret"), pin: new Secret("12"), url: new Secret("/s3cret") },
    };
    const shown = { env: "s3cret", pin: "12", url: "/s3cret", note: "s3cret" };
    const after = put({ ...updating, inputs: {}, stored: before }, shown);
    expect(after?.outputs).toEqual({
      env: new Secret("s3cret"),
      pin: new Secret("12"),
      url: new Secret("/s3cret"),
      note: new Secret("s3cret"),
    });
    // The template now sets the value in plain text.
    const replaced = put({ ...updating, inputs: { pin: "34" }, stored: before }, { pin: "34" });
    expect(replaced?.outputs).toEqual({ pin: "34" });
  });
});

describe("the secrets of a cloud", () => {
  const facts: TypeFacts = {
    immutable: [],
    writeOnly: [],
    required: [],
    deleteBeforeReplace: false,
    outputs: ["id", "name", "status", "connection", "users"],
    properties: { name: { description: "" } },
    shown: ["name"],
    secretOutputs: ["connection.uri", "users[*].key"],
  };
  const shown = {
    id: "n-1",
    name: "net",
    connection: { host: "h", uri: "db://hunter2hunter2" },
    users: [{ name: "u", key: "k" }],
    status: "at db://hunter2hunter2",
  };
  const marked = {
    ...shown,
    connection: { host: "h", uri: new Secret(shown.connection.uri) },
    users: [{ name: "u", key: new Secret("k") }],
    status: new Secret(shown.status),
  };
  const put = (decision: DueCall, outcome: Outcome) => {
    const parts = makeCallParts({ facts: () => facts });
    const { change } = conclude(decision, recordOf(verbOf[decision.does]), outcome, parts);
    return putOf(change);
  };
  const done: Outcome = { kind: "done", id: "n-1", outputs: shown };
  const inputs = { name: "net" };
  const importing: Import = { ...about, does: "import", id: "n-1", inputs, declaration };

  it.for<[string, DueCall]>([
    ["is created", creating],
    ["is updated", updating],
    ["was lost and is found", { ...applying, does: "find", stored: lost }],
    [
      "was not ready and now is",
      { ...applying, does: "await", inputs, stored: { ...stored, state: "unready" } },
    ],
    ["is imported", importing],
  ])("are sealed in the state when an object %s", ([, decision]) => {
    expect(put(decision, done)?.outputs).toEqual(marked);
  });

  it("are sealed in the state of an object whose create failed", () => {
    const failed: Outcome = { ...refused, id: "n-1", outputs: shown };
    expect(put(creating, failed)?.outputs).toMatchObject({ connection: marked.connection });
  });

  it("are sealed in the drift that a check finds", () => {
    const was = { ...stored, inputs: { name: "net", connection: { uri: "db://old-old-old" } } };
    const reading: DueCall = { ...about, does: "check", inputs: was.inputs, stored: was };
    expect(put(reading, done)?.drift).toEqual({
      kind: "changed",
      observed: { name: "net", connection: { uri: new Secret(shown.connection.uri) } },
    });
  });

  it("are compared with the template at an import if the cloud shows them", () => {
    const size = { ...facts, shownAt: { size: "size_slug" }, caseInsensitive: ["size"] };
    const parts = makeCallParts({ facts: () => size });
    const read = (inputs: ValueMap, outputs: JsonMap) =>
      conclude(
        { ...importing, inputs },
        recordOf("read"),
        { kind: "done", id: "n-1", outputs },
        parts,
      ).entry;
    const object = { id: "n-1", size: { memory: 1 }, size_slug: "S-1" };
    expect(read({ size: "s-1" }, object)).toMatchObject({ kind: "done" });
    expect(read({ size: "s-2" }, object)).toMatchObject({ code: "import_mismatch" });
    expect(read({ size: "s-1" }, { id: "n-1", size: "s-1" })).toMatchObject({
      code: "import_mismatch",
    });
  });
});
