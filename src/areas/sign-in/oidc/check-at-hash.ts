import { sha256 } from "oslo/crypto";
import { base64url } from "oslo/encoding";
import { type Checked, failed, passed } from "./reason.ts";

/**
 * `at_hash` binds the access token to the ID token: a substituted one would give access to another user's
 * information. RS256 and ES256 both hash with SHA-256. OpenID Connect Core 1.0, 3.1.3.8.
 */
export async function checkAtHash(atHash: unknown, accessToken: string): Promise<Checked<void>> {
  if (atHash === undefined) return passed(undefined);
  const digest = new Uint8Array(await sha256(new TextEncoder().encode(accessToken)));
  const half = base64url.encode(digest.slice(0, 16), { includePadding: false });
  return atHash === half ? passed(undefined) : failed("token_invalid", "at_hash");
}
