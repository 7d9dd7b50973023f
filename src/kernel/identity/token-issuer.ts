import type { Bindings } from "#kernel/bindings.ts";
import { type IdentityKeys, IdentityKeysError, identityKeysFrom } from "./identity-keys.ts";
import { readPublicUrl } from "./public-url.ts";

export type IssuerSettings = Pick<Bindings, "PUBLIC_URL" | "IDENTITY_KEYS">;

/** This installation as an OpenID issuer, or the reason why it is none, for operators. `url`: as in `iss`. */
export type TokenIssuer = { ok: true; url: string } | { ok: false; problem: string };

/** The issuer by its settings alone; its keys may still be malformed. Never taken from a request. */
export function tokenIssuer(env: IssuerSettings): TokenIssuer {
  const read = readPublicUrl(env.PUBLIC_URL);
  if (!read.ok) return read;
  const missing = [
    ...(read.url === undefined ? ["PUBLIC_URL"] : []),
    ...((env.IDENTITY_KEYS ?? "").trim() === "" ? ["IDENTITY_KEYS"] : []),
  ];
  if (read.url !== undefined && missing.length === 0) return { ok: true, url: read.url };
  return {
    ok: false,
    problem: `This installation issues no tokens for its runs: its operator has not set ${missing.join(" and ")}.`,
  };
}

/** The issuer with its keys. Never throws. */
export async function tokenIssuerWithKeys(
  env: IssuerSettings,
): Promise<{ ok: true; url: string; keys: IdentityKeys } | { ok: false; problem: string }> {
  const issuer = tokenIssuer(env);
  if (!issuer.ok) return issuer;
  try {
    return { ...issuer, keys: await identityKeysFrom(env.IDENTITY_KEYS ?? "") };
  } catch (error) {
    if (!(error instanceof IdentityKeysError)) throw error;
    return { ok: false, problem: error.message };
  }
}

/**
 * The mistakes in the issuer's settings, although everything but federation works. Without any setting there is no
 * mistake.
 */
export async function issuerProblems(env: IssuerSettings): Promise<string[]> {
  const read = readPublicUrl(env.PUBLIC_URL);
  if (!read.ok) return [read.problem];
  if ((env.IDENTITY_KEYS ?? "").trim() === "") return [];
  const issuer = await tokenIssuerWithKeys(env);
  return issuer.ok ? [] : [issuer.problem];
}
