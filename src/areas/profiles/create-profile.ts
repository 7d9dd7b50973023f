import type * as z from "zod";
import { findTarget } from "#areas/cloud-targets/public.ts";
import { namedTenant, requireBytes, enforcePlanLimit } from "#areas/tenants/public.ts";
import { owningTenant, personOf } from "#kernel/access/access.ts";
import { withAuthor } from "#kernel/access/authors.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { notFound } from "#kernel/errors.ts";
import { PLATFORM } from "#platform/ids.ts";
import { folded } from "#platform/text/folded.ts";
import type { CloudTarget } from "#schema/cloud-targets.ts";
import { type Profile, profiles } from "#schema/profiles.ts";
import type { CreateProfileBody } from "./contract.ts";
import { patchProfileVariables } from "./profile-variables.ts";
import { insertProfile, targetExists } from "./store.ts";

export async function createProfile(
  call: Call,
  body: z.output<typeof CreateProfileBody>,
): Promise<Profile> {
  const [[target]] = await call.read(
    findTarget(call, body.targetId ?? ""),
    namedTenant(call, body.tenantId),
  );
  const tenantId = owningTenant(call.actor, body.tenantId);
  if (body.targetId !== undefined) requireUsableTarget(target, tenantId);
  const id = call.newId();
  const profile: Profile = {
    id,
    tenantId,
    name: body.name,
    searchText: folded(body.name),
    variables: await patchProfileVariables(call, { id, tenantId, variables: {} }, body.variables, {
      secretNames: body.secretNames,
      readers: [],
    }),
    targetId: target?.id ?? null,
    authors: withAuthor({}, personOf(call.actor), { version: 1 }),
    version: 1,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
  return call.commit(profile, [
    ...(target === undefined ? [] : [call.require("conflict", targetExists(target))]),
    ...(await requireBytes(call, "definitionBytes", tenantId)),
    ...(await enforcePlanLimit(call, "profiles", tenantId, profiles)),
    insertProfile(call, profile),
    audit("profile.create", { tenantId, type: "profile", id }, { after: profile }),
  ]);
}

/** Throws `not_found` unless everyone who can use the profile can deploy to the target. */
export function requireUsableTarget(target: CloudTarget | undefined, tenantId: string): void {
  if (target === undefined || (target.tenantId !== tenantId && target.tenantId !== PLATFORM))
    throw notFound("target");
}
