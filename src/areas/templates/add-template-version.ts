import { sql } from "drizzle-orm";
import type * as z from "zod";
import {
  findLimitsOfOwner,
  requireBytes,
  enforcePlanLimit,
  spendQuota,
} from "#areas/tenants/public.ts";
import type { Diagnostic } from "#engine/diagnostics.ts";
import { personOf } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { templates, type TemplateVersion, templateVersions } from "#schema/templates.ts";
import type { AddTemplateVersionBody } from "./contract.ts";
import { describeSource } from "./describe-source.ts";
import { requireOwnTemplate } from "./own-template.ts";
import { findTemplate, wakeVersionTriggers } from "./store.ts";
import { nextVersion } from "./template-version.ts";

/** Concurrent requests get different numbers: the second fails on the template's version and runs again. */
export async function addTemplateVersion(
  call: Call,
  id: string,
  body: z.output<typeof AddTemplateVersionBody>,
): Promise<TemplateVersion & { diagnostics: Diagnostic[] }> {
  const [before, [limits]] = await call.read(
    one(findTemplate(call, id), "template"),
    findLimitsOfOwner(call, templates, id),
  );
  requireOwnTemplate(call, before);
  if (limits !== undefined) await spendQuota(call, limits);
  const { source } = body;
  const made = { id: call.newId(), now: call.now, person: personOf(call.actor) };
  const description = await describeSource(call.env.ASSETS, body, source);
  const added = nextVersion(before, source, description, made);
  const { tenantId } = before;
  const after = {
    latestVersion: added.number,
    version: before.version + 1,
    updatedAtMs: call.now,
  };
  return call.commit({ ...added, diagnostics: description.diagnostics }, [
    call.requireVersion(templates, before),
    ...(await requireBytes(call, "definitionBytes", tenantId)),
    ...(await enforcePlanLimit(call, "templateVersions", tenantId, templateVersions)),
    call.write(
      tenantId,
      call.db
        .update(templates)
        .set(after)
        .where(sql`${templates.id} = ${id} AND ${templates.tenantId} = ${tenantId}`),
    ),
    call.write(added.tenantId, call.db.insert(templateVersions).values(added)),
    wakeVersionTriggers(call, added),
    audit(
      "template_version.create",
      { tenantId, type: "template_version", id: added.id },
      { after: added },
    ),
    event(
      "template.version_created",
      { tenantId, id, sequence: after.version },
      { version: added.number },
    ),
  ]);
}
