import { v5 } from "uuid";

/** Names the UUIDs of tokens (RFC 9562, version 5). */
const TOKEN_NAMESPACE = "5f0f6a52-7d0b-4c0e-9c39-6b1f2f1d8a77";

/** The UUID of a create's token: the same for every repetition. */
export function tokenUuid(token: string): string {
  return v5(token, TOKEN_NAMESPACE);
}
