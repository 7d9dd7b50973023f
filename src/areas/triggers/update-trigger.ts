import type * as z from "zod";
import { requireBytes } from "#areas/tenants/public.ts";
import { personOf } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { ApiError } from "#kernel/errors.ts";
import { jsonBytes } from "#platform/json.ts";
import { type Trigger, triggers } from "#schema/triggers.ts";
import type { UpdateTriggerBody } from "./contract.ts";
import { getTrigger } from "./read-triggers.ts";
import { findTemplateOf, findTrigger, removeTrigger, setTrigger } from "./store.ts";
import { firstFireMs } from "./trigger-kinds.ts";
import { checkedCondition, requireMayFollow } from "./trigger.ts";

/** An empty body changes nothing, not even the version. */
export async function updateTrigger(
  call: Call,
  instanceId: string,
  id: string,
  body: z.output<typeof UpdateTriggerBody>,
): Promise<Trigger> {
  const [before, [template]] = await call.read(
    one(findTrigger(call, instanceId, id), "trigger"),
    findTemplateOf(call, instanceId),
  );
  requireOwnTime(before);
  call.expectVersion(before.version);
  if (body.condition === undefined && body.enabled === undefined) return before;
  if (before.kind === "inbound_webhook" && body.condition !== undefined)
    throw new ApiError(
      "invalid_state",
      "The signature of an inbound trigger cannot be changed. Create another trigger.",
    );
  const named = {
    kind: before.kind,
    enabled: body.enabled ?? before.enabled,
    condition:
      body.condition === undefined
        ? before.condition
        : checkedCondition(before.kind, body.condition, call.now),
  };
  const setsUp = body.condition !== undefined || (named.enabled && !before.enabled);
  if (setsUp) requireMayFollow(call.actor, { ...before, ...named }, template);
  const changes = {
    ...named,
    ...(setsUp ? { setByPerson: personOf(call.actor) ?? null } : {}),
    nextFireAtMs: firstFireMs(named, call.now),
    hops: null,
    suppressedReason: null,
  };
  const after = { ...before, ...changes, version: before.version + 1, updatedAtMs: call.now };
  return call.commit(after, [
    call.requireVersion(triggers, before),
    ...(jsonBytes(after.condition) > jsonBytes(before.condition)
      ? await requireBytes(call, "definitionBytes", before.tenantId)
      : []),
    setTrigger(call, before, changes),
    audit("trigger.update", { tenantId: before.tenantId, type: "trigger", id }, { before, after }),
  ]);
}

export async function deleteTrigger(call: Call, instanceId: string, id: string): Promise<void> {
  const before = await getTrigger(call, instanceId, id);
  requireOwnTime(before);
  call.expectVersion(before.version);
  await call.commit(undefined, [
    call.requireVersion(triggers, before),
    removeTrigger(call, before),
    audit("trigger.delete", { tenantId: before.tenantId, type: "trigger", id }, { before }),
  ]);
}

function requireOwnTime({ kind }: Trigger): void {
  if (kind === "expiry")
    throw new ApiError(
      "invalid_state",
      "An expiry trigger follows the instance: change or remove the instance's `expiresAt` instead.",
    );
}
