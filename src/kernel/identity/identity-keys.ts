/**
 * The key ring in the secret IDENTITY_KEYS: RSA keys that sign the tokens of runs (RS256, the only algorithm that AWS
 * accepts). The first key signs. All are published, so that a cloud knows the next key before it signs, and the last
 * one until its tokens have expired. A key's id is its thumbprint (RFC 7638): no other key can have an id that a cloud
 * has cached.
 */
import {
  base64url,
  calculateJwkThumbprint,
  exportJWK,
  importPKCS8,
  type JWTPayload,
  SignJWT,
} from "jose";

/** The public half of a key, as in a JWK set. */
export interface PublishedKey {
  kty: "RSA";
  use: "sig";
  alg: "RS256";
  kid: string;
  n: string;
  e: string;
}

export interface IdentityKeys {
  /** In the order of the ring. */
  published: readonly PublishedKey[];
  /** A compact JWT with exactly these claims. */
  sign(claims: JWTPayload): Promise<string>;
}

/** IDENTITY_KEYS cannot be used, so nothing can be signed. The message quotes no part of it. */
export class IdentityKeysError extends Error {}

const ALG = "RS256";
/** The modulus has at least 2,048 bits. */
const MIN_BYTES = 256;
/** More keys do not fit into a secret of 5 kB. */
const MAX_KEYS = 3;

const rings = new Map<string, IdentityKeys>();

/** The keys of the secret, parsed once per isolate. Throws `IdentityKeysError`. */
export async function identityKeysFrom(ring: string): Promise<IdentityKeys> {
  const known = rings.get(ring);
  if (known !== undefined) return known;
  const keys = await parseRing(ring);
  rings.set(ring, keys);
  return keys;
}

async function parseRing(ring: string): Promise<IdentityKeys> {
  const parts = ring
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (parts.length > MAX_KEYS)
    throw new IdentityKeysError(
      `The secret IDENTITY_KEYS has ${parts.length} keys. The maximum is ${MAX_KEYS}: remove the last ones.`,
    );
  const published = await Promise.all(parts.map(publishedKey));
  const [signing] = published;
  if (signing === undefined) throw new IdentityKeysError("The secret IDENTITY_KEYS is not set.");
  if (new Set(published.map(({ kid }) => kid)).size < published.length)
    throw new IdentityKeysError("The secret IDENTITY_KEYS has a key twice. Remove one of them.");
  const key = await importKey(parts[0] ?? "", { extractable: false });
  return {
    published,
    sign: (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: ALG, typ: "JWT", kid: signing.kid }).sign(key),
  };
}

/** Only the public members are named, because a private JWK contains them too. */
async function publishedKey(encoded: string): Promise<PublishedKey> {
  const { n = "", e = "" } = await exportJWK(await importKey(encoded, { extractable: true }));
  if (base64url.decode(n).length < MIN_BYTES)
    throw new IdentityKeysError(
      "The secret IDENTITY_KEYS has an RSA key of less than 2,048 bits. Make one with `npm run identity:keys`.",
    );
  const kid = await calculateJwkThumbprint({ kty: "RSA", n, e });
  return { kty: "RSA", use: "sig", alg: ALG, kid, n, e };
}

async function importKey(encoded: string, options: { extractable: boolean }): Promise<CryptoKey> {
  try {
    return await importPKCS8(
      `-----BEGIN PRIVATE KEY-----\n${encoded}\n-----END PRIVATE KEY-----`,
      ALG,
      options,
    );
  } catch (cause) {
    throw new IdentityKeysError(
      "The secret IDENTITY_KEYS must be RSA private keys (PKCS #8, base64 without line breaks), comma-separated. Make one with `npm run identity:keys`.",
      { cause },
    );
  }
}
