/**
 * Explains every SQL statement of the service on the migrated database, and finds statements that grow with their
 * tables.
 */
import { env } from "cloudflare:workers";
import { heardStatements } from "./heard-statements.ts";
import { type KnownTables, type PlanLine, planProblems } from "./query-plan.ts";

/** The tables that do not grow with use, with the reasons. */
const small: Readonly<Record<string, string>> = {
  d1_migrations: "a row for each migration",
  feature_flags: "operators make them, at most as many as read-flags.ts allows",
  own_hosts: "the host names of the installation",
  sweep_watch: "one row",
  tenant_purges: "the tenants that were deleted within a week",
};

/** The indices in which a search finds few rows: the whole index or all rows with one value. With the reasons. */
const few: Readonly<Record<string, string>> = {
  deployments_open_of_instance: "what is under way now",
  deployments_parked: "what waits for approval, a week at most",
  deployments_waiting: "what waits for a slot now",
  deployments_awaiting_runner: "what was ended within moments",
  instance_bindings_by_upstream: "those that read an instance's outputs",
  invitations_of_address: "the invitations of one person",
  members_of_user: "the memberships of one person",
  tenants_by_email_domain: "the tenants of one domain",
  webhook_recoveries_running: "one of each webhook at most",
};

/** The statements that may read or sort all the rows they find, with the reasons. */
const allowed: readonly (readonly [statement: RegExp, reason: string])[] = [
  [
    /where "(\w+)"\."(?:tenant_id|id)" IS NOT NULL(?: union all .+)? order by (?:"\1"\.)?"(?:id|sort_title)" (?:ASC|DESC)(?:, (?:"\1"\.)?"id" (?:ASC|DESC))? limit \?$/,
    "an operator's list of all tenants, in the order of an index: it stops when the page is full",
  ],
  [/^SELECT .+ FROM \(SELECT .+ LIMIT 10000\)/s, "the metrics count ten thousand of each at most"],
  [
    /where "(\w+)"\."tenant_id" IS NOT NULL AND instr\("\1"\."search_text", \?\) > 0(?: union all .+)? order by (?:"\1"\.)?"id" (?:ASC|DESC) limit \?$/,
    "an operator looks in all tenants for a part of a name: it stops when the page is full",
  ],
  [
    /from "tenants" where "tenants"\."id" IS NOT NULL order by "tenants"\."(?:name" COLLATE NOCASE|updated_at_ms") /,
    "an operator's list of tenants, in the order of an index: it stops when the page is full",
  ],
  [
    /from "deployments" where state IN \([^)]+\) AND "deployments"\."tenant_id" IN \(SELECT tenant_id FROM members /,
    "an operator's list: whoever else asks reads what is open of their tenants, and is refused",
  ],
  [
    /from "component_uses" where "component_uses"\."tenant_id" IS NOT NULL AND "component_uses"\."component_id" = \?/,
    "an operator's list of the uses of one template, in all tenants",
  ],
  [
    /^update "triggers" .+ where condition ->> '\$\.components' = 1 AND .+ "triggers"\."tenant_id" IS NOT NULL/s,
    "a release of a platform template wakes the triggers that take it, of all tenants: those that ask are in an index",
  ],
  [/ and 0\)$/, "finds nothing, and is not run"],
  [
    /FROM \(SELECT id AS tenant_id FROM tenants UNION ALL SELECT \?\) own/,
    "an operator's list of all tenants in another order: a page of each",
  ],
  [/^\s*WITH RECURSIVE walked\(id, tenant_id\) AS/, "the walk is limited"],
  [
    /from "tenants" where "tenants"\."id" IS NOT NULL AND instr\(/,
    "an operator looks for a tenant by a part of its name: it stops when the page is full",
  ],
  [
    /chain AS MATERIALIZED .+ LIMIT \?\s+\)\s+SELECT e\.tenant_id/s,
    "a step of each of some tenants",
  ],
  [
    /owner AS MATERIALIZED .+ ORDER BY random\(\) LIMIT \?\s+\)\s+SELECT d\.id/s,
    "where more triggers are due than a sweep sends: the tenants that have such, in no order",
  ],
  [
    /^INSERT INTO "status_days" .+ FROM "?tenants/s,
    "once a day: what each tenant finished in a day",
  ],
  [
    /^select distinct .+ from "cloud_targets" where "cloud_targets"\."tenant_id" IN \(\?, \?\)/,
    "asks which types any of the tenant's targets can make",
  ],
  [
    /FROM \(SELECT i\.tenant_id, i\.id FROM "incidents" i\s+WHERE i\.tenant_id IN .+ ORDER BY i\.id DESC LIMIT \?\) i/s,
    "the status of ninety days: people write incidents, and their number is limited",
  ],
];

/** The problems of the statements, in their order. */
export async function problemsOfStatements(statements: readonly string[]): Promise<string[][]> {
  if (statements.length === 0) return [];
  const tables = await knownTables();
  const plans = await env.DB.batch<PlanLine>(statements.map(explained));
  return statements.map((statement, at) =>
    planProblems(plans[at]?.results ?? [], statement, tables),
  );
}

/** Suites share the isolate and its recorded statements: each statement is judged once. */
const judged = new Map<string, string[]>();

/** Explained in one round trip. */
const BATCH = 50;

/** The statements that grow, with their problems. */
export async function growingStatements(): Promise<string[]> {
  const fresh = heardStatements().filter((one) => !judged.has(one) && isExplained(one));
  for (let at = 0; at < fresh.length; at += BATCH) {
    const part = fresh.slice(at, at + BATCH);
    const problems = await problemsOfStatements(part);
    for (const [nth, statement] of part.entries())
      judged.set(statement, isAllowed(statement) ? [] : (problems[nth] ?? []));
  }
  return [...judged].flatMap(([statement, problems]) =>
    problems.length === 0
      ? []
      : [`${problems.join("; ")} IN ${statement.replaceAll(/\s+/g, " ").trim()}`],
  );
}

function isAllowed(statement: string): boolean {
  return allowed.some(([pattern]) => pattern.test(statement));
}

function isExplained(statement: string): boolean {
  return !/^\s*(?:PRAGMA|CREATE|DROP|ALTER)\b|\bsqlite_(?:master|schema)\b/i.test(statement);
}

/** Without values: the plan has to be the same for all of them. */
function explained(statement: string): D1PreparedStatement {
  const count = parameterCount(statement);
  return env.DB.prepare(`EXPLAIN QUERY PLAN ${statement}`).bind(
    ...Array.from({ length: count }, () => null),
  );
}

function parameterCount(statement: string): number {
  const text = statement.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, "");
  let count = 0;
  for (const [, number] of text.matchAll(/\?(\d*)/g))
    count = number === "" ? count + 1 : Math.max(count, Number(number));
  return count;
}

let known: KnownTables | undefined;

async function knownTables(): Promise<KnownTables> {
  if (known !== undefined) return known;
  const { results: columns } = await env.DB.prepare(
    `SELECT t.name AS tableName, c.name AS columnName FROM sqlite_schema t JOIN pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.name NOT GLOB '_cf_*' AND c.pk > 0 ORDER BY t.name, c.pk`,
  ).all<{ tableName: string; columnName: string }>();
  const { results: indices } = await env.DB.prepare(
    `SELECT i.name AS indexName, c.name AS columnName
      FROM sqlite_schema t JOIN pragma_index_list(t.name) i JOIN pragma_index_info(i.name) c
      WHERE t.type = 'table' AND t.name NOT GLOB '_cf_*' AND i."unique" = 1 AND i.partial = 0 ORDER BY i.name, c.seqno`,
  ).all<{ indexName: string; columnName: string }>();
  const unique = new Map<string, string[]>();
  const add = (name: string, column: string) =>
    unique.set(name, [...(unique.get(name) ?? []), column]);
  for (const { tableName, columnName } of columns) add(tableName, columnName);
  for (const { indexName, columnName } of indices) add(indexName, columnName);
  known = {
    all: new Set(columns.map(({ tableName }) => tableName)),
    small: new Set(Object.keys(small)),
    few: new Set(Object.keys(few)),
    unique,
  };
  return known;
}
