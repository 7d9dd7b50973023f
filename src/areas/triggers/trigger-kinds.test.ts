import { describe, expect, it } from "vitest";
import type { ErrorCode } from "#kernel/errors.ts";
import type { DeploymentOperation, DeploymentState } from "#schema/lists/deployment-states.ts";
import type { Trigger, TriggerKind } from "#schema/triggers.ts";
import {
  decide,
  type TriggerFacts,
  firstFireMs,
  HOUR_MS,
  MINUTE_MS,
  nextFireMs,
  retryMs,
  shownFireMs,
  suppressed,
  type TriggerDecision,
} from "./trigger-kinds.ts";

const NOW = Date.parse("2026-01-05T02:00:00Z");
const read = (hash: string | null, output = "uri") => ({ instanceId: "up", output, hash });
const ready: TriggerFacts = {
  nowMs: NOW,
  instance: { state: "ACTIVE", templateVersion: 2, drift: "DRIFTED" },
  deployments: [],
  followedVersion: 3,
  addableVersion: null,
  reads: { x: read("new") },
  lastReads: { x: read("old") },
  upstreams: [{ id: "up", state: "ACTIVE" }],
};
const conditions: Partial<Record<TriggerKind, Trigger["condition"]>> = {
  schedule: { cron: "0 2 * * *", timeZone: "UTC" },
  drift: { cron: "0 2 * * *", timeZone: "UTC", remediate: true },
  expiry: { at: "2026-01-05T02:00:00Z" },
};
const trigger = (kind: TriggerKind, more: Partial<Trigger> = {}) => ({
  kind,
  condition: conditions[kind] ?? {},
  pendingVersion: null,
  hops: null,
  lastFiredAtMs: null,
  createdAtMs: NOW - HOUR_MS,
  ...more,
});
const open = (operation: DeploymentOperation, state: DeploymentState) => ({
  deployments: [{ operation, state }],
});

const TOMORROW = NOW + 24 * HOUR_MS;
const soon = NOW + MINUTE_MS;
const busy = open("deploy", "APPLYING");
const parked = open("deploy", "AWAITING_APPROVAL");
const gone = { instance: { ...ready.instance, state: "DESTROYED" } } as const;
const halfGone = { instance: { ...ready.instance, state: "DESTROY_FAILED" } } as const;
const fresh = { instance: { ...ready.instance, state: "INITIALIZED" } } as const;
const synced = { instance: { ...ready.instance, drift: "IN_SYNC" } } as const;
const found = open("drift_check", "SUCCEEDED");
/** A deployment that is newer than a check with drift. */
const behind = (operation: DeploymentOperation, state: DeploymentState) => ({
  deployments: [{ operation, state }, ...found.deployments],
});
const checked: Partial<Trigger> = { lastFiredAtMs: NOW };
const onlyLooks = { condition: { cron: "0 2 * * *", timeZone: "UTC", remediate: false } };
const fires: TriggerDecision = { fires: "deploy" };
const no = (reason: string, againMs: number | null = null): TriggerDecision => ({
  reason,
  againMs,
});

describe("whether a due trigger fires", () => {
  it.for<[TriggerKind, Partial<TriggerFacts>, TriggerDecision, Partial<Trigger>?]>([
    ["schedule", {}, fires],
    ["schedule", fresh, fires],
    ["schedule", busy, no("instance_busy", TOMORROW)],
    ["schedule", open("deploy", "QUEUED"), no("instance_busy", TOMORROW)],
    ["schedule", open("deploy", "SUPERSEDED"), fires],
    ["schedule", open("plan", "PLANNING"), fires],
    ["schedule", open("drift_check", "APPLYING"), fires],
    ["schedule", parked, no("approval", TOMORROW)],
    ["schedule", gone, no("instance_destroyed", TOMORROW)],
    // The failed destroy still counts as the last decision.
    ["schedule", halfGone, no("destroy_failed", TOMORROW)],
    ["template_version", halfGone, no("destroy_failed")],
    ["upstream_output", halfGone, no("destroy_failed")],
    ["inbound_webhook", halfGone, no("destroy_failed")],
    ["drift", halfGone, { fires: "drift_check" }],
    ["drift", { ...found, ...halfGone }, no("destroy_failed", TOMORROW), checked],
    ["expiry", halfGone, { fires: "destroy" }],
    ["template_version", {}, { fires: "deploy", movesTo: 3 }],
    ["template_version", { followedVersion: 2 }, "nothing"],
    ["template_version", { followedVersion: null }, "nothing"],
    // Moved and not deployed: also when the version was deprecated since.
    ["template_version", { followedVersion: 2 }, fires, { pendingVersion: 2 }],
    ["template_version", { followedVersion: null }, fires, { pendingVersion: 2 }],
    ["template_version", busy, no("instance_busy", soon)],
    ["template_version", parked, no("approval", soon)],
    ["template_version", fresh, no("not_deployed_yet")],
    ["template_version", gone, no("instance_destroyed")],
    ["template_version", { addableVersion: 4 }, { adds: true }],
    ["template_version", { addableVersion: 4, followedVersion: 2 }, { adds: true }],
    ["template_version", { addableVersion: 4, followedVersion: null }, { adds: true }],
    ["template_version", { addableVersion: 4 }, { adds: true }, { condition: { from: 4, to: 4 } }],
    [
      "template_version",
      { addableVersion: 4, followedVersion: 2 },
      "nothing",
      { condition: { to: 3 } },
    ],
    [
      "template_version",
      { addableVersion: 4, followedVersion: 2 },
      "nothing",
      { condition: { from: 5 } },
    ],
    ["template_version", { addableVersion: 4, ...busy }, no("instance_busy", soon)],
    ["template_version", { addableVersion: 4, ...parked }, no("approval", soon)],
    ["template_version", { addableVersion: 4, ...fresh }, no("not_deployed_yet")],
    ["template_version", { addableVersion: 4, ...gone }, no("instance_destroyed")],
    ["template_version", { addableVersion: 4, ...halfGone }, no("destroy_failed")],
    ["schedule", { addableVersion: 4 }, fires],
    ["upstream_output", {}, fires],
    ["upstream_output", busy, fires],
    ["upstream_output", open("destroy", "APPLYING"), no("instance_busy", soon)],
    ["upstream_output", parked, no("approval", soon)],
    ["upstream_output", { lastReads: { x: read("new") } }, no("unchanged")],
    ["upstream_output", { lastReads: { renamed: read("new") } }, no("unchanged")],
    ["upstream_output", { lastReads: { x: read("new", "other") } }, fires],
    ["upstream_output", { lastReads: undefined }, no("not_deployed_yet")],
    ["upstream_output", { reads: {} }, no("nothing_bound")],
    ["upstream_output", {}, no("nothing_bound"), { condition: { instanceId: "else" } }],
    ["upstream_output", {}, fires, { condition: { instanceId: "up", outputs: ["uri"] } }],
    ["upstream_output", { reads: { x: read(null) } }, no("output_missing")],
    ["upstream_output", { reads: { x: read("new"), y: read(null, "gone") } }, no("output_missing")],
    [
      "upstream_output",
      { upstreams: [{ id: "up", state: "DESTROYED" }] },
      no("upstream_destroyed"),
    ],
    ["upstream_output", { upstreams: [{ id: "up", state: "DEGRADED" }] }, fires],
    [
      "upstream_output",
      { upstreams: [{ id: "up", state: "DEGRADED" }], lastReads: { x: read("new") } },
      no("upstream_failed"),
    ],
    ["upstream_output", {}, fires, { hops: 50 }],
    ["upstream_output", {}, no("too_many_hops"), { hops: 51 }],
    ["inbound_webhook", {}, fires, { hops: 9 }],
    ["inbound_webhook", {}, no("too_many_hops"), { hops: 10 }],
    ["drift", {}, { fires: "drift_check" }],
    ["drift", fresh, no("not_deployed_yet", TOMORROW)],
    ["drift", gone, no("instance_destroyed", TOMORROW)],
    ["drift", busy, no("instance_busy", soon)],
    ["drift", parked, no("approval", soon)],
    ["drift", open("drift_check", "PLANNING"), { rests: true, againMs: soon }],
    ["drift", open("plan", "PLANNING"), { fires: "drift_check" }],
    // Between two checks, the result of the last one.
    ["drift", found, fires, checked],
    ["drift", { ...found, ...synced }, { rests: true, againMs: TOMORROW }, checked],
    ["drift", open("drift_check", "NO_CHANGES"), { rests: true, againMs: TOMORROW }, checked],
    ["drift", open("drift_check", "PLANNING"), { rests: true, againMs: soon }, checked],
    ["drift", open("deploy", "FAILED"), { rests: true, againMs: TOMORROW }, checked],
    ["drift", behind("deploy", "APPLYING"), { rests: true, againMs: TOMORROW }, checked],
    ["drift", found, { rests: true, againMs: TOMORROW }, { ...checked, ...onlyLooks }],
    ["inbound_webhook", {}, fires],
    ["inbound_webhook", fresh, fires],
    ["inbound_webhook", busy, fires],
    ["inbound_webhook", parked, no("approval", soon)],
    ["inbound_webhook", gone, no("instance_destroyed")],
    ["expiry", {}, { fires: "destroy" }],
    ["expiry", busy, { fires: "destroy" }],
    ["expiry", gone, no("instance_destroyed")],
    // After its firing, an expiry repeats a destroy that failed.
    ["expiry", { ...gone, ...open("destroy", "SUCCEEDED") }, "nothing", checked],
    ["expiry", open("destroy", "FAILED"), { fires: "destroy" }, checked],
    ["expiry", open("destroy", "EXPIRED"), { fires: "destroy" }, checked],
    ["expiry", halfGone, { fires: "destroy" }, checked],
    ["expiry", open("destroy", "APPLYING"), { rests: true, againMs: NOW + HOUR_MS }, checked],
    ["expiry", open("destroy", "AWAITING_APPROVAL"), no("approval", NOW + HOUR_MS), checked],
    ["expiry", open("destroy", "CANCELED"), "nothing", checked],
    ["expiry", open("destroy", "DISCARDED"), "nothing", checked],
    ["expiry", open("deploy", "SUCCEEDED"), "nothing", checked],
    ["expiry", { nowMs: NOW - 24 * HOUR_MS }, { warns: true, againMs: NOW - HOUR_MS }],
    ["expiry", { nowMs: NOW - 1 }, { warns: true, againMs: NOW }],
  ])("%s %j: %j %j", ([kind, facts, expected, more]) => {
    expect(decide(trigger(kind, more), { ...ready, ...facts })).toEqual(expected);
  });
});

describe("when a trigger is due", () => {
  it.for<[TriggerKind, number | null, number | null]>([
    ["schedule", TOMORROW, TOMORROW],
    ["template_version", NOW, null],
    ["upstream_output", NOW, null],
    ["drift", TOMORROW, soon],
    ["inbound_webhook", null, null],
    ["expiry", NOW, NOW + HOUR_MS],
  ])("%s: first, and after it has fired", ([kind, first, next]) => {
    const of = { ...trigger(kind), enabled: true };
    expect(firstFireMs(of, NOW)).toBe(first);
    expect(firstFireMs({ ...of, enabled: false }, NOW)).toBeNull();
    expect(nextFireMs(of, NOW)).toBe(next);
  });

  it("a drift check shows its own time, not when its result is evaluated", () => {
    const of = { ...trigger("drift"), suppressedReason: null };
    expect(shownFireMs({ ...of, nextFireAtMs: soon })).toBe(TOMORROW);
    expect(shownFireMs({ ...of, nextFireAtMs: TOMORROW })).toBe(TOMORROW);
    expect(nextFireMs({ ...of, ...onlyLooks }, NOW)).toBe(TOMORROW);
  });

  it.for([
    [100, 72],
    [72, 24],
    [30, 24],
    [2, 1],
    [1, 0],
    [0.5, 0],
  ])("an expiry in %i hours: first %i hours before, and it shows its own time", ([ahead, at]) => {
    const of = { ...trigger("expiry"), enabled: true, suppressedReason: null };
    const first = firstFireMs(of, NOW - (ahead ?? 0) * HOUR_MS);
    expect(first).toBe(NOW - (at ?? 0) * HOUR_MS);
    expect(shownFireMs({ ...of, nextFireAtMs: first })).toBe(NOW);
    expect(shownFireMs({ ...of, nextFireAtMs: NOW + HOUR_MS })).toBe(NOW + HOUR_MS);
    expect(shownFireMs({ ...of, nextFireAtMs: null })).toBeNull();
  });

  it("an expiry that has fired is due again after an hour, then at growing intervals, and shows no time", () => {
    const of = { ...trigger("expiry", checked), nextFireAtMs: NOW + HOUR_MS };
    const after = (hours: number) => (nextFireMs(of, NOW + hours * HOUR_MS) ?? 0) - NOW;
    expect([0, 1, 3, 40].map((hours) => after(hours) / HOUR_MS)).toEqual([1, 2, 6, 64]);
    expect(shownFireMs({ ...of, suppressedReason: null })).toBeNull();
    expect(shownFireMs({ ...of, suppressedReason: "approval" })).toBe(NOW + HOUR_MS);
  });
});

describe("a trigger that did not fire", () => {
  it.for<[againMs: number | null, hops: number | null, keeps: number | null]>([
    [soon, 7, 7],
    [soon, null, null],
    [null, 7, null],
  ])("due again at %j, keeps of the chain %j: %j", ([againMs, hops, keeps]) => {
    expect(suppressed({ hops }, { reason: "instance_busy", againMs })).toEqual({
      nextFireAtMs: againMs,
      suppressedReason: "instance_busy",
      hops: keeps,
    });
  });

  it.for<[TriggerKind, number]>([
    ["schedule", TOMORROW],
    ["drift", TOMORROW],
    ["template_version", NOW + HOUR_MS],
    ["upstream_output", NOW + HOUR_MS],
    ["inbound_webhook", NOW + HOUR_MS],
    ["expiry", NOW + HOUR_MS],
  ])("whose deployment was refused is due again: %s", ([kind, dueMs]) => {
    expect(retryMs(trigger(kind), NOW, "invalid_state")).toBe(dueMs);
    expect(retryMs(trigger(kind), NOW, "quota_exceeded")).toBe(dueMs);
  });

  it.for(["schedule", "drift"] as const)("that a quota refused leaves times out: %s", (kind) => {
    const everyMinute = { ...trigger(kind), condition: { cron: "* * * * *", timeZone: "UTC" } };
    const wait = (code: ErrorCode) => (retryMs(everyMinute, NOW, code) ?? 0) - NOW;
    expect(wait("invalid_state")).toBeLessThanOrEqual(MINUTE_MS);
    for (const code of ["quota_exceeded", "rate_limited", "license_limit"] as const)
      expect(wait(code)).toBeGreaterThan(15 * MINUTE_MS);
  });
});
