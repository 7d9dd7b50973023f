import type * as z from "zod";
import { deploymentView, settleDeployment } from "#areas/deployments/public.ts";
import { ApiError } from "#platform/errors.ts";
import { maskMap } from "#platform/crypto/sealed-map.ts";
import { tenantIdView } from "#platform/ids.ts";
import { readBytes } from "#platform/http/body.ts";
import { callOf, plainRoute, route, storedResponse } from "#platform/http/router.ts";
import { timestamp, timestampOrNull } from "#platform/http/schemas.ts";
import {
  checkDriftEndpoint,
  createInstanceEndpoint,
  deleteInstanceEndpoint,
  deployInstanceEndpoint,
  destroyInstanceEndpoint,
  getInstanceEndpoint,
  getInstanceOutputsEndpoint,
  type InstanceView,
  listInstanceResourcesEndpoint,
  listInstancesEndpoint,
  planInstanceEndpoint,
  updateInstanceEndpoint,
} from "./contract.ts";
import { createInstance } from "./create-instance.ts";
import { createTrigger } from "./create-trigger.ts";
import { deleteInstance } from "./delete-instance.ts";
import { availableVersion, tagged, type TaggedInstance } from "./instance-tag.ts";
import { getInstance, listInstanceResources, listInstances } from "./read-instances.ts";
import { getTrigger, listTriggers } from "./read-triggers.ts";
import { receiveHook } from "./receive-hook.ts";
import { rotateTrigger, type ShownTrigger } from "./rotate-trigger.ts";
import { startDeployment } from "./start-deployment.ts";
import type { InstanceRow } from "./store.ts";
import type { Trigger } from "./tables.ts";
import {
  createTriggerEndpoint,
  deleteTriggerEndpoint,
  getTriggerEndpoint,
  listTriggersEndpoint,
  receiveHookEndpoint,
  rotateTriggerEndpoint,
  type ShownTriggerView,
  type TriggerView,
  updateTriggerEndpoint,
} from "./trigger-contract.ts";
import { shownFireMs } from "./trigger-kinds.ts";
import { updateInstance } from "./update-instance.ts";
import { deleteTrigger, updateTrigger } from "./update-trigger.ts";

/** What a sender of webhooks may send along. */
const MAX_HOOK_BYTES = 1024 * 1024;
const MAX_HOOK_TRIES = 3;

export const instanceRoutes = [
  route(createInstanceEndpoint, (call, { body }) => createInstance(call, body), instanceView),
  route(
    listInstancesEndpoint,
    (call, { query }) => listInstances(call, query, instanceView),
    (page) => page,
  ),
  route(
    getInstanceEndpoint,
    async (call, { params }) => tagged(await getInstance(call, params.id)),
    instanceView,
  ),
  route(
    updateInstanceEndpoint,
    (call, { params, body }) => updateInstance(call, params.id, body),
    instanceView,
  ),
  route(
    deployInstanceEndpoint,
    (call, { params }) => startDeployment(call, params.id, "deploy"),
    deploymentView,
    settleDeployment,
  ),
  route(
    planInstanceEndpoint,
    (call, { params }) => startDeployment(call, params.id, "plan"),
    deploymentView,
    settleDeployment,
  ),
  route(
    destroyInstanceEndpoint,
    (call, { params }) => startDeployment(call, params.id, "destroy"),
    deploymentView,
    settleDeployment,
  ),
  route(
    checkDriftEndpoint,
    (call, { params }) => startDeployment(call, params.id, "drift_check"),
    deploymentView,
    settleDeployment,
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
    shownTriggerView,
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
  route(
    rotateTriggerEndpoint,
    (call, { params }) => rotateTrigger(call, params.id, params.triggerId),
    shownTriggerView,
  ),
  plainRoute(receiveHookEndpoint, async (c, { params }) => {
    const body = await readBytes(c.req.raw, MAX_HOOK_BYTES);
    const accepted = JSON.stringify({ accepted: true });
    const answer = { status: 202, headers: {}, body: accepted };
    const header = (name: string) => c.req.header(name);
    for (let tries = 1; ; tries += 1)
      try {
        const call = await callOf(c, receiveHookEndpoint, () => answer);
        await receiveHook(call, { token: params.token, header, body });
        return storedResponse(answer);
      } catch (error) {
        const lostRace = error instanceof ApiError && error.code === "conflict";
        if (!lostRace || tries === MAX_HOOK_TRIES) throw error;
      }
  }),
];

function shownTriggerView(trigger: ShownTrigger): z.input<typeof ShownTriggerView> {
  const { url, shownSigningKey } = trigger;
  return {
    ...triggerView(trigger),
    ...(url === undefined ? {} : { url }),
    ...(shownSigningKey === undefined ? {} : { signingKey: shownSigningKey }),
  };
}

function triggerView(trigger: Trigger): z.input<typeof TriggerView> {
  return {
    id: trigger.id,
    instanceId: trigger.instanceId,
    kind: trigger.kind,
    enabled: trigger.enabled,
    condition: trigger.condition,
    lastFiredAt: timestampOrNull(trigger.lastFiredAtMs),
    lastDeploymentId: trigger.lastDeploymentId,
    nextFireAt: timestampOrNull(shownFireMs(trigger)),
    suppressedReason: trigger.suppressedReason,
  };
}

function instanceView(row: InstanceRow | TaggedInstance): z.input<typeof InstanceView> {
  return {
    id: row.id,
    tenantId: tenantIdView(row.tenantId),
    name: row.name,
    templateId: row.templateId,
    templateVersion: row.templateVersion,
    availableVersion: availableVersion(row),
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
