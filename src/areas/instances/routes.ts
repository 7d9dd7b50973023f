import type * as z from "zod";
import { deploymentView } from "#areas/deployments/public.ts";
import { maskMap } from "#platform/crypto/sealed-map.ts";
import { tenantIdView } from "#platform/ids.ts";
import { route } from "#platform/http/router.ts";
import { timestamp, timestampOrNull } from "#platform/http/schemas.ts";
import {
  createInstanceEndpoint,
  createTriggerEndpoint,
  deleteInstanceEndpoint,
  deleteTriggerEndpoint,
  deployInstanceEndpoint,
  destroyInstanceEndpoint,
  getInstanceEndpoint,
  getInstanceOutputsEndpoint,
  getTriggerEndpoint,
  type InstanceView,
  listInstanceResourcesEndpoint,
  listInstancesEndpoint,
  listTriggersEndpoint,
  planInstanceEndpoint,
  type TriggerView,
  updateInstanceEndpoint,
  updateTriggerEndpoint,
} from "./contract.ts";
import { createInstance } from "./create-instance.ts";
import { createTrigger } from "./create-trigger.ts";
import { deleteInstance } from "./delete-instance.ts";
import { getInstance, listInstanceResources, listInstances } from "./read-instances.ts";
import { getTrigger, listTriggers } from "./read-triggers.ts";
import { startDeployment } from "./start-deployment.ts";
import type { InstanceRow } from "./store.ts";
import type { Trigger } from "./tables.ts";
import { updateInstance } from "./update-instance.ts";
import { deleteTrigger, updateTrigger } from "./update-trigger.ts";

export const instanceRoutes = [
  route(createInstanceEndpoint, (call, { body }) => createInstance(call, body), instanceView),
  route(
    listInstancesEndpoint,
    (call, { query }) => listInstances(call, query, instanceView),
    (page) => page,
  ),
  route(getInstanceEndpoint, (call, { params }) => getInstance(call, params.id), instanceView),
  route(
    updateInstanceEndpoint,
    (call, { params, body }) => updateInstance(call, params.id, body),
    instanceView,
  ),
  route(
    deployInstanceEndpoint,
    (call, { params }) => startDeployment(call, params.id, "deploy"),
    deploymentView,
  ),
  route(
    planInstanceEndpoint,
    (call, { params }) => startDeployment(call, params.id, "plan"),
    deploymentView,
  ),
  route(
    destroyInstanceEndpoint,
    (call, { params }) => startDeployment(call, params.id, "destroy"),
    deploymentView,
  ),
  route(
    listInstanceResourcesEndpoint,
    (call, { params }) => listInstanceResources(call, params.id),
    (page) => page,
  ),
  route(deleteInstanceEndpoint, (call, { params }) => deleteInstance(call, params.id)),
  route(
    getInstanceOutputsEndpoint,
    (call, { params }) => getInstance(call, params.id),
    ({ id, stateSerial, outputs }) => ({ instanceId: id, stateSerial, outputs }),
  ),
  route(
    listTriggersEndpoint,
    (call, { params, query }) => listTriggers(call, params.id, query, triggerView),
    (page) => page,
  ),
  route(
    createTriggerEndpoint,
    (call, { params, body }) => createTrigger(call, params.id, body),
    triggerView,
  ),
  route(
    getTriggerEndpoint,
    (call, { params }) => getTrigger(call, params.id, params.triggerId),
    triggerView,
  ),
  route(
    updateTriggerEndpoint,
    (call, { params, body }) => updateTrigger(call, params.id, params.triggerId, body),
    triggerView,
  ),
  route(deleteTriggerEndpoint, (call, { params }) =>
    deleteTrigger(call, params.id, params.triggerId),
  ),
];

function triggerView(trigger: Trigger): z.input<typeof TriggerView> {
  return {
    id: trigger.id,
    instanceId: trigger.instanceId,
    kind: trigger.kind,
    enabled: trigger.enabled,
    condition: trigger.condition,
    lastFiredAt: timestampOrNull(trigger.lastFiredAtMs),
    lastDeploymentId: trigger.lastDeploymentId,
    nextFireAt: timestampOrNull(trigger.nextFireAtMs),
    suppressedReason: trigger.suppressedReason,
  };
}

function instanceView(row: InstanceRow): z.input<typeof InstanceView> {
  const { latestVersion } = row;
  return {
    id: row.id,
    tenantId: tenantIdView(row.tenantId),
    name: row.name,
    templateId: row.templateId,
    templateVersion: row.templateVersion,
    availableVersion:
      latestVersion !== null && latestVersion > row.templateVersion ? latestVersion : null,
    targetId: row.targetId,
    profileId: row.profileId,
    variables: maskMap(row.variables),
    bindings: row.bindings,
    approvalMode: row.approvalMode,
    protectedFromDestroy: row.protectedFromDestroy,
    expiresAt: timestampOrNull(row.expiresAtMs),
    state: row.state,
    drift: row.drift,
    outputs: row.outputs,
    stateSerial: row.stateSerial,
    lastDeploymentId: row.lastDeploymentId,
    createdAt: timestamp(row.createdAtMs),
    updatedAt: timestamp(row.updatedAtMs),
  };
}
