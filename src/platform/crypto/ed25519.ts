import { base64url } from "oslo/encoding";

const encoder = new TextEncoder();

/** The 32 bytes of the private key, which RFC 8032 calls the seed, and the 32 of the public key. */
export interface Ed25519Pair {
  seed: Uint8Array<ArrayBuffer>;
  publicKey: Uint8Array<ArrayBuffer>;
}

export async function makeEd25519Pair(): Promise<Ed25519Pair> {
  const pair = (await crypto.subtle.generateKey("Ed25519", true, [
    "sign",
    "verify",
  ])) as CryptoKeyPair;
  const { d = "", x = "" } = (await crypto.subtle.exportKey("jwk", pair.privateKey)) as JsonWebKey;
  return { seed: decoded(d), publicKey: decoded(x) };
}

/** The signature of the UTF-8 text: 64 bytes, the same for the same text. */
export async function signEd25519(
  { seed, publicKey }: Ed25519Pair,
  text: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey(
    "jwk",
    { kty: "OKP", crv: "Ed25519", d: encoded(seed), x: encoded(publicKey) },
    "Ed25519",
    false,
    ["sign"],
  );
  return new Uint8Array(await crypto.subtle.sign("Ed25519", key, encoder.encode(text)));
}

function encoded(bytes: Uint8Array): string {
  return base64url.encode(bytes, { includePadding: false });
}

function decoded(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(base64url.decode(text, { strict: false }));
}
