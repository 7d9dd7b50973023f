import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { ApiError } from "#kernel/errors.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { verifyTarget as askProvider } from "#orchestrator/client/verify-target.ts";
import { type CloudTarget, cloudTargets } from "#schema/cloud-targets.ts";
import { getTarget } from "./read-targets.ts";
import { setTarget } from "./store.ts";
import { requireOwnTarget } from "./usable-target.ts";

export interface Verification {
  ok: boolean;
  message: string;
  atMs: number;
}

/**
 * Stores the provider's verdict on the credential. If the provider gives none, answers 502 and stores
 * nothing: the call can be repeated.
 */
export async function verifyTarget(call: Call, id: string): Promise<Verification> {
  const before = await getTarget(call, id);
  requireOwnTarget(call, before);
  const target = { ...before, region: before.defaultRegion };
  const verified = await askProvider(call.env, target, call.trace);
  if (verified === undefined)
    throw new ApiError(
      "invalid_state",
      `The provider ${before.provider} is not available in this installation yet, so the credential cannot be checked. GET /cloud/providers lists the available ones.`,
    );
  if (!verified.ok && verified.retryable)
    throw new ApiError("provider_error", `${verified.message} Try again later.`);
  const after: CloudTarget = {
    ...before,
    verification: verified.ok ? "VERIFIED" : "FAILED",
    verifiedAtMs: call.now,
    version: before.version + 1,
    updatedAtMs: call.now,
  };
  const resource = { tenantId: before.tenantId, type: "cloud_target", id };
  const { provider, environment } = before;
  const message = verified.ok ? "The credential works." : verified.message;
  return call.commit({ ok: verified.ok, message, atMs: call.now }, [
    call.requireVersion(cloudTargets, before),
    setTarget(call, before, after),
    audit("cloud_target.verify", resource, { before, after }),
    event(
      verified.ok ? "target.verified" : "target.verification_failed",
      { ...resource, sequence: after.version },
      { provider, environment, ...(verified.ok ? {} : { code: verified.code }) },
    ),
  ]);
}
