import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { profiles } from "#schema/profiles.ts";
import { requireOwnProfile } from "./own-profile.ts";
import { getProfile } from "./read-profiles.ts";
import { isUnused, removeProfile } from "./store.ts";

export async function deleteProfile(call: Call, id: string): Promise<void> {
  const before = await getProfile(call, id);
  requireOwnProfile(call, before);
  call.expectVersion(before.version);
  const resource = { tenantId: before.tenantId, type: "profile", id };
  await call.commit(undefined, [
    call.requireVersion(profiles, before),
    call.require("in_use", isUnused(before)),
    removeProfile(call, before),
    audit("profile.delete", resource, { before }),
    event("profile.deleted", { ...resource, sequence: before.version + 1 }),
  ]);
}
