import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { CreatedAt, Id, Instant, PathId, Timestamp, UpdatedAt } from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";
import { read, tag, WebhookParams, write } from "./contract.ts";

export const RecoverWebhookBody = z.object({
  since: Instant.describe(
    prose("The start of the range, at most 14 days ago: deliveries created at this time or later."),
  ),
  until: Instant.optional().describe(prose("The end of the range. Default: now.")),
});

export const RecoveryView = z.object({
  id: Id,
  webhookId: z.uuid().describe(prose("The webhook's id.")),
  state: z
    .enum(["RUNNING", "COMPLETED", "CANCELED"])
    .describe(
      prose(
        "`RUNNING`: the range is too large for one request and is processed in the background. `COMPLETED`: all failed deliveries are repeated. `CANCELED`: the webhook was disabled or deleted meanwhile.",
      ),
    ),
  since: Timestamp.describe(prose("The start of the range, inclusive.")),
  until: Timestamp.describe(prose("The end of the range, exclusive.")),
  count: z.int().describe(prose("Deliveries repeated so far.")),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});

export const recoverWebhookEndpoint = endpoint({
  method: "POST",
  path: "/webhooks/{id}/recover",
  operationId: "recoverWebhook",
  tag,
  summary: prose("Repeat failed deliveries"),
  description: prose(
    "For each event in the range whose deliveries all failed or were canceled, creates a new delivery with the same `webhook-id` and a single attempt. Test deliveries are skipped. Safe to repeat: events that were delivered meanwhile, or are on their way, are skipped. While a recovery is running, the same request answers with it.",
  ),
  access: write,
  params: WebhookParams,
  body: RecoverWebhookBody,
  answer: { status: 202, description: prose("The recovery."), schema: RecoveryView },
  location: "/webhooks/{webhookId}/recoveries/{id}",
  problems: ["conflict", "webhook_disabled", "invalid_state"],
});

export const getRecoveryEndpoint = endpoint({
  method: "GET",
  path: "/webhooks/{id}/recoveries/{recoveryId}",
  operationId: "getWebhookRecovery",
  tag,
  summary: prose("Read a recovery"),
  description: prose("Recoveries are kept for 30 days."),
  access: read,
  params: WebhookParams.extend({ recoveryId: PathId.describe(prose("The recovery's id.")) }),
  answer: { status: 200, description: prose("The recovery."), schema: RecoveryView },
});
