/**
 * The limit every caller has, and what answers say of it. The Workers binding counts per location and tells yes or
 * no, not how much is left: what is said to be left is what this isolate has counted, so at least that many were
 * used and at most so many are left. Exact quotas are counted by `QuotaCounter` and told the same way.
 */
import type { Bindings } from "#kernel/bindings.ts";
import { ApiError } from "#kernel/errors.ts";
import { defaultPolicy } from "./default-policy.ts";

/** What an answer says of one limit: `RateLimit-Policy` and `RateLimit`. */
export interface LimitState {
  name: string;
  /** So many requests within the window. */
  quota: number;
  windowSeconds: number;
  /** At most so many more within the next `resetSeconds`. */
  remaining: number;
  resetSeconds: number;
}

/** Counts the request; throws `rate_limited` when the caller has sent too many. `tell` is told in either case. */
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
      "Too many requests. Wait a minute and go on slower.",
      defaultPolicy.windowSeconds,
    );
}

/** `used`: the limit that is used up, where the answer does not tell it by itself. */
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
 * The two fields of draft-ietf-httpapi-ratelimit-headers-10, of each limit the request was counted against:
 * https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10
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
 * What an address counts as: itself, or of an IPv6 address the network of 64 bits, since whoever has one address
 * of it has all of them.
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
