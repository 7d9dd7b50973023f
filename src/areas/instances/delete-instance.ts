import { and, eq, sql } from "drizzle-orm";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { requireNoDependents } from "#kernel/call/dependents.ts";
import { one } from "#kernel/call/one.ts";
import { ApiError } from "#kernel/errors.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { listResources } from "#orchestrator/client/ask-runner.ts";
import { notifyInstanceDeleted } from "#orchestrator/client/notify-runner.ts";
import { deployments, openStatesSql } from "#schema/deployments.ts";
import { instances } from "#schema/instances.ts";
import { findReaders, removeBindings, requireNoReaders } from "./binding-store.ts";
import { removeTriggers } from "./expiry-trigger.ts";
import { withTag } from "./instance-tag.ts";
import { findInstance } from "./store.ts";

/**
 * Deletes the record, never a cloud object. Refused while cloud objects exist or a deployment could create some. If a
 * delete and a deployment are requested at the same time, the first commit wins and the other request fails.
 */
export async function deleteInstance(call: Call, id: string): Promise<void> {
  const [row, readers, open] = await call.read(
    one(findInstance(call, id), "instance"),
    findReaders(call, id),
    findOpenDeployment(call, id),
  );
  const { latestVersion: _, ...before } = row;
  call.expectVersion(withTag(row).version);
  const { tenantId } = before;
  const empty = before.state === "INITIALIZED" || before.state === "DESTROYED";
  if (!empty && (await listResources(call.env, id)).length > 0)
    throw new ApiError(
      "invalid_state",
      "The instance still has cloud objects. Destroy it first: POST /instances/{id}/destroy.",
    );
  requireNoDependents(
    "instance",
    readers,
    "They read its outputs: remove those bindings first, then repeat the request.",
  );
  requireIdle(before.name, open);
  const resource = { tenantId, type: "instance", id };
  await call.commit(undefined, [
    call.requireVersion(instances, before),
    call.require(
      "invalid_state",
      sql`NOT EXISTS (SELECT 1 FROM ${deployments} WHERE ${deployments.instanceId} = ${id}
        AND ${deployments.tenantId} = ${tenantId}
        AND ${deployments.state} IN ${openStatesSql})`,
    ),
    requireNoReaders(call, before),
    removeTriggers(call, before),
    removeBindings(call, before),
    call.write(
      tenantId,
      call.db.delete(instances).where(and(eq(instances.id, id), eq(instances.tenantId, tenantId))),
    ),
    audit("instance.delete", resource, { before }),
    event(
      "instance.deleted",
      { ...resource, sequence: before.version + 1 },
      { state: before.state },
      { name: before.name },
    ),
    notifyInstanceDeleted(before),
  ]);
}

function findOpenDeployment(call: Call, id: string) {
  return call.db
    .select({ id: deployments.id, state: deployments.state })
    .from(deployments)
    .where(
      sql`${deployments.instanceId} = ${id} AND ${call.inScope(deployments.tenantId)} AND ${deployments.state} IN ${openStatesSql}`,
    )
    .limit(1);
}

function requireIdle(name: string, [open]: readonly { id: string; state: string }[]): void {
  if (open === undefined) return;
  const way = open.state === "AWAITING_APPROVAL" ? "discard it" : "wait for it or cancel it";
  throw new ApiError(
    "invalid_state",
    `Deployment ${open.id} of the instance "${name}" is ${open.state}: ${way}, then repeat the request.`,
  );
}
