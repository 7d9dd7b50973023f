/** Reads the storage of the objects directly. */
import type { Simulation } from "./simulation.ts";

type Row = Record<string, unknown>;

interface Stored {
  name: string;
  id: string;
  pendingDelete: boolean;
  /** The values sent; the simulation has no secrets. */
  inputs: Row;
  lostToken?: string;
}

interface CloudObject {
  kind: string;
  id: string;
  name: string;
  properties: Row;
  /** The idempotency key of its create, which starts with the deployment's id. */
  key: string;
}

export const parsed = (value: unknown) => JSON.parse(String(value)) as Row;

export function storedResources(real: Simulation, instance: number): Stored[] {
  const runner = real.runner(instance);
  if (runner.life === undefined && !hasTable(runner, "resources")) return [];
  return runner.storage
    .rows("SELECT condemned, body FROM resources ORDER BY position")
    .map((row) => {
      const body = parsed(row["body"]) as unknown as Stored & { values: { plain: [Row] } };
      return { ...body, inputs: body.values.plain[0], pendingDelete: row["condemned"] === 1 };
    });
}

export function hasTable(object: Simulation["cloud"], name: string): boolean {
  return object.storage.rows("SELECT 1 FROM sqlite_master WHERE name = ?", [name]).length > 0;
}

export function cloudObjects(real: Simulation): CloudObject[] {
  if (!hasTable(real.cloud, "objects")) return [];
  return real.cloud.storage
    .rows(
      `SELECT o.kind, o.id, o.name, o.properties, l.idempotency_key AS key
        FROM objects o JOIN ledger l ON l.id = o.id AND l.verb = 'create' ORDER BY o.name, o.id`,
    )
    .map((row) => ({
      ...(row as unknown as CloudObject),
      properties: parsed(row["properties"]),
    }));
}
