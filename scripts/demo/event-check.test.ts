import { expect, it } from "vitest";
import type { Deployment } from "../client/client.ts";
import type { WebhookEvent } from "../receiver/receiver.ts";
import { eventProblems } from "./event-check.ts";

const at = "2026-01-01T00:00:00.000Z";
/** The state of each event; `planned` has none of its own. */
const told: Readonly<Record<string, Deployment["state"]>> = {
  queued: "QUEUED",
  started: "PLANNING",
  planned: "PLANNING",
  approval_required: "AWAITING_APPROVAL",
  approved: "APPLYING",
  applying: "APPLYING",
  canceling: "CANCELING",
  succeeded: "SUCCEEDED",
  canceled: "CANCELED",
  failed: "FAILED",
};

/** A deployment with this history, and its events. */
function history(text: string): [Deployment, readonly WebhookEvent[]] {
  const verbs = text.split(" ");
  const states = verbs.map((verb) => told[verb] as Deployment["state"]);
  const deployment: Deployment = {
    id: "d1",
    instanceId: "i1",
    operation: "deploy",
    state: states.at(-1) ?? "QUEUED",
    summary: null,
    planHash: null,
    error: null,
    timestamps: Object.fromEntries(states.map((state) => [state, at])),
  };
  const events = verbs.map((verb, index) => ({
    id: `e${index}`,
    type: `deployment.${verb}`,
    timestamp: at,
    tenantId: "t1",
    sequence: index + 1,
    data: {
      deploymentUrl: "/api/v1/deployments/d1",
      ...(index === 0 ? {} : { previousState: states[index - 1] }),
      state: states[index],
    },
  }));
  return [deployment, events];
}

const whole = "queued started planned applying succeeded";
const ends = ["SUCCEEDED", "CANCELED", "FAILED"] as const;
const histories = [
  whole,
  "queued started planned approval_required approved applying succeeded",
  "queued started planned applying canceling canceled",
  "queued started planned applying canceling succeeded",
  "queued started planned applying failed",
  "queued started failed",
];

it.each(histories)("accepts %s, in any order and with duplicates", (text) => {
  const [deployment, events] = history(text);
  expect(eventProblems(deployment, events, ends)).toEqual([]);
  expect(eventProblems(deployment, events.toReversed().concat(events), ends)).toEqual([]);
});

it.each(histories)("detects any missing event of %s", (text) => {
  const [deployment, events] = history(text);
  for (const missing of events) {
    const left = events.filter((event) => event !== missing);
    // A cancel leaves out the events that its run had not written yet.
    if (text.includes("canceling") && missing.type === "deployment.planned") continue;
    expect(eventProblems(deployment, left, ends), missing.type).not.toEqual([]);
  }
});

it("detects one change sent as two events", () => {
  const [deployment, events] = history(whole);
  const twice = events.concat({ ...(events[4] as WebhookEvent), id: "e9" });
  expect(eventProblems(deployment, twice).join()).toMatch(/one sequence.*Two events/s);
});

it("detects a wrong order", () => {
  const [deployment, events] = history(whole);
  const turned = events.map((event) => Object.assign({}, event, { sequence: 9 - event.sequence }));
  expect(eventProblems(deployment, turned).join()).toContain("No first event");
  const [first, second, third, ...rest] = events as [WebhookEvent, WebhookEvent, WebhookEvent];
  const swapped = [first, { ...second, sequence: 3 }, { ...third, sequence: 2 }, ...rest];
  expect(eventProblems(deployment, swapped).join()).toContain("A gap before");
});

it("detects a move that is not allowed", () => {
  const [deployment, events] = history("queued started planned applying approval_required");
  expect(eventProblems(deployment, events, ["AWAITING_APPROVAL"]).join()).toContain(
    "APPLYING to AWAITING_APPROVAL",
  );
});

it("ignores another deployment's events", () => {
  const [deployment, events] = history(whole);
  expect(eventProblems({ ...deployment, id: "d2" }, events)).not.toEqual([]);
});

it("accepts another end than success only where it may be", () => {
  const [deployment, events] = history("queued started planned applying failed");
  expect(eventProblems(deployment, events)).toEqual(["The deploy d1 ended as FAILED."]);
});
