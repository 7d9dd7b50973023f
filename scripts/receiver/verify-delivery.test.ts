import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { verifyDelivery } from "./verify-delivery.ts";

/** The key that Svix's server publishes in its tests. */
const publicKey = "whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=";
const body = '{"test": 2432232314}';
const sentAtMs = 1_614_265_330_000;
const headers = {
  "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
  "webhook-timestamp": "1614265330",
  "webhook-signature":
    "v1,AAAA v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==",
};

describe("a delivery with a public key", () => {
  it("verifies up to five minutes from when it was sent", () => {
    for (const awayMs of [0, 300_000, -300_000])
      expect(verifyDelivery(publicKey, body, headers, sentAtMs + awayMs)).toBe("v1a");
    for (const awayMs of [301_000, -301_000, Number.NaN])
      expect(() => verifyDelivery(publicKey, body, headers, sentAtMs + awayMs)).toThrow(/five/);
  });

  it.each([
    ["another body", publicKey, `${body} `, headers],
    ["another id", publicKey, body, { ...headers, "webhook-id": "x" }],
    ["no signature of Ed25519", publicKey, body, { ...headers, "webhook-signature": "v1,AAAA" }],
    ["a signature that is none", publicKey, body, { ...headers, "webhook-signature": "v1a," }],
    ["no signature", publicKey, body, { "webhook-id": "x", "webhook-timestamp": "1614265330" }],
    ["no time", publicKey, body, { ...headers, "webhook-timestamp": "soon" }],
    ["another key", `whpk_${btoa("k".repeat(32))}`, body, headers],
    ["half a key", "whpk_AAAA", body, headers],
  ])("does not verify with %s", (_, key, text, given) => {
    expect(() => verifyDelivery(key, text, given, sentAtMs)).toThrow(Error);
  });
});

it("a delivery with a secret verifies as the library says", () => {
  const secret = `whsec_${btoa("s".repeat(32))}`;
  const at = new Date();
  const signature = new Webhook(secret).sign("m", at, body);
  const signed = {
    "webhook-id": "m",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": signature,
  };
  expect(verifyDelivery(secret, body, signed, at.getTime())).toBe("v1");
  expect(() => verifyDelivery(secret, `${body} `, signed, at.getTime())).toThrow(/signature/i);
});
