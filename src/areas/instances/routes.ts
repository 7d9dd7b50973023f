import { route } from "#http/route.ts";
import { timestampOrNull } from "#http/schemas.ts";
import {
  createInstanceEndpoint,
  deleteInstanceEndpoint,
  getInstanceEndpoint,
  getInstanceOutputsEndpoint,
  listInstanceResourcesEndpoint,
  listInstancesEndpoint,
  reconcileInstanceEndpoint,
  updateInstanceEndpoint,
} from "./contract.ts";
import { createInstance } from "./create-instance.ts";
import { deleteInstance } from "./delete-instance.ts";
import {
  getInstance,
  getInstanceWith,
  listInstanceResources,
  listInstances,
} from "./read-instances.ts";
import { reconcileInstance } from "./reconcile-instance.ts";
import { updateInstance } from "./update-instance.ts";
import { instanceView, listedView } from "./view.ts";

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
];
