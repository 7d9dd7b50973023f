import { allowsRegion } from "#engine/allows-region.ts";
import type { Call } from "#kernel/call/call.ts";
import { ApiError, type ErrorCode } from "#kernel/errors.ts";
import { PLATFORM } from "#platform/ids.ts";
import { credentialRefProblem } from "#providers/credential-ref.ts";
import type { CloudTarget } from "#schema/cloud-targets.ts";

/** Throws unless the credential reference belongs to the target's owner and the default region is allowed. */
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
      "`defaultRegion` is not one of `allowedRegions`. Add it there or choose another region.",
    );
}

/** Throws `forbidden` if a tenant tries to change a platform target, which it can see and use. */
export function requireOwnTarget(call: Call, target: CloudTarget): void {
  if (target.tenantId === PLATFORM && !call.isOf(PLATFORM))
    throw new ApiError(
      "forbidden",
      "This is a platform target: only operators can change it. Register a target of your own.",
    );
}

function refusal(code: ErrorCode, field: string, detail: string): ApiError {
  return new ApiError(code, detail, {
    faults: [{ in: "body", pointer: `/${field}`, code: "not_allowed", detail }],
  });
}
