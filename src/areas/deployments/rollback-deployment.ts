import { canBeLeft } from "#areas/deployment-records/public.ts";
import {
  findInstance,
  findInstanceTarget,
  findInstanceTenant,
  setBack,
} from "#areas/instances/public.ts";
import { currentStanding, requireLicense } from "#areas/license/public.ts";
import { spendQuota } from "#areas/tenants/public.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { ApiError } from "#kernel/errors.ts";
import type { Deployment, DeploymentInputs } from "#schema/deployments.ts";
import type { Bindings, Instance } from "#schema/instances.ts";
import { isFinal } from "#schema/lists/deployment-states.ts";
import { freezeAgain } from "./freeze-inputs.ts";
import { type DeploymentRequest, queueDeployment } from "./queue-deployment.ts";
import { findLeft, findProfileThen, findUpstreamsThen, findVersionThen } from "./rollback-store.ts";
import { instanceOf } from "./store.ts";

/**
 * Rolls back a deployment: starts a new one with the template version and variables of the latest successful deployment
 * before it. The same commit gives them to the instance, so that the next deploy does not undo the rollback. The
 * instance keeps its present target, approval mode and protection.
 */
export async function rollbackDeployment(
  call: Call,
  id: string,
  request: DeploymentRequest,
): Promise<Deployment> {
  const standing = await currentStanding(call.env, call.now);
  const instanceId = instanceOf(call, id);
  const [left, [row], [target], [tenant], [version], upstreams, [profile]] = await call.read(
    one(findLeft(call, id), "deployment"),
    findInstance(call, instanceId),
    findInstanceTarget(call, instanceId),
    findInstanceTenant(call, instanceId),
    findVersionThen(call, id),
    findUpstreamsThen(call, id),
    findProfileThen(call, id),
  );
  requireLeavable(left);
  if (row === undefined || tenant === undefined)
    throw new ApiError("invalid_state", "The deployment's instance no longer exists.");
  requireLicense(standing, "rollback");
  const { latestVersion: _, ...instance } = row;
  if (instance.state === "DESTROYED" || instance.state === "DESTROYING")
    throw new ApiError(
      "invalid_state",
      `The instance is ${instance.state}. Deploy it instead to create its resources again.`,
    );
  if (target === undefined)
    throw new ApiError("invalid_state", "The instance's target no longer exists.");
  const { good } = left;
  if (good === null)
    throw new ApiError(
      "nothing_to_roll_back",
      "No earlier deployment succeeded whose variables are still kept: those of the newest 50 of an instance, for 30 days, and of the last two that succeeded.",
    );
  if (version === undefined)
    throw new ApiError("invalid_state", "The template version to go back to no longer exists.");
  await spendQuota(call, tenant);
  const { after, writes } = setBack(call, instance, {
    templateVersion: version.number,
    ...settingsThen(good, upstreams, profile?.id ?? null),
  });
  const inputs = freezeAgain(good, { instance, after, target, tenant, version, upstreams });
  const start = { instance, operation: "rollback", trigger: "manual", inputs, request } as const;
  return queueDeployment(call, start, () => writes);
}

function requireLeavable({ operation, state }: Pick<Deployment, "operation" | "state">): void {
  if (!canBeLeft(operation))
    throw new ApiError(
      "invalid_state",
      `Only a deploy or a rollback can be rolled back; this deployment is a ${operation}.`,
    );
  if (!isFinal(state))
    throw new ApiError(
      "invalid_state",
      `The deployment is ${state}. Wait until it has ended, or cancel it first.`,
    );
}

/**
 * The instance's own settings of that time. If a value came from a profile or an upstream instance that no longer
 * exists, the value becomes the instance's own variable.
 */
function settingsThen(
  { variables, given }: DeploymentInputs,
  upstreams: readonly { id: string }[],
  profileId: string | null,
): Pick<Instance, "variables" | "bindings" | "profileId"> {
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
