/** Restores D1's rows of an instance to an earlier moment, as Cloudflare's Time Travel restores the whole database. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { openDb } from "#platform/db/client.ts";
import { runnerOf } from "./runner.ts";

type Row = Record<string, unknown>;

/** The tables that a run writes to, and a condition for the instance's rows. */
const rowsOf: Readonly<Record<string, string>> = {
  deployments: "instance_id = ?1",
  deployment_plans: "deployment_id IN (SELECT id FROM deployments WHERE instance_id = ?1)",
  instances: "id = ?1",
  events: "resource_id = ?1 OR resource_id IN (SELECT id FROM deployments WHERE instance_id = ?1)",
  webhook_deliveries: `event_id IN (SELECT id FROM events
    WHERE resource_id = ?1 OR resource_id IN (SELECT id FROM deployments WHERE instance_id = ?1))`,
};

export type Moment = Readonly<Record<keyof typeof rowsOf, readonly Row[]>>;

export async function copyRows(instanceId: string): Promise<Moment> {
  const tables = Object.entries(rowsOf);
  const results = await env.DB.batch<Row>(
    tables.map(([table, condition]) =>
      env.DB.prepare(`SELECT * FROM ${table} WHERE ${condition}`).bind(instanceId),
    ),
  );
  return Object.fromEntries(tables.map(([table], at) => [table, results[at]?.results ?? []]));
}

export async function putBack(instanceId: string, moment: Moment): Promise<void> {
  await env.DB.batch([
    // Rows that depend on others are deleted before these.
    ...["webhook_deliveries", "events", "deployment_plans", "deployments", "instances"].map(
      (table) => env.DB.prepare(`DELETE FROM ${table} WHERE ${rowsOf[table]}`).bind(instanceId),
    ),
    ...Object.entries(moment).flatMap(([table, rows]) =>
      rows.map((row) => {
        const names = Object.keys(row);
        return env.DB.prepare(
          `INSERT INTO ${table} (${names.map((name) => `"${name}"`).join()}) VALUES (${names.map(() => "?").join()})`,
        ).bind(...Object.values(row));
      }),
    ),
  ]);
}

/** The rows as they are before each batch that the instance's runner sends to D1 from now on. */
export async function watchMoments(instanceId: string): Promise<Moment[]> {
  const moments: Moment[] = [];
  const watched = {
    prepare: (query: string) => env.DB.prepare(query),
    batch: async (statements: D1PreparedStatement[]) => {
      moments.push(await copyRows(instanceId));
      return env.DB.batch(statements);
    },
  } as D1Database;
  await runInDurableObject(runnerOf(instanceId), (runner) => {
    runner.db = openDb(watched);
  });
  return moments;
}
