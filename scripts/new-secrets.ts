import { randomBytes, randomUUID } from "node:crypto";
import { makeKey } from "#kernel/authn/api-key.ts";

/** New secrets for a local service: the first operator's key and a key ring with one sealing key. */
export function newSecrets(): { BOOTSTRAP_API_KEY: string; SEALING_KEYS: string } {
  return {
    BOOTSTRAP_API_KEY: makeKey(randomUUID(), true),
    SEALING_KEYS: `k1:${randomBytes(32).toString("base64")}`,
  };
}
