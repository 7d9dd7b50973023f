import type * as z from "zod";
import { deploymentView } from "#areas/deployments/public.ts";
import { maskMap } from "#platform/crypto/sealed-map.ts";
import { tenantIdView } from "#platform/ids.ts";
import { route } from "#platform/http/router.ts";
import { timestamp, timestampOrNull } from "#platform/http/schemas.ts";
import {
  createInstanceEndpoint,
  deployInstanceEndpoint,
  destroyInstanceEndpoint,
  getInstanceEndpoint,
  type InstanceView,
  listInstanceResourcesEndpoint,
  listInstancesEndpoint,
  planInstanceEndpoint,
  updateInstanceEndpoint,
} from "./contract.ts";
import { createInstance } from "./create-instance.ts";
import { getInstance, listInstanceResources, listInstances } from "./read-instances.ts";
import { startDeployment } from "./start-deployment.ts";
import type { InstanceRow } from "./store.ts";
import { updateInstance } from "./update-instance.ts";

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
];

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
