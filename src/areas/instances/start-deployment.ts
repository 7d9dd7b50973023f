import { findQueuedTriggered, supersedeQueued } from "#areas/deployments/public.ts";
import { currentStanding, requireLicense } from "#areas/license/public.ts";
import { inheritedVariables } from "#areas/profiles/public.ts";
import { spendQuota } from "#areas/tenants/public.ts";
import { approvalModeOf } from "#kernel/access/safeguards.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { ApiError, notFound } from "#kernel/errors.ts";
import { MAX_MAP_BYTES } from "#kernel/limits/require-fits.ts";
import { jsonBytes, type JsonMap } from "#platform/json.ts";
import type { Authors } from "#schema/authors.ts";
import type { CloudTarget } from "#schema/cloud-targets.ts";
import type { Deployment, DeploymentInputs } from "#schema/deployments.ts";
import type { Instance } from "#schema/instances.ts";
import type { DeploymentOperation } from "#schema/lists/deployment-states.ts";
import type { Profile } from "#schema/profiles.ts";
import type { TriggerKind } from "#schema/triggers.ts";
import { boundValues, readsOf } from "./bound-values.ts";
import { contentAuthors } from "./content-authors.ts";
import { type DeploymentRequest, frozenTarget, queueDeployment } from "./queue-deployment.ts";
import {
  findInstance,
  findInstanceProfile,
  findInstanceTarget,
  findInstanceTenant,
  findSecretNames,
  findUpstreams,
} from "./store.ts";
import { variablesPlace } from "./variables.ts";

/** What started the deployment: a person, or a trigger, whose own writes are part of the commit. */
export interface StartCause {
  trigger: "manual" | TriggerKind;
  /** Only of a trigger: the person who set it up. */
  setByPerson?: string | null;
  /** Only of a person's or key's request. */
  request?: DeploymentRequest;
  /** The number of deployments in this chain of output changes, this one included. */
  hops?: number;
  writes?: (deployment: Deployment) => readonly Write[];
}

/**
 * Queues a deployment and notifies its runner. All inputs are frozen into the deployment; later changes take
 * effect with the next one.
 */
export async function startDeployment(
  call: Call,
  instanceId: string,
  operation: Exclude<DeploymentOperation, "rollback">,
  cause: StartCause = { trigger: "manual" },
): Promise<Deployment> {
  const standing = await currentStanding(call.env, call.now);
  const stands = operation === "destroy" ? operation : "deploy";
  const [row, [target], [tenant], [version], upstreams, [profile], queued] = await call.read(
    one(findInstance(call, instanceId), "instance"),
    findInstanceTarget(call, instanceId),
    findInstanceTenant(call, instanceId),
    findSecretNames(call, instanceId),
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
  const inputs: DeploymentInputs = {
    instance: { name: instance.name, protectedFromDestroy: instance.protectedFromDestroy },
    tenantSlug: tenant.slug,
    template:
      operation === "destroy"
        ? null
        : { templateId: instance.templateId, version: instance.templateVersion },
    target: frozenTarget(target),
    given: {
      own: Object.keys(instance.variables),
      bindings: instance.bindings,
      profileId: instance.profileId,
    },
    variables:
      operation === "destroy" || operation === "drift_check"
        ? {}
        : {
            ...(await profileValues(call, instance, profile, version)),
            ...(await boundValues(call, instance, upstreams, version?.secretNames ?? [])),
            ...instance.variables,
          },
    ...takenOf(operation, { instance, target, profile, version }),
    ...(operation === "deploy" ? { reads: readsOf(instance, upstreams) } : {}),
    ...(cause.hops === undefined ? {} : { hops: cause.hops }),
    approvalMode: approvalModeOf(instance, target),
  };
  requireFits(inputs.variables);
  const { trigger, setByPerson, request, writes } = cause;
  // A queued deployment that a trigger requested is outdated: this one has newer inputs.
  const replaces = trigger !== "manual" && operation === stands;
  const start = {
    instance,
    operation,
    inputs,
    trigger,
    setByPerson: setByPerson ?? null,
    ...(request && { request }),
  };
  return queueDeployment(call, start, (deployment) => [
    ...(writes?.(deployment) ?? []),
    ...(replaces ? supersedeQueued(call, instance, stands, queued) : []),
  ]);
}

/** What the deployment takes, and whose it is. What only looks needs no approval. */
function takenOf(
  operation: DeploymentOperation,
  rows: {
    instance: Instance;
    target: CloudTarget;
    profile: Profile | undefined;
    version: { authors: Authors } | undefined;
  },
): Pick<DeploymentInputs, "taken" | "authors"> {
  const { instance, target, profile } = rows;
  const { deployed } = instance;
  if (operation === "destroy") return { authors: contentAuthors({ deployed, target }) };
  if (operation !== "deploy") return {};
  return {
    taken: {
      instance: instance.version,
      target: target.version,
      profile: profile === undefined ? null : { id: profile.id, version: profile.version },
    },
    authors: contentAuthors({ deployed, ...rows }),
  };
}

/** The variables of the profile; secret ones are sealed for the instance. */
async function profileValues(
  call: Call,
  instance: Instance,
  profile: Profile | undefined,
  version: { configNames: readonly string[]; secretNames: readonly string[] } | undefined,
): Promise<JsonMap> {
  if (profile === undefined || version === undefined) return {};
  return inheritedVariables(call, profile, {
    names: version.configNames,
    secretNames: version.secretNames,
    place: variablesPlace(instance),
  });
}

function requireFits(variables: JsonMap): void {
  if (jsonBytes(variables) > MAX_MAP_BYTES)
    throw new ApiError(
      "invalid_state",
      `The variables, with those of the profile and the bindings, are larger than ${MAX_MAP_BYTES / 1000} KB together. Make them smaller.`,
    );
}
