/** Valid and invalid licenses. */
import { CompactSign, exportJWK, generateKeyPair, type JWK } from "jose";
import { LICENSE_AUDIENCE, LICENSE_TYPE } from "#areas/license/verify-license.ts";

export interface Issuer {
  privateKey: CryptoKey;
  publicKey: CryptoKey;
  publicJwk: JWK;
}

export async function makeIssuer(): Promise<Issuer> {
  const { privateKey, publicKey } = await generateKeyPair("EdDSA", { extractable: true });
  return { privateKey, publicKey, publicJwk: await exportJWK(publicKey) };
}

/** In the seconds of a JWT. */
export const seconds = (ms: number): number => Math.floor(ms / 1000);

export function licenseClaims(more: object = {}): object {
  return {
    aud: LICENSE_AUDIENCE,
    jti: "license-1",
    sub: "Acme",
    plan: "team",
    limits: { instances: 7, seats: 3 },
    features: ["sso"],
    exp: seconds(Date.UTC(2100, 0, 1)),
    ...more,
  };
}

/** A license with these claims; `header` overrides members of the usual header. */
export async function signedLicense(
  issuer: Pick<Issuer, "privateKey">,
  claims: unknown = licenseClaims(),
  header: object = {},
): Promise<string> {
  const text = typeof claims === "string" ? claims : JSON.stringify(claims);
  return new CompactSign(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: "EdDSA", typ: LICENSE_TYPE, ...header })
    .sign(issuer.privateKey);
}
