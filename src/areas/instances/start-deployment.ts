import { sql } from "drizzle-orm";
import type {
  Deployment,
  DeploymentInputs,
  DeploymentOperation,
} from "#areas/deployments/public.ts";
import { deployments } from "#areas/deployments/tables.ts";
import { currentStanding, demandLicense } from "#areas/license/public.ts";
import { inheritedVariables, type Profile } from "#areas/profiles/public.ts";
import { requireMonthlyRoom } from "#areas/tenants/public.ts";
import { audit } from "#platform/audit.ts";
import type { Call, Write } from "#platform/call.ts";
import { maskMap } from "#platform/crypto/sealed-map.ts";
import { ApiError, notFound } from "#platform/errors.ts";
import type { Json, JsonMap } from "#platform/json.ts";
import { event } from "#platform/outbox.ts";
import { ringDeployment } from "#orchestrator/public.ts";
import type { CloudTarget } from "#areas/cloud-targets/public.ts";
import {
  findBoundOutputs,
  findInstance,
  findInstanceProfile,
  findInstanceTarget,
  findInstanceTenant,
  findSecretNames,
} from "./store.ts";
import { type ApprovalMode, type Instance, instances, type TriggerKind } from "./tables.ts";
import { variablesPlace } from "./variables.ts";

/** What started it: somebody, or a trigger, whose own writes are part of the commit. */
export interface StartCause {
  trigger: "manual" | TriggerKind;
  writes?: (deployment: Deployment) => readonly Write[];
}

/**
 * Asks for a run: all it needs is frozen into the deployment, so that what changes from here on belongs to a
 * later one. It is queued, and its runner is rung.
 */
export async function startDeployment(
  call: Call,
  instanceId: string,
  operation: Extract<DeploymentOperation, "deploy" | "plan" | "destroy">,
  cause: StartCause = { trigger: "manual" },
): Promise<Deployment> {
  const standing = await currentStanding(call.env, call.now);
  const [[row], [target], [tenant], [version], bound, [profile]] = await call.read(
    findInstance(call, instanceId),
    findInstanceTarget(call, instanceId),
    findInstanceTenant(call, instanceId),
    findSecretNames(call, instanceId, undefined),
    findBoundOutputs(call, instanceId),
    findInstanceProfile(call, instanceId),
  );
  // The instance of a deleted tenant is gone, though its row is yet to be swept.
  if (row === undefined || tenant === undefined) throw notFound("instance");
  demandLicense(standing, operation);
  const { latestVersion: _, ...instance } = row;
  if (target === undefined)
    throw new ApiError("invalid_state", "The instance's target does not exist any more.");
  if (operation === "destroy" && instance.protectedFromDestroy)
    throw new ApiError(
      "resource_protected",
      "The instance is protected from destroy. Take the protection off first.",
    );
  if (operation !== "destroy" && version === undefined)
    throw new ApiError("invalid_state", "The instance's template version does not exist any more.");
  const inputs: DeploymentInputs = {
    instance: { name: instance.name, protectedFromDestroy: instance.protectedFromDestroy },
    tenantSlug: tenant.slug,
    template:
      operation === "destroy"
        ? null
        : { templateId: instance.templateId, version: instance.templateVersion },
    target: frozenTarget(target),
    variables:
      operation === "destroy"
        ? {}
        : {
            ...(await profileValues(call, instance, profile, version)),
            ...boundValues(instance, bound),
            ...instance.variables,
          },
    approvalMode: approvalModeOf(instance, target),
  };
  const deployment: Deployment = {
    id: call.newId(),
    tenantId: instance.tenantId,
    instanceId: instance.id,
    targetId: target.id,
    operation,
    state: "QUEUED",
    trigger: cause.trigger,
    requestedBy: `${call.actor.kind}:${call.actor.name}`,
    inputs,
    gateTicket: null,
    summary: null,
    planHash: null,
    stateSerial: null,
    error: null,
    timestamps: { QUEUED: call.now },
    projected: 0,
    version: 1,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
  const resource = { tenantId: instance.tenantId, type: "deployment", id: deployment.id };
  return call.commit(deployment, [
    ...(operation === "deploy"
      ? await requireMonthlyRoom(call, "deploymentsPerMonth", instance.tenantId)
      : []),
    call.require(
      "not_found",
      sql`EXISTS (SELECT 1 FROM ${instances} WHERE ${instances.id} = ${instance.id} AND ${instances.tenantId} = ${instance.tenantId})`,
    ),
    ...(cause.writes?.(deployment) ?? []),
    call.db.insert(deployments).values(deployment),
    audit(`instance.${operation}`, resource, {
      after: { ...deployment, inputs: { ...inputs, variables: maskMap(inputs.variables) } },
    }),
    event(
      "deployment.queued",
      { ...resource, sequence: 1 },
      {
        operation,
        state: "QUEUED",
        instanceId: instance.id,
        deploymentUrl: `/api/v1/deployments/${deployment.id}`,
        instanceUrl: `/api/v1/instances/${instance.id}`,
      },
    ),
    ringDeployment({
      deploymentId: deployment.id,
      tenantId: instance.tenantId,
      instanceId: instance.id,
    }),
  ]);
}

function frozenTarget(target: CloudTarget): DeploymentInputs["target"] {
  return {
    id: target.id,
    tenantId: target.tenantId,
    name: target.name,
    provider: target.provider,
    environment: target.environment,
    region: target.defaultRegion,
    config: target.config,
    credentialRef: target.credentialRef,
    maxConcurrentDeployments: target.maxConcurrentDeployments,
  };
}

function approvalModeOf(instance: Instance, target: CloudTarget): ApprovalMode {
  return instance.approvalMode ?? (target.environment === "production" ? "destructive" : "auto");
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

/** What the bindings feed in, by variable. A variable of the instance's own wins. */
function boundValues(
  instance: Instance,
  bound: readonly { id: string; outputs: JsonMap }[],
): JsonMap {
  const values = Object.entries(instance.bindings).map(
    ([name, { instanceId, output }]): [string, Json] => {
      const outputs = bound.find(({ id }) => id === instanceId)?.outputs;
      const value =
        outputs !== undefined && Object.hasOwn(outputs, output) ? outputs[output] : undefined;
      if (value === undefined)
        throw new ApiError(
          "invalid_state",
          `The binding ${name} reads the output ${output} of instance ${instanceId}, which has none yet. Deploy that one first.`,
        );
      if (JSON.stringify(value).includes('"[secret]"'))
        throw new ApiError(
          "invalid_state",
          `The binding ${name} reads the output ${output} of instance ${instanceId}, which is secret: secret outputs cannot be bound.`,
        );
      return [name, value];
    },
  );
  return Object.fromEntries(values);
}
