import { sql } from "drizzle-orm";
import { requireBytes, enforceMonthlyPlanLimit } from "#areas/tenants/public.ts";
import { actorText, displayNameOf, personOf } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { pruneOlder } from "#kernel/limits/kept-deployments.ts";
import { deploymentEventData } from "#kernel/outbox/deployment-event.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { notifyDeployment } from "#orchestrator/client/notify-runner.ts";
import { maskMap } from "#platform/crypto/sealed-map.ts";
import { type Deployment, type DeploymentInputs, deployments } from "#schema/deployments.ts";
import { type Instance, instances } from "#schema/instances.ts";
import type { Labels } from "#schema/labels.ts";
import type { DeploymentOperation } from "#schema/lists/deployment-states.ts";

/** What a caller says about a deployment. */
export interface DeploymentRequest {
  message?: string | undefined;
  labels?: Labels | undefined;
}

/** The operations that count against the tenant's monthly limit. */
const counted: ReadonlySet<DeploymentOperation> = new Set(["deploy", "rollback"]);

/**
 * Commits a deployment with all its inputs frozen and notifies its runner. `more`: further writes of the
 * commit.
 */
export async function queueDeployment(
  call: Call,
  start: {
    instance: Pick<Instance, "id" | "tenantId" | "state">;
    operation: DeploymentOperation;
    inputs: DeploymentInputs;
    trigger: string;
    /** The person who set up the trigger that starts it. */
    setByPerson?: string | null;
    request?: DeploymentRequest;
  },
  more: (deployment: Deployment) => readonly Write[] = () => [],
): Promise<Deployment> {
  const { instance, operation, trigger, request = {} } = start;
  // Inputs of an earlier deployment contain the trace of an earlier request.
  const { trace: _, ...given } = start.inputs;
  const trace = call.traceFor(instance.tenantId);
  const inputs = { ...given, ...(trace === undefined ? {} : { trace }) };
  const deployment: Deployment = {
    id: call.newId(),
    tenantId: instance.tenantId,
    instanceId: instance.id,
    targetId: inputs.target.id,
    operation,
    state: "QUEUED",
    trigger,
    requestedBy: actorText(call.actor),
    requestedByPerson: personOf(call.actor) ?? start.setByPerson ?? null,
    requestedByName: displayNameOf(call.actor),
    message: request.message ?? null,
    labels: request.labels ?? {},
    templateVersion: inputs.template?.version ?? null,
    inputs,
    gateTicket: null,
    summary: null,
    planHash: null,
    stateSerial: null,
    error: null,
    outputsError: null,
    decisions: [],
    timestamps: { QUEUED: call.now },
    awaitsRunner: false,
    pruned: false,
    projected: 0,
    version: 1,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
  const resource = { tenantId: instance.tenantId, type: "deployment", id: deployment.id };
  return call.commit(deployment, [
    ...(isPlainDestroy(start)
      ? []
      : await requireBytes(call, "deploymentBytes", instance.tenantId)),
    ...(counted.has(operation)
      ? await enforceMonthlyPlanLimit(call, "deploymentsPerMonth", instance.tenantId)
      : []),
    call.require(
      "not_found",
      sql`EXISTS (SELECT 1 FROM ${instances} WHERE ${instances.id} = ${instance.id} AND ${instances.tenantId} = ${instance.tenantId})`,
    ),
    ...more(deployment),
    call.write(deployment.tenantId, call.db.insert(deployments).values(deployment)),
    ...pruneOlder(call.db, instance, call.now).map((statement) =>
      call.write(deployment.tenantId, statement),
    ),
    audit(`instance.${operation}`, resource, {
      after: { ...deployment, inputs: { ...inputs, variables: maskMap(inputs.variables) } },
    }),
    event(
      "deployment.queued",
      { ...resource, sequence: 1 },
      deploymentEventData(deployment, { to: "QUEUED" }),
    ),
    notifyDeployment({
      deploymentId: deployment.id,
      tenantId: instance.tenantId,
      instanceId: instance.id,
    }),
  ]);
}

/**
 * A destroy of existing objects without a message and labels. The limit of stored bytes must not prevent it. A message
 * and labels are kept forever, so with them the limit applies.
 */
function isPlainDestroy({
  instance: { state },
  operation,
  request: { message = "", labels = {} } = {},
}: Pick<Parameters<typeof queueDeployment>[1], "instance" | "operation" | "request">): boolean {
  const isThere = state !== "INITIALIZED" && state !== "DESTROYED";
  return operation === "destroy" && isThere && message === "" && Object.keys(labels).length === 0;
}
