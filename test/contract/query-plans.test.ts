import { describe, expect, it } from "vitest";
import { problemsOfStatements } from "#test/support/plan-guard.ts";

/** The service's own statements are judged at the end of every suite (support/plan-setup.ts). */
async function problemsOf(statement: string): Promise<string[]> {
  const [problems = []] = await problemsOfStatements([statement]);
  return problems.map((problem) => problem.replace(/:.*/, ""));
}

describe("a statement that grows with its tables", () => {
  it.each([
    [
      "all rows",
      "SELECT * FROM deployments WHERE tenant_id IS NOT NULL AND message = ?",
      ["reads all"],
    ],
    ["all rows of an index", "SELECT count(*) FROM deployments", ["reads all"]],
    [
      "all rows in a subquery",
      "SELECT 1 WHERE EXISTS (SELECT 1 FROM events e WHERE e.resource_id = ?)",
      ["reads all"],
    ],
    [
      "all rows of one side of a union",
      "SELECT id FROM templates WHERE id = ? UNION ALL SELECT id FROM listings WHERE slug = ?",
      ["reads all"],
    ],
    [
      "all rows to delete some",
      "DELETE FROM idempotency_keys WHERE expires_at_ms < ?",
      ["reads all"],
    ],
    [
      "all rows of a tenant, sorted",
      "SELECT id FROM api_keys WHERE tenant_id = ? ORDER BY prefix LIMIT ?",
      ["sorts all that it finds"],
    ],
    [
      "all rows of several tenants, sorted",
      "SELECT id FROM instances WHERE tenant_id IN (SELECT value FROM json_each(?)) ORDER BY id DESC LIMIT ?",
      ["sorts all that it finds"],
    ],
    [
      "all rows of a tenant, without duplicates",
      "SELECT DISTINCT target_id FROM instances WHERE tenant_id = ?",
      ["sorts all that it finds"],
    ],
    [
      "all rows of two queries, without duplicates",
      "SELECT target_id FROM instances WHERE tenant_id = ? UNION SELECT target_id FROM deployments WHERE tenant_id = ?",
      ["sorts all that it finds", "sorts all that it finds"],
    ],
    [
      "an index that SQLite makes",
      "SELECT 1 FROM instances i JOIN templates t ON t.description = i.name",
      ["reads all", "builds an index"],
    ],
    [
      "a part of the statement that has the name of a table's alias",
      "SELECT i.id FROM (SELECT id FROM templates WHERE tenant_id = ? LIMIT 1) t CROSS JOIN instances i",
      ["reads all"],
    ],
  ])("is found: %s", async (_, statement, problems) => {
    expect(await problemsOf(statement)).toEqual(problems);
  });

  it.each([
    ["a row by its id", "SELECT * FROM deployments WHERE id = ? AND tenant_id = ?"],
    [
      "a page in the order of an index",
      "SELECT * FROM instances WHERE tenant_id = ? ORDER BY id LIMIT ?",
    ],
    [
      "rows by ids that the statement brings along",
      "SELECT * FROM instances WHERE id IN (SELECT value FROM json_each(?)) ORDER BY name",
    ],
    [
      "values of the statement, sorted",
      "SELECT value FROM json_each(?) GROUP BY value ORDER BY count(*)",
    ],
    ["a table that does not grow", "SELECT * FROM feature_flags ORDER BY enabled"],
    [
      "a partial index that holds few rows, sorted",
      "SELECT id FROM deployments WHERE awaits_runner = 1 ORDER BY random()",
    ],
    [
      "a part of the statement that has the name of a table",
      "WITH own AS MATERIALIZED (SELECT id FROM templates WHERE tenant_id = ? LIMIT 5) SELECT * FROM own ORDER BY id",
    ],
    ["the least value of an index", "SELECT min(tenant_id) FROM audit_events"],
  ])("is not %s", async (_, statement) => {
    expect(await problemsOf(statement)).toEqual([]);
  });
});
