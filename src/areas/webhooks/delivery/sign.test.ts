import { createPublicKey, verify } from "node:crypto";
import OpenAI from "openai";
import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it } from "vitest";
import { makeSigningKey, signatureHeader } from "./sign.ts";

const published = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  message: {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestampSeconds: 1614265330,
    body: '{"test": 2432232314}',
  },
  signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};

/**
 * Svix's server has this pair and signature in its tests; the signature is the specification's example of `v1a`.
 * Ed25519 gives one signature per text and key.
 */
const publishedPair = {
  secret:
    "whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==",
  publicKey: "whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=",
  signature:
    "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==",
};

async function makeSigningSecret(): Promise<string> {
  return (await makeSigningKey("v1")).secret;
}

/** True by OpenSSL: a signature of the list is by the key. */
function isSignedBy(
  publicKey: string,
  list: string,
  { id, timestampSeconds, body }: { id: string; timestampSeconds: number; body: string },
): boolean {
  const x = Buffer.from(publicKey.slice("whpk_".length), "base64").toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const content = Buffer.from(`${id}.${timestampSeconds}.${body}`);
  return list
    .split(" ")
    .filter((one) => one.startsWith("v1a,"))
    .some((one) => verify(null, content, key, Buffer.from(one.slice("v1a,".length), "base64")));
}

/** A present message: the verifier refuses old ones. */
function freshMessage(body: string) {
  return { id: "evt-1", timestampSeconds: Math.floor(Date.now() / 1000), body };
}

function headersOf(message: { id: string; timestampSeconds: number }, signature: string) {
  return {
    "webhook-id": message.id,
    "webhook-timestamp": String(message.timestampSeconds),
    "webhook-signature": signature,
  };
}

type Verify = (secret: string, body: string, headers: Record<string, string>) => Promise<unknown>;

const openai = new OpenAI({ apiKey: "none" });
const verifiers: [string, Verify][] = [
  [
    "standardwebhooks",
    async (...[secret, body, headers]) => new Webhook(secret).verify(body, headers),
  ],
  ["svix", async (...[secret, body, headers]) => new SvixWebhook(secret).verify(body, headers)],
  ["openai", (secret, body, headers) => openai.webhooks.unwrap(body, headers, secret)],
];

describe("the signature", () => {
  it("equals the published signature of the published message", async () => {
    expect(await signatureHeader([published.secret], published.message)).toBe(published.signature);
  });

  it.each(verifiers)("verifies with %s, and with nothing else", async (_, verify) => {
    const secret = await makeSigningSecret();
    const other = await makeSigningSecret();
    const message = freshMessage('{"ümlaut":"€","n":1}');
    const headers = headersOf(message, await signatureHeader([secret], message));
    const body = message.body;
    expect(await verify(secret, body, headers)).toEqual({ ümlaut: "€", n: 1 });
    const rotating = headersOf(message, await signatureHeader([other, secret], message));
    expect(await verify(secret, body, rotating)).toEqual({ ümlaut: "€", n: 1 });
    const long = { ...message, timestampSeconds: message.timestampSeconds - 3_600 };
    for (const [wrongSecret, wrongBody, wrongHeaders] of [
      [secret, `${body} `, headers],
      [other, body, headers],
      [secret, body, { ...headers, "webhook-id": "evt-2" }],
      [secret, body, { ...headers, "webhook-timestamp": String(message.timestampSeconds + 1) }],
      [secret, body, headersOf(long, await signatureHeader([secret], long))],
    ] as const)
      await expect(verify(wrongSecret, wrongBody, wrongHeaders)).rejects.toThrow(
        /signature|timestamp/i,
      );
  });

  it("is made once per secret, in order, and each verifies alone", async () => {
    const secrets = await Promise.all([1, 2, 3].map(makeSigningSecret));
    const message = freshMessage("{}");
    const header = await signatureHeader(secrets, message);
    const alone = await Promise.all(secrets.map((secret) => signatureHeader([secret], message)));
    expect(header).toBe(alone.join(" "));
    for (const secret of secrets)
      expect(new Webhook(secret).verify("{}", headersOf(message, header))).toEqual({});
  });

  it("has a secret of 32 random bytes", async () => {
    const secrets = await Promise.all(Array.from({ length: 50 }, makeSigningSecret));
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(atob(secret.slice(6))).toHaveLength(32);
    }
  });

  it("rejects a secret of another kind", async () => {
    await expect(signatureHeader(["MfKQ9r8GKYqrTwjU"], published.message)).rejects.toThrow(
      /whsec_/,
    );
  });
});

describe("an Ed25519 signature", () => {
  it("equals the published signature of the published message", async () => {
    const { secret, publicKey, signature } = publishedPair;
    expect(await signatureHeader([secret], published.message)).toBe(signature);
    expect(isSignedBy(publicKey, signature, published.message)).toBe(true);
  });

  it("verifies with OpenSSL by the public key, and by no other, nor for another message", async () => {
    const [own, other] = await Promise.all([makeSigningKey("v1a"), makeSigningKey("v1a")]);
    const message = freshMessage('{"ümlaut":"€"}');
    const list = await signatureHeader([own.secret], message);
    expect(isSignedBy(own.publicKey ?? "", list, message)).toBe(true);
    expect(isSignedBy(other.publicKey ?? "", list, message)).toBe(false);
    for (const wrong of [{ id: "evt-2" }, { body: "{}" }, { timestampSeconds: 1 }])
      expect(isSignedBy(own.publicKey ?? "", list, { ...message, ...wrong })).toBe(false);
  });

  it("and one of `v1` stand in one list while the kind is changed, each in its own form", async () => {
    const [key, secret] = [await makeSigningKey("v1a"), await makeSigningSecret()];
    const message = freshMessage("{}");
    const list = await signatureHeader([key.secret, secret], message);
    expect(list).toMatch(/^v1a,[A-Za-z0-9+/]{86}== v1,[A-Za-z0-9+/]{43}=$/);
    expect(isSignedBy(key.publicKey ?? "", list, message)).toBe(true);
    expect(new Webhook(secret).verify("{}", headersOf(message, list))).toEqual({});
  });

  it("has a pair of its own each time, of which the public half shows", async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => makeSigningKey("v1a")));
    expect(new Set(keys.map(({ secret }) => secret)).size).toBe(20);
    for (const { secret, publicKey } of keys) {
      expect(secret).toMatch(/^whsk_[A-Za-z0-9+/]{86}==$/);
      expect(publicKey).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
      const bytes = Buffer.from(secret.slice("whsk_".length), "base64");
      expect(bytes.subarray(32).toString("base64")).toBe(publicKey?.slice("whpk_".length));
    }
  });

  it("is not made with half a key", async () => {
    const short = `whsk_${Buffer.alloc(32).toString("base64")}`;
    await expect(signatureHeader([short], published.message)).rejects.toThrow(/64 bytes/);
  });
});
