import type * as z from "zod";
import { mergeLabels } from "#http/labels.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { folded } from "#platform/text/folded.ts";
import { webhooks } from "#schema/webhooks.ts";
import { requireAllowedUrl } from "./allowed-url.ts";
import type { UpdateWebhookBody } from "./contract.ts";
import { getWebhook } from "./read-webhooks.ts";
import { setWebhook } from "./store.ts";
import { closedCircuit, tagged, type TaggedWebhook, type Webhook } from "./webhook.ts";

type Changes = z.output<typeof UpdateWebhookBody>;

export async function updateWebhook(call: Call, id: string, body: Changes): Promise<TaggedWebhook> {
  const before = await getWebhook(call, id);
  call.expectVersion(tagged(before, call.now).version);
  const isAllowed = body.url === undefined ? [] : [requireAllowedUrl(call, body.url)];
  const named = {
    ...(body.url === undefined ? {} : { url: body.url }),
    ...(body.description === undefined
      ? {}
      : { description: body.description, searchText: folded(body.description) }),
    ...(body.labels === undefined ? {} : { labels: mergeLabels(before.labels, body.labels) }),
    ...(body.events === undefined ? {} : { events: body.events }),
    ...(body.format === undefined ? {} : { format: body.format }),
    ...stateChanges(before, body.enabled),
    ...circuitChanges(before, body, call.now),
  };
  if (Object.keys(named).length === 0) return tagged(before, call.now);
  const changes = { ...named, version: before.version + 1, updatedAtMs: call.now };
  const after: Webhook = { ...before, ...changes };
  const resource = { tenantId: before.tenantId, type: "webhook", id };
  const disabled = before.state === "ENABLED" && after.state === "DISABLED";
  return call.commit(tagged(after, call.now), [
    call.requireVersion(webhooks, before),
    ...isAllowed,
    setWebhook(call, before, changes),
    audit("webhook.update", resource, { before, after }),
    ...(disabled
      ? [event("webhook.disabled", { ...resource, sequence: after.version }, { reason: "user" })]
      : []),
  ]);
}

/** Enabling resets the failures: earlier ones no longer count. */
function stateChanges(before: Webhook, enabled: boolean | undefined): Partial<Webhook> {
  if (enabled === true && before.state === "DISABLED")
    return {
      state: "ENABLED",
      disabledReason: null,
      failingSinceMs: null,
      failingEventId: null,
    };
  if (enabled === false && before.state === "ENABLED")
    return { state: "DISABLED", disabledReason: "user" };
  return {};
}

/**
 * A new URL, format or state resets the circuit: the receiver's history no longer applies, and held deliveries are
 * released.
 */
function circuitChanges(before: Webhook, body: Changes, nowMs: number): Partial<Webhook> {
  const moved = body.url !== undefined && body.url !== before.url;
  const reworded = body.format !== undefined && body.format !== before.format;
  const switched = body.enabled !== undefined && body.enabled !== (before.state === "ENABLED");
  return moved || reworded || switched
    ? { ...closedCircuit, circuitClosedAtMs: nowMs, draining: true }
    : {};
}
