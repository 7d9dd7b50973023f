import { randomBytes, randomUUID } from "node:crypto";
import { makeKey } from "#kernel/authn/api-key.ts";
import { newIdentityKey } from "./identity-ring.ts";

/** New secrets for a local service: the first operator's key, and key rings with one key each. */
export function newSecrets(): {
  BOOTSTRAP_API_KEY: string;
  SEALING_KEYS: string;
  IDENTITY_KEYS: string;
} {
  return {
    BOOTSTRAP_API_KEY: makeKey(randomUUID(), true),
    SEALING_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    IDENTITY_KEYS: newIdentityKey(),
  };
}
