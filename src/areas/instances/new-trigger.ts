import { personOf } from "#kernel/access/access.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Instance } from "#schema/instances.ts";
import type { Trigger } from "#schema/triggers.ts";

/** A new trigger. `nextFireAtMs`: when it is due first; null: when an event makes it due. */
export function newTrigger(
  call: Call,
  instance: Pick<Instance, "id" | "tenantId" | "templateId">,
  begins: Pick<Trigger, "kind" | "enabled" | "condition" | "nextFireAtMs">,
): Trigger {
  const { kind } = begins;
  return {
    ...begins,
    id: call.newId(),
    tenantId: instance.tenantId,
    instanceId: instance.id,
    templateId: kind === "template_version" ? instance.templateId : null,
    pendingVersion: null,
    hops: null,
    tokenDigest: null,
    signingSecret: null,
    setByPerson: personOf(call.actor) ?? null,
    lastFiredAtMs: null,
    lastDeploymentId: null,
    suppressedReason: null,
    version: 1,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
}
