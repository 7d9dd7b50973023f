/** A webhook's rules: its secrets, what a caller may change, when it may be sent to. */
import type { OldSecret, webhookDeliveries, webhooks } from "#platform/db/tables.ts";
import type { SealedPlace } from "#platform/crypto/seal.ts";
import { ApiError } from "#platform/errors.ts";

export type Webhook = typeof webhooks.$inferSelect;
export type Delivery = typeof webhookDeliveries.$inferSelect;

const MAX_OLD_SECRETS = 2;

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
export function previousSecretExpiresAtMs(webhook: Webhook, nowMs: number): number | null {
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
