import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Receiver, startReceiver } from "./receiver.ts";

const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

async function send(signedWith: string, id: string, event: { id: string }): Promise<number> {
  const body = JSON.stringify(event);
  const at = new Date();
  const response = await fetch(receiver.url, {
    method: "POST",
    body,
    headers: {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": new Webhook(signedWith).sign(id, at, body),
    },
  });
  return response.status;
}

it("accepts webhooks signed with its secret", async () => {
  receiver.setSecret(secret);
  const come = receiver.until(() => receiver.verified.length === 1, 5_000);
  expect(await send(secret, "e1", { id: "e1" })).toBe(204);
  expect(await come).toBe(true);
  expect(receiver.verified).toEqual([{ id: "e1" }]);
  expect(receiver.refused).toEqual([]);
});

it("rejects another signature, webhooks before a secret is set, and a mismatched id", async () => {
  expect(await send(secret, "e1", { id: "e1" })).toBe(401);
  receiver.setSecret(secret);
  expect(await send(`whsec_${Buffer.alloc(32, 2).toString("base64")}`, "e2", { id: "e2" })).toBe(
    401,
  );
  expect(await send(secret, "e3", { id: "other" })).toBe(401);
  expect(receiver.verified).toEqual([]);
  expect(receiver.refused).toHaveLength(3);
});

it("reports a timeout", async () => {
  expect(await receiver.until(() => false, 10)).toBe(false);
});
