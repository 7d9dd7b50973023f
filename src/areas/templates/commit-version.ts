import { sql } from "drizzle-orm";
import { requireBytes, enforcePlanLimit } from "#areas/tenants/public.ts";
import type { Diagnostic } from "#engine/diagnostics.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Guard } from "#kernel/call/unit-of-work.ts";
import { event } from "#kernel/outbox/outbox.ts";
import type { Authors } from "#schema/authors.ts";
import { type Template, templates, templateVersions } from "#schema/templates.ts";
import { componentWrites } from "./components/component-writes.ts";
import { type RelatedVersion, withRelations } from "./components/relations.ts";
import type { Resolution } from "./components/resolve-components.ts";
import { describeSource } from "./describe-source.ts";
import { wakeComponentTriggers, wakeVersionTriggers } from "./store.ts";
import { type NewSource, nextVersion, releaseTaken } from "./template-version.ts";

/** The cause of a version. */
export interface VersionCause {
  /** Undefined and null: nobody known. */
  person: string | null | undefined;
  /** Further authors of the source. */
  others?: Authors;
  /** Checked first. */
  guards?: readonly Guard[];
}

/** Adds a version to the template as read. Throws `template_invalid` for an invalid source. */
export async function commitVersion(
  call: Call,
  before: Template,
  body: NewSource,
  components: Resolution,
  { person, others, guards = [] }: VersionCause,
): Promise<RelatedVersion & { diagnostics: Diagnostic[] }> {
  const { source, release } = body;
  const { id, tenantId } = before;
  const description = await describeSource(call.env.ASSETS, body, source, components);
  const made = { id: call.newId(), now: call.now, person, ...(others && { others }) };
  const added = nextVersion(before, body, { description, components }, made);
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
      ...guards,
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
      ...(release === undefined ? [] : [wakeComponentTriggers(call, added)]),
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
