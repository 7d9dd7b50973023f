import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { templates, type TemplateVersion } from "#schema/templates.ts";
import { requireOwnTemplate } from "./own-template.ts";
import { findTemplate, findTemplateVersion, setTemplate, setTemplateVersion } from "./store.ts";
import { versionNamed } from "./template-version.ts";

/**
 * A deprecated version stays usable by its number. The template's version increases too: it orders the
 * events.
 */
export async function deprecateTemplateVersion(
  call: Call,
  templateId: string,
  version: string,
): Promise<TemplateVersion> {
  const [template, before] = await call.read(
    one(findTemplate(call, templateId), "template version"),
    one(findTemplateVersion(call, templateId, versionNamed(version)), "template version"),
  );
  requireOwnTemplate(call, template);
  call.expectVersion(before.version);
  if (before.deprecatedAtMs !== null) return before;
  const after: TemplateVersion = {
    ...before,
    deprecatedAtMs: call.now,
    version: before.version + 1,
  };
  const moved = { ...template, version: template.version + 1, updatedAtMs: call.now };
  const { tenantId } = template;
  return call.commit(after, [
    call.requireVersion(templates, template),
    setTemplate(call, template, moved),
    setTemplateVersion(call, before, {
      deprecatedAtMs: after.deprecatedAtMs,
      version: after.version,
    }),
    audit(
      "template_version.deprecate",
      { tenantId, type: "template_version", id: before.id },
      { before, after },
    ),
    event(
      "template.version_deprecated",
      { tenantId, id: templateId, sequence: moved.version },
      { version: before.number },
    ),
  ]);
}
