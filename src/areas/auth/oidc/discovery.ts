/**
 * What providers say of themselves and the keys they sign with, kept for a while in the isolate's memory.
 *
 * A token may name a key that is not known yet, since providers change theirs: then the keys are fetched again, but
 * at most once in ten seconds, whatever comes back, so that a flood of tokens with invented keys makes no flood of
 * requests. Nobody waits for another request's fetch: Workers do not share what is under way. So those who come
 * before the first keys are there ask each for themselves; nobody is turned away for coming at the same time.
 */
import { TimeSpan } from "oslo";
import { askProvider } from "./ask-provider.ts";
import { checkDiscovery, type Metadata } from "./check-discovery.ts";
import type { OidcProvider } from "./provider-settings.ts";
import { type Checked, failed, passed } from "./reason.ts";

export interface Jwk extends JsonWebKey {
  kid?: string;
  /** Microsoft Entra: the issuer whose tokens this key signs. */
  issuer?: string;
}

const METADATA_KEPT_MS = new TimeSpan(1, "h").milliseconds();
const KEYS_KEPT_MS = new TimeSpan(1, "h").milliseconds();
export const COOL_DOWN_MS = new TimeSpan(10, "s").milliseconds();

interface Keys {
  keys: readonly Jwk[];
  fetchedAtMs: number;
  /** When they were last asked for, in vain or not. */
  triedAtMs: number;
}

const metadataBy = new Map<string, { metadata: Metadata; fetchedAtMs: number }>();
const keysBy = new Map<string, Keys>();

/** Where the provider's document is: beside its issuer (OpenID Connect Discovery 1.0, 4), unless it is told. */
export function discoveryUrl({ issuer, discovery }: OidcProvider): string {
  return discovery ?? `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
}

export async function metadataOf(
  provider: OidcProvider,
  at: { now: number; development: boolean },
): Promise<Checked<Metadata>> {
  const url = discoveryUrl(provider);
  const place = `${provider.issuer} ${url}`;
  const known = metadataBy.get(place);
  if (known !== undefined && at.now - known.fetchedAtMs < METADATA_KEPT_MS)
    return passed(known.metadata);
  const document = await jsonFrom(url, at.development);
  if (!document.ok) return document;
  const checked = checkDiscovery(document.value, provider, at.development);
  if (checked.ok) metadataBy.set(place, { metadata: checked.value, fetchedAtMs: at.now });
  return checked;
}

/** The provider's keys, the one called `kid` among them if the provider has it. */
export async function keysOf(
  { jwks_uri: url }: Pick<Metadata, "jwks_uri">,
  kid: string | undefined,
  at: { now: number; development: boolean },
): Promise<Checked<readonly Jwk[]>> {
  const known = keysBy.get(url);
  const fresh = known !== undefined && at.now - known.fetchedAtMs < KEYS_KEPT_MS;
  const has =
    known !== undefined && (kid === undefined || known.keys.some((key) => key.kid === kid));
  if (fresh && has) return passed(known.keys);
  if (known !== undefined && at.now - known.triedAtMs < COOL_DOWN_MS)
    return fresh ? passed(known.keys) : failed("provider_unreachable", "keys: asked a moment ago");
  // Before it is answered: of many at the same time, one asks. Without keys to go on with, each has to.
  if (fresh) keysBy.set(url, { ...known, triedAtMs: at.now });
  const asked = await keySetFrom(url, at.development);
  if (asked.ok) {
    keysBy.set(url, { keys: asked.value, fetchedAtMs: at.now, triedAtMs: at.now });
    return asked;
  }
  if (fresh) return passed(known.keys);
  keysBy.set(url, { ...(keysBy.get(url) ?? noKeys), triedAtMs: at.now });
  return asked;
}

const noKeys = { keys: [], fetchedAtMs: Number.NEGATIVE_INFINITY };

async function keySetFrom(url: string, development: boolean): Promise<Checked<readonly Jwk[]>> {
  const document = await jsonFrom(url, development);
  if (!document.ok) return document;
  const { keys } = document.value as { keys?: unknown };
  if (!Array.isArray(keys)) return failed("provider_unreachable", "keys: not a key set");
  return passed(keys.filter((key): key is Jwk => typeof key === "object" && key !== null));
}

async function jsonFrom(url: string, development: boolean): Promise<Checked<object>> {
  const answer = await askProvider(url, { headers: { accept: "application/json" } }, development);
  if (!answer.ok) return answer;
  const bad = (why: string) => failed("provider_unreachable", `${new URL(url).host}: ${why}`);
  if (answer.value.status !== 200) return bad(`answers ${answer.value.status}`);
  const text = await answer.value.text();
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? passed(value) : bad("answers no object");
  } catch {
    return bad("answers no JSON");
  }
}
