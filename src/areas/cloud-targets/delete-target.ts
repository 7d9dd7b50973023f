import { sql } from "drizzle-orm";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { requireNoDependents } from "#kernel/call/dependents.ts";
import { one } from "#kernel/call/one.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { cloudTargets } from "#schema/cloud-targets.ts";
import { instances } from "#schema/instances.ts";
import { profiles } from "#schema/profiles.ts";
import { findTarget, findTargetDependents, removeTarget } from "./store.ts";
import { tagged } from "./target-identity.ts";
import { requireOwnTarget } from "./usable-target.ts";

/**
 * The commit checks that no instance or profile refers to the target, including those created at the same
 * time.
 */
export async function deleteTarget(call: Call, id: string): Promise<void> {
  const [before, dependents] = await call.read(
    one(findTarget(call, id), "cloud target"),
    findTargetDependents(call, id),
  );
  requireOwnTarget(call, before);
  call.expectVersion(tagged(before, call.env).version);
  requireNoDependents(
    "cloud target",
    dependents,
    "Delete these, or move the profiles to another target, then repeat the request.",
  );
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
      { name: before.name },
    ),
  ]);
}
