/**
 * What providers say of themselves and the keys they sign with, kept for a while in the isolate's memory.
 *
 * Anybody may begin a sign-in, also while the provider is down. So what was asked in vain is asked again every two
 * seconds by one, and told to the others from memory; and while nothing is known yet, a provider that does not answer
 * is asked by so many at a time and no more.
 *
 * A token may name a key that is not known yet, since providers change theirs: then the keys are fetched again, but
 * at most once in ten seconds, whatever comes back, so that a flood of tokens with invented keys makes no flood of
 * requests. Nobody waits for another request's fetch: Workers do not share what is under way. So those who come
 * before the first keys are there ask each for themselves; nobody is turned away for coming at the same time.
 */
import { TimeSpan } from "oslo";
import { askProvider, TIMEOUT_MS } from "./ask-provider.ts";
import { checkDiscovery, type Metadata } from "./check-discovery.ts";
import type { OidcProvider } from "./provider-settings.ts";
import { type Checked, failed, type Failure, passed } from "./reason.ts";

export interface Jwk extends JsonWebKey {
  kid?: string;
  /** Microsoft Entra: the issuer whose tokens this key signs. */
  issuer?: string;
}

const METADATA_KEPT_MS = new TimeSpan(1, "h").milliseconds();
const KEYS_KEPT_MS = new TimeSpan(1, "h").milliseconds();
export const COOL_DOWN_MS = new TimeSpan(10, "s").milliseconds();
/** Short: whoever tries again finds a provider that is back. */
export const RETRY_MS = new TimeSpan(2, "s").milliseconds();
/** Within the time that one request may take. */
export const MOST_AT_ONCE = 20;

interface Keys {
  keys: readonly Jwk[];
  fetchedAtMs: number;
  /** When they were last asked for, in vain or not. */
  triedAtMs: number;
}

/** What a place said last, and how it goes with asking it. */
interface Source {
  known: { metadata: Metadata; fetchedAtMs: number } | undefined;
  /** What came of asking in vain, and when that was tried last. */
  vain: { failure: Failure; triedAtMs: number } | undefined;
  /** When it was asked lately. Not how many wait: of a request that is broken off nobody would take the one away. */
  askedAtMs: readonly number[];
}

const sources = new Map<string, Source>();
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
  const source = sourceAt(`${provider.issuer} ${url}`);
  const { known, vain } = source;
  if (known !== undefined && at.now - known.fetchedAtMs < METADATA_KEPT_MS)
    return passed(known.metadata);
  if (vain !== undefined && at.now - vain.triedAtMs < RETRY_MS) return vain.failure;
  const lately = source.askedAtMs.filter((askedAtMs) => at.now - askedAtMs < TIMEOUT_MS);
  if (lately.length >= MOST_AT_ONCE)
    return failed("provider_unreachable", "discovery: asked by many a moment ago");
  source.askedAtMs = [...lately, at.now];
  // Before it is answered: of many at the same time, one asks.
  if (vain !== undefined) source.vain = { ...vain, triedAtMs: at.now };
  const document = await jsonFrom(url, at.development);
  const checked = document.ok ? checkDiscovery(document.value, provider, at.development) : document;
  if (checked.ok) {
    source.known = { metadata: checked.value, fetchedAtMs: at.now };
    source.vain = undefined;
    source.askedAtMs = [];
  } else {
    const triedAtMs = Math.max(at.now, source.vain?.triedAtMs ?? at.now);
    source.vain = { failure: checked, triedAtMs };
  }
  return checked;
}

function sourceAt(place: string): Source {
  const source = sources.get(place) ?? { known: undefined, vain: undefined, askedAtMs: [] };
  sources.set(place, source);
  return source;
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
