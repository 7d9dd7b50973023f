import { describe, expect, it } from "vitest";
import { type Entry, fold, markInterrupted, type StepRecord, UnknownEntry } from "./journal.ts";

const STEP = "apply:net";
const intent: Entry = { kind: "intent", verb: "create", token: "t-1", objectName: "net-1" };
const refused: Entry = {
  kind: "retry",
  verb: "create",
  notBeforeMs: 900,
  code: "throttled",
  message: "slow down",
};
const lost: Entry = { ...refused, unknown: true };
const pending: Entry = { kind: "pending", verb: "create", id: "n-1", handle: 7, notBeforeMs: 800 };

function folded(...entries: Entry[]): StepRecord {
  const records = new Map<string, StepRecord>();
  for (const [at, entry] of entries.entries())
    fold(records, { seq: at + 1, atMs: 100 + at, step: STEP, resource: "net", entry });
  const record = records.get(STEP);
  if (record === undefined) throw new Error("Nothing was folded");
  return record;
}

function afterCrash(...entries: Entry[]): StepRecord {
  const record = folded(...entries);
  markInterrupted(new Map([[STEP, record]]));
  return record;
}

describe("a folded journal", () => {
  it("ignores notes about the run as a whole", () => {
    const records = new Map<string, StepRecord>();
    const entry: Entry = { kind: "note", level: "info", message: "Started." };
    fold(records, { seq: 1, atMs: 1, step: null, resource: null, entry });
    expect(records.size).toBe(0);
  });

  it("sends a call again if its operation ended in a retry, and polls it after any other", () => {
    expect(folded(intent, pending, refused).call?.pending).toMatchObject({ handle: 7 });
    const again = folded(intent, pending, { ...refused, ended: true });
    expect(again.call?.pending).toBeUndefined();
    expect(again.progress).toEqual({ status: "waiting", notBeforeMs: 900 });
  });

  it("makes a new call, of the same name, of a create that ended without an object", () => {
    const ended = folded(intent, pending, { ...refused, ended: true, renewed: true });
    expect(ended).not.toHaveProperty("call");
    expect(ended).toMatchObject({
      progress: { status: "waiting", notBeforeMs: 900 },
      renewed: { objectName: "net-1", retries: 1 },
    });
    const entries: Entry[] = [intent, { ...refused, renewed: true }, { ...intent, token: "t-2" }];
    expect(folded(...entries)).toMatchObject({ intents: 2, call: { token: "t-2", retries: 1 } });
    const done: Entry = { kind: "done", verb: "create", id: "n-1", elapsedMs: 1 };
    expect(folded(...entries, done)).not.toHaveProperty("renewed");
  });

  it("cannot be folded with an entry that a later version wrote", () => {
    const later = { kind: "from a later version" } as unknown as Entry;
    expect(() => folded(intent, later)).toThrow(UnknownEntry);
  });

  it("keeps an intent open until its outcome, and counts the intents", () => {
    expect(folded(intent)).toMatchObject({
      progress: { status: "running" },
      call: { verb: "create", token: "t-1", objectName: "net-1" },
      intents: 1,
      startedAtMs: 100,
    });
    const done = folded(intent, { kind: "done", verb: "create", id: "n-1", elapsedMs: 1 });
    expect(done.progress).toEqual({ status: "succeeded" });
    expect(done).not.toHaveProperty("call");
  });

  it("waits for a retry, and records whether any attempt may have had an effect", () => {
    expect(folded(intent, refused)).toMatchObject({
      progress: { status: "waiting", notBeforeMs: 900 },
      call: { retries: 1, unknown: false },
    });
    expect(folded(intent, lost, refused).call).toMatchObject({ retries: 2, unknown: true });
  });

  it("resets retries, pending state and unknown outcome at the next intent", () => {
    const more: Entry = { kind: "done", verb: "none", elapsedMs: 1, more: true };
    const record = folded(intent, lost, pending, more, { ...intent, token: "t-2" });
    expect(record).toMatchObject({
      intents: 2,
      call: { token: "t-2", retries: 0, unknown: false },
    });
    expect(record.call).not.toHaveProperty("pending");
  });

  it("keeps the times of a create: of the first attempt, and of the last that may have had an effect", () => {
    const again: Entry = { kind: "attempt", verb: "create" };
    expect(folded(intent).call).toMatchObject({ sent: { firstMs: 100, lastMs: 100 } });
    expect(folded(intent, lost, again).call?.sent).toEqual({ firstMs: 100, lastMs: 102 });
    expect(folded(intent, lost, again, lost).call?.sent).toEqual({ firstMs: 100, lastMs: 102 });
    expect(folded(intent, lost, again, refused).call?.sent).toEqual({ firstMs: 100, lastMs: 100 });
    // A failed look-up says nothing about the attempt before it.
    expect(folded(intent, lost, again, lost, refused).call?.sent).toMatchObject({ lastMs: 102 });
    expect(folded(intent, lost, again, refused).call?.unknown).toBe(true);
  });

  it("counts the look-ups that found nothing, until the create is sent again", () => {
    const looked: Entry = { kind: "looked", verb: "create", empty: 1, notBeforeMs: 900 };
    const again: Entry = { kind: "attempt", verb: "create" };
    expect(folded(intent, lost, looked)).toMatchObject({
      progress: { status: "waiting", notBeforeMs: 900 },
      call: { unknown: true, looks: 1, emptyLooks: 1 },
    });
    expect(folded(intent, lost, looked, again).call).toMatchObject({ looks: 0, emptyLooks: 0 });
    // The attempt had no effect, so the results of the look-ups still hold.
    expect(folded(intent, lost, looked, again, refused).call).toMatchObject({ emptyLooks: 1 });
    expect(folded(intent, lost, looked, again, lost).call).toMatchObject({ emptyLooks: 0 });
    expect(folded(intent, lost, looked, again, pending).call).not.toHaveProperty("unanswered");
  });

  it("keeps the times of a lost create that an earlier run sent", () => {
    const lostSent = { firstMs: 7, lastMs: 9 };
    expect(folded({ ...intent, lostSent }).call).toMatchObject({ unknown: true, sent: lostSent });
  });

  it("polls while the call is pending, also after a failed poll", () => {
    const poll = { status: "waiting" };
    expect(folded(intent, pending)).toMatchObject({
      progress: { ...poll, notBeforeMs: 800 },
      call: { pending: { id: "n-1", handle: 7 } },
    });
    expect(folded(intent, pending, refused).progress).toEqual({ ...poll, notBeforeMs: 900 });
  });

  it("keeps the id that the repeated create of a lost object returned", () => {
    const found: Entry = { kind: "done", verb: "create", id: "n-9", elapsedMs: 1, more: true };
    expect(folded(intent, found)).toMatchObject({
      foundId: "n-9",
      progress: { status: "running" },
    });
  });

  it("ends with a failure or a skip, and a stop leaves no intent open", () => {
    const failed: Entry = { kind: "failed", verb: "create", code: "c", message: "m", elapsedMs: 1 };
    expect(folded(intent, failed).progress).toEqual({ status: "failed" });
    expect(folded({ kind: "skipped" }).progress).toEqual({ status: "skipped" });
    const stopped = folded(intent, lost, { kind: "stopped", verb: "create", elapsedMs: 1 });
    expect(stopped.progress).toEqual({ status: "waiting", notBeforeMs: 0 });
    expect(stopped).not.toHaveProperty("call");
  });
});

it("keeps the time since which an update shows its earlier values, until its next intent", () => {
  const update: Entry = { ...intent, verb: "update" };
  const looked: Entry = { kind: "looked", verb: "update", empty: 0, notBeforeMs: 900 };
  const first = folded(update, looked).call?.unshownSinceMs;
  expect(first).toBeTypeOf("number");
  expect(folded(update, looked, looked).call?.unshownSinceMs).toBe(first);
  expect(folded(update, looked, update).call).not.toHaveProperty("unshownSinceMs");
});

describe("a restarted runner", () => {
  it("repeats a call without an outcome at once, since it may have had an effect", () => {
    expect(afterCrash(intent)).toMatchObject({
      call: { unknown: true },
      progress: { status: "waiting", notBeforeMs: 0 },
    });
  });

  it("does the same for a call that was repeated after failures without effect", () => {
    expect(afterCrash(intent, refused, { kind: "attempt", verb: "create" })).toMatchObject({
      call: { unknown: true, retries: 1 },
      progress: { status: "waiting" },
    });
  });

  it("does not count a look-up whose result was not journaled", () => {
    const looked: Entry = { kind: "looked", verb: "create", empty: 1, notBeforeMs: 900 };
    expect(afterCrash(intent, lost, looked)).toEqual(folded(intent, lost, looked));
    expect(afterCrash(intent, lost, looked).call?.emptyLooks).toBe(1);
    // The first runner died in the call; the second sent a look-up and died. The third must not send the call.
    expect(afterCrash(intent, looked).call).toMatchObject({ unknown: true, emptyLooks: 1 });
  });

  it("keeps the attempt in which an earlier life died, whatever the result of the next one", () => {
    const again: Entry = { kind: "attempt", verb: "create" };
    expect(afterCrash(intent, again, refused).call?.unknown).toBe(true);
    expect(afterCrash(intent, refused, again, refused).call?.unknown).toBe(false);
    expect(afterCrash(intent, refused, again, again, refused).call?.unknown).toBe(true);
  });

  it("keeps the attempt in which it died when a later look-up fails", () => {
    const looked: Entry = { kind: "looked", verb: "create", empty: 2, notBeforeMs: 900 };
    const again: Entry = { kind: "attempt", verb: "create" };
    const failedLook: Entry = { ...refused, unknown: true };
    expect(afterCrash(intent, looked, again, failedLook).call).toMatchObject({
      sent: { firstMs: 100, lastMs: 102 },
      emptyLooks: 0,
    });
  });

  it("does not change waiting and finished steps", () => {
    expect(afterCrash(intent, refused)).toEqual(folded(intent, refused));
    expect(afterCrash(intent, pending)).toEqual(folded(intent, pending));
    expect(afterCrash({ kind: "skipped" })).toEqual(folded({ kind: "skipped" }));
  });

  it("treats a further call that was not sent yet as a retry, which a cancel stops", () => {
    const more: Entry = { kind: "done", verb: "read", elapsedMs: 1, more: true };
    expect(afterCrash(intent, more)).not.toHaveProperty("call");
    expect(afterCrash(intent, more)).toMatchObject({
      progress: { status: "waiting", notBeforeMs: 0 },
    });
  });
});
