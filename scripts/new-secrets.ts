import { randomBytes, randomUUID } from "node:crypto";
import { makeKey } from "#kernel/authn/api-key.ts";

/** Fresh secrets for a service on this machine: the first operator's key and a ring of one sealing key. */
export function newSecrets(): { BOOTSTRAP_API_KEY: string; SEALING_KEYS: string } {
  return {
    BOOTSTRAP_API_KEY: makeKey(randomUUID(), true),
    SEALING_KEYS: `k1:${randomBytes(32).toString("base64")}`,
  };
}
