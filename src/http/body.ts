/**
 * Reads request bodies from untrusted callers. The content type is checked first; bytes are counted as they
 * arrive, since Content-Length can lie; nesting and values are measured on the text, without recursion, before parsing.
 */
import { ApiError } from "#kernel/errors.ts";
import { exceedsNesting, exceedsValues } from "#platform/json-nesting.ts";
import { isJsonMap, type Json } from "#platform/json.ts";
import type { TextBody } from "./endpoint.ts";
import { type FaultCode, MAX_FAULTS } from "./faults.ts";
import { jsonErrorPlace } from "./json-error-place.ts";
import { type LostNumber, parsingLosses } from "./parsing-losses.ts";

export const DEFAULT_MAX_BODY_BYTES = 64 * 1024;
const MAX_NESTING = 32;
/** Tools write at most 600,000 values into 16 MiB. 16 MiB of `{}` would take 300 MB, more than a Worker has. */
const MAX_VALUES = 750_000;
/** Characters of a number in a message. */
const MAX_SHOWN_NUMBER = 40;

const jsonType = /^application\/(?:[\w.-]+\+)?json$/i;

export function isJsonType(contentType: string | undefined): boolean {
  return jsonType.test((contentType ?? "").split(";", 1)[0]?.trim() ?? "");
}

/** True if the body is of one of the declared media types of text. */
export function isTextType(contentType: string | undefined, textBody?: TextBody): boolean {
  const type = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return textBody?.mediaTypes.includes(type) === true;
}

/** A body as sent, and its parsed value. A text body is the JSON that it stands for. */
export interface JsonBody {
  text: string;
  value: Json;
}

/**
 * The body; undefined: it is empty. Throws 415, 413 or 400. `whenLarge` is called before the body grows beyond the
 * usual limit; if it throws, nothing more is read. `beforeParsing` is called with the text of such a body.
 */
export async function readJsonBody(
  request: Request,
  maxBytes: number,
  textBody?: TextBody,
  {
    whenLarge,
    beforeParsing,
  }: {
    whenLarge?: () => Promise<void>;
    beforeParsing?: (text: string, bytes: number) => Promise<void>;
  } = {},
): Promise<JsonBody | undefined> {
  const contentType = request.headers.get("content-type") ?? undefined;
  const isText = isTextType(contentType, textBody);
  if (!isText && !isJsonType(contentType)) {
    // Clients name a type for an empty body too, and nothing of it can be lost.
    if (await isEmpty(request)) return undefined;
    throw notAccepted(contentType, textBody);
  }
  const coding = codingOf(request);
  if (coding !== undefined) {
    if (await isEmpty(request)) return undefined;
    throw new ApiError(
      "unsupported_media_type",
      `Send the body as it is, without Content-Encoding: the request has "${printable(coding)}".`,
      { headers: { "accept-encoding": "identity" } },
    );
  }
  const bytes = await readBytes(request, maxBytes, whenLarge);
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (cause) {
    throw new ApiError("malformed_json", "The body is not valid UTF-8.", { cause });
  }
  if (bytes.length > DEFAULT_MAX_BODY_BYTES) await beforeParsing?.(text, bytes.length);
  if (isText && textBody !== undefined) {
    const value = { [textBody.member]: text };
    return { text: JSON.stringify(value), value };
  }
  if (exceedsNesting(text, MAX_NESTING))
    throw new ApiError(
      "malformed_json",
      `The body is nested more than ${MAX_NESTING} levels deep.`,
    );
  if (exceedsValues(text, MAX_VALUES))
    throw new ApiError(
      "payload_too_large",
      `The body has more than ${MAX_VALUES} values, the maximum.`,
    );
  return { text, value: parsed(text) };
}

function parsed(text: string): Json {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch (cause) {
    const { line, column } = jsonErrorPlace(text);
    throw new ApiError(
      "malformed_json",
      `The body is not valid JSON: see line ${line}, column ${column}.`,
      { cause },
    );
  }
  const { repeated, numbers } = parsingLosses(text, MAX_FAULTS);
  if (repeated !== undefined)
    throw new ApiError(
      "malformed_json",
      `The member "${printable(repeated)}" occurs twice in one object of the body. Send it once.`,
    );
  if (numbers.length > 0) throw inexactNumbers(numbers);
  // A JSON escape can encode half a surrogate pair, which UTF-8 cannot: it would be stored as another
  // character.
  if (/\\u[dD][89a-fA-F]/.test(text) && !isWellFormed(value))
    throw new ApiError(
      "malformed_json",
      "A text in the body contains an unpaired surrogate (half of a pair).",
    );
  return value;
}

function inexactNumbers(numbers: readonly LostNumber[]): ApiError {
  return new ApiError(
    "validation_failed",
    "The body has numbers that would be changed; `errors` says where.",
    {
      faults: numbers.map(({ pointer, text }) => ({
        in: "body",
        pointer,
        code: "inexact_number" satisfies FaultCode,
        detail: `${printable(text, MAX_SHOWN_NUMBER)} cannot be kept exactly: numbers are exact up to ±${Number.MAX_SAFE_INTEGER}. Send an id as text, in quotes.`,
      })),
    },
  );
}

function isWellFormed(value: Json): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  return (
    !isJsonMap(value) ||
    Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWellFormed(inner))
  );
}

function notAccepted(contentType: string | undefined, textBody: TextBody | undefined): ApiError {
  const sent = contentType === undefined ? "no content type" : `"${printable(contentType)}"`;
  return new ApiError(
    "unsupported_media_type",
    `Send the body with Content-Type: ${["application/json", ...(textBody?.mediaTypes.slice(0, 1) ?? [])].join(" or ")}; the request has ${sent}.`,
  );
}

/** The content coding of the body; undefined: none. */
function codingOf({ headers }: Request): string | undefined {
  const codings = (headers.get("content-encoding") ?? "").split(",").map((one) => one.trim());
  return codings.find((one) => one !== "" && one.toLowerCase() !== "identity");
}

/** Reads up to the first byte. */
async function isEmpty(request: Request): Promise<boolean> {
  if (request.body === null) return true;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return true;
    if (value.byteLength === 0) continue;
    await reader.cancel();
    return false;
  }
}

/** The client's connection ended before the body did. */
function brokenOff(cause: unknown): never {
  throw new ApiError(
    "malformed_json",
    "The body broke off before its end. Send the whole request again.",
    { cause },
  );
}

/** Reads the body, counting bytes as they arrive. Throws `payload_too_large`, and `malformed_json` if it breaks off. */
export async function readBytes(
  request: Request,
  maxBytes: number,
  whenLarge?: () => Promise<void>,
): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isLarge = false;
  for (;;) {
    const { done, value } = await reader.read().catch(brokenOff);
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      await reader.cancel();
      throw new ApiError(
        "payload_too_large",
        `The body is larger than ${maxBytes} bytes, the maximum here.`,
      );
    }
    if (!isLarge && size > DEFAULT_MAX_BODY_BYTES) {
      isLarge = true;
      await whenLarge?.().catch(async (error: unknown) => {
        await reader.cancel();
        throw error;
      });
    }
    chunks.push(value);
  }
  if (chunks.length === 1 && chunks[0] !== undefined) return chunks[0];
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/** Untrusted text made safe for a message: non-ASCII and control characters become `?`. */
function printable(text: string, maxCharacters = 100): string {
  return text.slice(0, maxCharacters).replace(/[^\x20-\x7e]/g, "?");
}
