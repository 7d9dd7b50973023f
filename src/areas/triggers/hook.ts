/** The secret URL of an inbound trigger, and the signatures of the calls to it. */
import { base64, base64url, encodeHex } from "oslo/encoding";
import { API_PREFIX } from "#http/api-prefix.ts";
import { constantTimeEqual } from "#platform/crypto/digest.ts";
import { signHmac } from "#platform/crypto/hmac.ts";
import type { SealedPlace } from "#platform/crypto/seal.ts";

const STANDARD_PREFIX = "whsec_";
/** The maximum difference between the signature's time and now, in both directions. */
const SIGNED_WITHIN_SECONDS = 5 * 60;

const encoder = new TextEncoder();

export type SignatureKind = "standard" | "github";

/** 256 random bits. */
export function makeHookToken(): string {
  return randomText();
}

/** True: the text has the form of a token. Checked before the database is read. */
export function isHookToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

export function hookUrl(token: string): string {
  return `${API_PREFIX}/hooks/${token}`;
}

/** A new key in the form that senders of this kind expect. */
export function makeSigningKey(kind: SignatureKind): string {
  return kind === "github"
    ? randomText()
    : STANDARD_PREFIX + base64.encode(crypto.getRandomValues(new Uint8Array(32)));
}

export function signingKeyPlace({ id, tenantId }: { id: string; tenantId: string }): SealedPlace {
  return { table: "triggers", tenantId, row: id, column: "signing_secret" };
}

/**
 * Verifies the signature of a call over its bytes as sent. `standard`:
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md; `github`: the header
 * https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries.
 */
export async function isSigned(
  kind: SignatureKind,
  key: string,
  request: { header: (name: string) => string | undefined; body: Uint8Array; nowMs: number },
): Promise<boolean> {
  const { header, body } = request;
  if (kind === "github") {
    const sent = header("x-hub-signature-256") ?? "";
    const signature = await signHmac(new Uint8Array(encoder.encode(key)), new Uint8Array(body));
    return constantTimeEqual(sent, `sha256=${encodeHex(signature)}`);
  }
  const [id, timestamp] = [header("webhook-id"), header("webhook-timestamp")];
  if (id === undefined || timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(request.nowMs / 1000 - Number(timestamp)) > SIGNED_WITHIN_SECONDS) return false;
  const bytes = new Uint8Array(base64.decode(key.slice(STANDARD_PREFIX.length)));
  const before = encoder.encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(before.length + body.length);
  signed.set(before);
  signed.set(body, before.length);
  const wanted = `v1,${base64.encode(await signHmac(bytes, signed))}`;
  const sent = (header("webhook-signature") ?? "").split(" ").slice(0, 10);
  return sent.map((one) => constantTimeEqual(one, wanted)).includes(true);
}

function randomText(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(32)), { includePadding: false });
}
