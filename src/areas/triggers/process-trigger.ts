/**
 * Processes one due trigger. The commit that starts the deployment also records the firing, under the trigger's
 * version: one deployment starts, however many consumers process the trigger at once or crash. A trigger that does not
 * fire records the reason, and is due again when the reason may have ended.
 */
import { startDeployment } from "#areas/deployments/public.ts";
import {
  findInstance,
  findUpstreams,
  type InstanceRow,
  type Reads,
  readsOf,
  updateInstance,
} from "#areas/instances/public.ts";
import { takeReleases } from "#areas/templates/public.ts";
import type { Bindings } from "#kernel/bindings.ts";
import type { Call } from "#kernel/call/call.ts";
import { isConflict, retryOnConflict } from "#kernel/call/retry-on-conflict.ts";
import { serviceCall } from "#kernel/call/service-call.ts";
import { ApiError, type ErrorCode } from "#kernel/errors.ts";
import type { TriggerRef } from "#kernel/outbox/notify-triggers.ts";
import type { DeploymentOperation } from "#schema/lists/deployment-states.ts";
import { type Trigger, triggers } from "#schema/triggers.ts";
import {
  findAddableVersion,
  findFollowedVersion,
  findLastReads,
  findNewestDeployments,
  findTrigger,
  removeTrigger,
  setTrigger,
} from "./store.ts";
import {
  decide,
  nextFireMs,
  retryMs,
  suppressed,
  type TriggerDecision,
  type TriggerFacts,
} from "./trigger-kinds.ts";
import { warnOfExpiry } from "./warn-of-expiry.ts";

/** The number of tries when the trigger or the instance changes at the same time; then the sweep tries again. */
const MAX_TRIES = 5;

/** Failures that a repetition ends. */
const passing: ReadonlySet<ErrorCode> = new Set(["conflict", "unavailable"]);

/** Opens a call. `hops`: the length of the chain that made the trigger due. */
type Open = (hops?: number | null) => Call;

export async function processTrigger(env: Bindings, ref: TriggerRef, nowMs: number): Promise<void> {
  const after: Promise<unknown>[] = [];
  const open: Open = (hops) =>
    serviceCall({
      env,
      name: "triggers",
      nowMs,
      requestId: ref.id,
      hops: hops ?? undefined,
      after: (work) => after.push(work),
    });
  try {
    await retryOnConflict(MAX_TRIES, () => processOnce(open, ref));
  } catch (error) {
    // The trigger is still due: the sweep sends it again.
    if (!isConflict(error)) throw error;
  } finally {
    await Promise.all(after);
  }
}

async function processOnce(open: Open, ref: TriggerRef): Promise<void> {
  const call = open();
  const [[trigger], [instance], newest, [followed], [addable], upstreams, [last]] = await call.read(
    findTrigger(call, ref.instanceId, ref.id),
    findInstance(call, ref.instanceId),
    findNewestDeployments(call, ref),
    findFollowedVersion(call, ref),
    findAddableVersion(call, ref),
    findUpstreams(call, ref.instanceId),
    findLastReads(call, ref),
  );
  if (trigger === undefined || trigger.nextFireAtMs === null || trigger.nextFireAtMs > call.now)
    return;
  if (instance === undefined) {
    await call.commitUnaudited(undefined, [removeTrigger(call, trigger)]);
    return;
  }
  const facts: TriggerFacts = {
    nowMs: call.now,
    instance,
    deployments: newest,
    followedVersion: followed?.number ?? null,
    reads: readsOf(instance, upstreams),
    lastReads: last === undefined ? undefined : (JSON.parse(last.reads ?? "{}") as Reads),
    addableVersion: addable?.number ?? null,
    upstreams,
  };
  const taken = decide(trigger, facts);
  if (taken === "nothing") await put(call, trigger, { nextFireAtMs: null, suppressedReason: null });
  else if ("rests" in taken)
    await put(call, trigger, { nextFireAtMs: taken.againMs, suppressedReason: null });
  else if ("warns" in taken) await warnOfExpiry(call, trigger, instance, taken.againMs);
  else if ("reason" in taken) await suppress(call, trigger, taken);
  else if ("adds" in taken) await addVersion(open, trigger, instance, facts);
  else await fire(open, trigger, instance, taken);
}

/**
 * Adds a version with higher releases of the template's components, then follows it. One version is added, however many
 * triggers of the template are due: its commit holds only for the template as read, and wakes them. If the version is
 * refused, the trigger follows the versions that exist.
 */
async function addVersion(
  open: Open,
  trigger: Trigger,
  instance: InstanceRow,
  facts: TriggerFacts,
): Promise<void> {
  const call = open(trigger.hops);
  try {
    await takeReleases(call, instance.templateId, {
      person: trigger.setByPerson,
      guards: [call.requireVersion(triggers, trigger)],
    });
  } catch (error) {
    if (!(error instanceof ApiError) || passing.has(error.code)) throw error;
    const againMs = retryMs(trigger, call.now, error.code);
    const otherwise = decide(trigger, { ...facts, addableVersion: null });
    return typeof otherwise === "object" && "fires" in otherwise
      ? fire(open, trigger, instance, { ...otherwise, againMs })
      : suppress(open(), trigger, { reason: error.code, againMs });
  }
  await processOnce(open, trigger);
}

/** `againMs`: the next due time. Default: the one of the trigger's kind. */
async function fire(
  open: Open,
  trigger: Trigger,
  instance: InstanceRow,
  {
    fires,
    movesTo,
    againMs,
  }: Extract<TriggerDecision, { fires: DeploymentOperation }> & { againMs?: number | null },
): Promise<void> {
  let current = trigger;
  try {
    if (movesTo !== undefined) {
      const call = open(trigger.hops);
      const changes = { pendingVersion: movesTo };
      await updateInstance(
        call,
        instance.id,
        { templateVersion: movesTo },
        {
          setByPerson: trigger.setByPerson,
          more: [call.requireVersion(triggers, trigger), setTrigger(call, trigger, changes)],
        },
      );
      current = { ...trigger, ...changes, version: trigger.version + 1 };
    }
    const call = open(trigger.hops);
    await startDeployment(call, instance.id, fires, {
      trigger: trigger.kind,
      setByPerson: trigger.setByPerson,
      ...(trigger.hops === null ? {} : { hops: trigger.hops }),
      writes: (deployment) => [
        call.requireVersion(triggers, current),
        setTrigger(call, current, {
          lastFiredAtMs: call.now,
          lastDeploymentId: deployment.id,
          nextFireAtMs: againMs ?? nextFireMs(trigger, call.now),
          pendingVersion: null,
          hops: null,
          suppressedReason: null,
        }),
      ],
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === "conflict") throw error;
    const call = open();
    await suppress(call, current, {
      reason: error.code,
      againMs: retryMs(trigger, call.now, error.code),
    });
  }
}

async function suppress(
  call: Call,
  trigger: Trigger,
  why: { reason: string; againMs: number | null },
): Promise<void> {
  await put(call, trigger, suppressed(trigger, why));
}

async function put(call: Call, trigger: Trigger, changes: Partial<Trigger>): Promise<void> {
  await call.commitUnaudited(undefined, [
    call.requireVersion(triggers, trigger),
    setTrigger(call, trigger, changes),
  ]);
}
