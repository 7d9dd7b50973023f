import { base64 } from "oslo/encoding";
import { signHmac } from "#platform/crypto/hmac.ts";

const PREFIX = "whsec_";

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export function makeSigningSecret(): string {
  return PREFIX + base64.encode(crypto.getRandomValues(new Uint8Array(32)));
}

/**
 * The `webhook-signature` header of Standard Webhooks
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md): HMAC-SHA256
 * of `id.timestamp.body`, one `v1,` signature per secret, in their order. Throws for a secret that is not
 * `whsec_` and base64.
 */
export async function signatureHeader(
  secrets: readonly string[],
  message: { id: string; timestampSeconds: number; body: string },
): Promise<string> {
  const content = `${message.id}.${message.timestampSeconds}.${message.body}`;
  const signatures = await Promise.all(
    secrets.map(async (secret) => `v1,${base64.encode(await signHmac(keyOf(secret), content))}`),
  );
  return signatures.join(" ");
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  if (!secret.startsWith(PREFIX)) throw new Error("A signing secret does not start with whsec_");
  return new Uint8Array(base64.decode(secret.slice(PREFIX.length)));
}
