import type { JsonMap } from "#platform/json.ts";
import { type Limits, planLimits, type PlanName, settableLimits } from "#schema/lists/plans.ts";

/** The content of a license whose signature was verified. */
export interface License {
  id: string;
  plan: PlanName;
  licensee: string | null;
  /** Limits that override the plan's. Unknown members are kept. */
  limits: JsonMap;
  features: readonly string[];
  notBeforeMs: number | null;
  expiresAtMs: number;
}

/** The verification result of LICENSE_KEY, which does not depend on the time. */
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

/** The rights of the installation at a time. */
export interface Standing {
  status: LicenseStatus;
  plan: PlanName;
  /** The limits of each tenant, unless it has its own. */
  limits: Limits;
  features: readonly string[];
  /** The installed license, in force or not. */
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

/** The standing at `now` (epoch milliseconds). Without a valid license the community plan is in force. */
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
      problem: `The license is valid from ${new Date(license.notBeforeMs).toISOString()} on.`,
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

/** The plan's limits, overridden by the license's: whole numbers, or null for no limit. */
function licensedLimits({ plan, limits }: License): Limits {
  const own = settableLimits.flatMap((name): [string, number | null][] => {
    const limit = Object.hasOwn(limits, name) ? limits[name] : undefined;
    const counts = typeof limit === "number" && Number.isSafeInteger(limit) && limit >= 0;
    return limit === null || counts ? [[name, limit]] : [];
  });
  return { ...planLimits[plan], ...Object.fromEntries(own) };
}
