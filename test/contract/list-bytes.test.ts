/** A page of a list has at most 400 KiB, and no list loads the large columns of its rows. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import { MAX_PAGE_BYTES } from "#http/lists/fitting.ts";
import { type Answer, makeUnlimitedTenant, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate } from "#test/support/cloud.ts";
import { fieldsOf } from "#test/support/declared.ts";
import { heardStatements } from "#test/support/heard-statements.ts";
import { SOURCE } from "#test/support/templates.ts";

let tenant: TestTenant;
beforeAll(async () => {
  tenant = await makeUnlimitedTenant();
  const [targetId, templateId] = await Promise.all([
    makeTarget(tenant),
    makeTemplate(tenant, SOURCE),
  ]);
  await makeInstance(tenant, templateId, targetId, { variables: { password: "correct horse" } });
  await makeTemplate(tenant, SOURCE);
});

/** 120 copies of the tenant's first row, with these columns set. */
async function multiply(table: string, set: Readonly<Record<string, string>>): Promise<void> {
  const { results } = await env.DB.prepare(`SELECT name FROM pragma_table_info('${table}')`).all<{
    name: string;
  }>();
  const names = results.map(({ name }) => name);
  const columns = names.map((name) => {
    if (name === "id") return "'01930000-0000-7000-8000-00000000' || n.value";
    return set[name] ?? `t.${name}`;
  });
  const numbers = JSON.stringify(Array.from({ length: 120 }, (_, at) => 1000 + at));
  await env.DB.prepare(
    `INSERT INTO ${table} (${names.join(", ")}) SELECT ${columns.join(", ")}
      FROM (SELECT * FROM ${table} WHERE tenant_id = ?1 LIMIT 1) t, json_each(?2) n`,
  )
    .bind(tenant.tenantId, numbers)
    .run();
}

const large = (bytes: number) => `json_object('note', hex(zeroblob(${bytes / 2})))`;

interface Walk {
  ids: string[];
  pages: Answer[];
}

async function walk(path: string): Promise<Walk> {
  const found: Walk = { ids: [], pages: [] };
  let cursor: string | null = null;
  do {
    const query = cursor === null ? "" : `&cursor=${cursor}`;
    const page: Answer = await tenant.get(`${path}?limit=100${query}`);
    expect(page.status, page.text.slice(0, 300)).toBe(200);
    found.pages.push(page);
    found.ids.push(...page.body.data.map(({ id }: { id: string }) => id));
    cursor = page.body.nextCursor;
  } while (cursor !== null);
  return found;
}

describe("a list whose rows are large", () => {
  it("ends a page early, and goes on after it until all rows were shown once", async () => {
    await multiply("templates", { labels: large(4_000), description: "hex(zeroblob(3000))" });
    const { ids, pages } = await walk("/templates");
    expect(ids.length).toBeGreaterThanOrEqual(121);
    expect(new Set(ids).size).toBe(ids.length);
    expect(pages.length).toBeGreaterThan(2);
    for (const { text, headers, body } of pages) {
      expect(text.length).toBeLessThanOrEqual(MAX_PAGE_BYTES + 1_024);
      expect(body.data.length).toBeGreaterThan(0);
      expect(headers.get("link") === null).toBe(body.nextCursor === null);
    }
  });

  it("shows a row alone that is larger than a page", async () => {
    const mine = await makeUnlimitedTenant();
    for (const name of ["one", "two", "three"]) await mine.post("/templates", { name });
    await env.DB.prepare(`UPDATE templates SET labels = ${large(500_000)} WHERE tenant_id = ?`)
      .bind(mine.tenantId)
      .run();
    const page = await mine.get("/templates");
    expect(page.body.data).toHaveLength(1);
    const next = await mine.get(`/templates?cursor=${page.body.nextCursor}`);
    expect(next.body.data.map(({ name }: { name: string }) => name)).toEqual(["two"]);
  });
});

describe("a list of instances with large variables and outputs", () => {
  it("leaves them out, and they are on each instance", async () => {
    const values = large(290_000);
    await multiply("instances", { variables: values, outputs: values, secret_outputs: values });
    const { ids, pages } = await walk("/instances");
    expect(ids).toHaveLength(121);
    expect(pages).toHaveLength(2);
    for (const { text, body } of pages) {
      expect(text.length).toBeLessThan(120_000);
      expect(Object.keys(body.data[0])).not.toContain("variables");
    }
    const whole = await tenant.get(`/instances/${ids[5]}`);
    expect(whole.body.variables.note).toHaveLength(290_000);
    expect(whole.body.outputs.note).toHaveLength(290_000);
  });
});

/** What no list may select: each takes more than a hundredth of a page. */
const largeColumns: Readonly<Record<string, readonly string[]>> = {
  instances: ["variables", "outputs", "secret_outputs", "output_hashes"],
  profiles: ["variables"],
  deployments: ["inputs"],
  template_versions: ["source", "config"],
  listings: ["description", "search_text"],
  webhook_attempts: ["answer"],
};

it("no list loads a column that can be large", async () => {
  const lists = endpoints.filter(
    ({ method, path, query }) =>
      method === "GET" && !path.includes("{") && fieldsOf(query).includes("cursor"),
  );
  expect(lists.length).toBeGreaterThan(8);
  const before = new Set(heardStatements());
  for (const { path } of lists) await tenant.get(`${path}?limit=37`);
  const listed = heardStatements().filter(
    (text) => !before.has(text) && /order by .+ limit \?$/i.test(text),
  );
  for (const text of heardStatements().filter((one) =>
    /^select .+ order by .+ limit \?$/i.test(one),
  ))
    if (!listed.includes(text)) listed.push(text);
  expect(listed.length).toBeGreaterThan(8);
  const found = listed.flatMap((text) => {
    const [, selected = "", table = ""] = /^select (.+?) from "(\w+)"/i.exec(text) ?? [];
    return (largeColumns[table] ?? [])
      .filter((column) => new RegExp(`"${column}"`).test(selected))
      .map((column) => `${table}.${column} in ${text.slice(0, 200)}`);
  });
  expect(found).toEqual([]);
});
