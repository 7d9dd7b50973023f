/**
 * The rate limit of every caller, and its headers. The Workers binding counts per location and answers only
 * yes or no. `remaining` is therefore computed from this isolate's own count: an upper bound. Exact quotas
 * are counted by `QuotaCounter` and use the same headers.
 */
import type { Bindings } from "#kernel/bindings.ts";
import { ApiError } from "#kernel/errors.ts";
import { changePolicy, defaultPolicy } from "./default-policy.ts";

/** One limit, as the headers `RateLimit-Policy` and `RateLimit` state it. */
export interface LimitState {
  name: string;
  /** Requests per window. */
  quota: number;
  windowSeconds: number;
  /** The most further requests within `resetSeconds`. */
  remaining: number;
  resetSeconds: number;
}

/**
 * Counts the request; throws `rate_limited` if the caller has sent too many. Calls `tell` with the state in
 * both cases.
 */
export async function enforceRateLimit(
  env: Pick<Bindings, "RATE_LIMITER">,
  limitKey: string,
  now: number,
  tell: (state: LimitState) => void,
): Promise<void> {
  const state = countHere(limitKey, now);
  const { success } = await env.RATE_LIMITER.limit({ key: limitKey });
  tell(success ? state : { ...state, remaining: 0, resetSeconds: defaultPolicy.windowSeconds });
  if (!success)
    throw tooMany(
      "Too many requests. Wait a minute, then send fewer per minute.",
      defaultPolicy.windowSeconds,
    );
}

/** Counts a change of the tenant's rows, by any of its keys and members. Throws `rate_limited`. */
export async function countTenantChange(
  env: Pick<Bindings, "CHANGE_LIMITER">,
  tenantId: string,
): Promise<void> {
  const { success } = await env.CHANGE_LIMITER.limit({ key: `tenant:${tenantId}` });
  if (!success)
    throw tooMany(
      `The tenant's keys and members together made more than ${changePolicy.quota} changes within a minute. Wait a minute, then send fewer.`,
      changePolicy.windowSeconds,
      changePolicy,
    );
}

/** `used`: the exhausted limit, if the answer does not carry its headers otherwise. */
export function tooMany(
  detail: string,
  waitSeconds: number,
  used?: Pick<LimitState, "name" | "quota" | "windowSeconds">,
): ApiError {
  const told = used === undefined ? [] : [{ ...used, remaining: 0, resetSeconds: waitSeconds }];
  return new ApiError("rate_limited", detail, {
    headers: { "retry-after": String(waitSeconds), ...limitHeaders(told) },
  });
}

/**
 * The two header fields of draft-ietf-httpapi-ratelimit-headers-10, for each limit that the request counts
 * against: https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10
 */
export function limitHeaders(states: readonly LimitState[]): Record<string, string> {
  if (states.length === 0) return {};
  const list = (item: (state: LimitState) => string) => states.map(item).join(", ");
  return {
    "ratelimit-policy": list(
      ({ name, quota, windowSeconds }) => `"${name}";q=${quota};w=${windowSeconds}`,
    ),
    ratelimit: list(
      ({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`,
    ),
  };
}

/**
 * The key under which an address is counted: the address itself or, for IPv6, its /64 network, since one host
 * usually has all addresses of its /64.
 */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const groupsOf = (part: string) => part.split(":").filter((group) => group !== "");
  const [before, after] = [groupsOf(head), groupsOf(tail ?? "")];
  const left = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array.from({ length: left }, () => "0"), ...after]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}

const WINDOW_MS = defaultPolicy.windowSeconds * 1000;
const MOST_KEYS = 10_000;

let window = -1;
const counts = new Map<string, number>();

function countHere(limitKey: string, now: number): LimitState {
  const current = Math.floor(now / WINDOW_MS);
  if (current !== window) {
    window = current;
    counts.clear();
  }
  const count = (counts.get(limitKey) ?? 0) + 1;
  if (counts.size < MOST_KEYS || counts.has(limitKey)) counts.set(limitKey, count);
  return {
    ...defaultPolicy,
    remaining: Math.max(0, defaultPolicy.quota - count),
    resetSeconds: Math.ceil(((current + 1) * WINDOW_MS - now) / 1000),
  };
}
