import jsonwebtoken from "jsonwebtoken";
import { createPublicKey, generateKeyPairSync, type JsonWebKey } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeIdentityKey } from "#test/support/identity-key.ts";
import { identityKeysFrom } from "./identity-keys.ts";
import { readPublicUrl } from "./public-url.ts";
import { ownClaims, type RunIdentity, signRunToken, subjectOf } from "./run-token.ts";
import { issuerProblems, tokenIssuer } from "./token-issuer.ts";

const [first, second] = [await makeIdentityKey(), await makeIdentityKey()];
const env = { PUBLIC_URL: "https://control.example", IDENTITY_KEYS: `${first}, ${second}` };
const identity: RunIdentity = {
  target: { id: "target-1", tenantId: "tenant-1", environment: "production" },
  tenantId: "tenant-1",
  operation: "deploy",
  deploymentId: "deployment-1",
  instanceId: "instance-1",
};
const at = { audience: "sts.amazonaws.com", nowMs: 1_800_000_000_900, tokenId: "token-1" };

const pemOf = (encoded: string) =>
  `-----BEGIN PRIVATE KEY-----\n${encoded}\n-----END PRIVATE KEY-----`;

describe("a token of a run", () => {
  it("equals an independent library's token, byte for byte", async () => {
    const [key] = (await identityKeysFrom(env.IDENTITY_KEYS)).published;
    const token = await signRunToken(env, identity, at);
    const claims = {
      iss: "https://control.example",
      sub: "tenant:tenant-1:target:target-1",
      aud: "sts.amazonaws.com",
      iat: 1_800_000_000,
      nbf: 1_799_999_970,
      exp: 1_800_000_570,
      jti: "token-1",
      tenant_id: "tenant-1",
      target_id: "target-1",
      environment: "production",
      operation: "deploy",
      deployment_id: "deployment-1",
      instance_id: "instance-1",
    };
    const header = { alg: "RS256" as const, typ: "JWT", kid: key?.kid ?? "" };
    expect(token).toBe(jsonwebtoken.sign(claims, pemOf(first), { algorithm: "RS256", header }));
  });

  it("of the first key is verified by an independent library with the published key alone", async () => {
    const { published } = await identityKeysFrom(env.IDENTITY_KEYS);
    const keys = published.map((jwk) =>
      createPublicKey({ key: jwk as unknown as JsonWebKey, format: "jwk" }),
    );
    const token = await signRunToken(env, identity, at);
    const verify = (key: (typeof keys)[number] | undefined) =>
      jsonwebtoken.verify(token, key ?? "", {
        algorithms: ["RS256"],
        audience: at.audience,
        clockTimestamp: at.nowMs / 1000,
      });
    expect(verify(keys[0])).toMatchObject({ sub: "tenant:tenant-1:target:target-1" });
    expect(() => verify(keys[1])).toThrow("invalid signature");
  });

  it("lives ten minutes in all, including the allowance for a slow clock", async () => {
    const claims = jsonwebtoken.decode(await signRunToken(env, identity, at), { json: true });
    expect((claims?.exp ?? 0) - (claims?.nbf ?? 0)).toBe(600);
  });

  it("of a check names no deployment, and has no claim that the discovery document lacks", async () => {
    const { target, tenantId } = identity;
    const check = { target, tenantId, operation: "verify" };
    const claims = jsonwebtoken.decode(await signRunToken(env, check, at), { json: true });
    expect(claims).not.toHaveProperty("deployment_id");
    expect(claims).not.toHaveProperty("instance_id");
    const registered = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"];
    const all = jsonwebtoken.decode(await signRunToken(env, identity, at), { json: true }) ?? {};
    expect(Object.keys(all).sort()).toEqual([...registered, ...ownClaims].sort());
  });

  it.each(["a:target:b", "", "a b", "*", "a/b", "ä"])(
    "attack: has no subject made of %j, which is no id",
    (id) => {
      expect(() => subjectOf({ id, tenantId: "t" })).toThrow("is no id");
      expect(() => subjectOf({ id: "t", tenantId: id })).toThrow("is no id");
    },
  );
});

describe("the key ring", () => {
  it("publishes only public halves, each with its thumbprint as id", async () => {
    const { published } = await identityKeysFrom(env.IDENTITY_KEYS);
    expect(published).toHaveLength(2);
    for (const key of published) {
      expect(Object.keys(key).sort()).toEqual(["alg", "e", "kid", "kty", "n", "use"]);
      expect(key.kid).toMatch(/^[\w-]{43}$/);
    }
    const again = await identityKeysFrom(`${second},${first}`);
    expect(again.published.map(({ kid }) => kid)).toEqual(
      published.map(({ kid }) => kid).reverse(),
    );
  });

  const weak = generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey;
  const curve = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const encoded = (key: typeof weak) =>
    key.export({ type: "pkcs8", format: "der" }).toString("base64");
  it.each([
    ["is no key", "canary-key", "must be RSA private keys"],
    ["is of another kind", encoded(curve), "must be RSA private keys"],
    ["is too short", encoded(weak), "less than 2,048 bits"],
    ["is there twice", `${first},${first}`, "has a key twice"],
    ["is one too many", [1, 2, 3, 4].map(() => first).join(), "The maximum is 3"],
  ])("with a key that %s is reported to operators, without its text", async (_, ring, problem) => {
    const problems = await issuerProblems({ ...env, IDENTITY_KEYS: ring });
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems.join()).not.toContain(ring.slice(0, 40));
    await expect(signRunToken({ ...env, IDENTITY_KEYS: ring }, identity, at)).rejects.toThrow(
      problem,
    );
  });
});

describe("the issuer", () => {
  it.each([
    ["https://control.example", "https://control.example"],
    ["https://control.example/", "https://control.example"],
    [" https://Control.example ", "https://control.example"],
    ["http://127.0.0.1:8787", "http://127.0.0.1:8787"],
    ["", undefined],
    [undefined, undefined],
  ])("reads %j as %j", (setting, url) => {
    expect(readPublicUrl(setting)).toEqual({ ok: true, url });
  });

  it.each([
    "http://control.example",
    "https://control.example/api",
    "https://control.example?x=1",
    "https://control.example#x",
    "https://user:pass@control.example",
    "control.example",
    "javascript:alert(1)",
    "https://a.example,https://b.example",
  ])("is not %s", (setting) => {
    expect(readPublicUrl(setting)).toMatchObject({ ok: false });
  });

  it("is absent without both settings, and names the missing one", () => {
    const problem = (settings: object) => {
      const issuer = tokenIssuer({ ...env, ...settings });
      return issuer.ok ? undefined : issuer.problem;
    };
    expect(problem({})).toBeUndefined();
    expect(problem({ PUBLIC_URL: "" })).toContain("has not set PUBLIC_URL.");
    expect(problem({ IDENTITY_KEYS: " " })).toContain("has not set IDENTITY_KEYS.");
    expect(problem({ PUBLIC_URL: "", IDENTITY_KEYS: "" })).toContain("PUBLIC_URL and IDENTITY");
  });
});
