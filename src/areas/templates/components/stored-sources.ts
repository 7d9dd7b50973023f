import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Call } from "#kernel/call/call.ts";
import { type PinnedRow, pinnedSources } from "#schema/pinned-sources.ts";
import { templateVersions } from "#schema/templates.ts";
import { numberOf } from "./relations.ts";

/** The sources of the components of the template's latest version; `pinnedSource` reads the rows. */
export function findPinnedSources(call: Call, templateId: string) {
  const p = alias(templateVersions, "p");
  return call.db.all<PinnedRow>(
    pinnedSources(
      sql`p.template_id = ${templateId} AND ${call.inScopeOrPlatform(p.tenantId)}
        AND p.number = ${numberOf(call, templateId, "latest")}`,
    ),
  );
}
