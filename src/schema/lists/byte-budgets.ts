import type { LimitName } from "./plans.ts";

/**
 * The columns whose bytes count against a tenant's budgets: all tenants share one database of 10 GB. Triggers of the
 * database keep the counts, so that no statement can forget them (decision 0014). `tenant_bytes` has the sums.
 */
export const byteBudgets = {
  definitionBytes: {
    template_versions: ["source", "config", "resources", "outputs", "secret_names", "components"],
    component_uses: ["id", "tenant_id", "template_id", "component_id"],
    instances: ["variables"],
    profiles: ["variables"],
    incidents: ["message"],
    incident_updates: ["message"],
    triggers: ["condition"],
  },
  deploymentBytes: {
    deployments: ["inputs", "labels", "message", "error", "outputs_error", "decisions"],
    deployment_plans: ["changes"],
  },
  importBytes: { import_parts: ["items"], import_drafts: ["draft"], imports: ["summary"] },
} as const satisfies Partial<Record<LimitName, Readonly<Record<string, readonly string[]>>>>;

export type ByteBudget = keyof typeof byteBudgets;

/** The counting triggers of the database, by name. The initial migration ends with them. */
export function byteTriggers(): Record<string, string> {
  const triggers: Record<string, string> = {};
  for (const [budget, tables] of Object.entries(byteBudgets))
    for (const [table, columns] of Object.entries<readonly string[]>(tables)) {
      const sum = (row: "NEW" | "OLD"): string =>
        columns.map((column) => `coalesce(octet_length(${row}.${column}), 0)`).join(" + ");
      const add = (row: string, bytes: string): string =>
        `INSERT INTO tenant_bytes VALUES (${row}.tenant_id, '${budget}', ${bytes}) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes;`;
      const name = `${table}_bytes`;
      triggers[`${name}_inserted`] =
        `CREATE TRIGGER ${name}_inserted AFTER INSERT ON ${table} BEGIN ${add("NEW", sum("NEW"))} END`;
      triggers[`${name}_deleted`] =
        `CREATE TRIGGER ${name}_deleted AFTER DELETE ON ${table} BEGIN UPDATE tenant_bytes SET bytes = bytes - (${sum("OLD")}) WHERE tenant_id = OLD.tenant_id AND budget = '${budget}'; END`;
      triggers[`${name}_updated`] =
        `CREATE TRIGGER ${name}_updated AFTER UPDATE OF ${columns.join(", ")} ON ${table} WHEN (${sum("NEW")}) <> (${sum("OLD")}) BEGIN ${add("NEW", `${sum("NEW")} - (${sum("OLD")})`)} END`;
    }
  return triggers;
}
