import { describe, expect, it } from "vitest";
import type { Entry } from "#orchestrator/storage/journal.ts";
import { narrate } from "./narrate.ts";

function lineOf(entry: Entry, step: string | null = "apply:net") {
  return narrate({ seq: 3, atMs: 1_000, step, resource: step === null ? null : "net", entry });
}

describe("the log line of a journal entry", () => {
  it.for<[entry: Entry, level: string, message: string]>([
    [{ kind: "note", level: "warn", message: "Waiting." }, "warn", "Waiting."],
    [{ kind: "intent", verb: "create", token: "t", objectName: "n" }, "info", "Creating net."],
    [{ kind: "intent", verb: "update", token: "t", objectName: "n" }, "info", "Updating net."],
    [{ kind: "intent", verb: "delete", token: "t", objectName: "n" }, "info", "Deleting net."],
    [{ kind: "intent", verb: "read", token: "t", objectName: "n" }, "info", "Reading net."],
    [
      { kind: "intent", verb: "create", token: "t", objectName: "n", replaces: "cidr is fixed" },
      "info",
      "Replacing net: cidr is fixed.",
    ],
    [
      { kind: "intent", verb: "delete", token: "t", objectName: "n", replaces: "cidr is fixed" },
      "info",
      "Deleting net to replace it: cidr is fixed.",
    ],
    [
      { kind: "done", verb: "create", id: "n", elapsedMs: 2_000, note: "no connection: denied" },
      "warn",
      "Created net in 2.0 s. Its outputs lack something: no connection: denied.",
    ],
    [{ kind: "attempt", verb: "create" }, "info", "Creating net: retrying."],
    [
      { kind: "looked", verb: "create", empty: 0, notBeforeMs: 2_500 },
      "info",
      "Looking for an object that the last request may still create for net: none yet. Looking again in 1.5 s.",
    ],
    [
      { kind: "looked", verb: "create", empty: 2, notBeforeMs: 1_000 },
      "info",
      "The last request created no object for net.",
    ],
    [
      { kind: "looked", verb: "read", empty: 1, notBeforeMs: 6_000 },
      "info",
      "The provider does not show net. Reading it again in 5.0 s.",
    ],
    [
      { kind: "looked", verb: "read", empty: 0, notBeforeMs: 1_500 },
      "info",
      "The provider shows net again. Going on in 0.5 s.",
    ],
    [
      { kind: "looked", verb: "update", empty: 0, notBeforeMs: 3_000, unshown: ["size", "a.b"] },
      "info",
      "net: The provider accepted the update, but still shows the earlier value of size, a.b. Reading it again in 2.0 s.",
    ],
    [
      { kind: "done", verb: "update", id: "n-1", elapsedMs: 1_000, unshown: ["size"] },
      "warn",
      "Updated net in 1.0 s. The provider accepted the update, but still shows the earlier value of size. This is drift, which the next deployment corrects.",
    ],
    [
      { kind: "pending", verb: "create", handle: null, notBeforeMs: 2_000 },
      "info",
      "Creating net: in progress at the provider.",
    ],
    [
      { kind: "pending", verb: "create", handle: null, notBeforeMs: 2_000, note: "status is new" },
      "info",
      "Creating net: in progress at the provider (status is new).",
    ],
    [
      {
        kind: "retry",
        verb: "update",
        notBeforeMs: 2_500,
        code: "throttled",
        message: "slow down",
      },
      "warn",
      "Updating net failed: slow down (throttled). Retrying in 1.5 s.",
    ],
    [
      {
        kind: "retry",
        verb: "delete",
        notBeforeMs: 2_500,
        code: "in_use",
        message: "it has members",
        busy: true,
      },
      "info",
      "Deleting net is waiting: it has members. Trying again in 1.5 s.",
    ],
    [
      {
        kind: "retry",
        verb: "create",
        notBeforeMs: 2_500,
        code: "resourceNotReady",
        message: "gcp answered 400: The resource 'urls' is not ready.",
        busy: true,
      },
      "info",
      "Creating net is waiting: gcp answered 400: The resource 'urls' is not ready. Trying again in 1.5 s.",
    ],
    [
      {
        kind: "retry",
        verb: "create",
        notBeforeMs: 2_500,
        code: "InvalidRequest",
        message: "the role cannot be assumed.",
        visible: ["role"],
      },
      "info",
      "Creating net waits for role to be visible at the provider (the role cannot be assumed). Trying again in 1.5 s.",
    ],
    [{ kind: "done", verb: "create", elapsedMs: 1_234 }, "info", "Created net in 1.2 s."],
    [
      { kind: "done", verb: "create", id: "n", elapsedMs: 1, left: "It is busy.", more: true },
      "warn",
      "Creating net failed: It is busy. Its object is there: updating it.",
    ],
    [{ kind: "done", verb: "delete", elapsedMs: 0 }, "info", "Deleted net in 0.0 s."],
    [{ kind: "done", verb: "none", elapsedMs: 0 }, "info", "net needs no change."],
    [
      { kind: "done", verb: "none", elapsedMs: 0, more: true },
      "info",
      "net no longer exists at the provider: creating it again.",
    ],
    [
      { kind: "failed", verb: "delete", code: "in_use", message: "still used", elapsedMs: 5 },
      "error",
      "Deleting net failed: still used (in_use).",
    ],
    [
      { kind: "failed", verb: "create", code: "denied", message: "No. Ask them.", elapsedMs: 5 },
      "error",
      "Creating net failed: No. Ask them (denied).",
    ],
    [
      { kind: "stopped", verb: "create", elapsedMs: 5 },
      "warn",
      "Stopped before net was finished: the deployment was canceled.",
    ],
    [
      { kind: "stopped", verb: "create", elapsedMs: 5, keeps: "unready" },
      "warn",
      "Stopped before net was finished: the deployment was canceled. Its object is kept as UNREADY: the next deployment reads it first, a destroy deletes it.",
    ],
    [
      { kind: "stopped", verb: "create", elapsedMs: 5, keeps: "lost" },
      "warn",
      "Stopped before net was finished: the deployment was canceled. Its object may exist and is kept as LOST: the next deployment or destroy looks for it.",
    ],
    [
      { kind: "stopped", verb: "update", elapsedMs: 5, keeps: "unsure" },
      "warn",
      "Stopped before net was finished: the deployment was canceled. The provider may still update its object: the next deployment updates it again.",
    ],
    [
      { kind: "stopped", verb: "delete", elapsedMs: 5, keeps: "deleting" },
      "warn",
      "Stopped before net was finished: the deployment was canceled. The provider may still delete its object. Its object is kept as UNREADY: the next deployment reads it first, a destroy deletes it.",
    ],
    [
      { kind: "stopped", verb: "delete", elapsedMs: 5, keeps: "pendingDelete" },
      "warn",
      "Stopped before net was finished: the deployment was canceled. The provider may still delete the replaced object: the next deployment deletes it again.",
    ],
    [{ kind: "skipped" }, "warn", "Skipped net: a step it depends on failed."],
  ])("is $0.kind: $2", ([entry, level, message]) => {
    expect(lineOf(entry)).toMatchObject({ level, message });
  });

  it("tells a delete step that repeats a create as a search for a lost object", () => {
    const step = "delete:net:t-1";
    const intent: Entry = { kind: "intent", verb: "create", token: "t", objectName: "n" };
    const done: Entry = { kind: "done", verb: "create", id: "n-1", elapsedMs: 1, more: true };
    expect(lineOf(intent, step).message).toBe("Looking for the lost object of net.");
    expect(lineOf({ kind: "attempt", verb: "create" }, step).message).toBe(
      "Repeating the create of net with its token, to learn the object's id.",
    );
    expect(lineOf(done, step).message).toBe("Found the lost object of net.");
    const gone: Entry = { kind: "done", verb: "create", elapsedMs: 1 };
    expect(lineOf(gone, step).message).toBe("The lost object of net no longer exists.");
  });

  it("tells the treatment of a lost object that is still wanted", () => {
    const lostSent = { firstMs: 1, lastMs: 2 };
    const intent: Entry = { kind: "intent", verb: "create", token: "t", objectName: "n", lostSent };
    expect(lineOf(intent).message).toBe("Looking for the lost object of net.");
    const done: Entry = { kind: "done", verb: "create", elapsedMs: 1, more: true };
    expect(lineOf({ ...done, id: "n-1" }).message).toBe("Found the lost object of net.");
    expect(lineOf(done).message).toBe("The lost object of net does not exist: creating it.");
    expect(lineOf({ ...done, verb: "none", forgotten: "lost" }).message).toBe(
      "Forgot the lost object of net, which may exist: creating another one.",
    );
  });

  it("tells the object that a step leaves at the provider", () => {
    const done: Entry = { kind: "done", verb: "none", elapsedMs: 1, forgotten: "lost" };
    expect(lineOf(done).message).toBe("Forgot the lost object of net, which may exist.");
    expect(lineOf({ ...done, forgotten: "kept" }).message).toBe(
      "The object of net stays at the provider: the instance no longer manages it.",
    );
  });

  it("names the step, the resource, the elapsed time and the provider's request id, if known", () => {
    const done: Entry = { kind: "done", verb: "update", elapsedMs: 12, requestId: "req-1" };
    expect(lineOf(done)).toEqual({
      seq: 3,
      at: "1970-01-01T00:00:01.000Z",
      level: "info",
      message: "Updated net in 0.0 s.",
      resource: "net",
      step: "apply:net",
      elapsedMs: 12,
      requestId: "req-1",
    });
    const note = lineOf({ kind: "note", level: "info", message: "Started." }, null);
    expect(Object.keys(note).sort()).toEqual(["at", "level", "message", "seq"]);
  });

  it("never shows a token, a handle or an object's name", () => {
    const entries: Entry[] = [
      { kind: "intent", verb: "create", token: "tok-1", objectName: "obj-1" },
      { kind: "pending", verb: "create", handle: { op: "han-1" }, notBeforeMs: 1 },
    ];
    expect(JSON.stringify(entries.map((entry) => lineOf(entry)))).not.toMatch(/tok-1|obj-1|han-1/);
  });
});
