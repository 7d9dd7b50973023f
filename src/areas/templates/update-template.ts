import type * as z from "zod";
import { mergeLabels } from "#http/labels.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { folded } from "#platform/text/folded.ts";
import { type Template, templates } from "#schema/templates.ts";
import type { UpdateTemplateBody } from "./contract.ts";
import { requireOwnTemplate } from "./own-template.ts";
import { getTemplate } from "./read-templates.ts";
import { setTemplate } from "./store.ts";

/** An empty body changes nothing, not even the version. */
export async function updateTemplate(
  call: Call,
  id: string,
  body: z.output<typeof UpdateTemplateBody>,
): Promise<Template> {
  const before = await getTemplate(call, id);
  requireOwnTemplate(call, before);
  call.expectVersion(before.version);
  if (Object.values(body).every((value) => value === undefined)) return before;
  const after: Template = {
    ...before,
    name: body.name ?? before.name,
    searchText: folded(body.name ?? before.name),
    description: body.description ?? before.description,
    labels: body.labels === undefined ? before.labels : mergeLabels(before.labels, body.labels),
    version: before.version + 1,
    updatedAtMs: call.now,
  };
  return call.commit(after, [
    call.requireVersion(templates, before),
    setTemplate(call, before, after),
    audit(
      "template.update",
      { tenantId: before.tenantId, type: "template", id },
      { before, after },
    ),
  ]);
}
