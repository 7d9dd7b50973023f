import { isJsonMap, type Json } from "#platform/json.ts";

const REDACTED = "[redacted]";
/** Shorter strings (a region, a flag) are not redacted, because they occur in ordinary words. */
const MIN_SECRET_LENGTH = 6;

const sensitiveHeader = /auth|token|secret|signature|cookie|api-?key/i;
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

function headerSecrets(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers)
    .filter(([name]) => sensitiveHeader.test(name))
    .flatMap(([, value]) => [value, value.slice(value.indexOf(" ") + 1)]);
}

/**
 * Redacts the credential's strings (plain, URI-encoded and JSON-escaped), the values of sensitive headers, and
 * what looks like a token after `Bearer`, `Basic` or `Token`.
 */
export function redactSecrets(
  text: string,
  credential: Json,
  headers: Readonly<Record<string, string>> = {},
): string {
  const secrets = [...stringsIn(credential), ...headerSecrets(headers)]
    .flatMap((secret) => [secret, secret.trim()])
    .flatMap((secret) =>
      secret.length < MIN_SECRET_LENGTH
        ? []
        : [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)],
    );
  const longestFirst = [...new Set(secrets)].sort((a, b) => b.length - a.length);
  return longestFirst
    .reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text)
    .replace(schemeAndWord, (found: string, scheme: string, space: string, word: string) =>
      isLikeToken(word) ? `${scheme}${space}${REDACTED}` : found,
    );
}
