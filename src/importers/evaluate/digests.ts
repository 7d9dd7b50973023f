/** Terraform's digests of a text: https://developer.hashicorp.com/terraform/language/functions/md5 and the like. */
import { md5, sha1 } from "@noble/hashes/legacy.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

const encoder = new TextEncoder();

const hex =
  (digest: (bytes: Uint8Array) => Uint8Array) =>
  (text: string): string =>
    bytesToHex(digest(encoder.encode(text)));
const base64 =
  (digest: (bytes: Uint8Array) => Uint8Array) =>
  (text: string): string =>
    btoa(String.fromCharCode(...digest(encoder.encode(text))));

/** By the name of the function. */
export const digests: ReadonlyMap<string, (text: string) => string> = new Map([
  ["md5", hex(md5)],
  ["sha1", hex(sha1)],
  ["sha256", hex(sha256)],
  ["sha512", hex(sha512)],
  ["base64sha256", base64(sha256)],
  ["base64sha512", base64(sha512)],
]);
