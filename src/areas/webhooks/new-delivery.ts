import type { Call } from "#kernel/call/call.ts";
import type { Delivery } from "./webhook.ts";

/** A delivery to one webhook, due at once. */
export function newDelivery(
  call: Call,
  webhook: { tenantId: string; id: string },
  of: Pick<Delivery, "eventTenantId" | "eventId" | "eventType" | "manual" | "repeatsId">,
): Delivery {
  return {
    tenantId: webhook.tenantId,
    id: call.newId(),
    webhookId: webhook.id,
    ...of,
    state: "PENDING",
    attempts: 0,
    dueAtMs: call.now,
    leaseUntilMs: 0,
    heldAtMs: null,
    waitsIn: null,
    repeatedById: null,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
}
