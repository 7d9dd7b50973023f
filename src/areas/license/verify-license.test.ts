import { base64url, exportJWK, exportPKCS8, exportSPKI, generateKeyPair, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { licenseClaims, makeIssuer, seconds, signedLicense } from "#test/support/licenses.ts";
import { verifyLicense } from "./verify-license.ts";

const issuer = await makeIssuer();
const stranger = await makeIssuer();
const publicKey = JSON.stringify(issuer.publicJwk);
const good = await signedLicense(issuer);
const [goodHeader = "", goodPayload = "", goodSignature = ""] = good.split(".");

const encodedPart = (value: unknown): string =>
  base64url.encode(typeof value === "string" ? value : JSON.stringify(value));

async function signedByHmac(): Promise<string> {
  // The classic confusion: the public key, known to everyone, as the secret of an HMAC.
  const secret = new TextEncoder().encode(publicKey.padEnd(32));
  return new SignJWT(licenseClaims() as Record<string, unknown>)
    .setProtectedHeader({ alg: "HS256", typ: "license+jwt" })
    .sign(secret);
}

async function signedByP256(): Promise<string> {
  const { privateKey } = await generateKeyPair("ES256");
  return new SignJWT(licenseClaims() as Record<string, unknown>)
    .setProtectedHeader({ alg: "ES256", typ: "license+jwt" })
    .sign(privateKey);
}

const without = (name: string): object =>
  Object.fromEntries(Object.entries(licenseClaims()).filter(([key]) => key !== name));

describe("a license", () => {
  it("is read completely, with unknown limits", async () => {
    const nbf = seconds(Date.UTC(2026, 0, 1));
    const token = await signedLicense(issuer, licenseClaims({ nbf }));
    expect(await verifyLicense(token, publicKey)).toEqual({
      kind: "license",
      license: {
        id: "license-1",
        plan: "team",
        licensee: "Acme",
        limits: { instances: 7, seats: 3 },
        features: ["sso"],
        notBeforeMs: Date.UTC(2026, 0, 1),
        expiresAtMs: Date.UTC(2100, 0, 1),
      },
    });
  });

  it("needs only plan, id, audience and expiry", async () => {
    const { aud, jti, plan, exp } = licenseClaims() as Record<string, unknown>;
    const read = await verifyLicense(
      await signedLicense(issuer, { aud, jti, plan, exp }),
      publicKey,
    );
    expect(read).toMatchObject({
      kind: "license",
      license: { licensee: null, limits: {}, features: [], notBeforeMs: null },
    });
  });

  it("can use the algorithm name Ed25519, several audiences and surrounding white space", async () => {
    const token = await signedLicense(issuer, licenseClaims({ aud: ["x", "control-api"] }), {
      alg: "Ed25519",
    });
    expect(await verifyLicense(`\n ${token} \n`, ` ${publicKey}\n`)).toMatchObject({
      kind: "license",
    });
  });

  it("can be verified with a PEM key", async () => {
    const pem = await exportSPKI(issuer.publicKey);
    expect(await verifyLicense(good, pem)).toMatchObject({ kind: "license" });
    expect(await verifyLicense(good, await exportSPKI(stranger.publicKey))).toMatchObject({
      kind: "invalid",
    });
  });

  it.for([undefined, "", " \n"])("is absent if it is %j", async (token) => {
    expect(await verifyLicense(token, publicKey)).toEqual({ kind: "none" });
    expect(await verifyLicense(token, undefined)).toEqual({ kind: "none" });
  });

  it.for<[string, () => string | Promise<string>]>([
    ["signed by another key", () => signedLicense(stranger)],
    ["with alg none", () => `${encodedPart({ alg: "none", typ: "license+jwt" })}.${goodPayload}.`],
    [
      "with alg none and its old signature",
      () => `${encodedPart({ alg: "none", typ: "license+jwt" })}.${goodPayload}.${goodSignature}`,
    ],
    ["signed by HS256 with the public key", signedByHmac],
    ["signed by ES256", signedByP256],
    [
      "with another key in its header",
      () => signedLicense(stranger, licenseClaims(), { jwk: stranger.publicJwk }),
    ],
    [
      "with a critical header nobody knows",
      () =>
        `${encodedPart({ alg: "EdDSA", typ: "license+jwt", crit: ["x"], x: 1 })}.${goodPayload}.${goodSignature}`,
    ],
    [
      "changed in its payload",
      () => `${goodHeader}.${encodedPart(licenseClaims({ plan: "enterprise" }))}.${goodSignature}`,
    ],
    [
      "changed in its header",
      () =>
        `${encodedPart({ alg: "EdDSA", typ: "license+jwt", kid: "1" })}.${goodPayload}.${goodSignature}`,
    ],
    ["cut short", () => good.slice(0, -4)],
    ["without a signature", () => `${goodHeader}.${goodPayload}.`],
    ["of two parts", () => `${goodHeader}.${goodPayload}`],
    ["of four parts", () => `${good}.x`],
    ["of five parts", () => `${good}.x.y`],
    ["no token", () => "enterprise"],
    ["JSON", () => JSON.stringify(licenseClaims())],
    ["of another type", () => signedLicense(issuer, licenseClaims(), { typ: "JWT" })],
    ["of no type", () => signedLicense(issuer, licenseClaims(), { typ: undefined })],
    ["not JSON inside", () => signedLicense(issuer, "{")],
    [
      "not UTF-8 inside",
      async () => {
        const { CompactSign } = await import("jose");
        return new CompactSign(new Uint8Array([0xff, 0xfe]))
          .setProtectedHeader({ alg: "EdDSA", typ: "license+jwt" })
          .sign(issuer.privateKey);
      },
    ],
    ["null inside", () => signedLicense(issuer, null)],
    ["a list inside", () => signedLicense(issuer, [licenseClaims()])],
    ["for another audience", () => signedLicense(issuer, licenseClaims({ aud: "billing-api" }))],
    ["for other audiences", () => signedLicense(issuer, licenseClaims({ aud: ["billing-api"] }))],
    ["for no audience", () => signedLicense(issuer, without("aud"))],
    ["without an id", () => signedLicense(issuer, without("jti"))],
    ["without a plan", () => signedLicense(issuer, without("plan"))],
    [
      "for a plan nobody knows",
      () => signedLicense(issuer, licenseClaims({ plan: "constructor" })),
    ],
    ["without an end", () => signedLicense(issuer, without("exp"))],
    ["with an end in words", () => signedLicense(issuer, licenseClaims({ exp: "2100-01-01" }))],
    [
      "with an end beyond all dates",
      () => signedLicense(issuer, licenseClaims({ exp: 8_640_000_000_001 })),
    ],
    ["with a negative end", () => signedLicense(issuer, licenseClaims({ exp: -1 }))],
    ["with a start in words", () => signedLicense(issuer, licenseClaims({ nbf: "soon" }))],
    ["with limits that are a list", () => signedLicense(issuer, licenseClaims({ limits: [1] }))],
    [
      "with features that are a text",
      () => signedLicense(issuer, licenseClaims({ features: "sso" })),
    ],
  ])("is invalid if it is %s", async ([, token]) => {
    const read = await verifyLicense(await token(), publicKey);
    expect(read).toEqual({ kind: "invalid", problem: expect.any(String) });
  });

  it.for<[string, () => string | undefined | Promise<string>]>([
    ["no key", () => undefined],
    ["an empty key", () => " "],
    ["a text", () => "secret"],
    ["broken JSON", () => "{"],
    [
      "a JWK of another curve",
      async () =>
        JSON.stringify(
          await exportJWK((await generateKeyPair("ES256", { extractable: true })).publicKey),
        ),
    ],
    ["a JWK without x", () => JSON.stringify({ kty: "OKP", crv: "Ed25519" })],
    ["a JWK with a short x", () => JSON.stringify({ kty: "OKP", crv: "Ed25519", x: "AAAA" })],
    ["a symmetric JWK", () => JSON.stringify({ kty: "oct", k: "AAAA" })],
    ["a private key in PEM", () => exportPKCS8(issuer.privateKey)],
    [
      "a public key of another kind in PEM",
      async () => exportSPKI((await generateKeyPair("ES256", { extractable: true })).publicKey),
    ],
  ])("is invalid if it is verified with %s", async ([, key]) => {
    const read = await verifyLicense(good, await key());
    expect(read).toEqual({
      kind: "invalid",
      problem: expect.stringContaining("LICENSE_PUBLIC_KEY"),
    });
  });
});
