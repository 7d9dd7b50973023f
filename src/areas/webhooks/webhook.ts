/** The rules of a webhook: its secrets, its circuit state and its ETag. */
import { ApiError } from "#kernel/errors.ts";
import type { SealedPlace } from "#platform/crypto/seal.ts";
import type { OldSecret, webhookDeliveries, webhooks, WebhookSignature } from "#schema/webhooks.ts";

export type Webhook = typeof webhooks.$inferSelect;
export type Delivery = typeof webhookDeliveries.$inferSelect;

/** A webhook with the version that its ETag shows. */
export type TaggedWebhook = Omit<Webhook, "version"> & { version: string };

const MAX_OLD_SECRETS = 2;

/** The closed circuit, of a new webhook and after a change of the URL or the state. */
export const closedCircuit = {
  circuitOpenSinceMs: null,
  nextProbeAtMs: null,
  probeDeliveryId: null,
  circuitClosedAtMs: null,
  draining: false,
  failuresInRow: 0,
} as const satisfies Partial<Webhook>;

export type CircuitState = "closed" | "open" | "probing";

/** `probing`: the probe is due or under way. */
export function circuitState(
  webhook: Pick<Webhook, "circuitOpenSinceMs" | "probeDeliveryId" | "nextProbeAtMs">,
  nowMs: number,
): CircuitState {
  if (webhook.circuitOpenSinceMs === null) return "closed";
  const isProbing = webhook.probeDeliveryId !== null && (webhook.nextProbeAtMs ?? 0) <= nowMs;
  return isProbing ? "probing" : "open";
}

/**
 * Adds the circuit state and the overlap of secrets to the ETag's version: the answer shows them, and they change by
 * time alone.
 */
export function tagged(webhook: Webhook, nowMs: number): TaggedWebhook {
  const state = circuitState(webhook, nowMs);
  const circuit = state === "closed" ? "" : `.${state}${webhook.nextProbeAtMs}`;
  const overlap = previousSecretExpiresAtMs(webhook, nowMs) === null ? "" : ".overlap";
  return { ...webhook, version: `${webhook.version}${circuit}${overlap}` };
}

export function signatureKind({ publicKey }: Pick<Webhook, "publicKey">): WebhookSignature {
  return publicKey === null ? "v1" : "v1a";
}

/** The place to which a secret is sealed; old secrets keep it. */
export function secretPlace(webhook: { tenantId: string; id: string }): SealedPlace {
  return { table: "webhooks", tenantId: webhook.tenantId, row: webhook.id, column: "secret" };
}

/** The sealed secrets that deliveries are signed with now, newest first. */
export function signingSecrets(
  webhook: Pick<Webhook, "secret" | "oldSecrets">,
  nowMs: number,
): string[] {
  const live = webhook.oldSecrets.filter((old) => old.expiresAtMs > nowMs);
  return [webhook.secret, ...live.map((old) => old.sealed)];
}

/**
 * The old secrets after a rotation, newest first: at most two, each valid until its earlier expiry or
 * `overlapMs` from now, whichever is sooner.
 */
export function oldSecretsAfterRotation(
  webhook: Pick<Webhook, "secret" | "secretCreatedAtMs" | "oldSecrets">,
  nowMs: number,
  overlapMs: number,
): OldSecret[] {
  const untilMs = nowMs + overlapMs;
  const { secret: sealed, secretCreatedAtMs: createdAtMs, oldSecrets } = webhook;
  return [{ sealed, createdAtMs, expiresAtMs: untilMs }, ...oldSecrets]
    .map((old) => ({ ...old, expiresAtMs: Math.min(old.expiresAtMs, untilMs) }))
    .filter((old) => old.expiresAtMs > nowMs)
    .slice(0, MAX_OLD_SECRETS);
}

/** The creation times of the secrets that this rotation ended, newest first. */
export function secretsEndedBy(
  before: Pick<Webhook, "secretCreatedAtMs" | "oldSecrets">,
  after: Pick<Webhook, "oldSecrets">,
  nowMs: number,
): number[] {
  const live = before.oldSecrets.filter((old) => old.expiresAtMs > nowMs);
  return [before.secretCreatedAtMs, ...live.map((old) => old.createdAtMs)].slice(
    after.oldSecrets.length,
  );
}

/** The latest expiry of the old secrets; null: none is valid. */
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
