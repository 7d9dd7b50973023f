import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { canBeLeft } from "#areas/deployments/public.ts";
import { currentStanding, requireLicense } from "#areas/license/public.ts";
import { spendQuota } from "#areas/tenants/public.ts";
import { personOf } from "#kernel/access/access.ts";
import { withAuthor } from "#kernel/access/authors.ts";
import { approvalModeOf } from "#kernel/access/safeguards.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { ApiError } from "#kernel/errors.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { type Deployment, type DeploymentInputs, deployments } from "#schema/deployments.ts";
import { type Bindings, type Instance, instances } from "#schema/instances.ts";
import { isFinal } from "#schema/lists/deployment-states.ts";
import { profiles } from "#schema/profiles.ts";
import { templateVersions } from "#schema/templates.ts";
import { bindingWrites, namedIn } from "./binding-store.ts";
import { readsOf } from "./bound-values.ts";
import { contentAuthors } from "./content-authors.ts";
import { type DeploymentRequest, frozenTarget, queueDeployment } from "./queue-deployment.ts";
import { findInstance, findInstanceTarget, findInstanceTenant, ofInstance } from "./store.ts";

/**
 * Rolls back a deployment: starts a new one with the template version and variables of the latest successful
 * one before it. The same commit sets the instance back to them, so that the next deploy does not undo the
 * rollback. Target, approval mode and protection stay as the instance has them now.
 */
export async function rollbackDeployment(
  call: Call,
  id: string,
  request: DeploymentRequest,
): Promise<Deployment> {
  const standing = await currentStanding(call.env, call.now);
  const instanceId = sql`(SELECT ${deployments.instanceId} FROM ${deployments}
    WHERE ${deployments.id} = ${id} AND ${call.inScope(deployments.tenantId)})`;
  const of = { call, id, instanceId };
  const [left, [good], [row], [target], [tenant], [version], upstreams, [profile]] =
    await call.read(
      one(
        call.db
          .select({
            tenantId: deployments.tenantId,
            operation: deployments.operation,
            state: deployments.state,
          })
          .from(deployments)
          .where(sql`${deployments.id} = ${id} AND ${call.inScope(deployments.tenantId)}`),
        "deployment",
      ),
      call.db
        .select({ inputs: deployments.inputs })
        .from(deployments)
        .where(isGood(of))
        .orderBy(desc(deployments.id))
        .limit(1),
      findInstance(call, instanceId),
      findInstanceTarget(call, instanceId),
      findInstanceTenant(call, instanceId),
      call.db
        .select({ number: templateVersions.number, authors: templateVersions.authors })
        .from(templateVersions)
        .where(
          sql`${templateVersions.templateId} = ${ofInstance(call, instanceId, instances.templateId)}
            AND ${templateVersions.number} = ${frozen(of, "$.template.version")}
            AND ${call.inScopeOrPlatform(templateVersions.tenantId)}`,
        ),
      call.db
        .select({ id: instances.id, outputHashes: instances.outputHashes })
        .from(instances)
        .where(
          sql`${call.inScope(instances.tenantId)}
            AND ${instances.tenantId} = ${ofInstance(call, instanceId, instances.tenantId)}
            AND ${instances.id} IN (SELECT json_extract(b.value, '$.instanceId')
              FROM json_each(${frozen(of, "$.given.bindings")}) b)`,
        ),
      call.db
        .select({ id: profiles.id })
        .from(profiles)
        .where(
          sql`${profiles.id} = ${frozen(of, "$.given.profileId")}
            AND ${call.inScopeOrPlatform(profiles.tenantId)}`,
        ),
    );
  if (!canBeLeft(left.operation))
    throw new ApiError(
      "invalid_state",
      `Only a deploy or a rollback can be rolled back; this deployment is a ${left.operation}.`,
    );
  if (!isFinal(left.state))
    throw new ApiError(
      "invalid_state",
      `The deployment is ${left.state}. Wait until it has ended, or cancel it first.`,
    );
  if (row === undefined || tenant === undefined)
    throw new ApiError("invalid_state", "The deployment's instance no longer exists.");
  requireLicense(standing, "rollback");
  const { latestVersion: __, ...before } = row;
  if (before.state === "DESTROYED" || before.state === "DESTROYING")
    throw new ApiError(
      "invalid_state",
      `The instance is ${before.state}. Deploy it instead to create its resources again.`,
    );
  if (target === undefined)
    throw new ApiError("invalid_state", "The instance's target no longer exists.");
  if (good === undefined)
    throw new ApiError(
      "nothing_to_roll_back",
      "No earlier deployment succeeded whose variables are still kept: those of the newest 50 of an instance, for 30 days, and of the last two that succeeded.",
    );
  if (version === undefined)
    throw new ApiError("invalid_state", "The template version to go back to no longer exists.");
  await spendQuota(call, tenant);
  const after: Instance = {
    ...before,
    templateVersion: version.number,
    ...asGiven(good.inputs, upstreams, profile?.id ?? null),
    authors: withAuthor(before.authors, personOf(call.actor), {
      version: before.version + 1,
      since: before.deployed.instance,
    }),
    version: before.version + 1,
    updatedAtMs: call.now,
  };
  const { templateVersion, variables, bindings, profileId, authors, updatedAtMs } = after;
  const resource = { tenantId: before.tenantId, type: "instance", id: before.id };
  const { hops: _, ...frozenThen } = good.inputs;
  const inputs: DeploymentInputs = {
    ...frozenThen,
    // What the outputs are now, not what they were: only a later change is a reason to leave the rollback again.
    reads: readsOf(after, upstreams),
    instance: { name: before.name, protectedFromDestroy: before.protectedFromDestroy },
    tenantSlug: tenant.slug,
    target: frozenTarget(target),
    // Its variables were deployed before.
    authors: contentAuthors({ deployed: before.deployed, version, target }),
    taken: {
      instance: after.version,
      target: target.version,
      profile: good.inputs.taken?.profile ?? null,
    },
    approvalMode: approvalModeOf(before, target),
  };
  const start = {
    instance: before,
    operation: "rollback",
    trigger: "manual",
    inputs,
    request,
  } as const;
  return queueDeployment(call, start, () => [
    call.requireVersion(instances, before),
    call.write(
      before.tenantId,
      call.db
        .update(instances)
        .set({
          templateVersion,
          variables,
          bindings,
          profileId,
          authors,
          version: after.version,
          updatedAtMs,
        })
        .where(and(eq(instances.id, before.id), eq(instances.tenantId, before.tenantId))),
    ),
    ...bindingWrites(call, after, namedIn(bindings)),
    audit("instance.update", resource, { before, after }),
    event(
      "instance.updated",
      { ...resource, sequence: after.version },
      {
        state: after.state,
        changed: ["templateVersion", "variables", "bindings", "profileId"],
        instanceUrl: `/api/v1/instances/${before.id}`,
      },
    ),
  ]);
}

interface Before {
  call: Call;
  /** The deployment to roll back. */
  id: string;
  instanceId: SQL;
}

/**
 * Holds for the deployments that a rollback can return to; it takes the newest. Keep it equal to `canGoBack`
 * in the deployments' store.ts.
 */
function isGood({ call, id, instanceId }: Before): SQL {
  return sql`${deployments.instanceId} = ${instanceId} AND ${call.inScope(deployments.tenantId)}
    AND ${deployments.id} < ${id} AND ${deployments.operation} IN ('deploy', 'rollback')
    AND ${deployments.state} IN ('SUCCEEDED', 'NO_CHANGES') AND ${deployments.outputsError} IS NULL AND pruned = 0`;
}

/** A part of the frozen inputs of the deployment to return to. */
function frozen(of: Before, path: string): SQL {
  return sql`(SELECT json_extract(${deployments.inputs}, ${path}) FROM ${deployments}
    WHERE ${isGood(of)} ORDER BY ${deployments.id} DESC LIMIT 1)`;
}

/**
 * The instance's own settings of that time. A value whose source no longer exists (the profile or the
 * upstream instance) becomes the instance's own variable, so that it is not lost.
 */
function asGiven(
  { variables, given }: DeploymentInputs,
  upstreams: readonly { id: string }[],
  profileId: string | null,
): Partial<Pick<Instance, "variables" | "bindings" | "profileId">> {
  if (given === undefined) return { variables };
  const bindings: Bindings = Object.fromEntries(
    Object.entries(given.bindings).filter(([, { instanceId }]) =>
      upstreams.some((one) => one.id === instanceId),
    ),
  );
  const own = new Set(given.own);
  const kept = Object.entries(variables).filter(([name]) => {
    if (own.has(name)) return true;
    if (Object.hasOwn(given.bindings, name)) return !Object.hasOwn(bindings, name);
    return profileId === null;
  });
  return { variables: Object.fromEntries(kept), bindings, profileId };
}
