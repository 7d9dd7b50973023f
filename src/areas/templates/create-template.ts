import type * as z from "zod";
import { requireRoom, tenantOfNew } from "#areas/tenants/public.ts";
import type { Diagnostic } from "#engine/diagnostics.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { event } from "#kernel/outbox/outbox.ts";
import {
  type Template,
  templates,
  type TemplateVersion,
  templateVersions,
} from "#schema/templates.ts";
import type { CreateTemplateBody } from "./contract.ts";
import { describeSource } from "./describe-source.ts";
import { nextVersion } from "./template-version.ts";

export async function createTemplate(
  call: Call,
  body: z.output<typeof CreateTemplateBody>,
): Promise<Template & { diagnostics: Diagnostic[] }> {
  const tenantId = await tenantOfNew(call, body.tenantId);
  const empty: Template = {
    id: call.newId(),
    tenantId,
    name: body.name,
    description: body.description,
    labels: body.labels,
    latestVersion: 0,
    version: 1,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
  const { first, diagnostics } = await firstVersion(call, empty, body);
  const template =
    first === undefined ? empty : { ...empty, latestVersion: first.number, version: 2 };
  const resource = { tenantId, type: "template", id: template.id };
  const writes: Write[] = [
    ...(await requireRoom(call, "templates", tenantId, templates)),
    call.write(template.tenantId, call.db.insert(templates).values(template)),
    audit("template.create", resource, { after: template }),
    event("template.created", { ...resource, sequence: 1 }),
  ];
  if (first !== undefined)
    writes.push(
      ...(await requireRoom(call, "templateVersions", tenantId, templateVersions)),
      call.write(first.tenantId, call.db.insert(templateVersions).values(first)),
      audit(
        "template_version.create",
        { tenantId, type: "template_version", id: first.id },
        { after: first },
      ),
      event("template.version_created", { ...resource, sequence: 2 }, { version: first.number }),
    );
  return call.commit({ ...template, diagnostics }, writes);
}

async function firstVersion(
  call: Call,
  template: Template,
  body: z.output<typeof CreateTemplateBody>,
): Promise<{ first: TemplateVersion | undefined; diagnostics: Diagnostic[] }> {
  const { source } = body;
  if (source === undefined) return { first: undefined, diagnostics: [] };
  const description = await describeSource(call.env.ASSETS, body, source);
  const made = { id: call.newId(), now: call.now };
  const first = nextVersion(template, source, description, made);
  return { first, diagnostics: description.diagnostics };
}
