import { requireBytes, enforcePlanLimit } from "#areas/tenants/public.ts";
import { personOf } from "#kernel/access/access.ts";
import { withAuthor } from "#kernel/access/authors.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { ApiError } from "#kernel/errors.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { folded } from "#platform/text/folded.ts";
import {
  type PinnedComponents,
  type Template,
  templates,
  type TemplateVersion,
  templateVersions,
} from "#schema/templates.ts";
import { componentWrites } from "./components/component-writes.ts";

/**
 * Throws `invalid_state` if a component belongs to a tenant, so that others who take the template could not read it.
 */
export function requireSharedComponents({ versions }: PinnedComponents): void {
  const ofTenants = Object.values(versions).filter(({ platform }) => !platform);
  if (ofTenants.length === 0) return;
  const named = ofTenants.slice(0, 5).map(({ name, release }) => `"${name}" ${release}`);
  throw new ApiError(
    "invalid_state",
    `The template uses components that another tenant cannot read: ${named.join(", ")}${ofTenants.length > 5 ? " and others" : ""}. Only components of the platform can be shared with it: write their resources in the template.`,
  );
}

/**
 * A new template whose version 1 is a copy of `from`, and the writes for the caller's commit. The caller of this
 * function must have checked the right to read `from`. Throws `invalid_state` if the new template's tenant cannot read
 * a component of it.
 */
export async function copyTemplate(
  call: Call,
  made: Pick<Template, "tenantId" | "name" | "description">,
  from: TemplateVersion,
): Promise<{ template: Template; writes: Write[] }> {
  const { tenantId } = made;
  if (from.tenantId !== tenantId) requireSharedComponents(from.components);
  const times = { createdAtMs: call.now, updatedAtMs: call.now };
  const template: Template = {
    ...made,
    searchText: folded(made.name),
    id: call.newId(),
    labels: {},
    latestVersion: 1,
    version: 2,
    ...times,
  };
  const version: TemplateVersion = {
    ...from,
    id: call.newId(),
    tenantId,
    templateId: template.id,
    number: 1,
    version: 1,
    deprecatedAtMs: null,
    authors: withAuthor(from.authors, personOf(call.actor), { version: 1 }),
    createdAtMs: call.now,
  };
  const resource = { tenantId, type: "template", id: template.id };
  const uses = componentWrites(call, version);
  return {
    template,
    writes: [
      ...uses.guards,
      ...(await requireBytes(call, "definitionBytes", tenantId)),
      ...(await enforcePlanLimit(call, "templates", tenantId, templates)),
      ...(await enforcePlanLimit(call, "templateVersions", tenantId, templateVersions)),
      call.write(template.tenantId, call.db.insert(templates).values(template)),
      call.write(version.tenantId, call.db.insert(templateVersions).values(version)),
      ...uses.rows,
      audit("template.create", resource, { after: template }),
      audit(
        "template_version.create",
        { tenantId, type: "template_version", id: version.id },
        { after: version },
      ),
      event("template.created", { ...resource, sequence: 1 }),
      event("template.version_created", { ...resource, sequence: 2 }, { version: 1 }),
    ],
  };
}
