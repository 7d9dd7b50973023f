import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { afterAll, describe, expect, it, vi } from "vitest";
import type { Metadata } from "./check-discovery.ts";
import { providerSettings } from "./provider-settings.ts";
import { redeemCode } from "./redeem-code.ts";

const tid = "11111111-2222-3333-4444-555555555555";
const template = "https://login.example.com/{tenantid}/v2.0";
const issuer = template.replace("{tenantid}", tid);
const [own, foreign] = [await generateKeyPair("RS256"), await generateKeyPair("RS256")];
const keys = [
  { ...(await exportJWK(own.publicKey)), kid: "own", alg: "RS256", issuer: template },
  {
    ...(await exportJWK(foreign.publicKey)),
    kid: "foreign",
    alg: "RS256",
    issuer: "https://login.example.com/99999999-2222-3333-4444-555555555555/v2.0",
  },
];
const [provider] = providerSettings(
  JSON.stringify([
    {
      id: "x",
      label: "X",
      issuer: template,
      discovery: "https://login.example.com/openid-configuration",
      tenants: [tid],
      clientId: "us",
      clientSecret: "OIDC_X",
    },
  ]),
  false,
).providers;
if (provider === undefined) throw new Error("The provider's settings are not right");

interface Case {
  claims?: JWTPayload;
  header?: object;
  key?: CryptoKey;
  change?: (token: string) => string;
  userInfo?: object;
  tokenStatus?: number;
  trustedForEmail?: boolean;
}

let made = 0;
const sent: Request[] = [];

async function redeem(of: Case) {
  made += 1;
  const at = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, sub: "ada", aud: "us", tid, nonce: "n", iat: at, exp: at + 60 };
  const token = await new SignJWT({ ...claims, ...of.claims })
    .setProtectedHeader({ alg: "RS256", kid: "own", ...of.header })
    .sign(of.key ?? own.privateKey);
  const answers: Record<string, () => Response> = {
    "/token": () =>
      Response.json(
        of.tokenStatus === undefined
          ? { access_token: "a", token_type: "Bearer", id_token: of.change?.(token) ?? token }
          : { error: "invalid_grant", error_description: "the secret is hunter2" },
        { status: of.tokenStatus ?? 200 },
      ),
    "/me": () => Response.json(of.userInfo ?? { sub: "ada", email: "ada@x.example" }),
  };
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const request = new Request(url, init);
    sent.push(request);
    return answers[new URL(url).pathname]?.() ?? Response.json({ keys });
  });
  const redeemed = await redeemCode({
    provider: {
      ...(provider as NonNullable<typeof provider>),
      trustedForEmail: of.trustedForEmail === true,
    },
    metadata: {
      issuer: template,
      authorization_endpoint: "https://login.example.com/auth",
      token_endpoint: "https://login.example.com/token",
      userinfo_endpoint: "https://login.example.com/me",
      jwks_uri: `https://login.example.com/keys/${made}`,
    } satisfies Metadata,
    clientSecret: "secret",
    code: "the code",
    redirectUri: "https://control.test/callback",
    codeVerifier: "v".repeat(43),
    nonce: "n",
    now: Date.now(),
    development: false,
  });
  return redeemed.ok ? redeemed.value : redeemed.reason;
}

afterAll(() => {
  vi.unstubAllGlobals();
});

describe("redeemCode", () => {
  it("returns the identity, and fetches the address if the token has none", async () => {
    expect(await redeem({})).toEqual({
      issuer,
      subject: "ada",
      email: "ada@x.example",
      emailTrusted: false,
      name: null,
    });
    const [tokenRequest] = sent;
    expect(Object.fromEntries(new URLSearchParams(await tokenRequest?.text()))).toEqual({
      grant_type: "authorization_code",
      code: "the code",
      code_verifier: "v".repeat(43),
      redirect_uri: "https://control.test/callback",
    });
    expect(tokenRequest?.headers.get("authorization")).toBe(`Basic ${btoa("us:secret")}`);
    sent.length = 0;
    expect(await redeem({ claims: { email: "b@x.example" } })).toMatchObject({
      email: "b@x.example",
    });
    expect(sent.map(({ url }) => new URL(url).pathname)).not.toContain("/me");
  });

  it("fetches whether the address is verified if the token does not say and it matters", async () => {
    const claims = { email: "b@x.example" };
    const userInfo = { sub: "ada", email: "a@x.example", email_verified: true };
    expect(await redeem({ claims, userInfo, trustedForEmail: true })).toMatchObject({
      email: "a@x.example",
      emailTrusted: true,
    });
    const half = { claims: { ...claims, email_verified: true }, userInfo: { sub: "ada" } };
    expect(await redeem({ ...half, trustedForEmail: true })).toMatchObject({ emailTrusted: true });
    const silent = { claims, userInfo: { sub: "ada", email: "b@x.example" } };
    expect(await redeem({ ...silent, trustedForEmail: true })).toMatchObject({
      email: "b@x.example",
      emailTrusted: false,
    });
  });

  const spoil = (part: number) => (token: string) => {
    const parts = token.split(".");
    const text = parts[part] ?? "";
    parts[part] = `${text.startsWith("A") ? "B" : "A"}${text.slice(1)}`;
    return parts.join(".");
  };

  it.each<[string, Case, string]>([
    ["a signature that is not right", { change: spoil(2) }, "token_invalid"],
    ["no signature", { change: (token) => token.replace(/[^.]*$/, "") }, "token_invalid"],
    ["another's signature", { key: foreign.privateKey }, "token_invalid"],
    ["a key that is not published", { header: { kid: "new" } }, "key_unknown"],
    [
      "a key that signs for another tenant",
      { key: foreign.privateKey, header: { kid: "foreign" } },
      "key_unknown",
    ],
    ["a tenant that is not let in", { claims: { tid: tid.replace("1", "2") } }, "token_invalid"],
    [
      "another issuer than its tenant's",
      { claims: { iss: "https://evil.example" } },
      "token_invalid",
    ],
    ["an audience beside us", { claims: { aud: ["us", "them"], azp: "us" } }, "token_invalid"],
    ["an old token that still is good", { claims: { iat: 1 } }, "token_invalid"],
    ["another nonce", { claims: { nonce: "m" } }, "token_invalid"],
    ["the hash of another access token", { claims: { at_hash: "x" } }, "token_invalid"],
    ["user information of another", { userInfo: { sub: "eve" } }, "user_info_invalid"],
    ["a refusal", { tokenStatus: 400 }, "code_refused"],
  ])("refuses %s", async (_, of, reason) => {
    expect(await redeem(of)).toBe(reason);
  });
});
