import type * as z from "zod";
import { findProfile, profileExists } from "#areas/profiles/public.ts";
import { requireBytes } from "#areas/tenants/public.ts";
import { mergeLabels } from "#http/labels.ts";
import { personOf } from "#kernel/access/access.ts";
import { withAuthor } from "#kernel/access/authors.ts";
import { requireMayLower } from "#kernel/access/safeguards.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { notFound } from "#kernel/errors.ts";
import { PLATFORM } from "#platform/ids.ts";
import { jsonBytes, type JsonMap } from "#platform/json.ts";
import { mergePatch } from "#platform/merge-patch.ts";
import { folded } from "#platform/text/folded.ts";
import { type Bindings, type Instance, instances } from "#schema/instances.ts";
import type { TemplateVersion } from "#schema/templates.ts";
import {
  bindingWrites,
  findLinksAbove,
  findLinksBelow,
  findNamed,
  namedIn,
} from "./binding-store.ts";
import { requireFewBindings, requireNoCircle, requireUpstreams, type Link } from "./bindings.ts";
import { changeWrites } from "./change-writes.ts";
import type { UpdateInstanceBody } from "./contract.ts";
import { futureMs } from "./create-instance.ts";
import { followExpiry } from "./expiry-trigger.ts";
import { withTag, type TaggedInstance } from "./instance-tag.ts";
import { findInstance, findInstanceTarget, findVersionConfig } from "./store.ts";
import { patchVariables } from "./variables.ts";

/** The fields that change what a deployment does. */
const content = ["name", "variables", "bindings", "templateVersion", "profileId"] as const;

/**
 * Changes the fields in the body; an empty body changes nothing, not even the version. `more`: further writes
 * of the commit. `setByPerson`: for a trigger, the person who set it up.
 */
export async function updateInstance(
  call: Call,
  id: string,
  body: z.output<typeof UpdateInstanceBody>,
  { more = [], setByPerson }: { more?: readonly Write[]; setByPerson?: string | null } = {},
): Promise<TaggedInstance> {
  const named = namedIn(body.bindings);
  const [row, [config], [profile], upstreams, above, below, [target]] = await call.read(
    one(findInstance(call, id), "instance"),
    findVersionConfig(
      call,
      body.variables === undefined && body.templateVersion === undefined ? "" : id,
      body.templateVersion,
    ),
    findProfile(call, body.profileId ?? ""),
    findNamed(call, named),
    findLinksAbove(call, named),
    findLinksBelow(call, named.length === 0 ? "" : id),
    findInstanceTarget(call, body.approvalMode === undefined ? "" : id),
  );
  const { latestVersion, ...before } = row;
  call.expectVersion(withTag(row).version);
  if (body.templateVersion !== undefined && config === undefined)
    throw notFound("template version");
  if (typeof body.profileId === "string" && !usableProfile(profile, before.tenantId))
    throw notFound("profile");
  requireUpstreams(body.bindings, upstreams, before.tenantId);
  const safeguards = {
    approvalMode: body.approvalMode === undefined ? before.approvalMode : body.approvalMode,
    protectedFromDestroy: body.protectedFromDestroy ?? before.protectedFromDestroy,
    expiresAtMs: body.expiresAt === undefined ? before.expiresAtMs : futureMs(call, body.expiresAt),
  };
  // Without a mode in the body, the mode and its default stay the same, so the target is not read.
  const environment = target?.environment ?? "production";
  requireMayLower(
    call.actor,
    before.tenantId,
    { ...before, environment },
    { ...safeguards, environment },
  );
  if (Object.values(body).every((value) => value === undefined)) return withTag(row);
  const after = {
    ...(await patched(call, before, body, { config, profile, setByPerson })),
    ...safeguards,
  };
  if (named.length > 0) {
    requireFewBindings(after.bindings);
    requireNoCircle(after, upstreams, above as Link[], below as Link[]);
  }
  return call.commit(withTag({ ...after, latestVersion }), [
    call.requireVersion(instances, before),
    ...(jsonBytes(after.variables) > jsonBytes(before.variables)
      ? await requireBytes(call, "definitionBytes", before.tenantId)
      : []),
    ...(profile === undefined ? [] : [call.require("conflict", profileExists(profile))]),
    ...changeWrites(call, before, after, {
      changed: Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : [name])),
      more: [
        ...(body.bindings === undefined ? [] : bindingWrites(call, after, named)),
        ...(after.expiresAtMs === before.expiresAtMs ? [] : [followExpiry(call, after)]),
        ...more,
      ],
    }),
  ]);
}

/** The instance with the fields of the body, except the safeguards. */
async function patched(
  call: Call,
  before: Instance,
  body: z.output<typeof UpdateInstanceBody>,
  {
    config,
    profile,
    setByPerson,
  }: {
    config: Pick<TemplateVersion, "number" | "secretNames" | "config"> | undefined;
    profile: { id: string } | undefined;
    setByPerson: string | null | undefined;
  },
): Promise<Instance> {
  const { name = before.name, labels, variables, bindings, templateVersion, profileId } = body;
  const version = before.version + 1;
  return {
    ...before,
    name,
    searchText: folded(name),
    labels: labels === undefined ? before.labels : mergeLabels(before.labels, labels),
    variables:
      variables === undefined && templateVersion === undefined
        ? before.variables
        : await patchVariables(
            call,
            before,
            variables ?? {},
            config && { ...config, isNew: config.number !== before.templateVersion },
          ),
    bindings:
      bindings === undefined
        ? before.bindings
        : (mergePatch(before.bindings, bindings as JsonMap) as Bindings),
    templateVersion: templateVersion ?? before.templateVersion,
    profileId: profileId === undefined ? before.profileId : (profile?.id ?? null),
    authors: content.some((field) => body[field] !== undefined)
      ? withAuthor(before.authors, personOf(call.actor) ?? setByPerson, {
          version,
          since: before.deployed.instance,
        })
      : before.authors,
    version,
    updatedAtMs: call.now,
  };
}

function usableProfile(profile: { tenantId: string } | undefined, tenantId: string): boolean {
  return profile?.tenantId === tenantId || profile?.tenantId === PLATFORM;
}
