import { sql } from "drizzle-orm";
import { instances } from "#areas/instances/tables.ts";
import { profiles } from "#areas/profiles/tables.ts";
import { audit } from "#platform/audit.ts";
import type { Call } from "#platform/call.ts";
import { event } from "#platform/outbox.ts";
import { getTarget } from "./read-targets.ts";
import { removeTarget } from "./store.ts";
import { cloudTargets } from "./tables.ts";
import { demandOwnTarget } from "./usable-target.ts";

/** Whether an instance or a profile still points here is asked in the commit: one that is made at the same time counts. */
export async function deleteTarget(call: Call, id: string): Promise<void> {
  const before = await getTarget(call, id);
  demandOwnTarget(call, before);
  call.expectVersion(before.version);
  const resource = { tenantId: before.tenantId, type: "cloud_target", id };
  const { provider, environment } = before;
  await call.commit(undefined, [
    call.requireVersion(cloudTargets, before),
    call.require(
      "in_use",
      sql`NOT EXISTS (SELECT 1 FROM ${instances} WHERE ${instances.targetId} = ${id} AND ${instances.tenantId} IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM ${profiles} WHERE ${profiles.targetId} = ${id} AND ${profiles.tenantId} IS NOT NULL)`,
    ),
    removeTarget(call, before),
    audit("cloud_target.delete", resource, { before }),
    event(
      "target.deleted",
      { ...resource, sequence: before.version + 1 },
      { provider, environment },
    ),
  ]);
}
