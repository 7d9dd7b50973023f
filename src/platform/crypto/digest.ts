import { sha256 } from "oslo/crypto";
import { encodeHex } from "oslo/encoding";

const encoder = new TextEncoder();

/** SHA-256 of the UTF-8 text, as 64 lower-case hex digits. */
export async function digestHex(text: string): Promise<string> {
  return digestBytesHex(encoder.encode(text));
}

/** SHA-256 of the bytes, as 64 lower-case hex digits. */
export async function digestBytesHex(bytes: Uint8Array): Promise<string> {
  return encodeHex(await sha256(bytes));
}

/** Compares two strings in constant time. Returns early when their lengths differ, so lengths must be public. */
export function constantTimeEqual(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let i = 0; i < a.length; i += 1) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
