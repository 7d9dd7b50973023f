import { makeKey } from "#kernel/authn/api-key.ts";
import { newIdentityKey } from "../operator/identity-ring.ts";

/** New secrets of a service: the first operator's key, and key rings with one key each. */
export async function newSecrets(): Promise<{
  BOOTSTRAP_API_KEY: string;
  SEALING_KEYS: string;
  IDENTITY_KEYS: string;
}> {
  const sealingKey = crypto.getRandomValues(new Uint8Array(32));
  return {
    BOOTSTRAP_API_KEY: makeKey(crypto.randomUUID(), true),
    SEALING_KEYS: `k1:${Buffer.from(sealingKey).toString("base64")}`,
    IDENTITY_KEYS: await newIdentityKey(),
  };
}
