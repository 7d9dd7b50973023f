import { findQueuedTriggered, supersedeQueued } from "#areas/deployments/public.ts";
import { currentStanding, requireLicense } from "#areas/license/public.ts";
import { inheritedVariables } from "#areas/profiles/public.ts";
import { spendQuota } from "#areas/tenants/public.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { ApiError, notFound } from "#kernel/errors.ts";
import { jsonBytes, type JsonMap } from "#platform/json.ts";
import type { DeploymentOperation } from "#schema/deployment-states.ts";
import type { Deployment, DeploymentInputs } from "#schema/deployments.ts";
import type { Instance } from "#schema/instances.ts";
import type { Profile } from "#schema/profiles.ts";
import type { TriggerKind } from "#schema/triggers.ts";
import { boundValues, readsOf } from "./bound-values.ts";
import { approvalModeOf, frozenTarget, queueDeployment } from "./queue-deployment.ts";
import {
  findInstance,
  findInstanceProfile,
  findInstanceTarget,
  findInstanceTenant,
  findSecretNames,
  findUpstreams,
} from "./store.ts";
import { variablesPlace } from "./variables.ts";

/** They share a row with the template's source and the plan. */
const MAX_VARIABLES_BYTES = 300_000;

/** What started it: somebody, or a trigger, whose own writes are part of the commit. */
export interface StartCause {
  trigger: "manual" | TriggerKind;
  /** By how many starts of one another's outputs, this one counted. */
  hops?: number;
  writes?: (deployment: Deployment) => readonly Write[];
}

/**
 * Asks for a run: all it needs is frozen into the deployment, so that what changes from here on belongs to a
 * later one. It is queued, and its runner is rung.
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
    findSecretNames(call, instanceId, undefined),
    findUpstreams(call, instanceId),
    findInstanceProfile(call, instanceId),
    findQueuedTriggered(call, instanceId, stands),
  );
  // The instance of a deleted tenant is gone, though its row is yet to be swept.
  if (tenant === undefined) throw notFound("instance");
  requireLicense(standing, operation);
  const { latestVersion: _, ...instance } = row;
  if (target === undefined)
    throw new ApiError("invalid_state", "The instance's target does not exist any more.");
  if (operation === "destroy" && instance.protectedFromDestroy)
    throw new ApiError(
      "resource_protected",
      "The instance is protected from destroy. Take the protection off first.",
    );
  if ((operation === "deploy" || operation === "plan") && version === undefined)
    throw new ApiError("invalid_state", "The instance's template version does not exist any more.");
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
    ...(operation === "deploy" ? { reads: readsOf(instance, upstreams) } : {}),
    ...(cause.hops === undefined ? {} : { hops: cause.hops }),
    approvalMode: approvalModeOf(instance, target),
  };
  requireFits(inputs.variables);
  const { trigger, writes } = cause;
  // What a trigger asked for and has not begun is stale: this one knows better.
  const replaces = trigger !== "manual" && operation === stands;
  return queueDeployment(call, { instance, operation, inputs, trigger }, (deployment) => [
    ...(writes?.(deployment) ?? []),
    ...(replaces ? supersedeQueued(call, instance, stands, queued) : []),
  ]);
}

/** What the profile gives, sealed for the instance where it is secret. */
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
  if (jsonBytes(variables) > MAX_VARIABLES_BYTES)
    throw new ApiError(
      "invalid_state",
      `The variables are larger than ${MAX_VARIABLES_BYTES / 1000} KB together, those of the profile and the bindings counted. Give less of them.`,
    );
}
