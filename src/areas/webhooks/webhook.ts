/** A webhook's rules: its secrets, what a caller may change, when it may be sent to. */
import { ApiError } from "#kernel/errors.ts";
import type { SealedPlace } from "#platform/crypto/seal.ts";
import type { OldSecret, webhookDeliveries, webhooks } from "#schema/webhooks.ts";

export type Webhook = typeof webhooks.$inferSelect;
export type Delivery = typeof webhookDeliveries.$inferSelect;

/** A webhook as it is answered: the version is what the ETag shows. */
export type TaggedWebhook = Omit<Webhook, "version"> & { version: string };

const MAX_OLD_SECRETS = 2;

/** What a webhook starts with, and goes back to when somebody changes where it points or whether it is sent to. */
export const closedCircuit = {
  circuitOpenSinceMs: null,
  nextProbeAtMs: null,
  probeDeliveryId: null,
  circuitClosedAtMs: null,
  draining: false,
  failuresInRow: 0,
} as const satisfies Partial<Webhook>;

export type CircuitState = "closed" | "open" | "probing";

/** `probing`: the probe is due or on its way. */
export function circuitState(
  webhook: Pick<Webhook, "circuitOpenSinceMs" | "probeDeliveryId" | "nextProbeAtMs">,
  nowMs: number,
): CircuitState {
  if (webhook.circuitOpenSinceMs === null) return "closed";
  const isProbing = webhook.probeDeliveryId !== null && (webhook.nextProbeAtMs ?? 0) <= nowMs;
  return isProbing ? "probing" : "open";
}

/**
 * The webhook with the version that its ETag shows. While the circuit is open, and when the last of the old secrets
 * ends, the answer changes without a change of the webhook: what it shows of them is in there too, behind dots.
 */
export function tagged(webhook: Webhook, nowMs: number): TaggedWebhook {
  const state = circuitState(webhook, nowMs);
  const circuit = state === "closed" ? "" : `.${state}${webhook.nextProbeAtMs}`;
  const overlap = previousSecretExpiresAtMs(webhook, nowMs) === null ? "" : ".overlap";
  return { ...webhook, version: `${webhook.version}${circuit}${overlap}` };
}

/** Where a secret is sealed. An old one is still sealed for the place it came from. */
export function secretPlace(webhook: { tenantId: string; id: string }): SealedPlace {
  return { table: "webhooks", tenantId: webhook.tenantId, row: webhook.id, column: "secret" };
}

/** The sealed secrets that sign at this time, newest first. */
export function signingSecrets(
  webhook: Pick<Webhook, "secret" | "oldSecrets">,
  nowMs: number,
): string[] {
  const live = webhook.oldSecrets.filter((old) => old.expiresAtMs > nowMs);
  return [webhook.secret, ...live.map((old) => old.sealed)];
}

/**
 * The old secrets once a new one signs: none outlives `overlapMs` from now, none outlives what it was given
 * before, and there are at most two, newest first.
 */
export function oldSecretsAfterRotation(
  webhook: Pick<Webhook, "secret" | "oldSecrets">,
  nowMs: number,
  overlapMs: number,
): OldSecret[] {
  const untilMs = nowMs + overlapMs;
  return [{ sealed: webhook.secret, expiresAtMs: untilMs }, ...webhook.oldSecrets]
    .map((old) => ({ sealed: old.sealed, expiresAtMs: Math.min(old.expiresAtMs, untilMs) }))
    .filter((old) => old.expiresAtMs > nowMs)
    .slice(0, MAX_OLD_SECRETS);
}

/** When the last of the old secrets stops signing; null when none signs any more. */
export function previousSecretExpiresAtMs(
  webhook: Pick<Webhook, "oldSecrets">,
  nowMs: number,
): number | null {
  const live = webhook.oldSecrets.map((old) => old.expiresAtMs).filter((at) => at > nowMs);
  return live.length === 0 ? null : Math.max(...live);
}

/** Throws `webhook_disabled`. */
export function requireEnabled(webhook: Webhook): void {
  if (webhook.state === "DISABLED")
    throw new ApiError(
      "webhook_disabled",
      'The webhook is disabled. Enable it first: PATCH with {"enabled": true}.',
    );
}
