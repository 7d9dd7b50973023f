import type * as z from "zod";
import { route } from "#http/route.ts";
import { timestampOrNull } from "#http/schemas.ts";
import type { Call } from "#kernel/call/call.ts";
import { tenantIdView } from "#platform/ids.ts";
import type { JsonMap } from "#platform/json.ts";
import { timestamp } from "#platform/timestamp.ts";
import { eventTypes } from "#schema/lists/event-kinds.ts";
import type { Recovery, WebhookAttempt } from "#schema/webhooks.ts";
import {
  type AttemptView,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  type DeliveryView,
  getWebhookDeliveryEndpoint,
  getWebhookEndpoint,
  listEventKindsEndpoint,
  listWebhookDeliveriesEndpoint,
  listWebhooksEndpoint,
  redeliverEndpoint,
  rotateWebhookSecretEndpoint,
  testWebhookEndpoint,
  updateWebhookEndpoint,
  type WebhookView,
} from "./contract.ts";
import { createWebhook } from "./create-webhook.ts";
import { deleteWebhook } from "./delete-webhook.ts";
import { seesTokens, shownUrl } from "./hidden-parts.ts";
import { getDelivery, listDeliveries } from "./read-deliveries.ts";
import { getRecovery } from "./read-recovery.ts";
import { getWebhook, listWebhooks } from "./read-webhooks.ts";
import { recoverWebhook } from "./recover-webhook.ts";
import {
  getRecoveryEndpoint,
  recoverWebhookEndpoint,
  type RecoveryView,
} from "./recovery-contract.ts";
import { redeliver } from "./redeliver.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { testWebhook } from "./test-webhook.ts";
import { updateWebhook } from "./update-webhook.ts";
import {
  circuitState,
  type Delivery,
  previousSecretExpiresAtMs,
  signatureKind,
  tagged,
  type TaggedWebhook,
  type Webhook,
} from "./webhook.ts";

/** `/webhooks/event-kinds` must come before `/webhooks/{id}`, which matches it too. */
export const webhookRoutes = [
  route(
    listEventKindsEndpoint,
    async (call) => call.authenticate(),
    () => ({
      data: eventTypes.map((kind) => ({ kind, resource: kind.slice(0, kind.indexOf(".")) })),
      nextCursor: null,
    }),
  ),
  route(
    createWebhookEndpoint,
    (call, { body }) => createWebhook(call, body),
    (created, call) => ({ ...webhookView(created, call), secret: created.plainSecret }),
  ),
  route(
    listWebhooksEndpoint,
    (call, { query }) => listWebhooks(call, query, (webhook) => webhookView(webhook, call)),
    (page) => page,
  ),
  route(
    getWebhookEndpoint,
    async (call, { params }) => {
      const webhook = await getWebhook(call, params.id);
      const seen = tagged(webhook, call.now);
      // A new admin must not get 304 for the view without tokens.
      return seesTokens(call, webhook.tenantId)
        ? seen
        : { ...seen, version: `${seen.version}.host` };
    },
    webhookView,
  ),
  route(
    updateWebhookEndpoint,
    (call, { params, body }) => updateWebhook(call, params.id, body),
    webhookView,
  ),
  route(deleteWebhookEndpoint, (call, { params }) => deleteWebhook(call, params.id)),
  route(
    rotateWebhookSecretEndpoint,
    (call, { params, query }) => rotateSecret(call, params.id, query),
    (rotated, call) => ({
      ...webhookView(rotated, call),
      secret: rotated.plainSecret,
      endedSecrets: rotated.endedSecretsMs.map(timestamp),
    }),
  ),
  route(testWebhookEndpoint, (call, { params }) => testWebhook(call, params.id), deliveryView),
  route(
    listWebhookDeliveriesEndpoint,
    (call, { params, query }) => listDeliveries(call, params.id, query, deliveryView),
    (page) => page,
  ),
  route(
    getWebhookDeliveryEndpoint,
    (call, { params }) => getDelivery(call, params.id, params.deliveryId),
    (delivery, call) => {
      const isWhole = seesTokens(call, delivery.tenantId);
      const attempts = delivery.made.map((attempt) => attemptView(attempt, isWhole));
      const payload =
        delivery.payload === undefined ? null : (JSON.parse(delivery.payload) as JsonMap);
      return { ...deliveryView(delivery), payload, attempts };
    },
  ),
  route(
    redeliverEndpoint,
    (call, { params }) => redeliver(call, params.id, params.deliveryId),
    deliveryView,
  ),
  route(
    recoverWebhookEndpoint,
    (call, { params, body }) => recoverWebhook(call, params.id, body),
    recoveryView,
  ),
  route(
    getRecoveryEndpoint,
    (call, { params }) => getRecovery(call, params.id, params.recoveryId),
    recoveryView,
  ),
];

function webhookView(webhook: Webhook | TaggedWebhook, call: Call): z.input<typeof WebhookView> {
  return {
    id: webhook.id,
    tenantId: tenantIdView(webhook.tenantId),
    url: shownUrl(call, webhook),
    description: webhook.description,
    labels: webhook.labels,
    events: [...webhook.events],
    format: webhook.format,
    signature: signatureKind(webhook),
    publicKey: webhook.publicKey,
    state: webhook.state,
    disabledReason: webhook.disabledReason,
    circuit: circuitState(webhook, call.now),
    circuitOpenSince: timestampOrNull(webhook.circuitOpenSinceMs),
    nextProbeAt: timestampOrNull(webhook.nextProbeAtMs),
    previousSecretExpiresAt: timestampOrNull(previousSecretExpiresAtMs(webhook, call.now)),
    createdAt: timestamp(webhook.createdAtMs),
    updatedAt: timestamp(webhook.updatedAtMs),
  };
}

function deliveryView(delivery: Delivery): z.input<typeof DeliveryView> {
  return {
    id: delivery.id,
    webhookId: delivery.webhookId,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    state: delivery.state,
    attemptCount: delivery.attempts,
    manual: delivery.manual,
    held: delivery.heldAtMs !== null,
    nextTryAt: timestampOrNull(delivery.dueAtMs),
    createdAt: timestamp(delivery.createdAtMs),
    updatedAt: timestamp(delivery.updatedAtMs),
  };
}

function recoveryView(recovery: Recovery): z.input<typeof RecoveryView> {
  return {
    id: recovery.id,
    webhookId: recovery.webhookId,
    state: recovery.state,
    since: timestamp(recovery.sinceMs),
    until: timestamp(recovery.untilMs),
    count: recovery.count,
    createdAt: timestamp(recovery.createdAtMs),
    updatedAt: timestamp(recovery.updatedAtMs),
  };
}

function attemptView(attempt: WebhookAttempt, isWhole: boolean): z.input<typeof AttemptView> {
  return {
    id: attempt.id,
    number: attempt.number,
    startedAt: timestamp(attempt.startedAtMs),
    durationMs: attempt.durationMs,
    status: attempt.status,
    errorClass: attempt.errorClass,
    requestHeaders: { ...attempt.requestHeaders },
    answer: isWhole ? attempt.answer : null,
    answerCut: attempt.answerCut,
    nextTryAt: timestampOrNull(attempt.nextTryAtMs),
  };
}
