import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { pageOf, pageQuery } from "#http/page.ts";
import { IdParams, Instant, PathId, TenantIdField, Timestamp } from "#http/schemas.ts";
import { eventTypes } from "#schema/event-kinds.ts";
import { eventKindFaults } from "./event-kinds.ts";

const tag = "Webhooks";
const read = { role: "CustomerViewer", scope: "webhooks:read" } as const;
const write = { role: "CustomerAdmin", scope: "webhooks:write" } as const;

const Url = z
  .url()
  .max(2000)
  .describe(
    "https, a public host name, port 443 or 8443, no user name, no fragment. Checked again before each attempt.",
  );

/** Control characters are taken out: a description is shown on one line. */
const Description = z
  .string()
  .max(200)
  .overwrite((text) => text.replace(/[\p{Cc}\u2028\u2029]/gu, ""));

const Events = z
  .array(z.string())
  .min(1)
  .superRefine((kinds, context) => {
    for (const { index, message } of eventKindFaults(kinds))
      context.addIssue({ code: "custom", path: [index], message });
  })
  .overwrite((kinds) => [...new Set(kinds)])
  .describe("Exact kinds, `resource.*` or `*`. GET /webhooks/event-kinds lists them.");

export const CreateWebhookBody = z.object({
  url: Url,
  description: Description.default(""),
  events: Events,
  tenantId: TenantIdField,
});

export const UpdateWebhookBody = z.object({
  url: Url.optional(),
  description: Description.optional(),
  events: Events.optional(),
  enabled: z.boolean().optional().describe("True also ends a disabling by the service."),
});

export const WebhookView = z.object({
  id: z.uuid(),
  tenantId: z.uuid().nullable(),
  url: z.string(),
  description: z.string(),
  events: z.array(z.string()),
  state: z.enum(["ENABLED", "DISABLED"]),
  disabledReason: z
    .enum(["user", "failing", "gone"])
    .nullable()
    .describe(
      "`failing`: no success for five days. `gone`: the receiver answered 410. Null: it is enabled.",
    ),
  circuit: z
    .enum(["closed", "open", "probing"])
    .describe(
      "`open`: too much failed, so deliveries are held back, without loss of an attempt, and one of them is tried every 30 seconds. `probing`: that one is due or on its way. What it delivers closes the circuit.",
    ),
  circuitOpenSince: Timestamp.nullable(),
  nextProbeAt: Timestamp.nullable().describe(
    "Nothing is sent before. Null: the circuit is closed.",
  ),
  previousSecretExpiresAt: Timestamp.nullable().describe(
    "Until then deliveries are signed with the previous secret too.",
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

export const SecretWebhookView = WebhookView.extend({
  secret: z.string().describe("The signing secret, `whsec_…`. It is shown this once."),
});

export const deliveryStates = [
  "PENDING",
  "RETRYING",
  "SUCCEEDED",
  "EXHAUSTED",
  "CANCELED",
] as const;

export const DeliveryView = z.object({
  id: z.uuid(),
  webhookId: z.uuid(),
  eventId: z.string().describe("Sent as `webhook-id`: the same in every attempt and redelivery."),
  eventType: z.string(),
  state: z.enum(deliveryStates),
  attemptCount: z.int(),
  manual: z.boolean().describe("A redelivery somebody asked for: one attempt, no retries."),
  held: z
    .boolean()
    .describe("It is due and waits for the webhook's circuit to close. That costs it no attempt."),
  nextTryAt: Timestamp.nullable().describe("Null: never, or when it is held no more."),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

export const AttemptView = z
  .object({
    id: z.uuid(),
    number: z.int(),
    startedAt: Timestamp,
    durationMs: z.int(),
    status: z.int().nullable().describe("Null: there was no answer."),
    errorClass: z
      .enum(["timeout", "network", "redirect", "http_status", "url_not_allowed"])
      .nullable()
      .describe("Null: delivered."),
    requestHeaders: z.record(z.string(), z.string()),
    answer: z.string().describe("The first 16 KiB of the answer's body."),
    answerCut: z.boolean().describe("The answer had 16 KiB or more; the rest was not read."),
    nextTryAt: Timestamp.nullable(),
  })
  .meta({ id: "WebhookAttempt" });

export const DeliveryDetailView = DeliveryView.extend({
  attempts: z.array(AttemptView).describe("Oldest first."),
});

const DeliveryParams = z.object({ id: PathId, deliveryId: PathId });

export const listEventKindsEndpoint = endpoint({
  method: "GET",
  path: "/webhooks/event-kinds",
  operationId: "listEventKinds",
  tag,
  summary: "List the kinds of events",
  description: "All of them, in one page.",
  access: read,
  answer: {
    status: 200,
    description: "Every kind a webhook may ask for; `resource.*` and `*` stand for many.",
    schema: pageOf(z.object({ kind: z.string(), resource: z.string() })),
  },
});

export const createWebhookEndpoint = endpoint({
  method: "POST",
  path: "/webhooks",
  operationId: "createWebhook",
  tag,
  summary: "Create a webhook",
  description:
    "As many as the tenant's limit `webhooks` says; the plan of an installation without a license says 20. An operator who names no tenant hears the events of all.",
  access: write,
  body: CreateWebhookBody,
  exampleBody: {
    url: "https://hooks.example.com/control",
    events: ["deployment.*", "instance.drift_detected"],
  },
  answer: {
    status: 201,
    description: "The webhook, with its secret.",
    schema: SecretWebhookView,
  },
  secretAnswer: true,
  location: "/webhooks/{id}",
  etag: true,
  problems: ["url_not_allowed", "quota_exceeded", "not_found"],
});

export const listWebhooksEndpoint = endpoint({
  method: "GET",
  path: "/webhooks",
  operationId: "listWebhooks",
  tag,
  summary: "List webhooks",
  access: read,
  query: z.object({ ...pageQuery, tenantId: TenantIdField }),
  answer: { status: 200, description: "Newest first.", schema: pageOf(WebhookView) },
  problems: ["invalid_cursor"],
});

export const getWebhookEndpoint = endpoint({
  method: "GET",
  path: "/webhooks/{id}",
  operationId: "getWebhook",
  tag,
  summary: "Read a webhook",
  access: read,
  params: IdParams,
  answer: { status: 200, description: "The webhook, without its secret.", schema: WebhookView },
  etag: true,
});

export const updateWebhookEndpoint = endpoint({
  method: "PATCH",
  path: "/webhooks/{id}",
  operationId: "updateWebhook",
  tag,
  summary: "Update a webhook",
  description:
    "Replaces the fields that are named. What comes due while a webhook is disabled is canceled.",
  access: write,
  params: IdParams,
  body: UpdateWebhookBody,
  exampleBody: { events: ["deployment.failed"], enabled: true },
  answer: { status: 200, description: "The webhook.", schema: WebhookView },
  etag: true,
  problems: ["url_not_allowed", "precondition_failed"],
});

export const deleteWebhookEndpoint = endpoint({
  method: "DELETE",
  path: "/webhooks/{id}",
  operationId: "deleteWebhook",
  tag,
  summary: "Delete a webhook",
  description: "Deliveries that are still open are canceled.",
  access: write,
  params: IdParams,
  answer: { status: 204, description: "Deleted." },
  problems: ["precondition_failed"],
});

/** Digits, and not any number: an empty value must not count as 0, which ends the old secret at once. */
const OverlapSeconds = z
  .string()
  .regex(/^\d{1,6}$/, "A whole number of seconds.")
  .transform(Number)
  .pipe(z.number().max(604_800))
  .optional()
  .meta({
    type: "integer",
    minimum: 0,
    maximum: 604_800,
    default: 86_400,
    description: "How long earlier secrets go on signing as well. 0: they end at once.",
  });

export const rotateWebhookSecretEndpoint = endpoint({
  method: "POST",
  path: "/webhooks/{id}/rotate-secret",
  operationId: "rotateWebhookSecret",
  tag,
  summary: "Rotate the signing secret",
  description:
    "The new secret signs from now on. Earlier ones, two at most, sign as well until the overlap ends.",
  access: write,
  params: IdParams,
  query: z.object({ overlapSeconds: OverlapSeconds }),
  answer: {
    status: 200,
    description: "The webhook, with its new secret.",
    schema: SecretWebhookView,
  },
  secretAnswer: true,
  etag: true,
  problems: ["precondition_failed"],
});

export const testWebhookEndpoint = endpoint({
  method: "POST",
  path: "/webhooks/{id}/test",
  operationId: "testWebhook",
  tag,
  summary: "Send a test delivery",
  description:
    "Sends `webhook.test` the way every event is sent, whether the webhook asks for it or not. At most ten a minute.",
  access: write,
  params: IdParams,
  answer: { status: 202, description: "The delivery.", schema: DeliveryView },
  location: "/webhooks/{webhookId}/deliveries/{id}",
  problems: ["conflict", "webhook_disabled", "rate_limited"],
});

export const listWebhookDeliveriesEndpoint = endpoint({
  method: "GET",
  path: "/webhooks/{id}/deliveries",
  operationId: "listWebhookDeliveries",
  tag,
  summary: "List deliveries",
  description: "Kept for 30 days.",
  access: read,
  params: IdParams,
  query: z.object({
    ...pageQuery,
    status: z.enum(deliveryStates).optional(),
    eventType: z.enum(eventTypes).optional().describe("Of this kind only."),
    since: Instant.optional().describe("Made then or later."),
  }),
  answer: { status: 200, description: "Newest first.", schema: pageOf(DeliveryView) },
  problems: ["invalid_cursor"],
});

export const getWebhookDeliveryEndpoint = endpoint({
  method: "GET",
  path: "/webhooks/{id}/deliveries/{deliveryId}",
  operationId: "getWebhookDelivery",
  tag,
  summary: "Read a delivery and its attempts",
  access: read,
  params: DeliveryParams,
  answer: { status: 200, description: "The delivery.", schema: DeliveryDetailView },
});

export const redeliverEndpoint = endpoint({
  method: "POST",
  path: "/webhooks/{id}/deliveries/{deliveryId}/redeliver",
  operationId: "redeliver",
  tag,
  summary: "Deliver an event again",
  description: "A new delivery of the same event, with the same `webhook-id`: one attempt.",
  access: write,
  params: DeliveryParams,
  answer: { status: 202, description: "The new delivery.", schema: DeliveryView },
  location: "/webhooks/{webhookId}/deliveries/{id}",
  problems: ["webhook_disabled"],
});

export const RecoverWebhookBody = z.object({
  since: Instant.describe("At most 14 days ago. Deliveries made then or later."),
  until: Instant.optional().describe("Default: now."),
});

export const RecoveryView = z.object({
  id: z.uuid(),
  webhookId: z.uuid(),
  state: z
    .enum(["RUNNING", "COMPLETED", "CANCELED"])
    .describe(
      "`RUNNING`: the range is too large for one request, and is worked off by itself. `CANCELED`: the webhook was disabled or deleted meanwhile.",
    ),
  since: Timestamp,
  until: Timestamp,
  count: z.int().describe("Deliveries that were made again so far; of a completed recovery, all."),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

export const recoverWebhookEndpoint = endpoint({
  method: "POST",
  path: "/webhooks/{id}/recover",
  operationId: "recoverWebhook",
  tag,
  summary: "Deliver again what failed",
  description:
    "A new delivery, one attempt, for each event of the range whose deliveries have all failed or were canceled; with the same `webhook-id`. Test deliveries are left out. Repeated, it sends nothing twice: what was delivered meanwhile, or is on its way, is left out. While a recovery is running, the same request answers with it.",
  access: write,
  params: IdParams,
  body: RecoverWebhookBody,
  answer: { status: 202, description: "What is done.", schema: RecoveryView },
  location: "/webhooks/{webhookId}/recoveries/{id}",
  problems: ["conflict", "webhook_disabled", "invalid_state"],
});

export const getRecoveryEndpoint = endpoint({
  method: "GET",
  path: "/webhooks/{id}/recoveries/{recoveryId}",
  operationId: "getWebhookRecovery",
  tag,
  summary: "Read a recovery",
  description: "Kept for 30 days.",
  access: read,
  params: z.object({ id: PathId, recoveryId: PathId }),
  answer: { status: 200, description: "The recovery.", schema: RecoveryView },
});
