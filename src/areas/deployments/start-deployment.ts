import { findQueuedTriggered } from "#areas/deployment-records/public.ts";
import {
  findInstance,
  findInstanceProfile,
  findInstanceTarget,
  findInstanceTenant,
  findVersionNames,
  findUpstreams,
} from "#areas/instances/public.ts";
import { currentStanding, requireLicense } from "#areas/license/public.ts";
import { spendQuota } from "#areas/tenants/public.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { ApiError, notFound } from "#kernel/errors.ts";
import type { Deployment } from "#schema/deployments.ts";
import type { DeploymentOperation } from "#schema/lists/deployment-states.ts";
import type { TriggerKind } from "#schema/triggers.ts";
import { freezeInputs } from "./freeze-inputs.ts";
import { type DeploymentRequest, queueDeployment } from "./queue-deployment.ts";
import { supersedeQueued } from "./supersede-queued.ts";

/** The cause of a deployment: a person, or a trigger, whose own writes are part of the commit. */
interface StartCause {
  trigger: "manual" | TriggerKind;
  /** The person who set up the trigger. */
  setByPerson?: string | null;
  /** The request of a person or key. */
  request?: DeploymentRequest;
  /** The number of deployments in this chain of output changes, this one included. */
  hops?: number;
  writes?: (deployment: Deployment) => readonly Write[];
}

/** Queues a deployment with all its inputs frozen, and notifies its runner. */
export async function startDeployment(
  call: Call,
  instanceId: string,
  operation: Exclude<DeploymentOperation, "rollback">,
  { trigger, setByPerson = null, request = {}, hops, writes }: StartCause = { trigger: "manual" },
): Promise<Deployment> {
  const standing = await currentStanding(call.env, call.now);
  const stands = operation === "destroy" ? operation : "deploy";
  const [row, [target], [tenant], [version], upstreams, [profile], queued] = await call.read(
    one(findInstance(call, instanceId), "instance"),
    findInstanceTarget(call, instanceId),
    findInstanceTenant(call, instanceId),
    findVersionNames(call, instanceId),
    findUpstreams(call, instanceId),
    findInstanceProfile(call, instanceId),
    findQueuedTriggered(call, instanceId, stands),
  );
  // An instance of a deleted tenant counts as deleted, although its row remains until the sweep.
  if (tenant === undefined) throw notFound("instance");
  requireLicense(standing, operation);
  const { latestVersion: _, ...instance } = row;
  if (target === undefined)
    throw new ApiError("invalid_state", "The instance's target no longer exists.");
  if (operation === "destroy" && instance.protectedFromDestroy)
    throw new ApiError(
      "resource_protected",
      "The instance is protected from destroy. Set `protectedFromDestroy` to false first.",
    );
  if ((operation === "deploy" || operation === "plan") && version === undefined)
    throw new ApiError("invalid_state", "The instance's template version no longer exists.");
  await spendQuota(call, tenant);
  const taken = { instance, target, tenant, version, upstreams, profile };
  const inputs = {
    ...(await freezeInputs(call, operation, taken)),
    ...(hops === undefined ? {} : { hops }),
  };
  // A queued deployment that a trigger requested is outdated: this one has newer inputs.
  const replaces = trigger !== "manual" && operation === stands;
  return queueDeployment(
    call,
    { instance, operation, inputs, trigger, setByPerson, request },
    (deployment) => [
      ...(writes?.(deployment) ?? []),
      ...(replaces ? supersedeQueued(call, instance, stands, queued) : []),
    ],
  );
}
