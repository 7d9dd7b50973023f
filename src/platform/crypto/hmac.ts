const algorithm = { name: "HMAC", hash: "SHA-256" } as const;
const encoder = new TextEncoder();

/** The imported form of each key, while its byte array is referenced. */
const imported = new WeakMap<Uint8Array, CryptoKey>();

/** HMAC-SHA256 of the bytes, or of the text as UTF-8: 32 bytes. Each key array is imported once, so reuse it and never modify it. */
export async function signHmac(
  key: Uint8Array<ArrayBuffer>,
  signed: string | Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  let ready = imported.get(key);
  if (ready === undefined) {
    ready = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
    imported.set(key, ready);
  }
  const bytes = typeof signed === "string" ? encoder.encode(signed) : signed;
  return new Uint8Array(await crypto.subtle.sign(algorithm, ready, bytes));
}
