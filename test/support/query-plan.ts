/**
 * Judges SQLite's EXPLAIN QUERY PLAN: a statement may not read or sort all rows of a table that grows, or build an
 * index while it runs. The plan does not tell how many rows a search within an index reads:
 * test/contract/growth.test.ts counts them.
 */

/** One line of EXPLAIN QUERY PLAN. */
export interface PlanLine {
  id: number;
  parent: number;
  detail: string;
}

export interface KnownTables {
  /** The names of all tables. */
  all: ReadonlySet<string>;
  /** The tables whose number of rows does not grow with use. */
  small: ReadonlySet<string>;
  /** Indices in which a search finds few rows, however many the table has. */
  few: ReadonlySet<string>;
  /** The columns of the primary key and of each UNIQUE index, by the index's name; the primary key's is the table's. */
  unique: ReadonlyMap<string, readonly string[]>;
}

/** The problems of the plan; empty: none. */
export function planProblems(
  lines: readonly PlanLine[],
  statement: string,
  tables: KnownTables,
): string[] {
  const text = plain(statement);
  const tableOf = tablesByAlias(text, tables.all);
  /** The statement's own queries, by the query that reads them: their names may be those of tables. */
  const parts = new Set(
    lines.flatMap(({ parent, detail }) => {
      const name = /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(detail)?.[1];
      return name === undefined ? [] : [`${parent} ${name}`];
    }),
  );
  return lines.flatMap((line) => {
    const { detail } = line;
    if (detail.includes("AUTOMATIC")) return [`builds an index: ${detail}`];
    if (detail.startsWith("BLOOM FILTER")) return [`builds a filter: ${detail}`];
    if (detail.startsWith("SCAN ")) return isBounded(line) ? [] : [`reads all: ${detail}`];
    if (!detail.includes("USE TEMP B-TREE") && !detail.includes("USING TEMP B-TREE")) return [];
    const sorted = lines.filter(
      (other) => other.parent === line.parent && /^(?:SCAN|SEARCH) /.test(other.detail),
    );
    const unbounded = sorted.filter((other) => !isBounded(other));
    // The queries beside it are judged: a compound query only removes their duplicates.
    const compound = detail.includes("USING TEMP B-TREE") && sorted.length === 0;
    return unbounded.length > 0 || compound ? [`sorts all that it finds: ${detail}`] : [];
  });

  function isBounded({ parent, detail }: PlanLine): boolean {
    if (/^SCAN (?:(?:\d+ )?CONSTANT ROWS?|\d+-ROW VALUES CLAUSE)/.test(detail)) return true;
    // json_each and the like: the rows come from the statement.
    if (detail.includes("VIRTUAL TABLE INDEX")) return true;
    const [, kind, name = "", rest = ""] = /^(SCAN|SEARCH) (\S+)(.*)$/.exec(detail) ?? [];
    const table = tableOf.get(name.toLowerCase());
    // A part of the statement itself; its own lines are judged.
    if (parts.has(`${parent} ${name}`)) return true;
    if (table === undefined) return isPart(text, name);
    if (tables.small.has(table)) return true;
    const index = / USING (?:COVERING )?INDEX (\S+)/.exec(rest)?.[1];
    if (index !== undefined && tables.few.has(index)) return true;
    return (
      kind === "SEARCH" &&
      (findsOne(rest, tables.unique.get(index ?? table)) ||
        findsOne(rest, tables.unique.get(table)))
    );
  }
}

/** Whether the search gives every column of the unique key a value. */
function findsOne(rest: string, columns: readonly string[] | undefined): boolean {
  if (rest.includes("INTEGER PRIMARY KEY (rowid=?)")) return true;
  const given = new Set([...rest.matchAll(/(\w+)=\?/g)].map(([, column]) => column));
  return columns !== undefined && columns.every((column) => given.has(column));
}

/** The statement without texts, quotes and line breaks. */
function plain(statement: string): string {
  return statement
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/["`]/g, "")
    .replaceAll(/\s+/g, " ");
}

/** The table that each name in the statement's plan stands for. */
function tablesByAlias(text: string, all: ReadonlySet<string>): Map<string, string> {
  const named = new Map([...all].map((table) => [table.toLowerCase(), table]));
  for (const [, table = "", alias = ""] of text.matchAll(/\b(\w+)(?= (?:AS )?(\w+))/gi)) {
    const real = named.get(table.toLowerCase());
    if (real !== undefined && !named.has(alias.toLowerCase()) && !isKeyword(alias))
      named.set(alias.toLowerCase(), real);
  }
  return named;
}

/** Whether the name is that of a query in the statement: `WITH name AS (…)` or `(…) name`. */
function isPart(text: string, name: string): boolean {
  if (/^\(?subquery\b/i.test(name)) return true;
  return new RegExp(
    `\\) (?:AS )?${name}\\b|\\b${name} ?(?:\\([^()]*\\) )?AS (?:NOT )?(?:MATERIALIZED )?\\(`,
    "i",
  ).test(text);
}

function isKeyword(word: string): boolean {
  return /^(?:where|on|set|order|group|limit|cross|left|inner|join|union|as|values|select|returning|using|not|natural|indexed)$/i.test(
    word,
  );
}
