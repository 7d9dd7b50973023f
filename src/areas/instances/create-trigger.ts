import { sql } from "drizzle-orm";
import type * as z from "zod";
import { audit } from "#platform/audit.ts";
import type { Call } from "#platform/call.ts";
import { ApiError, notFound } from "#platform/errors.ts";
import type { JsonMap } from "#platform/json.ts";
import type { CreateTriggerBody } from "./contract.ts";
import { findInstance } from "./store.ts";
import { instances, type Trigger, triggers } from "./tables.ts";
import { checkedCondition, firstFireMs } from "./trigger.ts";
import { findTriggers } from "./trigger-store.ts";

const MAX_TRIGGERS = 20;

export async function createTrigger(
  call: Call,
  instanceId: string,
  body: z.output<typeof CreateTriggerBody>,
): Promise<Trigger> {
  const { kind, enabled } = body;
  const [[instance], present] = await call.read(
    findInstance(call, instanceId),
    findTriggers(call, instanceId, { limit: MAX_TRIGGERS }),
  );
  if (instance === undefined) throw notFound("instance");
  const condition = checkedCondition(kind, body.condition as JsonMap, call.now);
  if (present.length >= MAX_TRIGGERS)
    throw new ApiError(
      "quota_exceeded",
      `An instance has at most ${MAX_TRIGGERS} triggers. Remove one first.`,
    );
  const trigger: Trigger = {
    id: call.newId(),
    tenantId: instance.tenantId,
    instanceId,
    kind,
    enabled,
    condition,
    templateId: kind === "template_version" ? instance.templateId : null,
    pendingVersion: null,
    lastFiredAtMs: null,
    lastDeploymentId: null,
    nextFireAtMs: firstFireMs({ kind, enabled, condition }, call.now),
    suppressedReason: null,
    version: 1,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
  return call.commit(trigger, [
    call.require(
      "not_found",
      sql`EXISTS (SELECT 1 FROM ${instances} WHERE ${instances.id} = ${instanceId} AND ${instances.tenantId} = ${instance.tenantId})`,
    ),
    call.db.insert(triggers).values(trigger),
    audit(
      "trigger.create",
      { tenantId: trigger.tenantId, type: "trigger", id: trigger.id },
      { after: trigger },
    ),
  ]);
}
