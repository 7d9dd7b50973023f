import type { Call } from "#kernel/call/call.ts";
import { ApiError } from "#kernel/errors.ts";
import { PLATFORM } from "#platform/ids.ts";
import type { Profile } from "#schema/profiles.ts";

/** Throws `forbidden` if a tenant tries to change a platform profile. */
export function requireOwnProfile(call: Call, profile: Profile): void {
  if (profile.tenantId === PLATFORM && !call.isOf(PLATFORM))
    throw new ApiError(
      "forbidden",
      "This is a platform profile: only operators can change it. Create a profile of your own.",
    );
}
