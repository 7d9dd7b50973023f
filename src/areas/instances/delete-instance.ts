import { and, eq, sql } from "drizzle-orm";
import { deployments } from "#areas/deployments/tables.ts";
import { listResources } from "#orchestrator/public.ts";
import { audit } from "#platform/audit.ts";
import type { Call } from "#platform/call.ts";
import { ApiError } from "#platform/errors.ts";
import { event } from "#platform/outbox.ts";
import { getInstance } from "./read-instances.ts";
import { instances } from "./tables.ts";
import { removeTriggers } from "./trigger-store.ts";

/**
 * Takes the record away, never a cloud object: while there is one, or may come one, it is refused. A deployment
 * that is asked for at the same time either stands first, and this fails, or finds no instance.
 */
export async function deleteInstance(call: Call, id: string): Promise<void> {
  const { latestVersion: _, ...before } = await getInstance(call, id);
  call.expectVersion(before.version);
  const { tenantId } = before;
  const empty = before.state === "INITIALIZED" || before.state === "DESTROYED";
  if (!empty && (await listResources(call.env, id)).length > 0)
    throw new ApiError(
      "invalid_state",
      "The instance still has cloud objects. Destroy it first: POST /instances/{id}/destroy.",
    );
  const resource = { tenantId, type: "instance", id };
  await call.commit(undefined, [
    call.requireVersion(instances, before),
    call.require(
      "invalid_state",
      sql`NOT EXISTS (SELECT 1 FROM ${deployments} WHERE ${deployments.instanceId} = ${id}
        AND ${deployments.tenantId} = ${tenantId}
        AND ${deployments.state} IN ('QUEUED', 'PLANNING', 'AWAITING_APPROVAL', 'APPLYING', 'CANCELING'))`,
    ),
    removeTriggers(call, before),
    call.db.delete(instances).where(and(eq(instances.id, id), eq(instances.tenantId, tenantId))),
    audit("instance.delete", resource, { before }),
    event(
      "instance.deleted",
      { ...resource, sequence: before.version + 1 },
      { state: before.state },
    ),
  ]);
}
