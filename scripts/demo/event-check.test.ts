import { expect, it } from "vitest";
import type { Deployment } from "../client/client.ts";
import type { WebhookEvent } from "../receiver/receiver.ts";
import { eventProblems } from "./event-check.ts";

const deployment: Deployment = {
  id: "d1",
  instanceId: "i1",
  operation: "deploy",
  state: "SUCCEEDED",
  summary: null,
  planHash: null,
  error: null,
  timestamps: {},
};

const complete: readonly WebhookEvent[] = [
  "queued",
  "started",
  "planned",
  "applying",
  "succeeded",
].map((verb, index) => ({
  id: `e${index}`,
  type: `deployment.${verb}`,
  timestamp: "2026-01-01T00:00:00.000Z",
  tenantId: "t1",
  sequence: index + 1,
  data: { deploymentUrl: "/api/v1/deployments/d1" },
}));

it("accepts complete events in any order and with duplicates", () => {
  expect(eventProblems(deployment, complete)).toEqual([]);
  expect(eventProblems(deployment, complete.toReversed().concat(complete))).toEqual([]);
});

it("detects any missing event", () => {
  for (const missing of complete)
    expect(
      eventProblems(
        deployment,
        complete.filter((event) => event !== missing),
      ),
    ).toHaveLength(1);
});

it("detects one change sent as two events", () => {
  const twice = complete.concat({ ...(complete[4] as WebhookEvent), id: "e9" });
  expect(eventProblems(deployment, twice)).toHaveLength(2);
});

it("detects a wrong order", () => {
  const swapped = complete.map((event) =>
    Object.assign({}, event, { sequence: 9 - event.sequence }),
  );
  expect(eventProblems(deployment, swapped)).toHaveLength(1);
});

it("ignores another deployment's events", () => {
  expect(eventProblems({ ...deployment, id: "d2" }, complete)).toHaveLength(1);
});

it("detects an unsuccessful deployment", () => {
  expect(eventProblems({ ...deployment, state: "FAILED" }, complete)).toEqual([
    "The deploy d1 ended as FAILED.",
  ]);
});

it("expects the approval of a deployment that waited for it", () => {
  const waited = { ...deployment, timestamps: { AWAITING_APPROVAL: "2026-01-01T00:00:00.000Z" } };
  expect(eventProblems(waited, complete)).toHaveLength(1);
  const types = ["queued", "started", "planned", "approval_required", "approved", "applying"];
  const all = [...types, "succeeded"].map((verb, at) => ({
    ...(complete[0] as WebhookEvent),
    id: `e${at}`,
    type: `deployment.${verb}`,
    sequence: at + 1,
  }));
  expect(eventProblems(waited, all)).toEqual([]);
});

it("accepts another end, with its own events, only where it may be", () => {
  const events = (...verbs: string[]) =>
    verbs.map((verb, index) => ({
      ...(complete[0] as WebhookEvent),
      id: `e${index}`,
      type: `deployment.${verb}`,
      sequence: index + 1,
    }));
  const applying = ["queued", "started", "planned", "applying"];
  const at = "2026-01-01T00:00:00.000Z";
  const ended = (state: Deployment["state"], ...states: Deployment["state"][]): Deployment => ({
    ...deployment,
    state,
    timestamps: Object.fromEntries(states.map((one) => [one, at])),
  });
  const ends = ["SUCCEEDED", "CANCELED", "FAILED"] as const;
  for (const [one, verbs] of [
    [ended("CANCELED", "APPLYING", "CANCELING"), ["canceling", "canceled"]],
    [ended("SUCCEEDED", "APPLYING", "CANCELING"), ["canceling", "succeeded"]],
    [ended("FAILED", "APPLYING"), ["failed"]],
  ] as const) {
    expect(eventProblems(one, events(...applying, ...verbs), ends)).toEqual([]);
    expect(eventProblems(one, events(...applying), ends)).toHaveLength(1);
  }
  const failed = ended("FAILED", "APPLYING");
  expect(eventProblems(failed, events(...applying, "failed"))).toHaveLength(1);
  expect(eventProblems(ended("FAILED"), events("queued"), ends)).toHaveLength(1);
});
