import { requireBytes, enforcePlanLimit } from "#areas/tenants/public.ts";
import type { Diagnostic } from "#engine/diagnostics.ts";
import { personOf } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { folded } from "#platform/text/folded.ts";
import {
  type Template,
  templates,
  type TemplateVersion,
  templateVersions,
} from "#schema/templates.ts";
import { componentWrites } from "./components/component-writes.ts";
import { findComponents, ofTenant } from "./components/find-components.ts";
import { resolveComponents } from "./components/resolve-components.ts";
import { type WantedComponent, wantedComponents } from "./components/wanted-components.ts";
import { describeSource } from "./describe-source.ts";
import { nextVersion } from "./template-version.ts";

/** The request for a new template; without a source it has no version yet. */
export interface TemplateRequest extends Pick<Template, "name" | "description" | "labels"> {
  source?: string | undefined;
  /** Of version 1. */
  release?: string | undefined;
}

export interface NewTemplate {
  template: Template & { diagnostics: Diagnostic[] };
  writes: Write[];
}

/**
 * A new template of a tenant, and the writes for the caller's commit. The caller must have checked the tenant. `found`:
 * the rows of the source's components; absent: they are read.
 */
export async function newTemplate(
  call: Call,
  tenantId: string,
  request: TemplateRequest,
  found?: readonly unknown[],
): Promise<NewTemplate> {
  const { name, description, labels } = request;
  const empty: Template = {
    id: call.newId(),
    tenantId,
    name,
    searchText: folded(name),
    description,
    labels,
    latestVersion: 0,
    version: 1,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
  const { first, diagnostics } = await firstVersion(call, empty, request, found);
  const template =
    first === undefined ? empty : { ...empty, latestVersion: first.number, version: 2 };
  const resource = { tenantId, type: "template", id: template.id };
  const uses = first === undefined ? { guards: [], rows: [] } : componentWrites(call, first);
  const writes: Write[] = [
    ...uses.guards,
    ...(await requireBytes(call, "definitionBytes", tenantId)),
    ...(await enforcePlanLimit(call, "templates", tenantId, templates)),
    call.write(template.tenantId, call.db.insert(templates).values(template)),
    audit("template.create", resource, { after: template }),
    event("template.created", { ...resource, sequence: 1 }),
  ];
  if (first !== undefined)
    writes.push(
      ...(await enforcePlanLimit(call, "templateVersions", tenantId, templateVersions)),
      call.write(first.tenantId, call.db.insert(templateVersions).values(first)),
      ...uses.rows,
      audit(
        "template_version.create",
        { tenantId, type: "template_version", id: first.id },
        { after: first },
      ),
      event("template.version_created", { ...resource, sequence: 2 }, { version: first.number }),
    );
  return { template: { ...template, diagnostics }, writes };
}

async function firstVersion(
  call: Call,
  template: Template,
  request: TemplateRequest,
  found: readonly unknown[] | undefined,
): Promise<{ first: TemplateVersion | undefined; diagnostics: Diagnostic[] }> {
  const { source } = request;
  if (source === undefined) return { first: undefined, diagnostics: [] };
  const wanted = await wantedComponents(call, request, source);
  const rows = found ?? (await readComponents(call, template.tenantId, wanted));
  const components = await resolveComponents(wanted, rows, source.length);
  const description = await describeSource(call.env.ASSETS, request, source, components);
  const made = { id: call.newId(), now: call.now, person: personOf(call.actor) };
  const version = { source, release: request.release };
  const first = nextVersion(template, version, { description, components }, made);
  return { first, diagnostics: description.diagnostics };
}

async function readComponents(
  call: Call,
  tenantId: string,
  wanted: readonly WantedComponent[],
): Promise<readonly unknown[]> {
  if (wanted.length === 0) return [];
  return call.read(...findComponents(call, wanted, ofTenant(call, tenantId)));
}
