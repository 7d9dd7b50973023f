import { describe, expect, it } from "vitest";
import {
  acknowledged,
  type Acknowledgement,
  emptySnapshot,
  endedInD1,
  type Snapshot,
  type SnapshotEvent,
  withProjection,
} from "./snapshot.ts";

const ids = { deploymentId: "d", tenantId: "t", instanceId: "i" };
const eventOf = (id: string, more: Partial<SnapshotEvent> = {}): SnapshotEvent => ({
  id,
  type: "deployment.started",
  data: {},
  atMs: 1,
  about: "deployment",
  number: 1,
  ...more,
});
/** D1 has the first projection; the second is on its way, and a third may have followed. */
const before: Snapshot = {
  ...emptySnapshot(ids, 1),
  number: 2,
  version: 4,
  instanceVersion: 7,
  atMs: 20,
  state: "APPLYING",
  timestamps: { PLANNING: 1, APPLYING: 2 },
  events: [
    eventOf("e1", { sequence: 3 }),
    eventOf("e2", { number: 2, state: "APPLYING" }),
    eventOf("e3", { number: 2, about: "instance", type: "instance.outputs_changed" }),
  ],
  instanceColumns: ["state", "stateSerial"],
  slot: { targetId: "c" },
  ifQueued: true,
  ofRequest: true,
  previousDeploymentId: "d0",
};
const ack: Acknowledgement = {
  number: 2,
  version: 5,
  instanceVersion: 8,
  sequences: new Map([
    ["e2", 5],
    ["e3", 8],
  ]),
  canceling: false,
};

describe("a projection", () => {
  it("adds its moves in order, and keeps earlier ones that D1 lacks", () => {
    const first = withProjection(emptySnapshot(ids, 0), {
      ...ids,
      number: 1,
      atMs: 10,
      slot: { targetId: "c" },
      moves: [
        { ifQueued: true, state: "PLANNING", deployment: { gateTicket: null } },
        { instance: { stateSerial: 3 } },
      ],
    });
    expect(first.instance).toEqual({ stateSerial: 3 });
    const { snapshot, instance } = withProjection(first.snapshot, {
      ...ids,
      number: 2,
      atMs: 20,
      plan: [],
      moves: [
        {
          deployment: { planHash: "h" },
          event: { id: "e1", type: "deployment.planned", data: {} },
        },
        {
          state: "APPLYING",
          ofRequest: true,
          event: { id: "e2", type: "deployment.applying", data: { a: 1 } },
          instance: { state: "UPDATING", stateSerial: 4 },
          instanceEvent: { id: "e3", type: "instance.outputs_changed", data: {} },
          wakesReaders: { outputs: ["uri"], hops: 2 },
        },
      ],
    });
    expect(instance).toEqual({ state: "UPDATING", stateSerial: 4 });
    expect(snapshot).toEqual({
      ...emptySnapshot(ids, 0),
      number: 2,
      atMs: 20,
      state: "APPLYING",
      timestamps: { PLANNING: 10, APPLYING: 20 },
      fields: { gateTicket: null, planHash: "h" },
      events: [
        {
          id: "e1",
          type: "deployment.planned",
          data: {},
          atMs: 20,
          about: "deployment",
          number: 2,
        },
        {
          id: "e2",
          type: "deployment.applying",
          data: { a: 1 },
          atMs: 20,
          about: "deployment",
          number: 2,
          state: "APPLYING",
        },
        {
          id: "e3",
          type: "instance.outputs_changed",
          data: {},
          atMs: 20,
          about: "instance",
          number: 2,
        },
      ],
      instanceColumns: ["stateSerial", "state"],
      slot: { targetId: "c" },
      ifQueued: true,
      ofRequest: true,
      wakesReaders: { outputs: ["uri"], hops: 2, number: 2 },
      planNumber: 2,
    });
  });
});

describe("the answer of D1", () => {
  it("to the newest projection leaves nothing to write", () => {
    const { slot: _, ifQueued: __, ofRequest: ___, previousDeploymentId: ____, ...rest } = before;
    expect(acknowledged(before, ack)).toEqual({
      ...rest,
      acked: 2,
      version: 5,
      instanceVersion: 8,
      events: [
        before.events[0],
        { ...before.events[1], sequence: 5 },
        { ...before.events[2], sequence: 8 },
      ],
      instanceColumns: [],
    });
  });

  it("to an earlier projection leaves later columns, slot, conditions and events", () => {
    const late = eventOf("e4", { number: 3, state: "SUCCEEDED" });
    const now: Snapshot = {
      ...before,
      number: 3,
      state: "SUCCEEDED",
      timestamps: { ...before.timestamps, SUCCEEDED: 3 },
      events: [...before.events, late],
    };
    expect(acknowledged(now, ack)).toEqual({
      ...now,
      acked: 2,
      version: 5,
      instanceVersion: 8,
      events: [
        before.events[0],
        { ...before.events[1], sequence: 5 },
        { ...before.events[2], sequence: 8 },
        late,
      ],
    });
    const { slot: _, ...without } = now;
    expect(acknowledged(without, ack)).not.toHaveProperty("slot");
  });

  it("does not go back, whatever the order of its answers", () => {
    const older = { ...ack, version: 2, instanceVersion: 3 };
    expect(acknowledged(before, older)).toMatchObject({ version: 4, instanceVersion: 7 });
  });

  it("leaves out the events that D1 did not take, and the states that a cancel hid", () => {
    const none = { ...ack, sequences: new Map<string, number>() };
    expect(acknowledged(before, none)).toMatchObject({
      events: [before.events[0]],
      timestamps: before.timestamps,
    });
    expect(acknowledged(before, { ...none, canceling: true }).timestamps).toEqual({ PLANNING: 1 });
  });

  it("for a deployment that an operator abandoned is its end", () => {
    const error = { code: "abandoned", message: "m", fault: "service" as const };
    const ended: Snapshot = {
      ...before,
      state: "SUCCEEDED",
      timestamps: { ...before.timestamps, SUCCEEDED: 3 },
      events: [...before.events, eventOf("e4", { number: 2, state: "SUCCEEDED" })],
    };
    const abandoned = acknowledged(ended, { ...ack, abandoned: error });
    expect(abandoned).toMatchObject({ state: "FAILED", fields: { error } });
    expect(abandoned.timestamps).toEqual({ PLANNING: 1, APPLYING: 2, FAILED: 20 });
    expect(abandoned.events.map(({ id }) => id)).toEqual(["e2", "e3"]);
  });
});

describe("an end that D1 knows", () => {
  it("drops changes that D1 does not have", () => {
    const event = eventOf("end", { type: "deployment.canceled", sequence: 9 });
    const { slot: _, ifQueued: __, ofRequest: ___, previousDeploymentId: ____, ...rest } = before;
    expect(endedInD1(before, { state: "CANCELED", atMs: 30, version: 9, event })).toEqual({
      ...rest,
      number: 1,
      version: 9,
      atMs: 30,
      state: "CANCELED",
      timestamps: { PLANNING: 1, CANCELED: 30 },
      fields: { gateTicket: null },
      events: [before.events[0], event],
      instanceColumns: [],
    });
    expect(endedInD1(before, { state: "CANCELED", atMs: 30 })).toMatchObject({
      version: 4,
      events: [before.events[0]],
    });
  });
});
