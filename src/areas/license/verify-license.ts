/**
 * Verifies a license offline: a compact JWS (RFC 7515) signed with Ed25519 (RFC 8037, RFC 9864). The key identifies the
 * issuer; the algorithm is fixed here and never taken from the token; `typ` and `aud` distinguish a license of this
 * product from other tokens of the same key (RFC 8725, 3.11 and 3.9). license.ts checks the validity in time.
 */
import { compactVerify, importJWK, importSPKI } from "jose";
import * as z from "zod";
import { FreeMap } from "#http/schemas.ts";
import { isJsonMap } from "#platform/json.ts";
import { planNames } from "#schema/lists/plans.ts";
import type { Installed } from "./license.ts";

export const LICENSE_TYPE = "license+jwt";
export const LICENSE_AUDIENCE = "control-api";

/** Bounded by the latest date that JavaScript can represent, minus the grace period. */
const Seconds = z
  .number()
  .int()
  .min(0)
  .max(8_640_000_000_000 - 14 * 24 * 60 * 60);

const Claims = z.object({
  aud: z.union([z.literal(LICENSE_AUDIENCE), z.array(z.string()).refine(namesUs)]),
  jti: z.string().min(1).max(200),
  sub: z.string().max(200).optional(),
  plan: z.enum(planNames),
  limits: FreeMap.default({}),
  features: z.array(z.string().max(100)).max(100).default([]),
  nbf: Seconds.optional(),
  exp: Seconds,
});

function namesUs(audience: readonly string[]): boolean {
  return audience.includes(LICENSE_AUDIENCE);
}

/**
 * Verifies `token` with `publicKey`, a JWK as JSON or an SPKI in PEM. Never throws: with an invalid license
 * the installation runs under the community plan and reports why.
 */
export async function verifyLicense(
  token: string | undefined,
  publicKey: string | undefined,
): Promise<Installed> {
  if (token === undefined || token.trim() === "") return { kind: "none" };
  if (publicKey === undefined || publicKey.trim() === "")
    return invalid("LICENSE_PUBLIC_KEY is not set, so the license cannot be verified.");
  const key = await importKey(publicKey.trim());
  if (key === undefined)
    return invalid("LICENSE_PUBLIC_KEY is not an Ed25519 public key as a JWK or in PEM.");
  let verified: Awaited<ReturnType<typeof compactVerify>>;
  try {
    verified = await compactVerify(token.trim(), key, { algorithms: ["EdDSA", "Ed25519"] });
  } catch {
    return invalid("The signature of LICENSE_KEY cannot be verified with LICENSE_PUBLIC_KEY.");
  }
  if (verified.protectedHeader.typ?.toLowerCase() !== LICENSE_TYPE)
    return invalid("LICENSE_KEY has a valid signature but is not a license.");
  const claims = Claims.safeParse(parsed(verified.payload));
  if (!claims.success) {
    const at = claims.error.issues[0]?.path[0];
    return invalid(
      `LICENSE_KEY is not a valid license of this product: its ${String(at ?? "content")} is wrong.`,
    );
  }
  const { jti, sub, plan, limits, features, nbf, exp } = claims.data;
  return {
    kind: "license",
    license: {
      id: jti,
      plan,
      licensee: sub ?? null,
      limits,
      features,
      notBeforeMs: nbf === undefined ? null : nbf * 1000,
      expiresAtMs: exp * 1000,
    },
  };
}

async function importKey(text: string): Promise<CryptoKey | undefined> {
  try {
    if (!text.startsWith("{")) return await importSPKI(text, "EdDSA");
    const jwk: unknown = JSON.parse(text);
    if (!isJsonMap(jwk) || jwk["kty"] !== "OKP" || jwk["crv"] !== "Ed25519") return undefined;
    const { x } = jwk;
    if (typeof x !== "string") return undefined;
    const key = await importJWK({ kty: "OKP", crv: "Ed25519", x }, "EdDSA");
    return key instanceof Uint8Array ? undefined : key;
  } catch {
    return undefined;
  }
}

function parsed(payload: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(payload));
  } catch {
    return undefined;
  }
}

function invalid(problem: string): Installed {
  return { kind: "invalid", problem };
}
