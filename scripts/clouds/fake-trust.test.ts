import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fakeTrust } from "./fake-trust.ts";
import { type ServedCloud, serveFakeCloud } from "./serve-fake-cloud.ts";

const AUDIENCE = "sts.amazonaws.com";
const SUBJECT = "tenant:a:target:b";
let installation: ServedCloud;
let key: CryptoKey;

beforeAll(async () => {
  const pair = await generateKeyPair("RS256");
  key = pair.privateKey;
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: "k1", alg: "RS256", use: "sig" };
  installation = await serveFakeCloud(async (request) => {
    const { origin, pathname } = new URL(request.url);
    return pathname === "/jwks"
      ? Response.json({ keys: [jwk] })
      : Response.json({ issuer: origin, jwks_uri: `${origin}/jwks` });
  });
});

afterAll(async () => {
  await installation.close();
});

interface Claims {
  iss?: string;
  aud?: string;
  sub?: string;
  exp?: number;
}

async function token(claims: Claims = {}, signedBy = key): Promise<string> {
  const nowS = Math.floor(Date.now() / 1000);
  const all = { iss: installation.url, aud: AUDIENCE, sub: SUBJECT, exp: nowS + 600, ...claims };
  return new SignJWT(all).setProtectedHeader({ alg: "RS256", kid: "k1" }).sign(signedBy);
}

const trust = (more: Record<string, string> = {}) =>
  fakeTrust(AUDIENCE, { ISSUER: installation.url, TRUST_SUBJECT: SUBJECT, ...more });

describe("the trust of a fake cloud", () => {
  it("takes the token of its target", async () => {
    expect(await trust()(await token())).toBeUndefined();
  });

  it.each<[string, Claims, string]>([
    ["another target's", { sub: "tenant:a:target:c" }, "subject"],
    ["one whose subject begins alike", { sub: `${SUBJECT}c` }, "subject"],
    ["one for another cloud", { aud: "api://AzureADTokenExchange" }, "audience"],
    ["another installation's", { iss: "https://other.example" }, "issuer"],
    ["one that has expired", { exp: 1 }, "token"],
  ])("refuses %s", async (_, claims, of) => {
    expect(await trust()(await token(claims))).toMatchObject({ of });
  });

  it("refuses one that a key of somebody else signed", async () => {
    const { privateKey } = await generateKeyPair("RS256");
    expect(await trust()(await token({}, privateKey))).toMatchObject({ of: "token" });
    expect(await trust()("nonsense")).toMatchObject({ of: "token" });
  });

  it("that is not set refuses all, and says what to set", async () => {
    const refused = await trust({ TRUST_SUBJECT: "" })(await token());
    expect(refused?.of).toBe("unset");
    expect(refused?.says).toContain("TRUST_SUBJECT");
  });

  it("says that the issuer is another, or nobody, and what to set", async () => {
    for (const ISSUER of [`${installation.url}/`, "http://127.0.0.1:1"]) {
      const refused = await trust({ ISSUER })(await token());
      expect(refused?.of).toBe("issuer");
      expect(refused?.says).toContain("with ISSUER set");
    }
  });
});
