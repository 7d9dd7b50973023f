import { isJsonMap, type Json } from "#platform/json.ts";

const REDACTED = "[redacted]";
/** Shorter strings (a region, a flag) are not redacted, because they occur in ordinary words. */
const MIN_SECRET_LENGTH = 6;

const sensitiveHeader = /auth|token|secret|signature|cookie|api-?key/i;
/** A JWT or the beginning of one, also in base64: nobody knows the tokens that a call has obtained or signed. */
const tokenText =
  /(?<![A-Za-z])(eyJ|ZXlK)[A-Za-z0-9_+/-]{8,}={0,2}(\.[A-Za-z0-9_+/-]*={0,2}){0,4}/g;
const schemeAndWord = /\b(Bearer|Basic|Token)(\s+)([A-Za-z0-9._~+/=-]+)/gi;
const LONGEST_WORD = 15;

/** An unknown token, as against the next word of a sentence ("the token is wrong", "Basic authentication"). */
function isLikeToken(word: string): boolean {
  if (word.length < MIN_SECRET_LENGTH) return false;
  return word.length > LONGEST_WORD || /[0-9]|[a-z][A-Z]|[._~+/=-][A-Za-z]|=$/.test(word);
}

function stringsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return isJsonMap(value) ? Object.values(value).flatMap(stringsIn) : [];
}

/** The texts of a credential, without those that the target's config shows too: a key file names its project. */
export function secretsIn(credential: Json, config: Json): string[] {
  const shown = new Set(stringsIn(config));
  return stringsIn(credential).filter((text) => !shown.has(text));
}

function headerSecrets(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => sensitiveHeader.test(name))
    .flatMap(([, value]) => [value, value.slice(value.indexOf(" ") + 1)]);
}

/** Base64 of a shorter part of a secret occurs in ordinary words. */
const MIN_BASE64_LENGTH = 8;

/**
 * What base64, of either alphabet, has of the secret wherever it stands in the encoded text: its first and last
 * characters are made of neighbours too, so they are left out unless the secret stands alone.
 */
function base64Forms(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret);
  const forms = [0, 1, 2].flatMap((before) => {
    const text = base64(Uint8Array.from([...Array.from({ length: before }, () => 0), ...bytes]));
    const from = Math.ceil((before * 4) / 3);
    const core = text.slice(from, Math.floor(((before + bytes.length) * 8) / 6));
    return before === 0 ? [text, text.replace(/=+$/, ""), core] : [core];
  });
  return forms.flatMap((form) =>
    form.length < MIN_BASE64_LENGTH ? [] : [form, form.replaceAll("+", "-").replaceAll("/", "_")],
  );
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

function formsOf(secret: string): string[] {
  const wellFormed = secret.toWellFormed();
  const encoded = encodeURIComponent(wellFormed);
  return [
    secret,
    encoded,
    encoded.replaceAll("%20", "+"),
    encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(secret).slice(1, -1).replaceAll("/", "\\/"),
    ...base64Forms(wellFormed),
  ];
}

/**
 * Redacts the credential's strings (plain, URI-encoded, JSON-escaped and in base64), the values of sensitive headers,
 * JWTs, and what looks like a token after `Bearer`, `Basic` or `Token`.
 */
export function redactSecrets(
  text: string,
  credential: Json,
  headers: Readonly<Record<string, string>> = {},
): string {
  const secrets = [...stringsIn(credential), ...headerSecrets(headers)]
    .flatMap((secret) => [secret, secret.trim()])
    .flatMap((secret) => (secret.length < MIN_SECRET_LENGTH ? [] : formsOf(secret)));
  const longestFirst = [...new Set(secrets)].sort((a, b) => b.length - a.length);
  return longestFirst
    .reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text)
    .replace(tokenText, REDACTED)
    .replace(schemeAndWord, (found: string, scheme: string, space: string, word: string) =>
      isLikeToken(word) ? `${scheme}${space}${REDACTED}` : found,
    );
}
