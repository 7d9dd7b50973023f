import { base64, base64url } from "oslo/encoding";
import { signHmac } from "./hmac.ts";

/**
 * Encrypts values at rest with AES-256-GCM: `v1.<key id>.<iv>.<ciphertext>`. The place (table, tenant, row, column) is
 * additional authenticated data, so a sealed value that was moved to another row cannot be opened.
 */
export interface Sealer {
  seal(plain: string, place: SealedPlace): Promise<string>;
  /** Throws `SealBroken` when the value was changed or moved, or its key is not in the ring. */
  open(sealed: string, place: SealedPlace): Promise<string>;
  /** Derives 32 bytes from the newest key, for signatures of one purpose. */
  derive(purpose: string): Promise<Uint8Array<ArrayBuffer>>;
}

export interface SealedPlace {
  table: string;
  tenantId: string;
  row: string;
  column: string;
}

export class SealBroken extends Error {
  override name = "SealBroken";
}

/** SEALING_KEYS is missing or malformed: nothing can be sealed or opened. */
export class SealingKeysError extends Error {}

interface RingKey {
  id: string;
  bytes: Uint8Array<ArrayBuffer>;
  /**
   * Set once imported. Never a promise: if its request or object ends first, the promise stays pending for ever and
   * would hang the others.
   */
  aes?: CryptoKey;
}

const rings = new Map<string, Sealer>();

/** The sealer for the key ring in the secret SEALING_KEYS, parsed once per isolate. Throws `SealingKeysError`. */
export function sealerFrom(ring: string | undefined): Sealer {
  const known = rings.get(ring ?? "");
  if (known !== undefined) return known;
  const sealer = makeSealer(parseRing(ring));
  rings.set(ring ?? "", sealer);
  return sealer;
}

function parseRing(ring: string | undefined): RingKey[] {
  const keys = (ring ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => {
      const [id, encoded] = part.split(":", 2);
      const bytes = encoded === undefined ? undefined : decodeKey(encoded);
      if (id === undefined || !/^[A-Za-z0-9_-]{1,16}$/.test(id) || bytes?.length !== 32)
        throw new SealingKeysError(
          "The secret SEALING_KEYS must be `<key id>:<base64 of 32 bytes>`, comma-separated",
        );
      return { id, bytes };
    });
  if (keys.length === 0) throw new SealingKeysError("The secret SEALING_KEYS is not set");
  return keys;
}

function decodeKey(encoded: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(base64.decode(encoded));
  } catch {
    return undefined;
  }
}

async function aesOf(key: RingKey): Promise<CryptoKey> {
  if (key.aes !== undefined) return key.aes;
  const aes = await crypto.subtle.importKey("raw", key.bytes, "AES-GCM", false, [
    "encrypt",
    "decrypt",
  ]);
  key.aes = aes;
  return aes;
}

function makeSealer(keys: readonly RingKey[]): Sealer {
  const newest = keys[0] as RingKey;
  const encoder = new TextEncoder();
  const derived = new Map<string, Uint8Array<ArrayBuffer>>();
  const additionalData = (place: SealedPlace) =>
    encoder.encode(JSON.stringify([place.table, place.tenantId, place.row, place.column]));
  return {
    async seal(plain, place) {
      const iv = crypto.getRandomValues(new Uint8Array(12));
      const sealed = await crypto.subtle.encrypt(
        { name: "AES-GCM", iv, additionalData: additionalData(place) },
        await aesOf(newest),
        encoder.encode(plain),
      );
      return `v1.${newest.id}.${unpadded(iv)}.${unpadded(new Uint8Array(sealed))}`;
    },
    async open(sealed, place) {
      const [version, id, iv, text, ...rest] = sealed.split(".");
      const key = keys.find((candidate) => candidate.id === id);
      if (version !== "v1" || iv === undefined || text === undefined || rest.length > 0)
        throw new SealBroken("The value is not `v1.<key id>.<iv>.<ciphertext>`");
      if (key === undefined)
        throw new SealBroken(
          `The key of this value is not in the ring (key id ${id ?? "missing"})`,
        );
      try {
        const plain = await crypto.subtle.decrypt(
          {
            name: "AES-GCM",
            iv: new Uint8Array(base64url.decode(iv, { strict: false })),
            additionalData: additionalData(place),
          },
          await aesOf(key),
          new Uint8Array(base64url.decode(text, { strict: false })),
        );
        return new TextDecoder().decode(plain);
      } catch (cause) {
        throw new SealBroken("The sealed value was changed or moved", { cause });
      }
    },
    async derive(purpose) {
      const known = derived.get(purpose);
      if (known !== undefined) return known;
      const key = await signHmac(newest.bytes, `derive:${purpose}`);
      derived.set(purpose, key);
      return key;
    },
  };
}

function unpadded(bytes: Uint8Array<ArrayBuffer>): string {
  return base64url.encode(bytes, { includePadding: false });
}
