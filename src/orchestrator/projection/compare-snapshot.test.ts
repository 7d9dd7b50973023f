import { describe, expect, it } from "vitest";
import { compareSnapshot, type Found, type FoundDeployment } from "./compare-snapshot.ts";
import type { Snapshot, SnapshotEvent } from "./snapshot.ts";

const nowMs = 1_000_000;
const eventOf = (id: string, more: Partial<SnapshotEvent>): SnapshotEvent => ({
  id,
  type: "deployment.started",
  data: {},
  atMs: nowMs,
  about: "deployment",
  number: 1,
  ...more,
});
const snapshot: Snapshot = {
  deploymentId: "d2",
  tenantId: "t",
  instanceId: "i",
  number: 3,
  acked: 3,
  version: 5,
  instanceVersion: 4,
  atMs: nowMs,
  state: "APPLYING",
  timestamps: { PLANNING: 1, APPLYING: 2 },
  fields: { gateTicket: null, planHash: "h" },
  events: [
    eventOf("e1", { sequence: 2, state: "PLANNING" }),
    eventOf("e2", { sequence: 4, state: "APPLYING", number: 3 }),
  ],
  instanceColumns: [],
};
const row: FoundDeployment = {
  operation: "deploy",
  state: "APPLYING",
  projected: 3,
  version: 5,
  gateTicket: null,
  summary: null,
  planHash: "h",
  stateSerial: null,
  error: null,
  outputsError: null,
  decisions: [],
};
const instance = {
  version: 4,
  state: "UPDATING",
  outputs: {},
  secretOutputs: null,
  outputHashes: null,
  outputsStaleSinceMs: null,
  stateSerial: 1,
  lastDeploymentId: "d2",
  deployed: { instance: 1, target: 1, profile: null },
  drift: "UNKNOWN",
} as const;
const found: Found = {
  deployment: row,
  instance,
  hasOwner: true,
  hasPlan: true,
  sequences: new Map([
    ["e1", 2],
    ["e2", 4],
  ]),
};
const known = {
  instance: { state: "UPDATING", lastDeploymentId: "d2" },
  hasSnapshotOf: (id: string) => id === "d1" || id === "d2",
  hasOrigin: true,
  hasPlan: true,
  eventId: "e9",
} as const;
const compare = (
  to: Partial<Omit<Found, "deployment">> & { deployment?: Partial<FoundDeployment> } = {},
  of: Partial<Snapshot> = {},
) =>
  compareSnapshot(
    { ...snapshot, ...of },
    known,
    { ...found, ...to, deployment: { ...row, ...to.deployment } },
    nowMs,
  );
const events = (...ids: [string, number][]) => ({ sequences: new Map(ids) });

describe("a snapshot and D1", () => {
  it("are the same if D1 has the snapshot, or a request's change of it", () => {
    expect(compare()).toEqual({ is: "same", state: "APPLYING" });
    expect(compare({ deployment: { state: "CANCELING" } })).toMatchObject({ is: "same" });
    for (const state of ["APPLYING", "DISCARDED", "EXPIRED", "SUPERSEDED"] as const)
      expect(compare({ deployment: { state } }, { state: "AWAITING_APPROVAL" })).toEqual({
        is: "same",
        state,
      });
  });

  it("are the same if D1 knows more than the runner", () => {
    const later = { state: "SUCCEEDED", projected: 4 } as const;
    expect(compare({ deployment: later })).toEqual({ is: "same", state: "SUCCEEDED" });
    const ofLaterRun = {
      ...instance,
      version: 9,
      state: "ACTIVE",
      lastDeploymentId: "d3",
    } as const;
    expect(compare({ instance: ofLaterRun })).toMatchObject({ is: "same" });
  });

  it("differ by the instance's columns if the runner knows the run that D1 shows as the last", () => {
    const earlier = { ...instance, state: "INITIALIZED", lastDeploymentId: "d3" } as const;
    const knowing = { ...known, hasSnapshotOf: (id: string) => id <= "d3" };
    expect(
      compareSnapshot(snapshot, knowing, { ...found, instance: earlier }, nowMs),
    ).toMatchObject({
      by: { instance: { fields: { state: "UPDATING", lastDeploymentId: "d2" } } },
    });
  });

  it("differ by a state that no request makes", () => {
    expect(compare({ deployment: { state: "SUCCEEDED" } })).toMatchObject({
      by: { deployment: { state: "APPLYING", version: 6 }, events: [] },
    });
    expect(compare({ deployment: { state: "CANCELING" } }, { state: "FAILED" })).toMatchObject({
      by: { deployment: { state: "FAILED" } },
    });
  });

  it("differ by missing events, which keep their sequences", () => {
    expect(compare(events(["e2", 4]))).toMatchObject({
      by: { deployment: { version: 6 }, events: [{ event: { id: "e1" }, sequence: 2 }] },
    });
  });

  it("differ after a restore; events get new sequences only if a request has used one", () => {
    const restored = { state: "PLANNING", projected: 1, version: 2 } as const;
    expect(compare({ deployment: restored, ...events(["e1", 2]) })).toMatchObject({
      by: { deployment: { version: 1_006 }, events: [{ event: { id: "e2" }, sequence: 4 }] },
    });
    const discarded = { ...restored, state: "DISCARDED" } as const;
    expect(compare({ deployment: discarded, ...events(["e1", 2]) })).toMatchObject({
      by: { deployment: { state: "CANCELING" } },
    });
    const used = { ...restored, state: "CANCELED", version: 4 } as const;
    const failed: Partial<Snapshot> = {
      state: "FAILED",
      events: [...snapshot.events, eventOf("e3", { sequence: 5, state: "FAILED", number: 3 })],
    };
    expect(compare({ deployment: used, ...events(["e1", 2]) }, failed)).toMatchObject({
      by: {
        deployment: { state: "FAILED", version: 1_007 },
        events: [
          { event: { id: "e2" }, sequence: 1_006 },
          { event: { id: "e3" }, sequence: 1_007 },
        ],
      },
    });
  });

  it("differ by an end that a request wrote and D1 has lost; an event tells it again", () => {
    const rejected = {
      number: 0,
      acked: 0,
      version: 0,
      state: "CANCELED",
      events: [],
      fields: { gateTicket: null },
    } as const;
    const queued = { state: "QUEUED", projected: 0, version: 1, planHash: null } as const;
    const of: Partial<Snapshot> = { ...rejected, events: [] };
    expect(compare({ deployment: queued, ...events() }, of)).toMatchObject({
      by: {
        deployment: { state: "CANCELED", version: 1_002 },
        events: [
          {
            event: {
              id: "e9",
              type: "deployment.canceled",
              data: { operation: "deploy", previousState: "QUEUED", state: "CANCELED" },
            },
            sequence: 1_002,
          },
        ],
      },
    });
    const canceled = { ...queued, state: "CANCELED", version: 2 } as const;
    expect(compare({ deployment: canceled, ...events() }, of)).toMatchObject({ is: "same" });
    expect(
      compareSnapshot(
        { ...snapshot, ...of },
        { ...known, operation: "plan" },
        { hasOwner: true, hasPlan: false, sequences: new Map() },
        nowMs,
      ),
    ).toMatchObject({ by: { events: [{ event: { data: { operation: "plan" } } }] } });
  });

  it("do not differ by an event that D1 left out because the deployment was canceled", () => {
    const unwritten = [eventOf("e1", { state: "PLANNING" })];
    expect(
      compare({ deployment: { state: "CANCELING" }, ...events() }, { events: unwritten }),
    ).toMatchObject({ is: "same" });
    // Events after the cancel are left out too, until the end.
    const next = (state: "APPLYING" | "CANCELED"): Partial<Snapshot> => ({
      number: 4,
      state,
      events: [...snapshot.events, eventOf("e3", { number: 4, state })],
    });
    const canceling = { deployment: { state: "CANCELING" } } as const;
    expect(compare(canceling, next("APPLYING"))).toMatchObject({
      by: { state: "CANCELING", events: [] },
    });
    expect(compare(canceling, next("CANCELED"))).toMatchObject({
      by: { state: "CANCELED", events: [{ event: { id: "e3" } }] },
    });
  });

  it("do not differ by an event that is older than D1 keeps events", () => {
    const ofAge = (days: number) => ({
      events: [eventOf("e1", { sequence: 2, atMs: nowMs - days * 86_400_000 })],
    });
    expect(compare(events(), ofAge(28))).toMatchObject({ by: { events: [{ sequence: 2 }] } });
    expect(compare(events(), ofAge(30))).toMatchObject({ is: "same" });
  });

  it("do not differ by the end of a run after an operator abandoned it", () => {
    const error = { code: "abandoned", message: "The key is lost.", fault: "service" } as const;
    const abandoned = { state: "FAILED", version: 6, error } as const;
    const ended: Partial<Snapshot> = { state: "CANCELED", events: [] };
    expect(compare({ deployment: abandoned, ...events() }, ended)).toEqual({
      is: "same",
      state: "FAILED",
    });
  });

  it("leave an abandoned deployment as it is, and take the run's changes of the instance", () => {
    const error = { code: "abandoned", message: "The key is lost.", fault: "service" } as const;
    const abandoned = { state: "FAILED", version: 6, error } as const;
    expect(compare({ deployment: abandoned })).toEqual({ is: "same", state: "FAILED" });
    // A cloud may use the same error code.
    const ofCloud = { ...abandoned, error: { ...error, fault: "provider" } } as const;
    expect(compare({ deployment: ofCloud })).toMatchObject({ by: { state: "APPLYING" } });
    const ended: Partial<Snapshot> = {
      number: 4,
      state: "SUCCEEDED",
      events: [
        ...snapshot.events,
        eventOf("e3", { number: 4, state: "SUCCEEDED" }),
        eventOf("e4", { number: 4, about: "instance" }),
      ],
    };
    expect(
      compare({ deployment: abandoned, instance: { ...instance, state: "PROVISIONING" } }, ended),
    ).toMatchObject({
      is: "less",
      by: {
        state: "FAILED",
        deployment: { state: "FAILED" },
        instance: { fields: { state: "UPDATING" } },
        events: [{ event: { id: "e4" } }],
      },
    });
  });

  it("reject a deployment that a request ended before its start, and one without an origin", () => {
    const first = { number: 1, acked: 0, ifQueued: true, state: "PLANNING" } as const;
    const ended = { state: "CANCELED", projected: 0 } as const;
    expect(compare({ deployment: ended }, first)).toEqual({
      is: "rejected",
      standing: { state: "CANCELED", error: null },
    });
    const { deployment: _, ...without } = found;
    for (const [hasOwner, hasOrigin] of [
      [false, true],
      [true, false],
    ] as const)
      expect(
        compareSnapshot(snapshot, { ...known, hasOrigin }, { ...without, hasOwner }, nowMs),
      ).toEqual({ is: "missing" });
  });
});
