import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { requireNoDependents } from "#kernel/call/dependents.ts";
import { one } from "#kernel/call/one.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { profiles } from "#schema/profiles.ts";
import { requireOwnProfile } from "./own-profile.ts";
import { findProfile, findProfileDependents, isUnused, removeProfile } from "./store.ts";

export async function deleteProfile(call: Call, id: string): Promise<void> {
  const [before, dependents] = await call.read(
    one(findProfile(call, id), "profile"),
    findProfileDependents(call, id),
  );
  requireOwnProfile(call, before);
  call.expectVersion(before.version);
  requireNoDependents(
    "profile",
    dependents,
    "Change their `profileId` or delete them, then repeat the request.",
  );
  const resource = { tenantId: before.tenantId, type: "profile", id };
  await call.commit(undefined, [
    call.requireVersion(profiles, before),
    call.require("in_use", isUnused(before)),
    removeProfile(call, before),
    audit("profile.delete", resource, { before }),
    event(
      "profile.deleted",
      { ...resource, sequence: before.version + 1 },
      {},
      { name: before.name },
    ),
  ]);
}
