/**
 * The kinds of triggers: the operation that each starts, its due times and its conditions. Pure: facts about the
 * instance are passed in.
 */
import type * as z from "zod";
import {
  expiryOf,
  firstExpiryMs,
  nextExpiryWarningMs,
  type Reads,
} from "#areas/instances/public.ts";
import type { ErrorCode } from "#kernel/errors.ts";
import type { JsonMap } from "#platform/json.ts";
import type { DriftStatus, InstanceStatus } from "#schema/instances.ts";
import {
  activeStates,
  type DeploymentOperation,
  type DeploymentState,
} from "#schema/lists/deployment-states.ts";
import type { Trigger, TriggerKind } from "#schema/triggers.ts";
import type {
  DriftCondition,
  ScheduleCondition,
  UpstreamCondition,
  VersionCondition,
} from "./contract.ts";
import { nextScheduledMs } from "./cron-schedule.ts";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** A quota that refused a deployment refuses it a minute later, too: a schedule skips its times in this period. */
const QUOTA_REST_MS = 15 * MINUTE_MS;
const quotaCodes: ReadonlySet<ErrorCode> = new Set([
  "quota_exceeded",
  "rate_limited",
  "license_limit",
]);
/** The maximum number of instances that an output change passes through automatically. */
export const MAX_HOPS = 50;
/** A webhook may call a hook, whose deployment sends webhooks: an accidental loop ends after this many deployments. */
export const MAX_HOOK_HOPS = 10;
/** The facts that decide whether a due trigger fires. */
export interface TriggerFacts {
  nowMs: number;
  instance: { state: InstanceStatus; templateVersion: number; drift: DriftStatus };
  /** The newest deployments of the instance, newest first. */
  deployments: readonly { operation: DeploymentOperation; state: DeploymentState }[];
  /** The highest template version that a `template_version` trigger follows. */
  followedVersion: number | null;
  /** The version that a trigger with `components` would add to take higher releases; null: none is higher. */
  addableVersion: number | null;
  /** The present values of the instance's bindings. */
  reads: Reads;
  /** The bindings of the newest started or queued deployment; undefined: none. */
  lastReads: Reads | undefined;
  /** The instances that the instance is bound to. */
  upstreams: readonly { id: string; state: InstanceStatus }[];
}

export type Starts = "deploy" | "destroy" | "drift_check";

export type TriggerDecision =
  /** Fires. `movesTo`: the template version that the instance is set to first. */
  | { fires: Starts; movesTo?: number }
  /** Adds a version of the template with higher releases of its components, and decides again. */
  | { adds: true }
  /** Does not fire, for this reason. `againMs`: the next due time; null: an event makes it due. */
  | { reason: string; againMs: number | null }
  /** Does not fire yet, and sends a warning that its time approaches. */
  | { warns: true; againMs: number }
  /** Does not fire, without a reason to show. */
  | { rests: true; againMs: number | null }
  | "nothing";

type DecidedTrigger = Pick<
  Trigger,
  "kind" | "condition" | "pendingVersion" | "hops" | "lastFiredAtMs" | "createdAtMs"
>;

interface Kind {
  /** The due time of a new or changed trigger; null: an event makes it due. */
  firstMs: (condition: JsonMap, nowMs: number) => number | null;
  decide: (trigger: DecidedTrigger, facts: TriggerFacts) => TriggerDecision;
  /** The next due time of a trigger that fired now; null: an event makes it due. */
  nextMs: (condition: JsonMap, nowMs: number) => number | null;
  /** The next due time of a trigger whose deployment was refused with this code. */
  retryMs: (condition: JsonMap, nowMs: number, code: ErrorCode) => number | null;
}

const inAnHour = (_: JsonMap, nowMs: number) => nowMs + HOUR_MS;
const atOnce = (_: JsonMap, nowMs: number) => nowMs;
const never = () => null;

const kinds: Readonly<Record<TriggerKind, Kind>> = {
  schedule: {
    firstMs: nextTimeMs,
    decide: ({ condition }, facts) =>
      gone(facts, nextTimeMs(condition, facts.nowMs)) ??
      notNow(facts, nextTimeMs(condition, facts.nowMs)) ?? { fires: "deploy" },
    nextMs: nextTimeMs,
    retryMs: nextTimeAfterRefusal,
  },
  template_version: {
    // A version to follow may exist already. Later, each new version makes the trigger due.
    firstMs: atOnce,
    decide: ({ condition, pendingVersion }, facts) => {
      const { followedVersion, addableVersion, instance, nowMs } = facts;
      const isNew = followedVersion !== null && followedVersion > instance.templateVersion;
      const adds = addableVersion !== null && isFollowed(condition, addableVersion);
      if (pendingVersion === null && !isNew && !adds) return "nothing";
      const wait =
        gone(facts) ??
        (instance.state === "INITIALIZED" ? notDeployed : undefined) ??
        notNow(facts, nowMs + MINUTE_MS);
      if (wait !== undefined) return wait;
      if (adds) return { adds };
      return { fires: "deploy", ...(isNew ? { movesTo: followedVersion } : {}) };
    },
    nextMs: never,
    retryMs: inAnHour,
  },
  upstream_output: {
    firstMs: atOnce,
    decide: ({ condition, hops }, facts) =>
      whyNotRead(condition, facts) ??
      ((hops ?? 0) > MAX_HOPS ? { reason: "too_many_hops", againMs: null } : undefined) ??
      notBehind(facts) ?? { fires: "deploy" },
    nextMs: never,
    retryMs: inAnHour,
  },
  drift: {
    firstMs: nextTimeMs,
    decide: checkForDrift,
    // Due again soon, to act on the result of the check.
    nextMs: (condition, nowMs) => {
      const nextMs = nextTimeMs(condition, nowMs);
      const { remediate } = condition as z.output<typeof DriftCondition>;
      return remediate ? Math.min(nextMs ?? Infinity, nowMs + MINUTE_MS) : nextMs;
    },
    retryMs: nextTimeAfterRefusal,
  },
  inbound_webhook: {
    firstMs: never,
    decide: ({ hops }, facts) =>
      gone(facts) ??
      ((hops ?? 0) >= MAX_HOOK_HOPS ? { reason: "too_many_hops", againMs: null } : undefined) ??
      notBehind(facts) ?? { fires: "deploy" },
    nextMs: never,
    retryMs: inAnHour,
  },
  expiry: {
    firstMs: (condition, nowMs) => firstExpiryMs(expiryOf(condition), nowMs),
    decide: (trigger, facts) => {
      const { condition } = trigger;
      const atMs = expiryOf(condition);
      if (hasExpired(trigger)) return afterExpiry(condition, facts);
      if (facts.instance.state === "DESTROYED")
        return { reason: "instance_destroyed", againMs: null };
      if (facts.nowMs >= atMs) return { fires: "destroy" };
      return { warns: true, againMs: nextExpiryWarningMs(atMs, facts.nowMs) ?? atMs };
    },
    nextMs: expiryRetryMs,
    retryMs: inAnHour,
  },
};

/** The due time of a trigger that was created or changed now; null: an event makes it due. */
export function firstFireMs(
  { kind, enabled, condition }: Pick<Trigger, "kind" | "enabled" | "condition">,
  nowMs: number,
): number | null {
  return enabled ? kinds[kind].firstMs(condition, nowMs) : null;
}

/** The decision about a due trigger. */
export function decide(trigger: DecidedTrigger, facts: TriggerFacts): TriggerDecision {
  return kinds[trigger.kind].decide(trigger, facts);
}

/** The columns of a trigger that did not fire. A retry for the same change keeps the length of its chain. */
export function suppressed(
  { hops }: Pick<Trigger, "hops">,
  { reason, againMs }: { reason: string; againMs: number | null },
): Pick<Trigger, "nextFireAtMs" | "suppressedReason" | "hops"> {
  return {
    nextFireAtMs: againMs,
    suppressedReason: reason,
    hops: againMs === null ? null : hops,
  };
}

export function nextFireMs(
  { kind, condition }: Pick<Trigger, "kind" | "condition">,
  nowMs: number,
): number | null {
  return kinds[kind].nextMs(condition, nowMs);
}

export function retryMs(
  { kind, condition }: Pick<Trigger, "kind" | "condition">,
  nowMs: number,
  code: ErrorCode,
): number | null {
  return kinds[kind].retryMs(condition, nowMs, code);
}

/**
 * The next firing time to show, if known. It is not always the due time: an expiry is due earlier for warnings and
 * later for retries, and a drift trigger is due between two checks to act on the result.
 */
export function shownFireMs(
  trigger: Pick<
    Trigger,
    "kind" | "condition" | "nextFireAtMs" | "lastFiredAtMs" | "suppressedReason"
  >,
): number | null {
  const { kind, condition, nextFireAtMs, suppressedReason } = trigger;
  if (nextFireAtMs === null) return null;
  if (kind === "drift") return nextTimeMs(condition, nextFireAtMs - 1);
  if (kind !== "expiry") return nextFireAtMs;
  if (suppressedReason === null && hasExpired(trigger)) return null;
  return Math.max(nextFireAtMs, expiryOf(condition));
}

function isFollowed(condition: JsonMap, version: number): boolean {
  const { from = 1, to = Infinity } = condition as z.output<typeof VersionCondition>;
  return from <= version && version <= to;
}

/** The next time of a schedule. */
function nextTimeMs(condition: JsonMap, nowMs: number): number | null {
  return nextScheduledMs(condition as z.output<typeof ScheduleCondition>, nowMs);
}

function nextTimeAfterRefusal(condition: JsonMap, nowMs: number, code: ErrorCode): number | null {
  return nextTimeMs(condition, quotaCodes.has(code) ? nowMs + QUOTA_REST_MS : nowMs);
}

/** True: the expiry has fired for the time in its condition. */
function hasExpired({ condition, lastFiredAtMs }: Pick<Trigger, "condition" | "lastFiredAtMs">) {
  return lastFiredAtMs !== null && lastFiredAtMs >= expiryOf(condition);
}

/** After an hour, then at growing intervals, finally once a day. */
function expiryRetryMs(condition: JsonMap, nowMs: number): number {
  return nowMs + Math.min(Math.max(nowMs - expiryOf(condition), HOUR_MS), 24 * HOUR_MS);
}

const working: ReadonlySet<DeploymentState> = new Set(activeStates);

/** States of a destroy that ended without success and was not stopped by a person: resources may remain. */
const unfinished: ReadonlySet<DeploymentState> = new Set(["FAILED", "EXPIRED", "SUPERSEDED"]);

/** An expiry that has fired: the destroy is repeated until it succeeds or a person decides otherwise. */
function afterExpiry(
  condition: JsonMap,
  { nowMs, instance, deployments }: TriggerFacts,
): TriggerDecision {
  if (instance.state === "DESTROYED") return "nothing";
  const againMs = expiryRetryMs(condition, nowMs);
  const changing = deployments.filter(({ operation }) => !looking.has(operation));
  if (changing.some(({ state }) => working.has(state))) return { rests: true, againMs };
  if (changing.some(({ state }) => state === "AWAITING_APPROVAL"))
    return { reason: "approval", againMs };
  const [last] = changing;
  const failed = last?.operation === "destroy" && unfinished.has(last.state);
  return failed || instance.state === "DESTROY_FAILED" ? { fires: "destroy" } : "nothing";
}

/** Checks at its times; in between, deploys if the last check found drift and `remediate` is on. */
function checkForDrift(
  { condition, lastFiredAtMs, createdAtMs }: DecidedTrigger,
  facts: TriggerFacts,
): TriggerDecision {
  const { nowMs, instance, deployments } = facts;
  const nextMs = nextTimeMs(condition, nowMs);
  if (instance.state === "INITIALIZED") return { reason: "not_deployed_yet", againMs: nextMs };
  if (instance.state === "DESTROYED") return { reason: "instance_destroyed", againMs: nextMs };
  const last = deployments.find(({ operation }) => operation !== "plan");
  const checked = last?.operation === "drift_check" ? last.state : undefined;
  if (checked !== undefined && working.has(checked))
    return { rests: true, againMs: nowMs + MINUTE_MS };
  const busy = notNow(facts, nowMs + MINUTE_MS);
  const dueMs = nextTimeMs(condition, lastFiredAtMs ?? createdAtMs);
  if (dueMs !== null && dueMs <= nowMs) return busy ?? { fires: "drift_check" };
  const { remediate } = condition as z.output<typeof DriftCondition>;
  if (remediate && checked === "SUCCEEDED" && instance.drift === "DRIFTED")
    return busy ?? gone(facts, nextMs) ?? { fires: "deploy" };
  return { rests: true, againMs: nextMs };
}

const notDeployed: TriggerDecision = { reason: "not_deployed_yet", againMs: null };

/** A trigger does not deploy an instance that was destroyed or whose destroy failed: only a person does. */
function gone(
  { instance }: TriggerFacts,
  againMs: number | null = null,
): TriggerDecision | undefined {
  if (instance.state === "DESTROYED") return { reason: "instance_destroyed", againMs };
  return instance.state === "DESTROY_FAILED" ? { reason: "destroy_failed", againMs } : undefined;
}

/** Operations that do not block a trigger. */
const looking: ReadonlySet<DeploymentOperation> = new Set(["plan", "drift_check"]);

/** For triggers that wait: any open deployment suppresses them. */
function notNow(facts: TriggerFacts, againMs: number | null): TriggerDecision | undefined {
  const open = facts.deployments.filter(({ operation }) => !looking.has(operation));
  if (open.some(({ state }) => working.has(state))) return { reason: "instance_busy", againMs };
  return open.some(({ state }) => state === "AWAITING_APPROVAL")
    ? { reason: "approval", againMs }
    : undefined;
}

/**
 * For triggers that queue behind an open deployment: a destroy or a plan that waits for approval suppresses
 * them.
 */
function notBehind({ deployments, nowMs }: TriggerFacts): TriggerDecision | undefined {
  const againMs = nowMs + MINUTE_MS;
  if (deployments.some(({ operation, state }) => operation === "destroy" && working.has(state)))
    return { reason: "instance_busy", againMs };
  return deployments.some(({ state }) => state === "AWAITING_APPROVAL")
    ? { reason: "approval", againMs }
    : undefined;
}

const failing: ReadonlySet<InstanceStatus> = new Set(["FAILED", "DEGRADED"]);

/** The reason why the outputs that an `upstream_output` trigger follows start no deployment; undefined: they do. */
function whyNotRead(condition: JsonMap, facts: TriggerFacts): TriggerDecision | undefined {
  const no = (reason: string): TriggerDecision => ({ reason, againMs: null });
  const { instance, lastReads, upstreams } = facts;
  const { instanceId, outputs } = condition as z.output<typeof UpstreamCondition>;
  const watched = Object.values(facts.reads).filter(
    (read) =>
      (instanceId === undefined || read.instanceId === instanceId) &&
      (outputs === undefined || outputs.includes(read.output)),
  );
  const wait = gone(facts);
  if (wait !== undefined) return wait;
  if (instance.state === "INITIALIZED" || lastReads === undefined) return notDeployed;
  if (watched.length === 0) return no("nothing_bound");
  const states = watched.map((read) => upstreams.find(({ id }) => id === read.instanceId)?.state);
  if (states.some((state) => state === "DESTROYED")) return no("upstream_destroyed");
  const known = Object.values(lastReads);
  const changed = watched.filter(
    (read) =>
      !known.some(
        ({ instanceId, output, hash }) =>
          instanceId === read.instanceId && output === read.output && hash === read.hash,
      ),
  );
  if (changed.length === 0)
    return no(
      states.some((state) => state !== undefined && failing.has(state))
        ? "upstream_failed"
        : "unchanged",
    );
  return changed.some(({ hash }) => hash === null) ? no("output_missing") : undefined;
}
