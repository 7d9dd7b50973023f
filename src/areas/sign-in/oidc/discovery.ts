/**
 * Discovery documents and signing keys of the providers, cached in the isolate's memory.
 *
 * Anybody can start a sign-in, even while the provider is down. So a failed fetch is repeated at most every two
 * seconds, by one request; others get the cached failure. While nothing is cached, the number of simultaneous fetches
 * is bounded.
 *
 * Providers rotate their keys, and some reuse the name (`kid`) of an old key. For a token with an unknown key, or a
 * signature that the key does not verify, the keys are fetched again, but at most once in ten seconds, so that invented
 * tokens cannot cause a flood of requests. Requests cannot wait for each other's fetches, because Workers do not share
 * I/O between requests. So until the first keys are cached, each request fetches them itself.
 */
import { TimeSpan } from "oslo";
import { askProvider, TIMEOUT_MS } from "./ask-provider.ts";
import { checkDiscovery, type Metadata } from "./check-discovery.ts";
import type { OidcProvider } from "./provider-settings.ts";
import { type Checked, failed, type Failure, passed } from "./reason.ts";

export interface Jwk extends JsonWebKey {
  kid?: string;
  /** Microsoft Entra: the issuer that this key signs for. */
  issuer?: string;
}

const METADATA_KEPT_MS = new TimeSpan(1, "h").milliseconds();
const KEYS_KEPT_MS = new TimeSpan(1, "h").milliseconds();
export const COOL_DOWN_MS = new TimeSpan(10, "s").milliseconds();
/** Short, so that a retry finds a provider that has recovered. */
export const RETRY_MS = new TimeSpan(2, "s").milliseconds();
/** The maximum number of fetches that start within the timeout of one request. */
export const MOST_AT_ONCE = 20;

interface Keys {
  keys: readonly Jwk[];
  fetchedAtMs: number;
  /** The time of the last fetch, successful or not. */
  triedAtMs: number;
}

/** The cached document of an address, and the state of its fetches. */
interface Source {
  known: { metadata: Metadata; fetchedAtMs: number } | undefined;
  /** The last failure, and the start of the last fetch. */
  vain: { failure: Failure; triedAtMs: number } | undefined;
  /** The times of recent fetches. Not a counter of open ones: a canceled request would never decrease it. */
  askedAtMs: readonly number[];
}

const sources = new Map<string, Source>();
const keysBy = new Map<string, Keys>();

/**
 * The address of the provider's document: below its issuer (OpenID Connect Discovery 1.0, 4), unless
 * configured.
 */
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
    return failed("provider_unreachable", "discovery: too many fetches under way");
  source.askedAtMs = [...lately, at.now];
  // Set before the fetch, so that only one of many simultaneous requests fetches.
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

/**
 * The provider's keys, including `kid` if the provider has it. `refused`: keys that did not verify the signature;
 * without newer keys, the result is the same list.
 */
export async function keysOf(
  { jwks_uri: url }: Pick<Metadata, "jwks_uri">,
  kid: string | undefined,
  at: { now: number; development: boolean; refused?: readonly Jwk[] },
): Promise<Checked<readonly Jwk[]>> {
  const known = keysBy.get(url);
  const fresh = known !== undefined && at.now - known.fetchedAtMs < KEYS_KEPT_MS;
  const has =
    known !== undefined &&
    known.keys !== at.refused &&
    (kid === undefined || known.keys.some((key) => key.kid === kid));
  if (fresh && has) return passed(known.keys);
  if (known !== undefined && at.now - known.triedAtMs < COOL_DOWN_MS)
    return fresh
      ? passed(known.keys)
      : failed("provider_unreachable", "keys: fetched a moment ago, in vain");
  // Set before the fetch, so that only one of many simultaneous requests fetches; without usable keys, each
  // must.
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
    return typeof value === "object" && value !== null
      ? passed(value)
      : bad("the answer is not a JSON object");
  } catch {
    return bad("the answer is not JSON");
  }
}
