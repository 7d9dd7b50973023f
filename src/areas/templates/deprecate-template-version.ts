import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { templates, type TemplateVersion } from "#schema/templates.ts";
import {
  findNewer,
  findUsers,
  type RelatedVersion,
  relationsOf,
  withRelations,
} from "./components/relations.ts";
import { requireOwnTemplate } from "./own-template.ts";
import { findTemplate, findTemplateVersion, setTemplate, setTemplateVersion } from "./store.ts";
import { versionNamed } from "./template-version.ts";

/**
 * A deprecated version stays usable by its number, and by the templates that pin it as a component. The template's version increases too: it orders the
 * events.
 */
export async function deprecateTemplateVersion(
  call: Call,
  templateId: string,
  version: string,
): Promise<RelatedVersion> {
  const number = versionNamed(version);
  const [template, row, newer, usedBy] = await call.read(
    one(findTemplate(call, templateId), "template version"),
    one(findTemplateVersion(call, templateId, number), "template version"),
    findNewer(call, templateId, number),
    findUsers(call, templateId, number),
  );
  const relations = relationsOf(newer, usedBy);
  const before = await withRelations(row, relations);
  requireOwnTemplate(call, template);
  call.expectVersion(before.version);
  if (row.deprecatedAtMs !== null) return before;
  const after: TemplateVersion = { ...row, deprecatedAtMs: call.now, version: row.version + 1 };
  const moved = { ...template, version: template.version + 1, updatedAtMs: call.now };
  const { tenantId } = template;
  return call.commit(await withRelations(after, relations), [
    call.requireVersion(templates, template),
    setTemplate(call, template, moved),
    setTemplateVersion(call, row, {
      deprecatedAtMs: after.deprecatedAtMs,
      version: after.version,
    }),
    audit(
      "template_version.deprecate",
      { tenantId, type: "template_version", id: row.id },
      { before: row, after },
    ),
    event(
      "template.version_deprecated",
      { tenantId, id: templateId, sequence: moved.version },
      { version: row.number },
    ),
  ]);
}
