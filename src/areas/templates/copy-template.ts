import { requireBytes, enforcePlanLimit } from "#areas/tenants/public.ts";
import { personOf } from "#kernel/access/access.ts";
import { withAuthor } from "#kernel/access/authors.ts";
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

/**
 * A new template whose version 1 is a copy of `from`, and the writes for the caller's commit. The caller of this
 * function must have checked the right to read `from`.
 */
export async function copyTemplate(
  call: Call,
  made: Pick<Template, "tenantId" | "name" | "description">,
  from: TemplateVersion,
): Promise<{ template: Template; writes: Write[] }> {
  const { tenantId } = made;
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
  return {
    template,
    writes: [
      ...(await requireBytes(call, "definitionBytes", tenantId)),
      ...(await enforcePlanLimit(call, "templates", tenantId, templates)),
      ...(await enforcePlanLimit(call, "templateVersions", tenantId, templateVersions)),
      call.write(template.tenantId, call.db.insert(templates).values(template)),
      call.write(version.tenantId, call.db.insert(templateVersions).values(version)),
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
