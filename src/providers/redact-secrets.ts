import { isJsonMap, type Json } from "#platform/json.ts";

const REDACTED = "[redacted]";
/** Shorter strings (a region, a flag) are left: replacing them would tear ordinary words apart. */
const SHORTEST_SECRET = 6;

const sensitiveHeader = /auth|token|secret|signature|cookie|api-?key/i;
const schemeAndToken = /\b(Bearer|Basic|Token)\s+[A-Za-z0-9._~+/=-]+/gi;

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
 * Text without the credential's strings (as they are, URI-encoded, JSON-escaped), without the values of
 * headers that authorize, and without anything that follows `Bearer` or `Basic`.
 */
export function redactSecrets(
  text: string,
  credential: Json,
  headers: Readonly<Record<string, string>> = {},
): string {
  const secrets = [...stringsIn(credential), ...headerSecrets(headers)]
    .flatMap((secret) => [secret, secret.trim()])
    .flatMap((secret) =>
      secret.length < SHORTEST_SECRET
        ? []
        : [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)],
    );
  const longestFirst = [...new Set(secrets)].sort((a, b) => b.length - a.length);
  return longestFirst
    .reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text)
    .replace(schemeAndToken, `$1 ${REDACTED}`);
}
