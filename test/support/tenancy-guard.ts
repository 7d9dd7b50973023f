/** Finds the SQL statements of the service that are not scoped to tenants. */
import { heardStatements } from "./heard-statements.ts";
import { tenantTables } from "./tenant-rows.ts";
import { unscopedTables } from "./unscoped-tables.ts";

/** The statements that may read several tenants, with the reasons. */
const allowed: readonly (readonly [statement: RegExp, reason: string])[] = [
  [/FROM "api_keys" WHERE id = \?$/, "authentication: whose the key is, is what it asks"],
  [
    /\(SELECT tenant_id FROM api_keys WHERE id = \?\)/g,
    "authentication: the claimed tenant itself",
  ],
  [/^UPDATE api_keys SET last_used_at_ms .*/, "authentication: the key that was proved, by its id"],
  [/FROM "webhooks" w WHERE w\.id = \S+webhook_id/g, "sender: a delivery has its webhook's tenant"],
  [/from "webhooks" where "webhooks"\."id" IN \(SELECT "webhook_deliveries"/, "sender: the same"],
  [/FROM "webhook_deliveries" d WHERE d\.due_at_ms <= \?/, "sweep: what is due, of all tenants"],
  [
    /from "deployments" where (?:state IN \([^)]+\)|awaits_runner = 1)\s+AND "deployments"\."updated_at_ms" < \?/,
    "sweep: what has stalled, of all tenants",
  ],
  [
    /^select [^()]+ from "triggers" where next_fire_at_ms IS NOT NULL AND "triggers"\."next_fire_at_ms" <= \?/,
    "sweep: what is due, of all tenants",
  ],
  [
    /SELECT "imports"\."tenant_id", "imports"\."id" FROM "imports"\s+WHERE "imports"\."id" < \? AND "imports"\."created_at_ms" < \?/,
    "sweep: what has been kept long enough, of all tenants",
  ],
  [
    /SELECT "listings"\."template_id", "listings"\."template_version", "listings"\."tenant_id" FROM "listings"\s+WHERE "listings"\."id" = \? AND "listings"\."status" = 'PUBLISHED'/,
    "marketplace: what is published is offered to every tenant",
  ],
  [/SELECT min\(tenant_id\) FROM "\w+"$/gm, "sweep: goes from tenant to tenant"],
];

const tables = new Set(tenantTables);

/** Suites share the isolate and its recorded statements: each statement is judged once. */
const judged = new Map<string, string | undefined>();

/** The unscoped statements, with their unscoped tables. */
export function unscopedStatements(): string[] {
  for (const statement of heardStatements())
    if (!judged.has(statement)) judged.set(statement, problemOf(statement));
  return [...judged.values()].filter((problem) => problem !== undefined);
}

/** The exceptions that none of the statements needs, each with its reason. */
export function unusedExceptions(): string[] {
  const unscoped = heardStatements().filter(
    (statement) => unscopedTables(statement, tables).length > 0,
  );
  return allowed.flatMap(([pattern, reason]) =>
    unscoped.some((statement) => statement.search(pattern) >= 0) ? [] : [`${reason}: ${pattern}`],
  );
}

function problemOf(statement: string): string | undefined {
  const known = allowed.reduce((text, [pattern]) => text.replace(pattern, ""), statement);
  const missing = unscopedTables(known, tables);
  return missing.length === 0 ? undefined : `${missing.join(", ")}: ${statement}`;
}
