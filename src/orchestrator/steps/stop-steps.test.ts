/** The state after a step that was stopped, by its verb and by the progress of its call. */
import { describe, expect, it } from "vitest";
import type { Step } from "#engine/plan/steps.ts";
import type { InstanceState, KnownResource, StoredResource } from "#engine/state/state.ts";
import {
  type Entry,
  fold,
  markInterrupted,
  type StepRecord,
  type Verb,
} from "#orchestrator/storage/journal.ts";
import type { Run } from "#orchestrator/storage/run.ts";
import { encodeValue, sentPlace } from "#orchestrator/storage/state-codec.ts";
import { sealerFrom } from "#platform/crypto/seal.ts";
import { asLost } from "#test/support/stored-resource.ts";
import { stoppedEntry, unfinished } from "./stop-steps.ts";

const run = { deploymentId: "d", tenantId: "t", instanceId: "i" } as Run;
const sealer = sealerFrom(`k1:${btoa("k".repeat(32))}`);
const stored: KnownResource = {
  name: "net",
  type: "model:Plain",
  id: "n-1",
  objectName: "old-name",
  inputs: { name: "net" },
  outputs: { id: "n-1" },
  dependsOn: ["base"],
  protect: false,
  retainOnDelete: false,
  deleteSeconds: null,
  state: "ready",
};
const lost = asLost(stored, { token: "old" });
const apply: Step = {
  id: "apply:net",
  kind: "apply",
  resource: "net",
  type: "model:Plain",
  action: "create",
  dependsOn: [],
};
const remove: Step = { ...apply, id: "delete:net", kind: "delete", action: "delete" };
const read: Step = { ...apply, id: "read:net", kind: "read", action: "read" };

const stateOf = (current?: StoredResource, ...pendingDeletes: StoredResource[]): InstanceState => ({
  serial: 1,
  current: new Map(current === undefined ? [] : [["net", current]]),
  pendingDeletes,
});

/** The journal entries after the intent, by moment. */
const moments = {
  "its call was not answered: the runner died": [],
  "its call timed out": [{ kind: "retry", notBeforeMs: 9, code: "c", message: "m", unknown: true }],
  "its call was refused for now": [{ kind: "retry", notBeforeMs: 9, code: "c", message: "m" }],
  "its operation is polled": [{ kind: "pending", id: "n-2", handle: 1, notBeforeMs: 9 }],
  "its operation is polled, and has named no object": [
    { kind: "pending", handle: 1, notBeforeMs: 9 },
  ],
  "a poll failed": [
    { kind: "pending", id: "n-2", handle: 1, notBeforeMs: 9 },
    { kind: "retry", notBeforeMs: 9, code: "c", message: "m" },
  ],
} as const satisfies Record<string, readonly object[]>;
type Moment = keyof typeof moments;

async function recordAt(step: Step, verb: Verb, moment: Moment): Promise<StepRecord> {
  const sent = await encodeValue({ name: "net", size: 2 }, sealer, sentPlace(run));
  const options = { protect: true, retainOnDelete: false, deleteSeconds: 7 };
  const intent: Entry = {
    kind: "intent",
    verb,
    token: "d-0-0",
    objectName: "new-name",
    ...(verb === "create" ? { sent, options } : {}),
    dependsOn: ["wall"],
  };
  const entries = [intent, ...moments[moment].map((one) => ({ ...one, verb }))];
  const records = new Map<string, StepRecord>();
  for (const [at, entry] of entries.entries())
    fold(records, { seq: at + 1, atMs: 100 + at, step: step.id, resource: "net", entry });
  markInterrupted(records);
  const record = records.get(step.id);
  if (record === undefined) throw new Error("The step has no record");
  return record;
}

async function kept(step: Step, verb: Verb, moment: Moment, state: InstanceState) {
  const record = await recordAt(step, verb, moment);
  const change = await unfinished({ sealer }, run, step, record, state);
  const entry = stoppedEntry(step, record, change, state, 5_000);
  return { change, entry };
}

const every = Object.keys(moments) as Moment[];
const refusedForNow: Moment = "its call was refused for now";
const named: Moment[] = ["its operation is polled", "a poll failed"];
const unanswered: Moment[] = [
  "its call was not answered: the runner died",
  "its call timed out",
  "its operation is polled, and has named no object",
];

describe("a stopped create", () => {
  it.for(named)("keeps its object as unready when %s", async (moment) => {
    const { change, entry } = await kept(apply, "create", moment, stateOf());
    expect(change).toEqual({
      put: {
        name: "net",
        type: "model:Plain",
        id: "n-2",
        objectName: "new-name",
        inputs: { name: "net", size: 2 },
        outputs: {},
        dependsOn: ["wall"],
        protect: true,
        retainOnDelete: false,
        deleteSeconds: 7,
        state: "unready",
      },
    });
    expect(entry).toEqual({ kind: "stopped", verb: "create", elapsedMs: 4_900, keeps: "unready" });
  });

  it.for(unanswered)("keeps its object as lost when %s", async (moment) => {
    const { change, entry } = await kept(apply, "create", moment, stateOf());
    expect(change).toMatchObject({
      put: { state: "lost", token: "d-0-0", sent: { firstMs: 100 } },
    });
    expect(entry).toMatchObject({ keeps: "lost" });
  });

  it("keeps nothing when it had no effect", async () => {
    const { change, entry } = await kept(apply, "create", refusedForNow, stateOf());
    expect(change).toBeUndefined();
    expect(entry).not.toHaveProperty("keeps");
  });

  it.for(every)("of a replacement keeps the old object, too, when %s", async (moment) => {
    const { change } = await kept(apply, "create", moment, stateOf(stored));
    if (moment === refusedForNow) expect(change).toBeUndefined();
    else expect(change).toMatchObject({ replaced: stored });
  });

  it.for(every)(
    "of an earlier run's lost object leaves that lost or names it, when %s",
    async (moment) => {
      const mine = { ...lost, token: "d-0-0" };
      const { change, entry } = await kept(apply, "create", moment, stateOf(mine));
      if (moment === refusedForNow) expect(change).toBeUndefined();
      else expect(change).not.toHaveProperty("replaced");
      expect(entry).toMatchObject({ keeps: named.includes(moment) ? "unready" : "lost" });
    },
  );
});

describe("a stopped update", () => {
  it.for(every)("is repeated, and respects old and new dependencies, when %s", async (moment) => {
    const { change, entry } = await kept(apply, "update", moment, stateOf(stored));
    expect(change).toEqual({ put: { ...stored, dependsOn: ["base", "wall"], state: "unsure" } });
    expect(entry).toMatchObject({ verb: "update", keeps: "unsure" });
  });
});

describe("a stopped delete", () => {
  it.for(every)("has its object read first when %s", async (moment) => {
    const { change, entry } = await kept(remove, "delete", moment, stateOf(stored));
    if (moment === refusedForNow) {
      expect(change).toBeUndefined();
      expect(entry).not.toHaveProperty("keeps");
      return;
    }
    expect(change).toEqual({ put: { ...stored, state: "deleting" } });
    expect(entry).toMatchObject({ verb: "delete", keeps: "deleting" });
  });

  it.for(every)("leaves a tainted object tainted when %s", async (moment) => {
    const tainted = { ...stored, state: "tainted" as const };
    const { change, entry } = await kept(remove, "delete", moment, stateOf(tainted));
    expect(change).toBeUndefined();
    if (moment === refusedForNow) expect(entry).not.toHaveProperty("keeps");
    else expect(entry).toMatchObject({ keeps: "tainted" });
  });

  it.for(every)("of a replaced object is repeated when %s", async (moment) => {
    const old = { ...stored, id: "n-0" };
    const step = { ...remove, objectId: "n-0" };
    const { change, entry } = await kept(step, "delete", moment, stateOf(stored, old));
    expect(change).toBeUndefined();
    if (moment === refusedForNow) expect(entry).not.toHaveProperty("keeps");
    else expect(entry).toMatchObject({ keeps: "pendingDelete" });
  });

  it.for(every)("of a lost object leaves it lost when %s", async (moment) => {
    for (const verb of ["create", "delete"] as const) {
      const { change, entry } = await kept(remove, verb, moment, stateOf(lost));
      expect(change).toBeUndefined();
      expect(entry).toMatchObject({ keeps: "lost" });
    }
  });
});

describe("a stopped read", () => {
  it.for(every)("changes nothing when %s", async (moment) => {
    for (const step of [read, apply])
      for (const current of [stored, { ...stored, state: "unready" as const }]) {
        const { change, entry } = await kept(step, "read", moment, stateOf(current));
        expect(change).toBeUndefined();
        expect(entry).toMatchObject({ kind: "stopped", verb: "read" });
        expect(entry).not.toHaveProperty("keeps");
      }
  });
});
