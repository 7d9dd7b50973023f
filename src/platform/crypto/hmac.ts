import { HMAC } from "oslo/crypto";

const hmac = new HMAC("SHA-256");
const encoder = new TextEncoder();

/** HMAC-SHA256 of the UTF-8 text: 32 bytes. */
export async function signHmac(
  key: Uint8Array<ArrayBuffer>,
  text: string,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await hmac.sign(key, encoder.encode(text)));
}
