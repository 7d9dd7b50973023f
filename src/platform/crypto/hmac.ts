const algorithm = { name: "HMAC", hash: "SHA-256" } as const;
const encoder = new TextEncoder();

/** What was imported of each key, as long as its bytes are held somewhere. */
const imported = new WeakMap<Uint8Array, CryptoKey>();

/** HMAC-SHA256 of the UTF-8 text: 32 bytes. A key that is held on to is imported once: hold on to it, and never write to it. */
export async function signHmac(
  key: Uint8Array<ArrayBuffer>,
  text: string,
): Promise<Uint8Array<ArrayBuffer>> {
  let ready = imported.get(key);
  if (ready === undefined) {
    ready = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
    imported.set(key, ready);
  }
  return new Uint8Array(await crypto.subtle.sign(algorithm, ready, encoder.encode(text)));
}
