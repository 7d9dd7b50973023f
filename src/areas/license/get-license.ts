import type * as z from "zod";
import type { Call } from "#kernel/call/call.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { timestamp } from "#platform/timestamp.ts";
import type { LicenseView } from "./contract.ts";
import { currentStanding } from "./current-standing.ts";
import type { Standing } from "./license.ts";

type View = z.input<typeof LicenseView>;

/** The license in the caller's view, and a version for its ETag. */
export async function getLicense(call: Call): Promise<{ view: View; version: string }> {
  const standing = await currentStanding(call.env, call.now);
  await call.authenticate();
  const view = call.actor.kind === "operator" ? fullOf(standing) : summaryOf(standing);
  return { view, version: (await digestHex(JSON.stringify(view))).slice(0, 16) };
}

function summaryOf({ plan, status, features, license, graceEndsAtMs }: Standing): View {
  return {
    plan,
    status,
    features: [...features],
    expiresAt: license === undefined ? null : timestamp(license.expiresAtMs),
    graceEndsAt: graceEndsAtMs === null ? null : timestamp(graceEndsAtMs),
  };
}

function fullOf(standing: Standing): View {
  return {
    ...summaryOf(standing),
    limits: standing.limits,
    licenseId: standing.license?.id ?? null,
    licensee: standing.license?.licensee ?? null,
    problem: standing.problem,
  };
}
