/**
 * What each commit in D1 tells: the events of a change have the sequences that its row's version rose by, an event of
 * changed outputs names those whose hashes changed, and the same commit wakes who reads them.
 */
import { isDeepStrictEqual } from "./deep-equal.ts";
import type { Sqlite } from "./sqlite.ts";
import { parsed } from "./stored.ts";

interface Row {
  version: number;
  state: string;
  /** Of an instance: the hashes of its outputs. */
  hashes: Record<string, unknown>;
  /** Of a deployment. */
  operation: string | null;
  instanceId: string | null;
}

interface Trigger {
  version: number;
  dueMs: number | null;
  hops: number | null;
}

interface Seen {
  rows: ReadonlyMap<string, Row>;
  events: number;
  /** The trigger of the instance that reads the other's output. */
  reader: Trigger | undefined;
}

interface Event {
  id: string;
  about: string;
  type: string;
  sequence: number;
  data: Record<string, unknown>;
}

/** The output that the second instance may be bound to. */
const READ_OUTPUT = "mark";

export class CommitWatch {
  readonly #d1: Sqlite;
  readonly #instanceIds: readonly string[];
  readonly #report: (violation: string) => void;
  readonly #known = new Set<string>();
  /** By deployment that applies, the state of its instance before. */
  readonly #before = new Map<string, string>();
  #seen: Seen;

  constructor(d1: Sqlite, instanceIds: readonly string[], report: (violation: string) => void) {
    this.#d1 = d1;
    this.#instanceIds = instanceIds;
    this.#report = report;
    for (const { id } of this.#events()) this.#known.add(id);
    this.#seen = this.#see();
  }

  /** To be called after each commit in D1. */
  committed(): void {
    const before = this.#seen;
    const now = this.#see();
    this.#seen = now;
    const told =
      now.events === before.events ? [] : this.#events().filter(({ id }) => !this.#known.has(id));
    for (const { id } of told) this.#known.add(id);
    for (const [id, row] of now.rows) {
      this.#sequencesFit(id, before.rows.get(id), row, told);
      this.#stateFollows(id, before, now);
    }
    const [first = ""] = this.#instanceIds;
    const outputs = this.#outputsAreTold(first, before.rows.get(first), now.rows.get(first), told);
    this.#readerIsWoken(before.reader, now.reader, outputs);
  }

  #see(): Seen {
    const [first, second] = this.#instanceIds;
    const rows = this.#d1.rows(
      `SELECT id, version, state, output_hashes AS hashes, NULL AS operation, NULL AS instanceId
          FROM instances WHERE id IN (?1, ?2)
        UNION ALL SELECT id, version, state, NULL, operation, instance_id
          FROM deployments WHERE instance_id IN (?1, ?2)`,
      [first ?? "", second ?? ""],
    );
    const [events] = this.#d1.rows("SELECT count(*) AS count FROM events");
    const [reader] = this.#d1.rows(
      `SELECT version, next_fire_at_ms AS dueMs, hops FROM triggers
        WHERE instance_id = ? AND kind = 'upstream_output'`,
      [second ?? ""],
    );
    return {
      rows: new Map(
        rows.map(({ id, hashes, ...row }) => [
          String(id),
          { ...(row as unknown as Row), hashes: hashes === null ? {} : parsed(hashes) },
        ]),
      ),
      events: Number(events?.["count"]),
      reader: reader as unknown as Trigger | undefined,
    };
  }

  #events(): Event[] {
    return this.#d1
      .rows(
        `SELECT id, resource_id AS about, type, payload ->> '$.sequence' AS sequence, payload ->> '$.data' AS data
          FROM events WHERE resource_type IN ('instance', 'deployment')`,
      )
      .map((row) => ({ ...(row as unknown as Event), data: parsed(row["data"]) }));
  }

  /** An end leaves its instance as its operation ended, or as it was before if it touched nothing. */
  #stateFollows(id: string, before: Seen, now: Seen): void {
    const row = now.rows.get(id);
    const was = before.rows.get(id)?.state;
    if (row === undefined || row.instanceId === null || row.state === was) return;
    const instance = (seen: Seen): string => seen.rows.get(row.instanceId ?? "")?.state ?? "";
    if (row.state === "APPLYING" && !this.#before.has(id)) this.#before.set(id, instance(before));
    const earlier = this.#before.get(id);
    const { operation } = row;
    if (earlier === undefined || operation === null || operation === "drift_check") return;
    const expected = endStates(operation, earlier)[row.state];
    const found = instance(now);
    if (
      expected !== undefined &&
      found !== expected &&
      // An approved run may end before its runner begins it, after another run has changed the instance.
      (row.state === "SUCCEEDED" || (found !== earlier && found !== instance(before)))
    )
      this.#report(
        `The ${operation} ${id} ended ${row.state}, and its instance went from ${earlier} to ${found}`,
      );
  }

  /** They are the row's last versions, without a gap, unless an event was left out because of a cancel. */
  #sequencesFit(
    id: string,
    before: Row | undefined,
    { version }: Row,
    told: readonly Event[],
  ): void {
    const sequences = told.filter(({ about }) => about === id).map(({ sequence }) => sequence);
    if (sequences.length === 0) return;
    const expected = sequences.map((_, at) => version - sequences.length + 1 + at);
    const isInstance = this.#instanceIds.includes(id);
    const had = before?.version ?? 0;
    const fits = isInstance
      ? isDeepStrictEqual(
          sequences.toSorted((a, b) => a - b),
          expected,
        )
      : new Set(sequences).size === sequences.length &&
        sequences.every((sequence) => sequence > had && sequence <= version);
    if (!fits || (isInstance && version - had !== sequences.length))
      this.#report(`${id} went from version ${had} to ${version} with events ${sequences.join()}`);
  }

  /** Returns whether the output that may be read has changed. */
  #outputsAreTold(
    id: string,
    before: Row | undefined,
    now: Row | undefined,
    told: readonly Event[],
  ): boolean {
    const { hashes: was = {} } = before ?? {};
    const { hashes: is = {} } = now ?? {};
    const changed = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
      (name) => was[name] !== is[name],
    );
    const own = told.filter(({ about }) => about === id);
    const event = own.find(({ type }) => type === "instance.outputs_changed");
    const isDestroyed = own.some(({ type }) => type === "instance.destroyed");
    const said = ((event?.data["outputs"] ?? []) as string[]).toSorted();
    if (!isDestroyed && !isDeepStrictEqual(said, changed.toSorted()))
      this.#report(`${id} has other outputs ${changed.join()}, and its event says ${said.join()}`);
    return changed.includes(READ_OUTPUT);
  }

  /** The end that changed the output wakes its reader once, and says how long the chain is. */
  #readerIsWoken(before: Trigger | undefined, now: Trigger | undefined, changed: boolean): void {
    if (!changed || before === undefined || now === undefined) return;
    if (now.version !== before.version + 1 || now.dueMs === null || (now.hops ?? 0) < 1)
      this.#report(
        `An output changed, and the trigger of its reader went from ${JSON.stringify(before)} to ${JSON.stringify(now)}`,
      );
  }
}

/** What an end of the operation makes of an instance in that state, if it has touched something. */
function endStates(operation: string, before: string): Readonly<Record<string, string>> {
  if (operation === "destroy")
    return { SUCCEEDED: "DESTROYED", FAILED: "DESTROY_FAILED", CANCELED: "DEGRADED" };
  const broken = ["INITIALIZED", "FAILED", "DESTROYED"].includes(before) ? "FAILED" : "DEGRADED";
  return { SUCCEEDED: "ACTIVE", FAILED: broken, CANCELED: broken };
}
