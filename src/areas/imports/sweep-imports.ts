/** Removes imports that are older than thirty days, in bounded steps. */
import { sql } from "drizzle-orm";
import type { Bindings } from "#kernel/bindings.ts";
import { openDb, runBatch } from "#platform/db/client.ts";
import { firstIdAt } from "#platform/ids.ts";
import { importDrafts, importPartsTable, imports } from "#schema/imports.ts";

const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const REMOVED_A_STEP = 100;

export async function sweepImports(env: Bindings, nowMs: number): Promise<void> {
  const db = openDb(env.DB);
  const cutoffMs = nowMs - KEPT_MS;
  const old = sql`SELECT ${imports.tenantId}, ${imports.id} FROM ${imports}
    WHERE ${imports.id} < ${firstIdAt(cutoffMs)} AND ${imports.createdAtMs} < ${cutoffMs}
    ORDER BY ${imports.id} LIMIT ${REMOVED_A_STEP}`;
  await runBatch(db, [
    db.run(
      sql`DELETE FROM ${importPartsTable} WHERE (${importPartsTable.tenantId}, ${importPartsTable.importId}) IN (${old})`,
    ),
    db.run(
      sql`DELETE FROM ${importDrafts} WHERE (${importDrafts.tenantId}, ${importDrafts.importId}) IN (${old})`,
    ),
    db.run(sql`DELETE FROM ${imports} WHERE (${imports.tenantId}, ${imports.id}) IN (${old})`),
  ]);
}
