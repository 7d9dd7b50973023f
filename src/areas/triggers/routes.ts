import type * as z from "zod";
import { storedResponse } from "#http/answer.ts";
import { readBytes } from "#http/body.ts";
import { callOf } from "#http/request-call.ts";
import { plainRoute, route } from "#http/route.ts";
import { timestampOrNull } from "#http/schemas.ts";
import { retryOnConflict } from "#kernel/call/retry-on-conflict.ts";
import type { Trigger } from "#schema/triggers.ts";
import {
  type ShownTriggerView,
  type TriggerView,
  createTriggerEndpoint,
  deleteTriggerEndpoint,
  getTriggerEndpoint,
  listTriggersEndpoint,
  receiveHookEndpoint,
  rotateTriggerEndpoint,
  updateTriggerEndpoint,
} from "./contract.ts";
import { createTrigger } from "./create-trigger.ts";
import { getTrigger, listTriggers } from "./read-triggers.ts";
import { receiveHook } from "./receive-hook.ts";
import { type ShownTrigger, rotateTrigger } from "./rotate-trigger.ts";
import { shownFireMs } from "./trigger-kinds.ts";
import { deleteTrigger, updateTrigger } from "./update-trigger.ts";

/** The maximum body of a call from a webhook sender. */
const MAX_HOOK_BYTES = 1024 * 1024;
const MAX_HOOK_TRIES = 3;

export const triggerRoutes = [
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
    return retryOnConflict(MAX_HOOK_TRIES, async () => {
      const call = await callOf(c, receiveHookEndpoint, () => answer);
      await receiveHook(call, { token: params.token, header, body });
      return storedResponse(answer);
    });
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
