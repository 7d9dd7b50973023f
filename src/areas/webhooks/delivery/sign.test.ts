import OpenAI from "openai";
import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it } from "vitest";
import { makeSigningSecret, signatureHeader } from "./sign.ts";

const published = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  message: {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestampSeconds: 1614265330,
    body: '{"test": 2432232314}',
  },
  signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};

/** A message of now: the verifier refuses old ones. */
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
    const secret = makeSigningSecret();
    const other = makeSigningSecret();
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
    const secrets = [makeSigningSecret(), makeSigningSecret(), makeSigningSecret()];
    const message = freshMessage("{}");
    const header = await signatureHeader(secrets, message);
    const alone = await Promise.all(secrets.map((secret) => signatureHeader([secret], message)));
    expect(header).toBe(alone.join(" "));
    for (const secret of secrets)
      expect(new Webhook(secret).verify("{}", headersOf(message, header))).toEqual({});
  });

  it("has a secret of 32 random bytes", () => {
    const secrets = Array.from({ length: 50 }, makeSigningSecret);
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
