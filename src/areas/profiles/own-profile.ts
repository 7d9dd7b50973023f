import type { Call } from "#kernel/call/call.ts";
import { ApiError } from "#kernel/errors.ts";
import { PLATFORM } from "#platform/ids.ts";
import type { Profile } from "#schema/profiles.ts";

/** Throws `forbidden` when a tenant is about to change a profile that is for every tenant. */
export function requireOwnProfile(call: Call, profile: Profile): void {
  if (profile.tenantId === PLATFORM && !call.isOf(PLATFORM))
    throw new ApiError(
      "forbidden",
      "This profile is for every tenant: only an operator may change it. Make one of your own.",
    );
}
