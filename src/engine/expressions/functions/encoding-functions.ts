import { sha1 } from "@noble/hashes/legacy.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import {
  type Call,
  type FunctionEntry,
  refused,
  text,
  textAt,
} from "#engine/expressions/function-entry.ts";
import type { Value } from "#engine/value.ts";
import { exceedsNesting } from "#platform/json-nesting.ts";
import { canonicalJson, isJsonMap, type Json, readJson } from "#platform/json.ts";

const common = { style: "function", reads: "whole" } as const;
const receiver = { name: "text", types: text } as const;
/** Below the levels that a value may have. */
const MAX_NESTING = 90;
const UNITS_PER_JSON_VALUE = 3;

export const encodingFunctions: readonly FunctionEntry[] = [
  {
    ...common,
    name: "base64.encode",
    parameters: [receiver],
    result: text,
    description: "The UTF-8 bytes of the text in Base64.",
    sealed: "passed",
    growth: 4,
    template: { name: "toBase64", order: "one" },
    evaluate: (call) => toBase64(encoder.encode(textAt(call, 0))),
  },
  {
    ...common,
    name: "base64.decode",
    parameters: [receiver],
    result: text,
    description: "The text whose UTF-8 bytes are written in Base64.",
    sealed: "refused",
    template: { name: "fromBase64", order: "one" },
    evaluate: fromBase64,
  },
  {
    ...common,
    name: "json.encode",
    parameters: [{ name: "value" }],
    result: text,
    description: "The value as JSON, with the members of maps in order.",
    sealed: "passed",
    growth: 6,
    template: { name: "toJSON", order: "one" },
    evaluate: ({ values: [value = null] }) => canonicalJson(value as Json),
  },
  {
    ...common,
    name: "json.decode",
    parameters: [receiver],
    description: "The value that the JSON text means.",
    sealed: "refused",
    cost: "3 units for each bracket and comma.",
    evaluate: decodeJson,
  },
  hash("sha1", sha1, { template: { name: "sha1", order: "one" } }),
  hash("sha256", sha256),
  hash("sha512", sha512),
];

const encoder = new TextEncoder();

function hash(
  name: string,
  digest: (bytes: Uint8Array) => Uint8Array,
  more: Pick<FunctionEntry, "template"> = {},
): FunctionEntry {
  return {
    ...common,
    ...more,
    name,
    parameters: [receiver],
    result: text,
    description: `The ${name.toUpperCase().replace("SHA", "SHA-")} hash of the text's UTF-8 bytes, in hexadecimal digits.`,
    sealed: "passed",
    growth: 1,
    units: 30,
    evaluate: (call) =>
      Array.from(digest(encoder.encode(textAt(call, 0))), (byte) =>
        byte.toString(16).padStart(2, "0"),
      ).join(""),
  };
}

const CHUNK = 8_192;

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  return btoa(binary);
}

function fromBase64(call: Call): Value {
  let bytes: Uint8Array;
  try {
    bytes = Uint8Array.from(atob(textAt(call, 0)), (character) => character.charCodeAt(0));
  } catch {
    throw refused(call, 0, "takes a string in Base64.");
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw refused(call, 0, "takes the Base64 of UTF-8 text.", "Keep binary data in Base64.");
  }
}

function decodeJson(call: Call): Value {
  const source = textAt(call, 0);
  const values = source.match(/[[{,]/g)?.length ?? 0;
  call.budget.spend(values * UNITS_PER_JSON_VALUE, call.at);
  if (exceedsNesting(source, MAX_NESTING))
    throw refused(call, 0, `takes JSON of at most ${MAX_NESTING} levels.`);
  const value = readJson(source);
  if (value === undefined) throw refused(call, 0, "takes a text that is JSON.");
  if (hasInexactNumber(value))
    throw refused(
      call,
      0,
      "takes whole numbers up to 2^53.",
      "Quote a number that is an identifier.",
    );
  return value;
}

function hasInexactNumber(value: Json): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (Array.isArray(value)) return value.some(hasInexactNumber);
  return isJsonMap(value) && Object.values(value).some(hasInexactNumber);
}
