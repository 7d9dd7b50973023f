/**
 * Projections that were stored before there were snapshots: the versions up to then kept each until D1 had it, in a
 * table of its own. An object that still has some folds them into snapshots when it starts.
 */
import type { Projection } from "#orchestrator/projection/projection.ts";
import { emptySnapshot, withProjection } from "#orchestrator/projection/snapshot.ts";
import type { FactsTable } from "./facts-table.ts";
import type { SnapshotsTable } from "./snapshots-table.ts";

export function takeStoredProjections(
  sql: SqlStorage,
  { snapshots, facts }: { snapshots: SnapshotsTable; facts: FactsTable },
): void {
  const table = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'projections'";
  if (sql.exec(table).toArray().length === 0) return;
  const stored = sql.exec("SELECT body FROM projections ORDER BY seq").toArray();
  for (const { body } of stored as unknown as { body: string }[]) {
    const projection = JSON.parse(body) as Projection;
    const { deploymentId, number, plan } = projection;
    const before = snapshots.get(deploymentId) ?? emptySnapshot(projection, number - 1);
    const { snapshot, instance } = withProjection(before, projection);
    snapshots.put(snapshot, plan === undefined ? {} : { plan });
    facts.setInstance(instance);
  }
  sql.exec("DROP TABLE projections");
}
