import type { JsonMap } from "#platform/json.ts";
import { type Limits, planLimits, type PlanName, settableLimits } from "#schema/plans.ts";

/** What a license says, once its signature is proved. */
export interface License {
  id: string;
  plan: PlanName;
  licensee: string | null;
  /** In place of the plan's. What is not understood is kept. */
  limits: JsonMap;
  features: readonly string[];
  notBeforeMs: number | null;
  expiresAtMs: number;
}

/** What LICENSE_KEY turned out to be: the part that does not depend on the time. */
export type Installed =
  | { kind: "none" }
  | { kind: "invalid"; problem: string }
  | { kind: "license"; license: License };

export type LicenseStatus =
  | "COMMUNITY"
  | "ACTIVE"
  | "EXPIRING"
  | "GRACE"
  | "EXPIRED"
  | "NOT_YET_VALID"
  | "INVALID";

/** What the installation may do now, and why. */
export interface Standing {
  status: LicenseStatus;
  plan: PlanName;
  /** What each tenant may have, unless its own limits say otherwise. */
  limits: Limits;
  features: readonly string[];
  /** The installed license, whether it counts or not. */
  license: License | undefined;
  graceEndsAtMs: number | null;
  problem: string | null;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const NOTICE_MS = 14 * DAY_MS;
const GRACE_MS = 14 * DAY_MS;

const communityPlan = {
  plan: "community",
  limits: planLimits.community,
  features: [],
} as const;

/** Where an installation stands at `now`, epoch milliseconds. A license that does not count leaves the community plan. */
export function standingAt(installed: Installed, now: number): Standing {
  const community = { ...communityPlan, license: undefined, graceEndsAtMs: null, problem: null };
  if (installed.kind === "none") return { ...community, status: "COMMUNITY" };
  if (installed.kind === "invalid")
    return { ...community, status: "INVALID", problem: installed.problem };
  const { license } = installed;
  if (license.notBeforeMs !== null && now < license.notBeforeMs)
    return {
      ...community,
      status: "NOT_YET_VALID",
      license,
      problem: `The license counts from ${new Date(license.notBeforeMs).toISOString()} on.`,
    };
  const { plan, features, expiresAtMs } = license;
  const limits = licensedLimits(license);
  const graceEndsAtMs = expiresAtMs + GRACE_MS;
  const status = statusOf(expiresAtMs, graceEndsAtMs, now);
  return { status, plan, limits, features, license, graceEndsAtMs, problem: null };
}

function statusOf(
  expiresAtMs: number,
  graceEndsAtMs: number,
  now: number,
): Extract<LicenseStatus, "ACTIVE" | "EXPIRING" | "GRACE" | "EXPIRED"> {
  if (now >= graceEndsAtMs) return "EXPIRED";
  if (now >= expiresAtMs) return "GRACE";
  return now >= expiresAtMs - NOTICE_MS ? "EXPIRING" : "ACTIVE";
}

/** The plan's limits, and over them the license's own: a whole number, or null for none. */
function licensedLimits({ plan, limits }: License): Limits {
  const own = settableLimits.flatMap((name): [string, number | null][] => {
    const limit = Object.hasOwn(limits, name) ? limits[name] : undefined;
    const counts = typeof limit === "number" && Number.isSafeInteger(limit) && limit >= 0;
    return limit === null || counts ? [[name, limit]] : [];
  });
  return { ...planLimits[plan], ...Object.fromEntries(own) };
}
