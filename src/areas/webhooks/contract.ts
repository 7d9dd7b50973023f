import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { LabelsField, LabelsPatch, LabelsView } from "#http/labels.ts";
import { createdFilters, listFilters, severalOf, sortBy } from "#http/lists/list-query.ts";
import { pageOf, pageQuery } from "#http/lists/page.ts";
import {
  CreatedAt,
  Id,
  FreeMap,
  Instant,
  oneLine,
  overlapSeconds,
  PathId,
  TenantFilter,
  TenantIdField,
  Timestamp,
  UpdatedAt,
} from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";
import { eventTypes } from "#schema/lists/event-kinds.ts";
import { webhookFormats, webhookSignatures, webhookStates } from "#schema/webhooks.ts";
import { eventKindFaults } from "./event-kinds.ts";

export const tag = "Webhooks";
export const read = { role: "CustomerViewer", scope: "webhooks:read" } as const;
export const write = { role: "CustomerAdmin", scope: "webhooks:write" } as const;

const Url = z
  .url()
  .max(2000)
  .describe(
    prose(
      "An https URL with a public host name and port 443 or 8443, without user name and fragment. Checked again before each attempt.",
    ),
  );

const Description = oneLine(0, 200).describe(prose("A description, for people."));

const Events = z
  .array(z.string())
  .min(1)
  .superRefine((kinds, context) => {
    for (const { index, message } of eventKindFaults(kinds))
      context.addIssue({ code: "custom", path: [index], message });
  })
  .overwrite((kinds) => [...new Set(kinds)])
  .describe(
    prose(
      "The kinds of events to send: exact kinds, `resource.*` or `*`. `GET /webhooks/event-kinds` lists them.",
    ),
  );

const Format = z
  .enum(webhookFormats)
  .describe(
    prose(
      "What is sent. `standard`: the event, as JSON. `slack`: a message for an incoming webhook of Slack. `teams`: a message for a workflow of Microsoft Teams that posts what its webhook receives. The messages say in words what happened, with names, and link to the console. Headers, signatures and retries are the same.",
    ),
  );

const Signature = z
  .enum(webhookSignatures)
  .describe(
    prose(
      "How deliveries are signed, by Standard Webhooks. `v1`: HMAC-SHA256 with `secret`, which both sides have. `v1a`: Ed25519 with a private key that never leaves the service; receivers verify with `publicKey`.",
    ),
  );

export const CreateWebhookBody = z.object({
  url: Url,
  format: Format.default("standard"),
  signature: Signature.default("v1").describe(
    prose("How deliveries are signed. To change it later, rotate the secret."),
  ),
  description: Description.default(""),
  labels: LabelsField.default({}),
  events: Events,
  tenantId: TenantIdField.describe(
    prose(
      "The tenant whose events to send. Default: the caller's tenant; for operators, all tenants. A member of several tenants must name one.",
    ),
  ),
});

export const UpdateWebhookBody = z.object({
  url: Url.optional(),
  format: Format.optional(),
  description: Description.optional(),
  labels: LabelsPatch.optional(),
  events: Events.optional(),
  enabled: z
    .boolean()
    .optional()
    .describe(prose("True also enables a webhook that the service disabled. Default: unchanged.")),
});

export const WebhookView = z.object({
  id: Id,
  tenantId: z
    .uuid()
    .nullable()
    .describe(prose("Null: a platform webhook, which gets the events of all tenants.")),
  url: z
    .string()
    .describe(
      prose("Without path and query for developers and viewers: tokens may stand in them."),
    ),
  description: z.string().describe(prose("A description, for people.")),
  labels: LabelsView,
  events: z
    .array(z.string())
    .describe(prose("The kinds of events that are sent; `resource.*` and `*` select several.")),
  format: Format,
  signature: Signature,
  publicKey: z
    .string()
    .nullable()
    .describe(
      prose(
        "Verifies `v1a` signatures: `whpk_` and 32 bytes in base64. Null: the signature is `v1`.",
      ),
    ),
  state: z.enum(webhookStates).describe(prose("`DISABLED`: nothing is sent.")),
  disabledReason: z
    .enum(["user", "failing", "gone"])
    .nullable()
    .describe(
      prose(
        "`user`: disabled by a request. `failing`: no delivery succeeded for five days. `gone`: the receiver answered 410. Null: the webhook is enabled.",
      ),
    ),
  circuit: z
    .enum(["closed", "open", "probing"])
    .describe(
      prose(
        "`closed`: deliveries are sent. `open`: too many attempts failed, so deliveries are held, which uses no attempts, and one of them is tried every 30 seconds as a probe. `probing`: the probe is due or under way. A probe that succeeds closes the circuit.",
      ),
    ),
  circuitOpenSince: Timestamp.nullable().describe(prose("Null: the circuit is closed.")),
  nextProbeAt: Timestamp.nullable().describe(
    prose("The time of the next probe; nothing is sent before. Null: the circuit is closed."),
  ),
  previousSecretExpiresAt: Timestamp.nullable().describe(
    prose("Until then, deliveries are also signed with previous secrets. Null: they are not."),
  ),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});

export const SecretWebhookView = WebhookView.extend({
  secret: z
    .string()
    .nullable()
    .describe(
      prose(
        "The signing secret, `whsec_…`. It is shown only once: store it now. Null: the signature is `v1a`, and `publicKey` verifies.",
      ),
    ),
});

export const RotatedWebhookView = SecretWebhookView.extend({
  endedSecrets: z
    .array(Timestamp)
    .describe(
      prose(
        "The secrets that this rotation ended, by the times at which they were made (`createdAt` of the webhook, or `updatedAt` of a rotation's answer), newest first: deliveries were signed with them until now. At most two previous secrets sign, so a third rotation within the overlap ends the oldest; an overlap of 0 ends all.",
      ),
    ),
});

export const deliveryStates = [
  "PENDING",
  "RETRYING",
  "SUCCEEDED",
  "EXHAUSTED",
  "CANCELED",
] as const;

export const DeliveryView = z.object({
  id: Id,
  webhookId: z.uuid().describe(prose("The webhook's id.")),
  eventId: z
    .string()
    .describe(
      prose("The id of the event, sent as `webhook-id`; the same in every attempt and redelivery."),
    ),
  eventType: z.string().describe(prose("The kind of the event.")),
  state: z
    .enum(deliveryStates)
    .describe(
      prose(
        "`PENDING`: no attempt was made. `RETRYING`: the last attempt failed and another follows. `EXHAUSTED`: all attempts failed, or the receiver answered 410. `CANCELED`: the webhook was disabled or deleted first.",
      ),
    ),
  attemptCount: z.int().describe(prose("The number of attempts so far.")),
  manual: z
    .boolean()
    .describe(prose("True: a requested redelivery, with one attempt and no retries.")),
  held: z
    .boolean()
    .describe(
      prose(
        "True: the delivery is due and waits for the webhook's circuit to close. This uses no attempt.",
      ),
    ),
  nextTryAt: Timestamp.nullable().describe(
    prose("The time of the next attempt. Null: there is none, or the delivery is held."),
  ),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});

export const AttemptView = z
  .object({
    id: Id,
    number: z.int().describe(prose("The number of the attempt, from 1.")),
    startedAt: Timestamp.describe(prose("The start of the attempt.")),
    durationMs: z.int().describe(prose("The duration, in milliseconds.")),
    status: z
      .int()
      .nullable()
      .describe(prose("The HTTP status of the answer. Null: there was no answer.")),
    errorClass: z
      .enum(["timeout", "network", "redirect", "http_status", "url_not_allowed"])
      .nullable()
      .describe(
        prose(
          "Why the attempt failed. Null: it succeeded. The status alone decides once there is one, whatever becomes of the answer's body.",
        ),
      ),
    requestHeaders: z
      .record(z.string(), z.string())
      .describe(prose("The headers that were sent, without the signature's secret.")),
    answer: z
      .string()
      .nullable()
      .describe(
        prose(
          "The body of the answer, at most its first 16 KiB. Null: hidden; only admins and owners see it.",
        ),
      ),
    answerCut: z
      .boolean()
      .describe(
        prose(
          "True: this is a part of the answer, which had 16 KiB or more, did not end in time or broke off; or nothing of it is stored, because the tenant's limit `webhookAnswerBytesPerMonth` is reached.",
        ),
      ),
    nextTryAt: Timestamp.nullable().describe(
      prose("When the next attempt was planned. Null: none was."),
    ),
  })
  .meta({ id: "WebhookAttempt" });

export const DeliveryDetailView = DeliveryView.extend({
  payload: FreeMap.nullable().describe(
    prose(
      "The event, as a webhook of the format `standard` gets it. Null: it is not kept any more.",
    ),
  ),
  attempts: z.array(AttemptView).describe(prose("All attempts, oldest first.")),
});

export const WebhookParams = z.object({ id: PathId.describe(prose("The webhook's id.")) });
const DeliveryParams = WebhookParams.extend({
  deliveryId: PathId.describe(prose("The delivery's id.")),
});

export const listEventKindsEndpoint = endpoint({
  method: "GET",
  path: "/webhooks/event-kinds",
  operationId: "listEventKinds",
  tag,
  summary: prose("List event kinds"),
  description: prose("Answers all kinds, in one page."),
  access: read,
  answer: {
    status: 200,
    description: prose(
      "Every kind that a webhook can select; `resource.*` and `*` select several.",
    ),
    schema: pageOf(
      z.object({
        kind: z.string().describe(prose("The kind, for `events` of a webhook.")),
        resource: z.string().describe(prose("The kind of object that the event is about.")),
      }),
    ),
  },
});

export const createWebhookEndpoint = endpoint({
  method: "POST",
  path: "/webhooks",
  operationId: "createWebhook",
  tag,
  summary: prose("Create a webhook"),
  description: prose(
    "The tenant's limit `webhooks` says how many it can have: 20 without a license. If an operator names no tenant, the webhook gets the events of all tenants.",
  ),
  access: write,
  body: CreateWebhookBody,
  exampleBody: {
    url: "https://hooks.example.com/control",
    events: ["deployment.*", "instance.drift_detected"],
  },
  answer: {
    status: 201,
    description: prose("The webhook with its signing secret, which is shown only once."),
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
  summary: prose("List webhooks"),
  access: read,
  query: z.object({
    ...pageQuery,
    tenantId: TenantFilter,
    q: listFilters.q.describe(
      prose("Only webhooks whose description contains this text, in upper or lower case."),
    ),
    label: listFilters.label,
    state: severalOf(webhookStates, "Only webhooks in this state."),
    ...createdFilters,
    sort: sortBy("createdAt", "updatedAt"),
  }),
  answer: {
    status: 200,
    description: prose("A page of webhooks, newest first."),
    schema: pageOf(WebhookView),
  },
  problems: ["invalid_cursor"],
});

export const getWebhookEndpoint = endpoint({
  method: "GET",
  path: "/webhooks/{id}",
  operationId: "getWebhook",
  tag,
  summary: prose("Read a webhook"),
  access: read,
  params: WebhookParams,
  answer: {
    status: 200,
    description: prose("The webhook, without its secret."),
    schema: WebhookView,
  },
  etag: true,
});

export const updateWebhookEndpoint = endpoint({
  method: "PATCH",
  path: "/webhooks/{id}",
  operationId: "updateWebhook",
  tag,
  summary: prose("Update a webhook"),
  description: prose(
    "Replaces the fields in the body. Deliveries that become due while the webhook is disabled are canceled.",
  ),
  access: write,
  params: WebhookParams,
  body: UpdateWebhookBody,
  elsewhere: { signature: "POST /webhooks/{id}/rotate-secret" },
  exampleBody: { events: ["deployment.failed"], enabled: true },
  answer: { status: 200, description: prose("The webhook."), schema: WebhookView },
  etag: true,
  problems: ["url_not_allowed", "precondition_failed"],
});

export const deleteWebhookEndpoint = endpoint({
  method: "DELETE",
  path: "/webhooks/{id}",
  operationId: "deleteWebhook",
  tag,
  summary: prose("Delete a webhook"),
  description: prose("Cancels its open deliveries."),
  access: write,
  params: WebhookParams,
  answer: { status: 204, description: prose("The webhook is deleted.") },
  problems: ["precondition_failed"],
});

export const rotateWebhookSecretEndpoint = endpoint({
  method: "POST",
  path: "/webhooks/{id}/rotate-secret",
  operationId: "rotateWebhookSecret",
  shows: "/webhooks/{id}",
  tag,
  summary: prose("Rotate the signing secret"),
  description: prose(
    "Deliveries are signed with the new secret from now on and, until the overlap ends, also with at most two previous secrets.",
  ),
  access: write,
  params: WebhookParams,
  query: z.object({
    overlapSeconds: overlapSeconds(
      "Seconds for which deliveries are also signed with previous secrets (maximum: 7 days). 0 ends them at once.",
    ),
    signature: z
      .enum(webhookSignatures)
      .optional()
      .describe(
        prose(
          "How the new secret signs. During the overlap, deliveries have signatures of both kinds. Default: unchanged.",
        ),
      ),
  }),
  answer: {
    status: 200,
    description: prose("The webhook with its new signing secret, which is shown only once."),
    schema: RotatedWebhookView,
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
  summary: prose("Send a test delivery"),
  description: prose(
    "Sends the event `webhook.test` like any other event, whether or not the webhook selects it. At most ten per minute.",
  ),
  access: write,
  params: WebhookParams,
  answer: { status: 202, description: prose("The delivery."), schema: DeliveryView },
  location: "/webhooks/{webhookId}/deliveries/{id}",
  problems: ["conflict", "webhook_disabled", "rate_limited"],
});

export const listWebhookDeliveriesEndpoint = endpoint({
  method: "GET",
  path: "/webhooks/{id}/deliveries",
  operationId: "listWebhookDeliveries",
  tag,
  summary: prose("List deliveries"),
  description: prose("Deliveries are kept for 30 days."),
  access: read,
  params: WebhookParams,
  query: z.object({
    ...pageQuery,
    status: z.enum(deliveryStates).optional().describe(prose("Only deliveries in this state.")),
    eventType: z
      .enum(eventTypes)
      .optional()
      .describe(prose("Only deliveries of this kind of event.")),
    since: Instant.optional().describe(prose("Only deliveries created at this time or later.")),
  }),
  answer: {
    status: 200,
    description: prose("A page of deliveries, newest first."),
    schema: pageOf(DeliveryView),
  },
  problems: ["invalid_cursor"],
});

export const getWebhookDeliveryEndpoint = endpoint({
  method: "GET",
  path: "/webhooks/{id}/deliveries/{deliveryId}",
  operationId: "getWebhookDelivery",
  tag,
  summary: prose("Read a delivery and its attempts"),
  access: read,
  params: DeliveryParams,
  answer: { status: 200, description: prose("The delivery."), schema: DeliveryDetailView },
});

export const redeliverEndpoint = endpoint({
  method: "POST",
  path: "/webhooks/{id}/deliveries/{deliveryId}/redeliver",
  operationId: "redeliver",
  tag,
  summary: prose("Deliver an event again"),
  description: prose(
    "Creates a new delivery of the same event with the same `webhook-id` and a single attempt.",
  ),
  access: write,
  params: DeliveryParams,
  answer: { status: 202, description: prose("The new delivery."), schema: DeliveryView },
  location: "/webhooks/{webhookId}/deliveries/{id}",
  problems: ["webhook_disabled"],
});
