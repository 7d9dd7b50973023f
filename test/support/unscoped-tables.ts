/**
 * The tenant tables that a statement uses without a tenant condition. The statement and each of its subqueries must use
 * the `tenant_id` of each of their own tables in a condition. An INSERT must have it among its columns. To select it,
 * or to write it with SET, is no condition.
 */
export function unscopedTables(statement: string, tenantTables: ReadonlySet<string>): string[] {
  const text = statement
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/["`]/g, "")
    .replace(/\s+/g, " ")
    .toLowerCase();
  return levelsOf(text).flatMap((level) => unscopedIn(level, tenantTables));
}

const SUBQUERY = /^\s*(?:select|with)\b/;

/** The queries of the statement, each without its subqueries. */
function levelsOf(text: string): string[] {
  const levels: string[] = [];
  let own = "";
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] !== "(") {
      own += text[at] ?? "";
      continue;
    }
    const end = closingOf(text, at);
    const inner = text.slice(at + 1, end);
    if (SUBQUERY.test(inner)) {
      levels.push(...levelsOf(inner));
      own += "(?)";
    } else {
      const [outside = "", ...inside] = levelsOf(inner);
      levels.push(...inside);
      own += `(${outside})`;
    }
    at = end;
  }
  return [own, ...levels];
}

function closingOf(text: string, openedAt: number): number {
  let depth = 0;
  for (let at = openedAt; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

function unscopedIn(level: string, tenantTables: ReadonlySet<string>): string[] {
  const insert = /^\s*insert (?:or \w+ )?into (\w+) ?\(([^)]*)\)(.*)$/.exec(level);
  if (insert !== null) {
    const [, table = "", columns = "", rest = ""] = insert;
    const missing = tenantTables.has(table) && !/\btenant_id\b/.test(columns) ? [table] : [];
    return [...missing, ...unscopedIn(rest, tenantTables)];
  }
  return level.split(/\b(?:union all|union|except|intersect)\b/).flatMap((query) => {
    const tables = tablesOf(query).filter(([table]) => tenantTables.has(table));
    const conditions = (/\b(?:where|on)\b(.*)$/.exec(query)?.[1] ?? "").replace(
      /\b(?:order by|group by|returning)\b.*$/,
      "",
    );
    return tables
      .filter(([table, alias]) => {
        const named = new RegExp(`\\b(?:${table}|${alias})\\.tenant_id\\b`).test(conditions);
        const bare = /(?:^|[^.\w])tenant_id\b/.test(conditions);
        return !(named || (tables.length === 1 && bare));
      })
      .map(([table]) => table);
  });
}

/** The tables of one query and their aliases. */
function tablesOf(query: string): [table: string, alias: string][] {
  const [head = ""] = query.split(/\b(?:where|order by|group by|limit|returning)\b/);
  const updated = /^\s*update (\w+)/.exec(head)?.[1];
  const [, ...from] = head.split(/\bfrom\b/);
  return [...(updated === undefined ? [] : [updated]), ...from.join(" ").split(/,|\bjoin\b/)].map(
    (item) => {
      const [table = "", alias = table] = item
        .replace(/\b(?:on|left|cross|inner)\b.*$|\bas\b/g, "")
        .trim()
        .split(/\s+/);
      return [table, alias];
    },
  );
}
