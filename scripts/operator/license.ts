import { CompactSign, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { LICENSE_AUDIENCE, LICENSE_TYPE, verifyLicense } from "#areas/license/verify-license.ts";
import type { PlanName } from "#schema/lists/plans.ts";

export interface LicenseTerms {
  id: string;
  plan: PlanName;
  licensee?: string | undefined;
  /** Override the plan's limits; null means no limit. */
  limits: Readonly<Record<string, number | null>>;
  features: readonly string[];
  notBeforeMs?: number | undefined;
  expiresAtMs: number;
}

/** Generates a key pair for licenses, each key as a one-line JWK. */
export async function newLicenseKeys(): Promise<{ privateKey: string; publicKey: string }> {
  const pair = await generateKeyPair("EdDSA", { extractable: true });
  return {
    privateKey: JSON.stringify(await exportJWK(pair.privateKey)),
    publicKey: JSON.stringify(await exportJWK(pair.publicKey)),
  };
}

/** Signs a license. Throws when the service would reject it. */
export async function issueLicense(terms: LicenseTerms, privateKey: string): Promise<string> {
  const jwk = JSON.parse(privateKey) as JWK;
  const claims = {
    aud: LICENSE_AUDIENCE,
    jti: terms.id,
    ...(terms.licensee === undefined ? {} : { sub: terms.licensee }),
    plan: terms.plan,
    limits: terms.limits,
    features: terms.features,
    ...(terms.notBeforeMs === undefined ? {} : { nbf: Math.floor(terms.notBeforeMs / 1000) }),
    exp: Math.floor(terms.expiresAtMs / 1000),
  };
  const token = await new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: "EdDSA", typ: LICENSE_TYPE })
    .sign(await importJWK(jwk, "EdDSA"));
  const { d: _, ...publicJwk } = jwk;
  const read = await verifyLicense(token, JSON.stringify(publicJwk));
  if (read.kind !== "license")
    throw new Error(read.kind === "invalid" ? read.problem : "The license is empty.");
  return token;
}
