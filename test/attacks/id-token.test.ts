/** Attacks on the ID token: what it claims, who signed it, and with which key. */
import * as fc from "fast-check";
import { base64url, exportSPKI, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Browser, person } from "#test/support/sign-in.ts";
import { attempt, authorized, come, setLater, settingsFor, useHostility } from "./attempt.ts";
import {
  type Alterations,
  encode,
  HostileProvider,
  type Json,
  makeSigningKey,
  sign,
  type SigningKey,
} from "./hostile-provider.ts";

useHostility();

const [foreign, next, rsa] = await Promise.all([
  makeSigningKey("ES256", "usual"),
  makeSigningKey("ES256", "next"),
  makeSigningKey("RS256", "rsa"),
]);
const rsaAt = () => Object.assign(new HostileProvider(), { key: rsa });
const seconds = (value: unknown) => Number(value);

describe("a sign-in at an honest provider", () => {
  it.each<[string, () => HostileProvider]>([
    ["ES256", () => new HostileProvider()],
    ["RS256", rsaAt],
  ])("succeeds with %s", async (_, make) => {
    const { result, provider, browser } = await attempt({}, { provider: make() });
    expect(result).toBe("signed in");
    expect(provider.asked).toEqual(["discovery", "token", "keys"]);
    expect((await browser.get("/auth/session")).status).toBe(200);
  });
});

describe("an ID token", () => {
  const claims = (more: Json | ((honest: Json) => Json)): Alterations => ({
    claims: typeof more === "function" ? more : () => more,
  });

  it.each<[attack: string, cause: string, Alterations]>([
    ["of another issuer", "iss", claims({ iss: "https://evil.test" })],
    ["of no issuer", "iss", claims({ iss: undefined })],
    [
      "of an issuer that differs by a slash",
      "iss",
      claims(({ iss }) => ({ iss: `${String(iss)}/` })),
    ],
    ["of the issuer in capitals", "iss", claims(({ iss }) => ({ iss: String(iss).toUpperCase() }))],
    ["of two issuers", "iss", claims(({ iss }) => ({ iss: [iss, "https://evil.test"] }))],
    ["for somebody else", "aud", claims({ aud: "another" })],
    ["for nobody", "aud", claims({ aud: undefined })],
    ["for no one in a list", "aud", claims({ aud: [] })],
    ["for us and somebody else", "aud", claims({ aud: ["control", "another"] })],
    ["for us twice", "aud", claims({ aud: ["control", "control"] })],
    ["asked for by somebody else", "azp", claims({ azp: "another" })],
    ["that expired", "exp", claims(({ iat }) => ({ exp: seconds(iat) - 31 }))],
    ["that never expires", "exp", claims({ exp: undefined })],
    ["that expires in words", "exp", claims(({ exp }) => ({ exp: String(exp) }))],
    ["issued long ago", "iat", claims(({ iat }) => ({ iat: seconds(iat) - 605 }))],
    ["issued in the future", "iat", claims(({ iat }) => ({ iat: seconds(iat) + 605 }))],
    ["issued at no time", "iat", claims({ iat: undefined })],
    ["that is not good yet", "nbf", claims(({ iat }) => ({ nbf: seconds(iat) + 40 }))],
    ["with another nonce", "nonce", claims({ nonce: "A".repeat(43) })],
    ["without a nonce", "nonce", claims({ nonce: undefined })],
    ["with the nonce in a list", "nonce", claims(({ nonce }) => ({ nonce: [nonce] }))],
    ["of nobody", "sub", claims({ sub: undefined })],
    ["of somebody without a name", "sub", claims({ sub: "" })],
    ["of a name with control characters", "sub", claims({ sub: "ada\u0000" })],
    ["of a name that is a number", "sub", claims({ sub: 1 })],
    ["with the hash of another access token", "at_hash", claims({ at_hash: "A".repeat(22) })],
    ["with a hash that is none", "at_hash", claims({ at_hash: null })],
    [
      "beside an access token that was exchanged",
      "at_hash",
      { tokenAnswer: (body) => ({ ...body, access_token: "another" }) },
    ],
    [
      "that names its issuer twice",
      "iss",
      {
        token: (_, parts) =>
          sign(
            parts.header,
            JSON.stringify(parts.claims).replace(/\}$/, ',"iss":"https://evil.test"}'),
            usual(),
          ),
      },
    ],
  ])("%s is refused, for its %s", async (_, cause, alter) => {
    const attempted = await attempt(alter);
    expect([attempted.result, attempted.cause]).toEqual(["token_invalid", cause]);
  });

  it.each<[attack: string, Alterations]>([
    ["that is not there", { tokenAnswer: (body) => ({ ...body, id_token: undefined }) }],
    ["that is no text", { tokenAnswer: (body) => ({ ...body, id_token: { alg: "none" } }) }],
    ["of a hundred thousand characters", claims({ filler: "x".repeat(100_000) })],
    ["that is encrypted", { token: (token) => `${token}.AAAA.AAAA` }],
    ["without a third part", { token: (token) => token.replace(/\.[^.]*$/, "") }],
    ["whose claims are a list", { token: (_, { header }) => sign(header, [], usual()) }],
    [
      "whose claims are no UTF-8",
      {
        token: (token) => {
          const [header, , signature] = token.split(".");
          return `${header}.${base64url.encode(new Uint8Array([0xff, 0xfe]))}.${signature}`;
        },
      },
    ],
  ])("%s is refused", async (_, alter) => {
    const attempted = await attempt(alter);
    expect([attempted.result, attempted.cause]).toEqual(["token_invalid", "not a signed token"]);
  });
});

const usual = (): SigningKey => new HostileProvider().key;

describe("a signature", () => {
  const hs256 =
    (secret: string) =>
    (_: string, { claims }: { claims: Json }) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256", kid: "rsa" })
        .sign(new TextEncoder().encode(secret));
  const withSignature =
    (change: (signature: string) => string) =>
    (token: string): string =>
      token.replace(/[^.]*$/, change);

  it.each<[attack: string, header: Json, signature: string]>([
    ["none", { alg: "none" }, ""],
    ["None", { alg: "None" }, ""],
    ["none, with a signature", { alg: "none" }, "AAAA"],
    ["an empty text", { alg: "" }, ""],
    ["a list", { alg: ["ES256"] }, ""],
    ["not there", { alg: undefined }, ""],
  ])("is required even with the algorithm %s", async (_, header, signature) => {
    const attempted = await attempt({
      token: (_token, parts) =>
        `${encode({ ...parts.header, ...header })}.${encode(parts.claims)}.${signature}`,
    });
    expect([attempted.result, attempted.cause]).toEqual(["token_invalid", "alg"]);
  });

  it("of HMAC with the client's secret is refused", async () => {
    const provider = new HostileProvider();
    const attempted = await attempt({ token: hs256(provider.secret) }, { provider });
    expect([attempted.result, attempted.cause]).toEqual(["token_invalid", "alg"]);
  });

  it("of HMAC with the public key as the secret is refused, in every encoding of the key", async () => {
    const pair = await generateKeyPair("RS256", { extractable: true });
    const spki = await exportSPKI(pair.publicKey);
    for (const secret of [spki, `${spki}\n`, JSON.stringify(rsa.jwk), String(rsa.jwk.n)]) {
      const attempted = await attempt({ token: hs256(secret) }, { provider: rsaAt() });
      expect([attempted.result, attempted.cause]).toEqual(["token_invalid", "alg"]);
    }
  });

  it.each<[string, Alterations, Json]>([
    ["RS512", { header: () => ({ alg: "RS512" }) }, {}],
    ["PS256", { header: () => ({ alg: "PS256" }) }, {}],
    ["an algorithm that is not configured", {}, { algorithms: ["ES256"] }],
    ["rules of its own", { header: () => ({ crit: ["b64"], b64: false }) }, {}],
  ])("of %s is refused", async (_, alter, entry) => {
    const attempted = await attempt(alter, { provider: rsaAt(), entry });
    expect(attempted.result).toBe("token_invalid");
    expect(attempted.cause).toMatch(/^(alg|crit)$/);
  });

  const unverified = /signature verification failed/;
  const noKey = /no applicable keys/;

  it.each<[attack: string, cause: RegExp, Alterations]>([
    ["by a key of the attacker's under the right name", unverified, { signedBy: foreign }],
    [
      "by a key that the header brings along",
      unverified,
      { signedBy: foreign, header: () => ({ jwk: foreign.jwk }) },
    ],
    [
      "by a key at an address that the header names",
      unverified,
      {
        signedBy: foreign,
        header: () => ({ jku: "https://evil.test/keys", x5u: "https://evil.test/cert" }),
      },
    ],
    [
      "without the name of a key",
      unverified,
      { signedBy: { ...foreign, kid: "" }, header: () => ({ kid: undefined }) },
    ],
    ["that is empty", unverified, { token: withSignature(() => "") }],
    ["of zeros", unverified, { token: withSignature(() => base64url.encode(new Uint8Array(64))) }],
    ["that is cut short", unverified, { token: withSignature((text) => text.slice(0, 40)) }],
    [
      "of another token",
      unverified,
      {
        token: (token, { header, claims }) => {
          const [, , signature] = token.split(".");
          return `${encode(header)}.${encode({ ...claims, sub: "eve" })}.${signature}`;
        },
      },
    ],
    [
      "by a key for encryption",
      noKey,
      { keys: (keys) => keys.map((key) => ({ ...key, use: "enc" })) },
    ],
    [
      "by a key for another algorithm",
      noKey,
      { keys: (keys) => keys.map((key) => ({ ...key, alg: "ES384" })) },
    ],
    [
      "by a key that may not verify",
      noKey,
      { keys: (keys) => keys.map((key) => ({ ...key, key_ops: ["sign"] })) },
    ],
    [
      "by one of two keys of one name",
      /multiple applicable keys/,
      { keys: (keys) => [...keys, foreign.jwk] },
    ],
  ])("%s is refused", async (_, cause, alter) => {
    const attempted = await attempt(alter);
    expect(attempted.result).toBe("token_invalid");
    expect(attempted.cause).toMatch(cause);
  });

  it("by a key of 1,024 bits is refused, though the provider publishes it", async () => {
    const { privateKey, publicKey } = (await crypto.subtle.generateKey(
      {
        name: "RSASSA-PKCS1-v1_5",
        modulusLength: 1024,
        publicExponent: new Uint8Array([1, 0, 1]),
        hash: "SHA-256",
      },
      true,
      ["sign", "verify"],
    )) as CryptoKeyPair;
    const jwk = (await crypto.subtle.exportKey("jwk", publicKey)) as JsonWebKey;
    const weak: SigningKey = {
      alg: "RS256",
      kid: "weak",
      privateKey,
      jwk: { kty: "RSA", n: String(jwk.n), e: String(jwk.e), kid: "weak" },
    };
    const provider = Object.assign(new HostileProvider(), { key: weak });
    expect((await attempt({}, { provider })).result).toBe("token_invalid");
  });

  it("fails for any changed byte of header, claims or signature", async () => {
    const provider = new HostileProvider();
    const settings = settingsFor([provider]);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(0, 1, 2),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 1, max: 255 }),
        fc.constantFrom("change", "insert", "remove"),
        async (part, place, value, how) => {
          provider.alter = {
            token: (token) => {
              const parts = token.split(".");
              const bytes = [...base64url.decode(parts[part] ?? "")];
              const at = Math.floor(place * bytes.length);
              if (how === "change") bytes[at] = (bytes[at] ?? 0) ^ value;
              else bytes.splice(at, how === "remove" ? 1 : 0, ...(how === "insert" ? [value] : []));
              parts[part] = base64url.encode(new Uint8Array(bytes));
              return parts.join(".");
            },
          };
          const browser = new Browser(settings);
          const { result } = await come(browser, await authorized(browser, provider), provider);
          expect(["token_invalid", "key_unknown"]).toContain(result);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("a provider of many tenants", () => {
  const [ours, theirs] = [
    "11111111-2222-3333-4444-555555555555",
    "99999999-2222-3333-4444-555555555555",
  ];
  const of = async (claimed: Json) => {
    const provider = new HostileProvider();
    const template = `${provider.issuer}/{tenantid}/v2.0`;
    const at = (tid: unknown) => template.replace("{tenantid}", String(tid));
    const { tid = ours, issuerOf = tid, keyOf } = claimed;
    return attempt(
      {
        discovery: (document) => ({ ...document, issuer: template }),
        claims: () => ({ iss: at(issuerOf), tid }),
        callback: (query) => query.set("iss", at(ours)),
        keys: (all) =>
          all.map((key) => (keyOf === undefined ? key : { ...key, issuer: at(keyOf) })),
      },
      {
        provider,
        entry: {
          issuer: template,
          discovery: `${provider.issuer}/.well-known/openid-configuration`,
          tenants: [ours],
          trustedForEmail: false,
        },
      },
    );
  };

  it.each<[string, Json]>([
    ["of ours", {}],
    ["of ours, by a key for it alone", { keyOf: ours }],
    ["of ours, by a key for all", { keyOf: "{tenantid}" }],
  ])("accepts a token %s", async (_, claimed) => {
    expect((await of(claimed)).result).toBe("signed in");
  });

  it.each<[attack: string, claimed: Json, result: string, cause: RegExp]>([
    ["of a tenant that is not allowed", { tid: theirs }, "token_invalid", /is not allowed/],
    ["of another tenant than its issuer's", { issuerOf: theirs }, "token_invalid", /^iss$/],
    ["of no tenant", { tid: null }, "token_invalid", /^tid/],
    ["of a tenant that is a path", { tid: `${ours}/../${theirs}` }, "token_invalid", /^tid/],
    ["of the placeholder", { tid: "{tenantid}" }, "token_invalid", /^tid/],
    ["by another tenant's key", { keyOf: theirs }, "key_unknown", /^kid$/],
  ])("refuses a token %s", async (_, claimed, result, cause) => {
    const attempted = await of(claimed);
    expect(attempted.result).toBe(result);
    expect(attempted.cause).toMatch(cause);
  });
});

describe("a key", () => {
  beforeAll(() => setLater(0));
  afterAll(() => setLater(0));

  it("that is not published is fetched once more, and refused", async () => {
    const { result, provider } = await attempt({ header: () => ({ kid: "invented" }) });
    expect([result, provider.count("keys")]).toEqual(["key_unknown", 1]);
    setLater(11_000);
    const alter = { header: () => ({ kid: "invented-too" }) };
    expect((await attempt(alter, { provider })).result).toBe("key_unknown");
    expect(provider.count("keys")).toBe(2);
  });

  it("that was rotated just before is found with one more request", async () => {
    const { result, provider } = await attempt();
    expect(result).toBe("signed in");
    setLater(22_000);
    provider.key = next;
    expect((await attempt({}, { provider })).result).toBe("signed in");
    expect((await attempt({}, { provider })).result).toBe("signed in");
    expect(provider.count("keys")).toBe(2);
    const { alg, kid } = usual();
    const old = await attempt({ signedBy: { ...usual(), alg, kid } }, { provider });
    expect(old.result, "a key that was taken back is not good any more").toBe("key_unknown");
  });

  it("that has the name of the one before it is found with one more request", async () => {
    const { result, provider } = await attempt();
    expect(result).toBe("signed in");
    setLater(33_000);
    const { alg, kid } = usual();
    provider.key = await makeSigningKey(alg, kid);
    expect((await attempt({}, { provider })).result).toBe("signed in");
    expect(provider.count("keys")).toBe(2);
    const forged = { signedBy: await makeSigningKey(alg, kid) };
    for (const _ of [1, 2, 3])
      expect((await attempt(forged, { provider })).result).toBe("token_invalid");
    expect(provider.count("keys"), "a forged signature causes no further request").toBe(2);
    setLater(44_000);
    expect((await attempt(forged, { provider })).result).toBe("token_invalid");
    expect(provider.count("keys")).toBe(3);
  });

  it("that is not published causes one request in ten seconds, also with two hundred simultaneous sign-ins", async () => {
    const { provider, browser } = await attempt();
    setLater(66_000);
    const callbacks = await Promise.all(
      Array.from({ length: 200 }, () => authorized(browser, provider)),
    );
    let invented = 0;
    provider.alter = { header: () => ({ kid: `invented-${(invented += 1)}` }) };
    const results = await Promise.all(callbacks.map((callback) => browser.come(callback)));
    expect(new Set(results.map(({ body }) => body.errors[0].code))).toEqual(
      new Set(["key_unknown"]),
    );
    expect([invented, provider.count("keys")]).toEqual([200, 2]);
    expect((await attempt({}, { provider })).result, "others go on").toBe("signed in");
    expect(provider.count("keys")).toBe(2);
  });

  it("is available to all simultaneous first sign-ins", async () => {
    const provider = new HostileProvider();
    const results = await Promise.all(
      Array.from({ length: 10 }, () => attempt({}, { provider, who: person() })),
    );
    expect(new Set(results.map(({ result }) => result))).toEqual(new Set(["signed in"]));
  });
});
