import { type Checked, failed, passed } from "./reason.ts";

export type Claims = Readonly<Record<string, unknown>>;

export interface Expected {
  issuer: string;
  clientId: string;
  nonce: string;
  algorithms: readonly string[];
  /** Epoch milliseconds. */
  now: number;
}

export const SKEW_SECONDS = 30;
export const IAT_WINDOW_SECONDS = 600;

/**
 * The signature identifies the issuer of the token; these checks show that it was issued to us, just now, for this
 * sign-in. The caller does not learn which check failed. OpenID Connect Core 1.0, 3.1.3.7.
 */
export function checkIdToken(
  header: Claims,
  claims: Claims,
  expected: Expected,
): Checked<{ subject: string; algorithm: string }> {
  const bad = (cause: string) => failed("token_invalid", cause);
  const nowSeconds = expected.now / 1000;
  const { alg, crit } = header;
  const { iss, sub, aud, azp, exp, iat, nbf, nonce } = claims;
  // Rejects `none`, and HMAC with the public key as its secret.
  if (typeof alg !== "string" || !expected.algorithms.includes(alg)) return bad("alg");
  if (crit !== undefined) return bad("crit");
  if (iss !== expected.issuer) return bad("iss");
  if (typeof sub !== "string" || !/^[\x20-\x7e]{1,255}$/.test(sub)) return bad("sub");
  // Exactly us: another audience could replay the token to us.
  const audience = Array.isArray(aud) ? (aud as unknown[]) : [aud];
  if (audience.length !== 1 || audience[0] !== expected.clientId) return bad("aud");
  if (azp !== undefined && azp !== expected.clientId) return bad("azp");
  if (!isTime(exp) || nowSeconds >= exp + SKEW_SECONDS) return bad("exp");
  // Old tokens are replays; tokens from the future come from a wrong clock.
  if (!isTime(iat) || Math.abs(nowSeconds - iat) > IAT_WINDOW_SECONDS) return bad("iat");
  if (nbf !== undefined && (!isTime(nbf) || nowSeconds < nbf - SKEW_SECONDS)) return bad("nbf");
  // Otherwise the token of another sign-in could be substituted.
  if (typeof nonce !== "string" || nonce !== expected.nonce) return bad("nonce");
  return passed({ subject: sub, algorithm: alg });
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}
