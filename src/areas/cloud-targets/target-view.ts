import type * as z from "zod";
import { timestampOrNull } from "#http/schemas.ts";
import type { Call } from "#kernel/call/call.ts";
import { tenantIdView } from "#platform/ids.ts";
import { timestamp } from "#platform/timestamp.ts";
import type { CloudTarget } from "#schema/cloud-targets.ts";
import type { TargetView } from "./contract.ts";
import { targetIdentity } from "./target-identity.ts";

/** Tenants see a platform target's name and purpose, but not its config and credential reference. */
export function targetView(
  target: Omit<CloudTarget, "version">,
  call: Call,
): z.input<typeof TargetView> {
  const whole = call.isOf(target.tenantId);
  return {
    id: target.id,
    tenantId: tenantIdView(target.tenantId),
    provider: target.provider,
    name: target.name,
    labels: target.labels,
    environment: target.environment,
    config: whole ? target.config : null,
    credentialRef: whole ? target.credentialRef : null,
    ...(whole ? targetIdentity(target, call.env) : { identity: null, credentialProblem: null }),
    allowedRegions: [...target.allowedRegions],
    defaultRegion: target.defaultRegion,
    maxConcurrentDeployments: target.maxConcurrentDeployments,
    verification: target.verification,
    verifiedAt: timestampOrNull(target.verifiedAtMs),
    createdAt: timestamp(target.createdAtMs),
    updatedAt: timestamp(target.updatedAtMs),
  };
}
