import { sql } from "drizzle-orm";
import type * as z from "zod";
import { findTarget } from "#areas/cloud-targets/public.ts";
import { findProfile, findProfileTarget, profileExists } from "#areas/profiles/public.ts";
import { findTemplate, findTemplateVersion } from "#areas/templates/public.ts";
import { namedTenant, requireBytes, enforcePlanLimit } from "#areas/tenants/public.ts";
import { owningTenant, personOf } from "#kernel/access/access.ts";
import { withAuthor } from "#kernel/access/authors.ts";
import { defaultSafeguards, requireMayLower, type Safeguards } from "#kernel/access/safeguards.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { ApiError, notFound } from "#kernel/errors.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { PLATFORM } from "#platform/ids.ts";
import type { JsonMap } from "#platform/json.ts";
import { mergePatch } from "#platform/merge-patch.ts";
import { folded } from "#platform/text/folded.ts";
import { type CloudTarget, cloudTargets } from "#schema/cloud-targets.ts";
import { type Bindings, type Instance, instances } from "#schema/instances.ts";
import type { Profile } from "#schema/profiles.ts";
import { type Template, templates, type TemplateVersion } from "#schema/templates.ts";
import { bindingWrites, findLinksAbove, findNamed, namedIn } from "./binding-store.ts";
import { requireFewBindings, requireNoCircle, requireUpstreams, type Link } from "./bindings.ts";
import type { CreateInstanceBody } from "./contract.ts";
import { followExpiry } from "./expiry-trigger.ts";
import { withTag, type TaggedInstance } from "./instance-tag.ts";
import { patchVariables } from "./variables.ts";

export async function createInstance(
  call: Call,
  body: z.output<typeof CreateInstanceBody>,
): Promise<TaggedInstance> {
  const named = namedIn(body.bindings);
  const [
    [template],
    [version],
    [latest],
    [namedTarget],
    ,
    [profile],
    [profileTarget],
    upstreams,
    above,
  ] = await call.read(
    findTemplate(call, body.templateId),
    findTemplateVersion(call, body.templateId, body.templateVersion ?? "latest"),
    findTemplateVersion(call, body.templateId, "latest"),
    findTarget(call, body.targetId ?? ""),
    namedTenant(call, body.tenantId),
    findProfile(call, body.profileId ?? ""),
    findProfileTarget(call, body.profileId ?? ""),
    findNamed(call, named),
    findLinksAbove(call, named),
  );
  const tenantId = ownerOf(call, body.tenantId);
  const target = body.targetId === undefined ? profileTarget : namedTarget;
  const parts = requireParts(body, tenantId, { template, version, profile, target });
  const settings = {
    approvalMode: body.approvalMode ?? null,
    protectedFromDestroy: body.protectedFromDestroy,
    expiresAtMs: futureMs(call, body.expiresAt),
  };
  requireMayLower(call.actor, tenantId, defaultSafeguards(parts.target), {
    ...settings,
    environment: parts.target.environment,
  });
  const id = call.newId();
  const bindings = mergePatch({}, body.bindings as JsonMap) as Bindings;
  requireUpstreams(body.bindings, upstreams, tenantId);
  requireFewBindings(bindings);
  requireNoCircle({ id, name: body.name, bindings }, upstreams, above as Link[], []);
  const owned = { id, tenantId, profileId: profile?.id ?? null };
  const instance = await newInstance(call, body, parts, { ...settings, ...owned, bindings });
  const resource = { tenantId, type: "instance", id };
  return call.commit(withTag({ ...instance, latestVersion: latest?.number ?? null }), [
    ...(await requireBytes(call, "definitionBytes", tenantId)),
    ...(await enforcePlanLimit(call, "instances", tenantId, instances)),
    call.require("not_found", exists(cloudTargets, parts.target)),
    call.require("not_found", exists(templates, parts.template)),
    ...(profile === undefined ? [] : [call.require("conflict", profileExists(profile))]),
    call.write(instance.tenantId, call.db.insert(instances).values(instance)),
    ...(named.length === 0 ? [] : bindingWrites(call, instance, named)),
    ...(instance.expiresAtMs === null ? [] : [followExpiry(call, instance)]),
    audit("instance.create", resource, { after: instance }),
    event(
      "instance.created",
      { ...resource, sequence: 1 },
      { state: instance.state, instanceUrl: `/api/v1/instances/${id}` },
    ),
  ]);
}

function ownerOf(call: Call, named: string | undefined): string {
  const tenantId = owningTenant(call.actor, named);
  if (tenantId !== PLATFORM) return tenantId;
  throw refused(
    "An instance must belong to a tenant: set `tenantId`.",
    "/tenantId",
    "required",
    "Operators must name a tenant.",
  );
}

interface Parts {
  template: Template;
  version: TemplateVersion;
  target: CloudTarget;
}

/** The rows that the body names. Throws unless all exist for this tenant. */
function requireParts(
  body: z.output<typeof CreateInstanceBody>,
  tenantId: string,
  {
    template,
    version,
    profile,
    target,
  }: { [part in keyof Parts]: Parts[part] | undefined } & { profile: Profile | undefined },
): Parts {
  const usable = (owner: string | undefined) => owner === tenantId || owner === PLATFORM;
  if (template === undefined || !usable(template.tenantId)) throw notFound("template");
  if (body.profileId !== undefined && !usable(profile?.tenantId)) throw notFound("profile");
  if (body.targetId === undefined && typeof profile?.targetId !== "string")
    throw refused(
      "The instance has no target: set `targetId`, or a profile with a target.",
      "/targetId",
      "required",
      "Set it, or name a profile with a target.",
    );
  if (target === undefined || !usable(target.tenantId)) throw notFound("target");
  if (version !== undefined) return { template, version, target };
  throw body.templateVersion === undefined
    ? new ApiError(
        "invalid_state",
        "The template has no version that is not deprecated. Add one first.",
      )
    : notFound("template version");
}

/** The instance before its first run. */
async function newInstance(
  call: Call,
  body: z.output<typeof CreateInstanceBody>,
  { template, version, target }: Parts,
  checked: Pick<Instance, "id" | "tenantId" | "profileId" | "bindings"> &
    Omit<Safeguards, "environment">,
): Promise<Instance> {
  return {
    ...checked,
    name: body.name,
    searchText: folded(body.name),
    labels: body.labels,
    templateId: template.id,
    templateVersion: version.number,
    targetId: target.id,
    variables: await patchVariables(call, { ...checked, variables: {} }, body.variables, {
      ...version,
      isNew: false,
    }),
    state: "INITIALIZED",
    drift: "UNKNOWN",
    outputs: {},
    outputsStaleSinceMs: null,
    stateSerial: 0,
    lastDeploymentId: null,
    authors: withAuthor({}, personOf(call.actor), { version: 1 }),
    // The maker of an instance accepts the target's present version, but not the profile's: its variables are content.
    deployed: { instance: 0, target: target.version, profile: null },
    version: 1,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
}

function refused(message: string, pointer: string, code: string, detail: string): ApiError {
  return new ApiError("validation_failed", message, {
    faults: [{ in: "body", pointer, code, detail }],
  });
}

/** The row still exists when the batch runs. It may have been deleted since it was read. */
function exists(
  table: typeof cloudTargets | typeof templates,
  { id, tenantId }: { id: string; tenantId: string },
) {
  return sql`EXISTS (SELECT 1 FROM ${table} WHERE ${table.id} = ${id} AND ${table.tenantId} = ${tenantId})`;
}

/** Epoch milliseconds of a time that must be in the future; null if none is given. */
export function futureMs(call: Call, time: string | null | undefined): number | null {
  if (time === undefined || time === null) return null;
  const ms = Date.parse(time);
  if (ms <= call.now)
    throw refused(
      "`expiresAt` is not in the future.",
      "/expiresAt",
      "in_the_past",
      "It must be in the future.",
    );
  return ms;
}
