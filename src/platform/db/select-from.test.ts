import { desc, sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { templates } from "#schema/templates.ts";
import { writer } from "./client.ts";
import { selectFrom } from "./select-from.ts";

const t = templates;

it("builds drizzle's statement, with the values of the call", () => {
  const select = selectFrom(t);
  for (const id of ["a", "b"]) {
    const drizzles = writer
      .select()
      .from(t)
      .where(sql`${t.id} = ${id}`)
      .orderBy(desc(t.id))
      .limit(5);
    const { sql: text, params } = drizzles.toSQL();
    const ours = select.where(sql`${t.id} = ${id}`, { orderBy: [sql`${t.id} desc`], limit: 5 });
    expect(ours.toSQL()).toEqual({ sql: text, params });
  }
});

it("builds both halves of a union with their own values", () => {
  const { id, name } = t;
  const { sql: text, params } = selectFrom(t, { id, name })
    .whereEither([sql`${id} = ${"a"}`, sql`${id} = ${"b"}`], { limit: 2 })
    .toSQL();
  const half = `select "id", "name" from "templates" where "templates"."id" = ?`;
  expect(text).toBe(`${half} union all ${half} limit ?`);
  expect(params).toEqual(["a", "b", 2]);
});

it("refuses columns with a value, which would be the first call's for all calls", () => {
  const select = selectFrom(t, { mine: sql<number>`${t.tenantId} = ${"x"}`.as("mine") });
  expect(() => select.where(sql`1`).toSQL()).toThrow("has to be the same for all");
});
