import { sql } from "drizzle-orm";
import type { Call } from "#kernel/call/call.ts";
import type { Guard, Write } from "#kernel/call/unit-of-work.ts";
import { PLATFORM } from "#platform/ids.ts";
import { componentUses, type TemplateVersion, templateVersions } from "#schema/templates.ts";

/**
 * The guards and rows of a commit that adds a version with components. The guards fail with `conflict` if a component
 * was deleted at the same time, or has begun to use this template; a repetition finds the reason.
 */
export function componentWrites(
  call: Call,
  { tenantId, templateId, number, components }: TemplateVersion,
): { guards: Guard[]; rows: Write[] } {
  const pins = Object.values(components.uses).map((pin) => [pin.templateId, pin.number] as const);
  const direct = [...new Map(pins.map((pin) => [pin.join("@"), pin])).values()];
  if (direct.length === 0) return { guards: [], rows: [] };
  const list = JSON.stringify(direct);
  const rows = JSON.stringify(direct.map((pin) => [call.newId(), ...pin]));
  return {
    guards: [
      call.require(
        "conflict",
        sql`NOT EXISTS (SELECT 1 FROM json_each(${list}) c WHERE NOT EXISTS (SELECT 1 FROM ${templateVersions} v
          WHERE v.template_id = c.value ->> '$[0]' AND v.number = c.value ->> '$[1]' AND v.tenant_id IN (${tenantId}, ${PLATFORM})))`,
      ),
      call.require(
        "conflict",
        sql`NOT EXISTS (WITH RECURSIVE reach(id) AS (SELECT value ->> '$[0]' FROM json_each(${list})
          UNION SELECT u.component_id FROM reach CROSS JOIN ${componentUses} u ON u.template_id = reach.id
            AND u.tenant_id IN (${tenantId}, ${PLATFORM}) LIMIT 10000) SELECT 1 FROM reach WHERE id = ${templateId})`,
      ),
    ],
    rows: [
      call.write(
        tenantId,
        call.db
          .run(sql`INSERT INTO ${componentUses} (tenant_id, id, template_id, number, component_id, component_number, created_at_ms)
          SELECT ${tenantId}, value ->> '$[0]', ${templateId}, ${number}, value ->> '$[1]', value ->> '$[2]', ${call.now} FROM json_each(${rows})`),
      ),
    ],
  };
}
