/**
 * Whether the sign-in provider that a session came by is still one of `OIDC_PROVIDERS`. Whom an operator takes off the
 * list is trusted with nobody any more, and who signed in there is signed out with their next request. What cannot be
 * read ends nothing: a slip in the setting, of which GET /health tells, must not sign everybody out.
 */
import { isIssuerOf } from "./provider-issuer.ts";

interface Entry {
  id?: unknown;
  issuer?: unknown;
  tenants?: unknown;
}

/** `id`: the provider's. `issuer`: the user's who signed in there. */
export function isStillProvider(
  setting: string | undefined,
  { id, issuer }: { id: string; issuer: string },
): boolean {
  const text = setting ?? "";
  if (known?.text !== text) known = { text, entries: entriesIn(text) };
  if (known.entries === undefined) return true;
  return known.entries.some((entry) => {
    if (entry?.id !== id) return false;
    const { issuer: configured, tenants } = entry;
    return typeof configured !== "string" || isIssuerOf({ issuer: configured, tenants }, issuer);
  });
}

let known: { text: string; entries: readonly (Entry | null)[] | undefined } | undefined;

function entriesIn(text: string): readonly (Entry | null)[] | undefined {
  if (text.trim() === "") return [];
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? (list as (Entry | null)[]) : undefined;
  } catch {
    return undefined;
  }
}
