import { sql } from "drizzle-orm";
import type * as z from "zod";
import { findInstance, newTrigger } from "#areas/instances/public.ts";
import { requireBytes } from "#areas/tenants/public.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { ApiError } from "#kernel/errors.ts";
import type { JsonMap } from "#platform/json.ts";
import { instances } from "#schema/instances.ts";
import { type Trigger, triggers } from "#schema/triggers.ts";
import type { CreateTriggerBody } from "./contract.ts";
import { newHookSecrets, type ShownTrigger } from "./rotate-trigger.ts";
import { findTemplateOf, findTriggers } from "./store.ts";
import { firstFireMs } from "./trigger-kinds.ts";
import { checkedCondition, requireMayFollow } from "./trigger.ts";

const MAX_TRIGGERS = 20;

export async function createTrigger(
  call: Call,
  instanceId: string,
  body: z.output<typeof CreateTriggerBody>,
): Promise<ShownTrigger> {
  const { kind, enabled } = body;
  const [instance, present, [template]] = await call.read(
    one(findInstance(call, instanceId), "instance"),
    findTriggers(call, instanceId, { limit: MAX_TRIGGERS }),
    findTemplateOf(call, instanceId),
  );
  const condition = checkedCondition(kind, body.condition as JsonMap, call.now);
  requireMayFollow(call.actor, { tenantId: instance.tenantId, condition }, template);
  if (present.length >= MAX_TRIGGERS)
    throw new ApiError(
      "quota_exceeded",
      `An instance can have at most ${MAX_TRIGGERS} triggers. Delete one first.`,
    );
  const made = newTrigger(call, instance, {
    kind,
    enabled,
    condition,
    nextFireAtMs: firstFireMs({ kind, enabled, condition }, call.now),
  });
  const hook = kind === "inbound_webhook" ? await newHookSecrets(call, made) : undefined;
  const trigger: Trigger = { ...made, ...hook?.secrets };
  return call.commit({ ...trigger, ...hook?.shown }, [
    ...(await requireBytes(call, "definitionBytes", trigger.tenantId)),
    call.require(
      "not_found",
      sql`EXISTS (SELECT 1 FROM ${instances} WHERE ${instances.id} = ${instanceId} AND ${instances.tenantId} = ${instance.tenantId})`,
    ),
    // Counts triggers created at the same time too: a request beyond the maximum runs again and gets `quota_exceeded`.
    call.require(
      "conflict",
      sql`(SELECT count(*) FROM ${triggers} WHERE ${triggers.instanceId} = ${instanceId}
        AND ${triggers.tenantId} = ${instance.tenantId}) < ${MAX_TRIGGERS}`,
    ),
    call.write(trigger.tenantId, call.db.insert(triggers).values(trigger)),
    audit(
      "trigger.create",
      { tenantId: trigger.tenantId, type: "trigger", id: trigger.id },
      { after: trigger },
    ),
  ]);
}
