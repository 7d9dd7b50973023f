import type * as z from "zod";
import { findTarget } from "#areas/cloud-targets/public.ts";
import { requireBytes } from "#areas/tenants/public.ts";
import { personOf } from "#kernel/access/access.ts";
import { withAuthor } from "#kernel/access/authors.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { jsonBytes } from "#platform/json.ts";
import { folded } from "#platform/text/folded.ts";
import { type Profile, profiles } from "#schema/profiles.ts";
import type { UpdateProfileBody } from "./contract.ts";
import { requireUsableTarget } from "./create-profile.ts";
import { requireOwnProfile } from "./own-profile.ts";
import { patchProfileVariables } from "./profile-variables.ts";
import { findProfile, findReaders, targetExists, updateProfileRow } from "./store.ts";

/** Changes the fields in the body; an empty body changes nothing, not even the version. */
export async function updateProfile(
  call: Call,
  id: string,
  body: z.output<typeof UpdateProfileBody>,
): Promise<Profile> {
  const [before, [target], readers] = await call.read(
    one(findProfile(call, id), "profile"),
    findTarget(call, body.targetId ?? ""),
    findReaders(call, id, Object.keys(body.variables ?? {})),
  );
  requireOwnProfile(call, before);
  call.expectVersion(before.version);
  const changed = Object.entries(body)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  if (changed.length === 0) return before;
  if (typeof body.targetId === "string") requireUsableTarget(target, before.tenantId);
  const version = before.version + 1;
  const after: Profile = {
    ...before,
    name: body.name ?? before.name,
    searchText: folded(body.name ?? before.name),
    variables: await patchProfileVariables(call, before, body.variables ?? {}, {
      secretNames: body.secretNames ?? [],
      readers,
    }),
    targetId: body.targetId === undefined ? before.targetId : body.targetId,
    authors:
      body.variables === undefined
        ? before.authors
        : withAuthor(before.authors, personOf(call.actor), { version }),
    version,
    updatedAtMs: call.now,
  };
  const resource = { tenantId: before.tenantId, type: "profile", id };
  return call.commit(after, [
    call.requireVersion(profiles, before),
    ...(jsonBytes(after.variables) > jsonBytes(before.variables)
      ? await requireBytes(call, "definitionBytes", before.tenantId)
      : []),
    ...(target === undefined ? [] : [call.require("conflict", targetExists(target))]),
    updateProfileRow(call, after),
    audit("profile.update", resource, { before, after }),
    event(
      "profile.updated",
      { ...resource, sequence: after.version },
      { changed, profileUrl: `/api/v1/profiles/${id}` },
    ),
  ]);
}
