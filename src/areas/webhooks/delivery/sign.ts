/**
 * The signatures of Standard Webhooks
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md). The prefix of a secret
 * names its kind of signature, so the two kinds can overlap in a rotation.
 */
import { base64 } from "oslo/encoding";
import { makeEd25519Pair, signEd25519 } from "#platform/crypto/ed25519.ts";
import { signHmac } from "#platform/crypto/hmac.ts";
import type { WebhookSignature } from "#schema/webhooks.ts";

const SECRET = "whsec_";
const PRIVATE_KEY = "whsk_";
const PUBLIC_KEY = "whpk_";
const SEED_BYTES = 32;

export interface SigningKey {
  /** `whsec_` and 32 random bytes in base64, or `whsk_` and the private and the public key. */
  secret: string;
  /** `whpk_…`, which verifies `v1a`. Null: the secret itself verifies. */
  publicKey: string | null;
}

export async function makeSigningKey(signature: WebhookSignature): Promise<SigningKey> {
  if (signature === "v1") {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    return { secret: SECRET + base64.encode(bytes), publicKey: null };
  }
  const { seed, publicKey } = await makeEd25519Pair();
  return {
    secret: PRIVATE_KEY + base64.encode(new Uint8Array([...seed, ...publicKey])),
    publicKey: PUBLIC_KEY + base64.encode(publicKey),
  };
}

/**
 * The `webhook-signature` header: a signature of `id.timestamp.body` per secret, in their order. `v1`: HMAC-SHA256.
 * `v1a`: Ed25519. Throws for a secret of another form.
 */
export async function signatureHeader(
  secrets: readonly string[],
  message: { id: string; timestampSeconds: number; body: string },
): Promise<string> {
  const content = `${message.id}.${message.timestampSeconds}.${message.body}`;
  return (await Promise.all(secrets.map((secret) => signatureOf(secret, content)))).join(" ");
}

async function signatureOf(secret: string, content: string): Promise<string> {
  if (secret.startsWith(SECRET)) {
    const key = new Uint8Array(base64.decode(secret.slice(SECRET.length)));
    return `v1,${base64.encode(await signHmac(key, content))}`;
  }
  if (!secret.startsWith(PRIVATE_KEY))
    throw new Error("A signing secret starts with neither whsec_ nor whsk_");
  const keys = new Uint8Array(base64.decode(secret.slice(PRIVATE_KEY.length)));
  if (keys.length !== 2 * SEED_BYTES)
    throw new Error("A private key is whsk_ and 64 bytes in base64");
  const pair = { seed: keys.slice(0, SEED_BYTES), publicKey: keys.slice(SEED_BYTES) };
  return `v1a,${base64.encode(await signEd25519(pair, content))}`;
}
