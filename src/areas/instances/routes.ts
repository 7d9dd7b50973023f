import type * as z from "zod";
import { deploymentView, awaitDeployment } from "#areas/deployments/public.ts";
import { route } from "#http/route.ts";
import { timestampOrNull } from "#http/schemas.ts";
import { maskMap } from "#platform/crypto/sealed-map.ts";
import { tenantIdView } from "#platform/ids.ts";
import { timestamp } from "#platform/timestamp.ts";
import {
  checkDriftEndpoint,
  createInstanceEndpoint,
  deleteInstanceEndpoint,
  deployInstanceEndpoint,
  destroyInstanceEndpoint,
  getDeploymentEndpoint,
  getInstanceEndpoint,
  getInstanceOutputsEndpoint,
  type InstanceSummary,
  type InstanceView,
  listInstanceResourcesEndpoint,
  listInstancesEndpoint,
  planInstanceEndpoint,
  reconcileInstanceEndpoint,
  updateInstanceEndpoint,
  rollbackDeploymentEndpoint,
} from "./contract.ts";
import { createInstance } from "./create-instance.ts";
import { deleteInstance } from "./delete-instance.ts";
import { getDeployment } from "./get-deployment.ts";
import type { Included } from "./include.ts";
import { availableVersion, type TaggedInstance } from "./instance-tag.ts";
import type { DeploymentRequest } from "./queue-deployment.ts";
import {
  getInstance,
  getInstanceWith,
  listInstanceResources,
  listInstances,
} from "./read-instances.ts";
import { reconcileInstance } from "./reconcile-instance.ts";
import { rollbackDeployment } from "./rollback-deployment.ts";
import { type StartCause, startDeployment } from "./start-deployment.ts";
import type { InstanceRow, ListedInstance } from "./store.ts";
import { updateInstance } from "./update-instance.ts";

export const instanceRoutes = [
  route(createInstanceEndpoint, (call, { body }) => createInstance(call, body), instanceView),
  route(
    listInstancesEndpoint,
    (call, { query }) => listInstances(call, query, listedView),
    (page) => page,
  ),
  route(
    getInstanceEndpoint,
    (call, { params, query }) => getInstanceWith(call, params.id, query.include),
    instanceView,
  ),
  route(
    updateInstanceEndpoint,
    (call, { params, body }) => updateInstance(call, params.id, body),
    instanceView,
  ),
  route(
    deployInstanceEndpoint,
    (call, { params, body }) => startDeployment(call, params.id, "deploy", byCaller(body)),
    deploymentView,
    awaitDeployment,
  ),
  route(
    planInstanceEndpoint,
    (call, { params, body }) => startDeployment(call, params.id, "plan", byCaller(body)),
    deploymentView,
    awaitDeployment,
  ),
  route(
    destroyInstanceEndpoint,
    (call, { params, body }) => startDeployment(call, params.id, "destroy", byCaller(body)),
    deploymentView,
    awaitDeployment,
  ),
  route(
    checkDriftEndpoint,
    (call, { params, body }) => startDeployment(call, params.id, "drift_check", byCaller(body)),
    deploymentView,
    awaitDeployment,
  ),
  route(
    listInstanceResourcesEndpoint,
    (call, { params }) => listInstanceResources(call, params.id),
    (page) => page,
  ),
  route(
    reconcileInstanceEndpoint,
    (call, { params, query: { dryRun = false } }) => reconcileInstance(call, params.id, { dryRun }),
    (reconciled) => reconciled,
  ),
  route(deleteInstanceEndpoint, (call, { params }) => deleteInstance(call, params.id)),
  route(
    getInstanceOutputsEndpoint,
    (call, { params }) => getInstance(call, params.id),
    ({ id, stateSerial, outputs, outputsStaleSinceMs }) => ({
      instanceId: id,
      stateSerial,
      outputs,
      outputsStaleSince: timestampOrNull(outputsStaleSinceMs),
    }),
  ),
  route(
    getDeploymentEndpoint,
    (call, { params, query }) => getDeployment(call, params.id, query.include),
    ({ deployment, instance }, call) => ({
      ...deploymentView(deployment, call),
      ...(instance === undefined
        ? {}
        : { instance: instance === null ? null : instanceView(instance) }),
    }),
  ),
  route(
    rollbackDeploymentEndpoint,
    (call, { params, body }) => rollbackDeployment(call, params.id, body),
    deploymentView,
    awaitDeployment,
  ),
];

function byCaller(request: DeploymentRequest): StartCause {
  return { trigger: "manual", request };
}

function instanceView(
  row: (InstanceRow | TaggedInstance) & { included?: Included },
): z.input<typeof InstanceView> {
  return {
    ...sharedView(row),
    variables: maskMap(row.variables),
    outputs: row.outputs,
  };
}

function listedView(
  row: ListedInstance & { included?: Included },
): z.input<typeof InstanceSummary> {
  return { ...sharedView(row), outputNames: [...row.outputNames] };
}

/** What lists and single instances show alike. */
function sharedView(
  row: Omit<ListedInstance | TaggedInstance, "outputNames"> & { included?: Included },
): Omit<z.input<typeof InstanceSummary>, "outputNames"> {
  return {
    id: row.id,
    tenantId: tenantIdView(row.tenantId),
    name: row.name,
    labels: row.labels,
    templateId: row.templateId,
    templateVersion: row.templateVersion,
    availableVersion: availableVersion(row),
    targetId: row.targetId,
    profileId: row.profileId,
    bindings: row.bindings,
    approvalMode: row.approvalMode,
    protectedFromDestroy: row.protectedFromDestroy,
    expiresAt: timestampOrNull(row.expiresAtMs),
    state: row.state,
    drift: row.drift,
    outputsStaleSince: timestampOrNull(row.outputsStaleSinceMs),
    stateSerial: row.stateSerial,
    lastDeploymentId: row.lastDeploymentId,
    ...row.included,
    createdAt: timestamp(row.createdAtMs),
    updatedAt: timestamp(row.updatedAtMs),
  };
}
