/** Each check of the audit names its planted fault, and finds nothing in faultless evidence. */
import { describe, expect, it } from "vitest";
import { audit, checks } from "./audit.ts";
import { changesHaveEvents } from "./checks/change-check.ts";
import type {
  CloudObjectFact,
  DeliveryFact,
  DeploymentFact,
  EventFact,
  Evidence,
  ResourceFact,
  RunFact,
  SnapshotFact,
} from "./evidence.ts";
import type { Arrival } from "./hostile-receivers.ts";

const BEGAN_MS = 1_000_000;
const lossWindow = { fromMs: BEGAN_MS, toMs: BEGAN_MS + 1_000 };

const deployment: DeploymentFact = {
  id: "d1",
  tenantId: "t1",
  instanceId: "i1",
  operation: "deploy",
  state: "SUCCEEDED",
  call: "c1",
  version: 5,
  isAbandoned: false,
  timestamps: { QUEUED: BEGAN_MS, PLANNING: BEGAN_MS + 1, SUCCEEDED: BEGAN_MS + 2 },
};

const events: readonly EventFact[] = ["queued", "started", "succeeded"].map((verb, at) => ({
  id: `e${at}`,
  tenantId: "t1",
  type: `deployment.${verb}`,
  resourceType: "deployment",
  resourceId: "d1",
  sequence: at + 1,
  createdAtMs: BEGAN_MS + at,
  digest: `digest ${at}`,
  digestWithoutSequence: `bare ${at}`,
}));

const arrivals: readonly Arrival[] = events.map((event, at) => ({
  path: "/good/0",
  mood: "good",
  owner: "t1",
  id: event.id,
  tenantId: "t1",
  type: event.type,
  resourceId: "d1",
  sequence: event.sequence,
  digest: `digest ${at}`,
  digestWithoutSequence: `bare ${at}`,
  accepted: true,
}));

const delivery: DeliveryFact = {
  id: "v1",
  webhookId: "w1",
  eventId: "e0",
  state: "SUCCEEDED",
  attempts: 2,
  manual: false,
  held: false,
  dueAtMs: null,
  log: [false, true],
};

const object: CloudObjectFact = { cloud: "mock", kind: "servers", id: "o1", name: "shop-app" };
const resource: ResourceFact = {
  instanceId: "i1",
  instanceName: "shop",
  name: "app",
  type: "mock:Server",
  id: "o1",
  state: "READY",
};
const run: RunFact = {
  deploymentId: "d1",
  instanceId: "i1",
  phase: "closed",
};
const snapshot: SnapshotFact = { deploymentId: "d1", instanceId: "i1", hasOrigin: true };
const call = {
  key: "k1",
  what: "POST /templates",
  ids: ["x1", "x1"],

  atMs: BEGAN_MS,
};
const acknowledged = {
  id: "d1",
  kind: "deployment" as const,
  tenantId: "t1",
  instanceId: "i1",
  atMs: BEGAN_MS,
};
const comparison = {
  instances: 1,
  compared: 1,
  differing: [],
  missing: [],
  failed: [],
  unheard: [],
};
const usage = { tenantId: "t1", limit: "templates", told: 2, counted: 2, mayBeLost: 0 };
const webhooks = (["good", "hangs"] as const).map((mood, at) => ({
  id: `w${at + 1}`,
  tenantId: "t1",
  path: `/${mood}/${at}`,
  mood,
  createdAtMs: BEGAN_MS - 1,
  getsAll: true,
}));

const right: Evidence = {
  stoppedAtMs: BEGAN_MS + 1_000_000,
  lossWindow: undefined,
  calls: [call],
  acknowledged: [acknowledged],
  deleted: new Set(),
  wrong: [],
  logs: [{ deploymentId: "d1", seqs: [1, 2, 4], ended: true }],
  wholeLogs: new Map([["d1", [1, 2, 4]]]),
  deployments: [deployment],
  versions: new Map([["d1", 5]]),
  rows: new Map([["i1", "{}"]]),
  events,
  deliveries: [delivery],
  webhooks,
  arrivals,
  receiversWrong: [],
  runs: [run],
  snapshots: [snapshot],
  places: [],
  atRest: { objects: [object], resources: [resource] },
  destroyed: { objects: [], resources: [] },
  comparison,
  audit: { ok: true, lines: ["t1: the chain is valid."] },
  usage: [usage],
  sightings: [],
};

/** The problems in the evidence with these changes, as `check: problem`. */
function found(changes: Partial<Evidence>): string[] {
  const evidence = { ...right, ...changes };
  return checks.flatMap(({ name, problems }) =>
    problems(evidence).map((problem) => `${name}: ${problem}`),
  );
}

const withEvent = (at: number, change: Partial<EventFact>): readonly EventFact[] =>
  events.map((event, index) => (index === at ? { ...event, ...change } : event));
const withArrival = (change: Partial<Arrival>): readonly Arrival[] => [
  { ...(arrivals[0] as Arrival), ...change },
  ...arrivals.slice(1),
];
const lost: ResourceFact = { ...resource, id: "", state: "LOST" };

const planted: Readonly<Record<string, readonly [Partial<Evidence>, string]>> = {
  "an answer that must not be": [{ wrong: ["GET / answered 500"] }, "answers to clients: GET /"],
  "a call with two answers": [
    { calls: [{ ...call, ids: ["x1", "x2"] }] },
    "calls answered once: POST /templates",
  ],
  "a call that made two deployments": [
    { deployments: [deployment, { ...deployment, id: "d2", timestamps: {} }] },
    "one deployment per call: the call c1 made d1 and d2",
  ],
  "a deployment that is gone": [
    { deployments: [], events: [], arrivals: [] },
    "acknowledged and there: the deployment d1",
  ],
  "a deployment that is gone although its runner has it": [
    { deployments: [], events: [], arrivals: [], lossWindow },
    "acknowledged and there: the deployment d1",
  ],
  "a deployment that does not end": [
    { deployments: [{ ...deployment, state: "APPLYING" }] },
    "runs ended: the deployment d1 rests in APPLYING",
  ],
  "a run that its runner has open": [
    { runs: [{ ...run, phase: "applying" }] },
    "runs ended: the deployment d1 is SUCCEEDED, and its runner has it as applying",
  ],
  "a log with a line twice": [
    { logs: [{ deploymentId: "d1", seqs: [1, 2, 2], ended: true }] },
    "logs followed: the log of d1 was streamed out of order",
  ],
  "a log without a line": [
    { logs: [{ deploymentId: "d1", seqs: [1, 4], ended: true }] },
    "logs followed: the log of d1 was streamed without 2",
  ],
  "an object in no state": [
    { atRest: { objects: [object, { ...object, id: "o2" }], resources: [resource] } },
    "clouds against states: mock servers o2 (shop-app) is in no state",
  ],
  "a second object for one lost create": [
    { atRest: { objects: [object, { ...object, id: "o2" }], resources: [lost] } },
    "clouds against states: mock servers o2",
  ],
  "an object in two states": [
    { atRest: { objects: [object], resources: [resource, { ...resource, instanceId: "i2" }] } },
    "clouds against states: mock servers o1 (shop-app) is in the states of i1 and i2",
  ],
  "a resource that the cloud does not have": [
    { atRest: { objects: [], resources: [resource] } },
    "clouds against states: mock:Server o1 (app, READY) of the instance i1 is not at the cloud",
  ],
  "an object left behind": [
    { destroyed: { objects: [object], resources: [] } },
    "clouds after destroying: mock servers o1",
  ],
  "an object that was not destroyed": [
    { destroyed: { objects: [object], resources: [resource] } },
    "clouds after destroying: mock:Server o1 (READY) of i1 was not destroyed",
  ],
  "a database that lacks something": [
    { comparison: { ...comparison, differing: [{ instanceId: "i1", what: "2 events" }] } },
    "D1 against the runners: the database lacks of the instance i1: 2 events",
  ],
  "a deployment that stays missing without a restore": [
    {
      comparison: {
        ...comparison,
        missing: [{ instanceId: "i1", count: 1 }],
      },
    },
    "D1 against the runners: 1 deployments of i1 stay missing",
  ],
  "an instance that was not compared": [
    { comparison: { ...comparison, failed: [{ instanceId: "i1", why: "503" }] } },
    "D1 against the runners: the instance i1 was not compared: 503",
  ],
  "a deployment that no runner has heard of": [
    {
      comparison: {
        ...comparison,
        unheard: [{ deploymentId: "d1", instanceId: "i1", idleSeconds: 300 }],
      },
    },
    "D1 against the runners: the runner of i1 has not heard of d1",
  ],
  "a slot that is held": [
    { places: [{ deploymentId: "d1", instanceId: "i1", holds: true }] },
    "slots given back: the deployment d1 of i1 holds a slot",
  ],
  "a state without its event": [
    { events: events.slice(0, 2) },
    "events of deployments: No event deployment.succeeded of the deploy d1",
  ],
  "a state with two events": [
    { events: [...events, { ...(events[2] as EventFact), id: "e9", sequence: 4 }] },
    "events of deployments: Two events deployment.succeeded of the deploy d1",
  ],
  "a state of a runner without its event, after a restore": [
    { events: events.slice(0, 2), lossWindow },
    "events of deployments: No event deployment.succeeded of the deploy d1",
  ],
  "a sequence used twice": [
    { events: withEvent(1, { sequence: 1 }) },
    "sequences of events: deployment d1 has two events with one sequence",
  ],
  "a sequence that falls": [
    { events: withEvent(0, { sequence: 5 }) },
    "sequences of events: deployment d1 has events out of order",
  ],
  "a sequence beyond the version": [
    { events: withEvent(2, { sequence: 6 }) },
    "sequences of events: deployment d1 has the version 5",
  ],
  "an event that never arrived": [
    { arrivals: arrivals.slice(1) },
    "events delivered: the webhook w1 never got deployment.queued e0",
  ],
  "an event that was never accepted": [
    { arrivals: withArrival({ accepted: false }) },
    "events delivered: the webhook w1 never got deployment.queued e0",
  ],
  "an event at a stranger's": [
    { arrivals: [...arrivals, { ...(arrivals[0] as Arrival), path: "/good/7", owner: "t2" }] },
    "what receivers got: /good/7 of the tenant t2 got e0 of the tenant t1",
  ],
  "an event that is none": [
    { arrivals: [...arrivals, { ...(arrivals[0] as Arrival), id: "e9" }] },
    "what receivers got: /good/0 got e9, which is no event",
  ],
  "other bytes than are stored": [
    { arrivals: withArrival({ digest: "other" }) },
    "what receivers got: the event e0 (deployment.queued) came with 2 bodies",
  ],
  "other bytes than the sequence, after a restore": [
    { arrivals: withArrival({ digestWithoutSequence: "other" }), lossWindow },
    "what receivers got: the event e0 (deployment.queued) came with 2 bodies",
  ],
  "a bad signature": [
    { receiversWrong: ["/good/0 got a bad signature"] },
    "what receivers got: /good/0 got a bad",
  ],
  "an attempt without its row": [
    { deliveries: [{ ...delivery, attempts: 3 }] },
    "log of deliveries: the delivery v1 of e0 to w1, SUCCEEDED, counts 3 attempts and has 2",
  ],
  "an attempt after a success": [
    { deliveries: [{ ...delivery, log: [true, true] }] },
    "log of deliveries: the delivery v1 of e0 to w1, SUCCEEDED, was attempted after it had succeeded",
  ],
  "a success that was none": [
    { deliveries: [{ ...delivery, log: [false, false] }] },
    "log of deliveries: the delivery v1 of e0 to w1, SUCCEEDED, has the attempts",
  ],
  "a delivery given up early": [
    { deliveries: [{ ...delivery, state: "EXHAUSTED", log: [false, false] }] },
    "log of deliveries: the delivery v1 of e0 to w1, EXHAUSTED, was given up after 2 attempts",
  ],
  "an open delivery to a good receiver": [
    { deliveries: [{ ...delivery, state: "RETRYING", log: [false, false] }] },
    "log of deliveries: the delivery v1 of e0 to w1, RETRYING, is open",
  ],
  "a forgotten delivery": [
    {
      deliveries: [
        { ...delivery, webhookId: "w2", state: "RETRYING", log: [false, false], dueAtMs: BEGAN_MS },
      ],
    },
    "log of deliveries: the delivery v1 of e0 to w2, RETRYING, is due since",
  ],
  "an open delivery that is never due": [
    { deliveries: [{ ...delivery, webhookId: "w2", state: "RETRYING", log: [false, false] }] },
    "log of deliveries: the delivery v1 of e0 to w2, RETRYING, is open and never due",
  ],
  "a broken audit chain": [
    { audit: { ok: false, lines: ["t1: the chain is NOT valid."] } },
    "audit chains: t1: the chain is NOT valid.",
  ],
  "a count that is too high": [
    { usage: [{ ...usage, told: 3, mayBeLost: 1 }] },
    "counts of quotas: the tenant t1 is told 3 templates and has 2",
  ],
  "a count that is too low": [
    { usage: [{ ...usage, told: 0, mayBeLost: 1 }] },
    "counts of quotas: the tenant t1 is told 0 templates and has 2",
  ],
  "a secret that was seen": [
    { sightings: ["the log of d1"] },
    "secrets kept: a secret stands in the log of d1",
  ],
};

describe("the audit of a soak", () => {
  it("finds nothing in faultless evidence", () => {
    expect(found({})).toEqual([]);
  });

  it.for(Object.entries(planted))("names %s", ([, [changes, problem]]) => {
    expect(found(changes).filter((line) => line.startsWith(problem))).toHaveLength(1);
  });

  it("has a planted fault for every check", () => {
    const named = Object.values(planted).map(([, problem]) => problem.split(":")[0]);
    expect(new Set(named)).toEqual(new Set(checks.map(({ name }) => name)));
  });

  it("forgives a restore the loss of facts that only the database had", () => {
    const gone = { ...acknowledged, kind: "template" as const, id: "x9" };
    expect(found({ lossWindow, acknowledged: [gone] })).toEqual([]);
    expect(found({ lossWindow, events: events.slice(1), arrivals })).toEqual([]);
    const unbegun = { ...snapshot, deploymentId: "d9", hasOrigin: false };
    const missing = [{ instanceId: "i1", count: 1 }];
    expect(
      found({
        lossWindow,
        snapshots: [snapshot, unbegun],
        comparison: { ...comparison, missing },
      }),
    ).toEqual([]);
  });

  it("accepts an object that an instance says it may have lost", () => {
    expect(found({ atRest: { objects: [object], resources: [lost] } })).toEqual([]);
  });

  it("counts what it found and prints each", () => {
    const lines: string[] = [];
    const wrong = Array.from({ length: 20 }, (_, at) => `answer ${at}`);
    const count = audit({ ...right, wrong }, (line) => lines.push(line));
    expect(count).toBe(20);
    expect(lines).toContain("answers to clients: answer 0");
    expect(lines).toContain("answers to clients: and 8 more");
  });

  it("names a change without its event, and an event told twice", () => {
    const event = { ...(events[0] as EventFact), type: "instance.updated", resourceId: "i1" };
    const said = (times: number): string[] =>
      changesHaveEvents(new Map([["i1", times]])).problems({ ...right, events: [event] });
    expect(said(1)).toEqual([]);
    expect(said(2)).toEqual(["the instance i1 was changed 2 times and has 1 events"]);
    expect(said(0)).toEqual(["the instance i1 was changed 0 times and has 1 events"]);
  });
});
