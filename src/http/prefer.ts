/** The preferences of RFC 7240 that the service knows: `wait=N` and `handling=lenient`. */

/** The longest time an answer is delayed, whatever the caller asks for. */
const LONGEST_WAIT_SECONDS = 25;

/** The seconds to wait, at most 25; undefined if the header has no valid `wait`. */
export function preferredWaitSeconds(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  // RFC 7240: the first of repeated preferences counts, even if it is malformed.
  const wait = preferencesIn(header).find((preference) => /^wait(?![^\s=;])/i.test(preference));
  const seconds =
    wait === undefined ? undefined : /^wait\s*=\s*("?)(\d{1,9})\1\s*(?:;|$)/i.exec(wait)?.[2];
  return seconds === undefined ? undefined : Math.min(Number(seconds), LONGEST_WAIT_SECONDS);
}

/** `Prefer: handling=lenient`: unknown names are ignored. */
export function prefersLenient(header: string | undefined): boolean {
  if (header === undefined) return false;
  const handling = preferencesIn(header).find((it) => /^handling(?![^\s=;])/i.test(it));
  return handling !== undefined && /^handling\s*=\s*("?)lenient\1\s*(?:;|$)/i.test(handling);
}

/** Splits at commas outside quoted strings. */
function preferencesIn(header: string): string[] {
  const preferences: string[] = [];
  let quoted = false;
  let from = 0;
  for (let at = 0; at < header.length; at += 1) {
    const character = header[at];
    if (quoted && character === "\\") at += 1;
    else if (character === '"') quoted = !quoted;
    else if (character === "," && !quoted) {
      preferences.push(header.slice(from, at).trim());
      from = at + 1;
    }
  }
  return [...preferences, header.slice(from).trim()];
}
