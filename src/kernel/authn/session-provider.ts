/**
 * Whether a session's sign-in provider is still listed in `OIDC_PROVIDERS`. Removing a provider ends its users'
 * sessions with their next request. A setting that cannot be parsed ends no session, so that a mistake in it (reported
 * by GET /health) does not sign everybody out.
 */
import { isIssuerOf } from "./provider-issuer.ts";

interface Entry {
  id?: unknown;
  issuer?: unknown;
  tenants?: unknown;
}

/** `id`: the provider's id. `issuer`: the issuer of the user who signed in there. */
export function isStillProvider(
  setting: string | undefined,
  { id, issuer }: { id: string; issuer: string },
): boolean {
  const text = setting ?? "";
  if (parsed?.text !== text) parsed = { text, entries: entriesIn(text) };
  if (parsed.entries === undefined) return true;
  return parsed.entries.some((entry) => {
    if (entry?.id !== id) return false;
    const { issuer: configured, tenants } = entry;
    return typeof configured !== "string" || isIssuerOf({ issuer: configured, tenants }, issuer);
  });
}

let parsed: { text: string; entries: readonly (Entry | null)[] | undefined } | undefined;

function entriesIn(text: string): readonly (Entry | null)[] | undefined {
  if (text.trim() === "") return [];
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? (list as (Entry | null)[]) : undefined;
  } catch {
    return undefined;
  }
}
