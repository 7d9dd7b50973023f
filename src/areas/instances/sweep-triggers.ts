/**
 * Each minute: whatever trigger is due is taken up. That it fired, with what deployment, is written in the
 * commit that starts the deployment, and only if the trigger still is as it was read: two sweeps at once, or a
 * sweep that dies and is repeated, start one deployment. One that cannot fire says why and is due again later;
 * nothing piles up behind a deployment that is open.
 */
import { asc, desc, sql } from "drizzle-orm";
import { deployments, type DeploymentState } from "#areas/deployments/tables.ts";
import type { Bindings } from "#platform/bindings.ts";
import { Call } from "#platform/call.ts";
import { openDb } from "#platform/db/client.ts";
import { ApiError } from "#platform/errors.ts";
import { newId } from "#platform/ids.ts";
import { describeError, log } from "#platform/log.ts";
import { startDeployment } from "./start-deployment.ts";
import { findInstance, type InstanceRow } from "./store.ts";
import { type Trigger, triggers } from "./tables.ts";
import { nextTimeMs } from "./trigger.ts";
import { findFollowedVersion, removeTrigger, setTrigger } from "./trigger-store.ts";
import { updateInstance } from "./update-instance.ts";

const MAX_TRIGGERS = 200;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** So many of an instance's newest deployments are looked at to know whether one is open: they end in order. */
const NEWEST_DEPLOYMENTS = 10;

const openStates: ReadonlySet<DeploymentState> = new Set([
  "QUEUED",
  "PLANNING",
  "AWAITING_APPROVAL",
  "APPLYING",
  "CANCELING",
]);

type Taken =
  | { fires: "deploy" | "destroy" }
  /** `againMs`: when to look again, where the trigger itself does not say. */
  | { reason: string; againMs: number | null }
  | "nothing";

export async function sweepTriggers(env: Bindings, nowMs: number): Promise<void> {
  const due = await openDb(env.DB)
    .select()
    .from(triggers)
    // The first half is, word for word, the condition of the partial index.
    .where(sql`next_fire_at_ms IS NOT NULL AND ${triggers.nextFireAtMs} <= ${nowMs}`)
    .orderBy(asc(triggers.nextFireAtMs))
    .limit(MAX_TRIGGERS);
  for (const trigger of due) {
    try {
      await takeUp(env, trigger, nowMs);
    } catch (error) {
      if (error instanceof ApiError && error.code === "conflict") continue;
      log("error", "A trigger could not be taken up; the next sweep tries again", {
        trigger: trigger.id,
        error: describeError(error),
      });
    }
  }
}

async function takeUp(env: Bindings, trigger: Trigger, nowMs: number): Promise<void> {
  const after: Promise<unknown>[] = [];
  const open = (): Call => systemCall(env, trigger, nowMs, (work) => after.push(work));
  try {
    const call = open();
    const { tenantId, instanceId } = trigger;
    const [[instance], newest, [followed]] = await call.read(
      findInstance(call, instanceId),
      call.db
        .select({ state: deployments.state })
        .from(deployments)
        .where(
          sql`${deployments.instanceId} = ${instanceId} AND ${deployments.tenantId} = ${tenantId}`,
        )
        .orderBy(desc(deployments.id))
        .limit(NEWEST_DEPLOYMENTS),
      findFollowedVersion(call, instanceId, trigger.condition),
    );
    if (instance === undefined) {
      await call.commit(undefined, [removeTrigger(call, trigger)]);
      return;
    }
    const busy = newest.some(({ state }) => openStates.has(state));
    const taken = decide(trigger, instance, busy, followed?.number ?? null, nowMs);
    if (taken === "nothing")
      await put(call, trigger, { nextFireAtMs: null, suppressedReason: null });
    else if ("reason" in taken) await suppress(call, trigger, taken);
    else await fire(open, trigger, instance, taken.fires, followed?.number ?? null);
  } finally {
    await Promise.all(after);
  }
}

/** Whether a due trigger fires, from what is known of the instance. */
export function decide(
  trigger: Pick<Trigger, "kind" | "condition" | "pendingVersion">,
  instance: Pick<InstanceRow, "state" | "templateVersion">,
  busy: boolean,
  followedVersion: number | null,
  nowMs: number,
): Taken {
  const destroyed = instance.state === "DESTROYED";
  if (trigger.kind === "expiry")
    return destroyed ? { reason: "instance_destroyed", againMs: null } : { fires: "destroy" };
  if (trigger.kind === "schedule") {
    const againMs = nextTimeMs(trigger.condition, nowMs);
    if (destroyed) return { reason: "instance_destroyed", againMs };
    return busy ? { reason: "instance_busy", againMs } : { fires: "deploy" };
  }
  if (trigger.pendingVersion === null && (followedVersion ?? 0) <= instance.templateVersion)
    return "nothing";
  if (destroyed) return { reason: "instance_destroyed", againMs: null };
  if (instance.state === "INITIALIZED") return { reason: "not_deployed_yet", againMs: null };
  return busy ? { reason: "instance_busy", againMs: nowMs + MINUTE_MS } : { fires: "deploy" };
}

async function fire(
  open: () => Call,
  trigger: Trigger,
  instance: InstanceRow,
  operation: "deploy" | "destroy",
  followedVersion: number | null,
): Promise<void> {
  let current = trigger;
  try {
    if (trigger.kind === "template_version" && (followedVersion ?? 0) > instance.templateVersion) {
      const call = open();
      const changes = { pendingVersion: followedVersion };
      await updateInstance(call, instance.id, { templateVersion: followedVersion ?? undefined }, [
        call.requireVersion(triggers, trigger),
        setTrigger(call, trigger, changes),
      ]);
      current = { ...trigger, ...changes, version: trigger.version + 1 };
    }
    const call = open();
    await startDeployment(call, instance.id, operation, {
      trigger: trigger.kind,
      writes: (deployment) => [
        call.requireVersion(triggers, current),
        setTrigger(call, current, {
          lastFiredAtMs: call.now,
          lastDeploymentId: deployment.id,
          nextFireAtMs:
            trigger.kind === "schedule" ? nextTimeMs(trigger.condition, call.now) : null,
          pendingVersion: null,
          suppressedReason: null,
        }),
      ],
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === "conflict") throw error;
    const call = open();
    const againMs =
      trigger.kind === "schedule" ? nextTimeMs(trigger.condition, call.now) : call.now + HOUR_MS;
    await suppress(call, current, { reason: error.code, againMs });
  }
}

async function suppress(
  call: Call,
  trigger: Trigger,
  { reason, againMs }: { reason: string; againMs: number | null },
): Promise<void> {
  await put(call, trigger, { nextFireAtMs: againMs, suppressedReason: reason });
}

async function put(call: Call, trigger: Trigger, changes: Partial<Trigger>): Promise<void> {
  await call.commit(undefined, [
    call.requireVersion(triggers, trigger),
    setTrigger(call, trigger, changes),
  ]);
}

function systemCall(
  env: Bindings,
  trigger: Trigger,
  nowMs: number,
  after: (work: Promise<unknown>) => void,
): Call {
  return new Call({
    env,
    db: openDb(env.DB),
    now: nowMs,
    newId,
    requestId: trigger.id,
    caller: { kind: "system", name: "triggers" },
    access: "public",
    after,
  });
}
