/** Reads the storage of the objects directly. */
import type { StoredResource } from "#engine/state/state.ts";
import { isSealedMark, SEALED } from "./canaries.ts";
import type { SimulatedObject } from "./simulated-object.ts";
import type { Simulation } from "./simulation.ts";

type Row = Record<string, unknown>;

const MARK = "control:";

interface Stored {
  name: string;
  state: StoredResource["state"];
  /** Absent of a lost one, which has a token. */
  id?: string;
  token?: string;
  pendingDelete: boolean;
  /** The values sent, with `SEALED` for each secret. */
  inputs: Row;
}

interface CloudObject {
  kind: string;
  id: string;
  name: string;
  properties: Row;
  /** The token of its create, which starts with the deployment's id: the idempotency key, or what its mark says. */
  token: string;
}

export const parsed = (value: unknown) => JSON.parse(String(value)) as Row;

/** The map with `SEALED` in the place of each value that is stored sealed. */
export function withSealedMarks(values: Row): Row {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isSealedMark(value) ? SEALED : value]),
  );
}

export function storedResources(real: Simulation, instance: number): Stored[] {
  const runner = real.runner(instance);
  if (runner.life === undefined && !hasTable(runner, "resources")) return [];
  return runner.storage
    .rows("SELECT pending_delete, body FROM resources ORDER BY position")
    .map((row) => {
      const body = parsed(row["body"]) as unknown as Stored & { values: { plain: [Row] } };
      const inputs = withSealedMarks(body.values.plain[0]);
      return { ...body, inputs, pendingDelete: row["pending_delete"] === 1 };
    });
}

export function hasTable(object: SimulatedObject, name: string): boolean {
  return object.storage.rows("SELECT 1 FROM sqlite_master WHERE name = ?", [name]).length > 0;
}

/** What a runner has left to do: runs that neither ended nor wait for approval, and what D1 does not have yet. */
export function openWork(runner: SimulatedObject): {
  runs: string[];
  unwritten: { deploymentId: string; number: number }[];
} {
  if (!hasTable(runner, "snapshots")) return { runs: [], unwritten: [] };
  const open = runner.storage.rows(
    "SELECT deployment_id AS id FROM runs WHERE phase NOT IN ('closed', 'parked') OR (phase = 'parked' AND canceling = 1)",
  );
  const unwritten = runner.storage.rows(
    "SELECT deployment_id AS deploymentId, number FROM snapshots WHERE number > acked",
  );
  return {
    runs: open.map(({ id }) => String(id)),
    unwritten: unwritten as unknown as { deploymentId: string; number: number }[],
  };
}

export function cloudObjects(real: Simulation): CloudObject[] {
  if (!hasTable(real.cloud, "objects")) return [];
  return real.cloud.storage
    .rows(
      `SELECT o.kind, o.id, o.name, o.properties, l.idempotency_key AS token
        FROM objects o JOIN ledger l ON l.id = o.id AND l.verb = 'create' ORDER BY o.name, o.id`,
    )
    .map((row) => {
      const properties = parsed(row["properties"]);
      const tags = (properties["tags"] ?? []) as string[];
      const mark = tags.find((tag) => tag.startsWith(MARK))?.slice(MARK.length);
      return {
        ...(row as unknown as CloudObject),
        properties,
        token: String(row["token"] ?? mark),
      };
    });
}
