import { createPublicKey, verify } from "node:crypto";
import { Webhook } from "standardwebhooks";

/** The tolerance of the library for `v1`. */
const TOLERANCE_SECONDS = 5 * 60;
const PUBLIC_KEY = "whpk_";

export interface DeliveryHeaders {
  "webhook-id"?: string;
  "webhook-timestamp"?: string;
  "webhook-signature"?: string;
}

/**
 * The kind of the valid signature. Throws with the reason if this key has not signed the delivery just now. `key`: a
 * webhook's secret (`whsec_…`) or public key (`whpk_…`).
 */
export function verifyDelivery(
  key: string,
  body: string,
  headers: DeliveryHeaders,
  nowMs: number,
): "v1" | "v1a" {
  if (!key.startsWith(PUBLIC_KEY)) {
    new Webhook(key).verify(body, { ...headers });
    return "v1";
  }
  const { "webhook-id": id, "webhook-timestamp": sentAt, "webhook-signature": list } = headers;
  if (id === undefined || sentAt === undefined || list === undefined)
    throw new Error("A header of the signature is missing.");
  if (!(Math.abs(nowMs / 1000 - Number(sentAt)) <= TOLERANCE_SECONDS))
    throw new Error("The timestamp is more than five minutes away.");
  const publicKey = publicKeyOf(key);
  const content = Buffer.from(`${id}.${sentAt}.${body}`);
  const holds = list
    .split(" ")
    .filter((one) => one.startsWith("v1a,"))
    .some((one) => verify(null, content, publicKey, Buffer.from(one.slice(4), "base64")));
  if (!holds) throw new Error("No signature of the list is by this key.");
  return "v1a";
}

function publicKeyOf(key: string) {
  const bytes = Buffer.from(key.slice(PUBLIC_KEY.length), "base64");
  if (bytes.length !== 32) throw new Error("A public key is whpk_ and 32 bytes in base64.");
  const x = bytes.toString("base64url");
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}
