import { describe, expect, it } from "vitest";
import { openDb } from "#platform/db/client.ts";
import { Random } from "#test/simulation/random.ts";
import { d1Over, migratedSqlite } from "#test/simulation/sqlite.ts";
import { emptySnapshot, type Snapshot, type SnapshotEvent } from "./snapshot.ts";
import { writeSnapshot } from "./write-snapshot.ts";

const ids = { deploymentId: "d", tenantId: "t", instanceId: "i" };

/** D1 with the rows of the deployment and its instance, at these versions. */
function d1With(state: string, version: number, instanceVersion: number) {
  const database = migratedSqlite(() => new Random(1));
  const fill = (table: string, known: Readonly<Record<string, unknown>>) => {
    const columns = database.rows(
      `SELECT name, type FROM pragma_table_info('${table}') WHERE "notnull" = 1 AND dflt_value IS NULL`,
    );
    const row: Record<string, unknown> = Object.fromEntries(
      columns.map(({ name, type }) => [name, type === "INTEGER" ? 0 : "{}"]),
    );
    Object.assign(row, known);
    const names = Object.keys(row);
    database.rows(
      `INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => "?").join()})`,
      names.map((name) => row[name]),
    );
  };
  fill("deployments", { id: "d", tenant_id: "t", instance_id: "i", state, version, projected: 1 });
  fill("instances", { id: "i", tenant_id: "t", version: instanceVersion, state: "UPDATING" });
  return {
    parts: { db: openDb(d1Over(database, async (work) => work())), env: { PUBLIC_URL: "" } },
    events: () =>
      database.rows(
        `SELECT id, type, payload ->> '$.sequence' AS sequence FROM events ORDER BY id`,
      ),
    versions: () =>
      database.rows(
        "SELECT d.version AS deployment, i.version AS instance, d.state FROM deployments d, instances i",
      ),
  };
}

const eventOf = (id: string, more: Partial<SnapshotEvent>): SnapshotEvent => ({
  id,
  type: "deployment.planned",
  data: {},
  atMs: 5,
  about: "deployment",
  number: 2,
  ...more,
});
const ended: Snapshot = {
  ...emptySnapshot(ids, 1),
  number: 2,
  atMs: 5,
  state: "SUCCEEDED",
  timestamps: { SUCCEEDED: 5 },
  events: [
    eventOf("e0", { number: 1, sequence: 3 }),
    eventOf("e1", { state: "PLANNING" }),
    eventOf("e2", { about: "instance", type: "instance.drift_resolved", data: { resources: [] } }),
    eventOf("e3", { type: "deployment.succeeded", state: "SUCCEEDED" }),
    eventOf("e4", {
      about: "instance",
      type: "instance.outputs_changed",
      data: { outputs: ["a"] },
    }),
  ],
  instanceColumns: ["state"],
};

describe("the events of one projection", () => {
  it("have a sequence each, by their subject, and are acknowledged", async () => {
    const d1 = d1With("APPLYING", 4, 7);
    const written = await writeSnapshot(d1.parts, ended, { state: "ACTIVE" }, undefined);
    expect(d1.events()).toEqual([
      { id: "e1", type: "deployment.planned", sequence: 5 },
      { id: "e2", type: "instance.drift_resolved", sequence: 8 },
      { id: "e3", type: "deployment.succeeded", sequence: 6 },
      { id: "e4", type: "instance.outputs_changed", sequence: 9 },
    ]);
    expect(d1.versions()).toEqual([{ deployment: 6, instance: 9, state: "SUCCEEDED" }]);
    expect(written?.ack).toEqual({
      number: 2,
      version: 6,
      instanceVersion: 9,
      canceling: false,
      sequences: new Map([
        ["e1", 5],
        ["e2", 8],
        ["e3", 6],
        ["e4", 9],
      ]),
    });
  });

  it("raise a version by one at least, and by nothing a second time", async () => {
    const d1 = d1With("APPLYING", 4, 7);
    const silent = { ...ended, events: [] };
    expect(await writeSnapshot(d1.parts, silent, { state: "ACTIVE" }, undefined)).toBeDefined();
    expect(d1.versions()).toMatchObject([{ deployment: 5, instance: 8 }]);
    expect(await writeSnapshot(d1.parts, silent, { state: "ACTIVE" }, undefined)).toBeUndefined();
    expect(d1.versions()).toMatchObject([{ deployment: 5, instance: 8 }]);
  });

  it("that tell a state hidden by a cancel are left out, and not acknowledged", async () => {
    const d1 = d1With("CANCELING", 4, 7);
    const applying: Snapshot = {
      ...ended,
      state: "APPLYING",
      events: [
        eventOf("e1", {}),
        eventOf("e2", { type: "deployment.applying", state: "APPLYING" }),
      ],
    };
    const written = await writeSnapshot(d1.parts, applying, { state: "UPDATING" }, undefined);
    expect(d1.events().map(({ id }) => id)).toEqual(["e1"]);
    expect(written?.ack).toMatchObject({ canceling: true, sequences: new Map([["e1", 5]]) });
    expect(d1.versions()).toMatchObject([{ state: "CANCELING" }]);
  });
});
