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
import { templates, templateVersions } from "#schema/templates.ts";
import { componentWrites } from "./components/component-writes.ts";
import { findComponents, ofTemplate } from "./components/find-components.ts";
import { type RelatedVersion, withRelations } from "./components/relations.ts";
import { resolveComponents } from "./components/resolve-components.ts";
import { wantedComponents } from "./components/wanted-components.ts";
import type { AddTemplateVersionBody } from "./contract.ts";
import { describeSource } from "./describe-source.ts";
import { requireOwnTemplate } from "./own-template.ts";
import { findTemplate, wakeVersionTriggers } from "./store.ts";
import { nextVersion, releaseTaken } from "./template-version.ts";

/** Concurrent requests get different numbers: the second fails on the template's version and runs again. */
export async function addTemplateVersion(
  call: Call,
  id: string,
  body: z.output<typeof AddTemplateVersionBody>,
): Promise<RelatedVersion & { diagnostics: Diagnostic[] }> {
  const { source, release } = body;
  const wanted = await wantedComponents(call, body, source);
  const [before, [limits], ...found] = await call.read(
    one(findTemplate(call, id), "template"),
    findLimitsOfOwner(call, templates, id),
    ...findComponents(call, wanted, {
      ...ofTemplate(call, id),
      keepsPins: !body.upgradeComponents,
    }),
  );
  requireOwnTemplate(call, before);
  if (limits !== undefined) await spendQuota(call, limits);
  const made = { id: call.newId(), now: call.now, person: personOf(call.actor) };
  const components = await resolveComponents(wanted, found, source.length);
  const description = await describeSource(call.env.ASSETS, body, source, components);
  const added = nextVersion(before, body, { description, components }, made);
  const { tenantId } = before;
  const after = {
    latestVersion: added.number,
    version: before.version + 1,
    updatedAtMs: call.now,
  };
  const uses = componentWrites(call, added);
  const { diagnostics } = description;
  const related = await withRelations(added, { newer: components.newer, usedBy: [] });
  return call.commit(
    { ...related, diagnostics },
    [
      call.requireVersion(templates, before),
      ...uses.guards,
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
      ...uses.rows,
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
    ],
    releaseTaken(release),
  );
}
