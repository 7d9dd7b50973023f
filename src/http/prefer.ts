/** `Prefer: wait=N` (RFC 7240): how long the caller would rather wait for an end than get an answer at once. */

/** No answer is held for longer, whatever the caller would bear. */
const LONGEST_WAIT_SECONDS = 25;

/** The seconds to wait, at most 25; undefined when the header does not say, or not in the form it has. */
export function preferredWaitSeconds(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  // Of a preference that is given twice, the first counts; also when it is malformed.
  const wait = preferencesIn(header).find((preference) => /^wait(?![^\s=;])/i.test(preference));
  const seconds =
    wait === undefined ? undefined : /^wait\s*=\s*("?)(\d{1,9})\1\s*(?:;|$)/i.exec(wait)?.[2];
  return seconds === undefined ? undefined : Math.min(Number(seconds), LONGEST_WAIT_SECONDS);
}

/** What stands between the commas that are in no quoted string. */
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
