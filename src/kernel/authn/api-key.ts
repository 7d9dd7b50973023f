import { crc32 } from "#platform/crypto/crc32.ts";

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const shape = /^cpk_(op)?([0-9a-f]{32})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

export interface ParsedKey {
  /** The key's row, a UUID. */
  keyId: string;
  /** Whether the key claims to be an operator's; its row decides. */
  operator: boolean;
}

/**
 * A new key: `cpk_[op]<id without dashes>_<43 base62 characters: 256 bits><CRC-32 in 6>`. The checksum allows a
 * mistyped key to be rejected, and scanners to recognize a leaked one, without a lookup.
 */
export function makeKey(id: string, operator: boolean): string {
  const head = `cpk_${operator ? "op" : ""}${id.replaceAll("-", "")}_${randomSecret()}`;
  return head + checksum(head);
}

export function checkedKey(key: string): boolean {
  return shape.test(key) && checksum(key.slice(0, -6)) === key.slice(-6);
}

export function parseKey(key: string): ParsedKey | undefined {
  const [, operator, hex] = shape.exec(key) ?? [];
  if (hex === undefined) return undefined;
  const keyId = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ];
  return { keyId: keyId.join("-"), operator: operator === "op" };
}

/** The part of a key that may be shown, so that its owner recognizes it. */
export function keyPrefix(key: string): string {
  return key.slice(0, key.lastIndexOf("_") + 5);
}

function randomSecret(): string {
  let secret = "";
  while (secret.length < 43) {
    // 248 = 4 × 62: larger bytes are dropped, so every character is equally likely.
    for (const byte of crypto.getRandomValues(new Uint8Array(64)))
      if (byte < 248 && secret.length < 43) secret += base62[byte % 62];
  }
  return secret;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < 6; i += 1) {
    digits = base62[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
