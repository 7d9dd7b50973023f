import { allowsRegion } from "#engine/allows-region.ts";
import type { Call } from "#kernel/call/call.ts";
import { ApiError, type ErrorCode } from "#kernel/errors.ts";
import { PLATFORM } from "#platform/ids.ts";
import { credentialRefProblem } from "#providers/credential-ref.ts";
import type { CloudTarget } from "#schema/cloud-targets.ts";

/** Throws unless the target names a credential of its owner's, and a default region that it allows. */
export function requireUsable(
  target: Pick<CloudTarget, "tenantId" | "credentialRef" | "allowedRegions" | "defaultRegion">,
): void {
  const { credentialRef, allowedRegions, defaultRegion, tenantId } = target;
  const problem =
    credentialRef === null ? undefined : credentialRefProblem(credentialRef, tenantId);
  if (problem !== undefined) throw refusal("credential_unavailable", "credentialRef", problem);
  if (!allowsRegion(allowedRegions, defaultRegion))
    throw refusal(
      "validation_failed",
      "defaultRegion",
      "The default region is not among the allowed regions. Add it to them or choose one of them.",
    );
}

/** Throws `forbidden` when a tenant is about to change what is the platform's, which it may see and use. */
export function requireOwnTarget(call: Call, target: CloudTarget): void {
  if (target.tenantId === PLATFORM && !call.isOf(PLATFORM))
    throw new ApiError(
      "forbidden",
      "This target is the platform's: only an operator may do this. Register one of your own.",
    );
}

function refusal(code: ErrorCode, field: string, detail: string): ApiError {
  return new ApiError(code, detail, {
    faults: [{ in: "body", pointer: `/${field}`, code: "not_allowed", detail }],
  });
}
