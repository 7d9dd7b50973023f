import { canonicalJson, type Json, type JsonMap } from "#platform/json.ts";
import type { MockFault, MockKind } from "./config.ts";

export interface CloudObject {
  kind: MockKind;
  id: string;
  name: string;
  properties: JsonMap;
  readyAtMs: number;
  /** The object ends as `failed` instead of `ready`. */
  fails: boolean;
}

export interface LedgerEntry {
  seq: number;
  verb: "create" | "update" | "delete";
  kind: string;
  id: string;
  name: string;
  atMs: number;
  idempotencyKey: string | null;
}

/** Maximum objects or ledger entries in one answer. */
const MAX_LIST_LENGTH = 1_000;

/**
 * The storage of one mock cloud. Every method is synchronous, so writes without an await between them are atomic.
 */
export class CloudStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS objects (
        kind TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, properties TEXT NOT NULL,
        ready_at_ms INTEGER NOT NULL, fails INTEGER NOT NULL, PRIMARY KEY (kind, id)
      ) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS objects_by_name ON objects (kind, name);
      CREATE TABLE IF NOT EXISTS ledger (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, verb TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL,
        name TEXT NOT NULL, at_ms INTEGER NOT NULL, idempotency_key TEXT
      );
      CREATE INDEX IF NOT EXISTS ledger_by_key ON ledger (idempotency_key);
      CREATE TABLE IF NOT EXISTS answers (
        key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, body TEXT NOT NULL
      ) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS faults (key TEXT PRIMARY KEY, used INTEGER NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS late_requests (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, due_ms INTEGER NOT NULL, request TEXT NOT NULL
      );
      CREATE TABLE IF NOT EXISTS unlisted (id TEXT PRIMARY KEY, until_ms INTEGER NOT NULL) WITHOUT ROWID;
    `);
  }

  put(object: CloudObject): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO objects (kind, id, name, properties, ready_at_ms, fails) VALUES (?, ?, ?, ?, ?, ?)",
      object.kind,
      object.id,
      object.name,
      JSON.stringify(object.properties),
      object.readyAtMs,
      object.fails ? 1 : 0,
    );
  }

  get(kind: MockKind, id: string): CloudObject | undefined {
    return this.#objects("kind = ? AND id = ?", kind, id)[0];
  }

  list(kind: MockKind, name: string | null, nowMs: number): CloudObject[] {
    const listed = "id NOT IN (SELECT id FROM unlisted WHERE until_ms > ?)";
    return name === null
      ? this.#objects(`kind = ? AND ${listed}`, kind, nowMs)
      : this.#objects(`kind = ? AND name = ? AND ${listed}`, kind, name, nowMs);
  }

  /** Lists do not show the object until then, in epoch milliseconds. */
  hide(id: string, untilMs: number): void {
    this.#sql.exec("INSERT INTO unlisted (id, until_ms) VALUES (?, ?)", id, untilMs);
  }

  /** The id of another object that has this id among its properties. */
  userOf(id: string): string | undefined {
    const text = JSON.stringify(id);
    return this.#objects("id <> ? AND instr(properties, ?) > 0", id, text)[0]?.id;
  }

  remove(kind: MockKind, id: string): void {
    this.#sql.exec("DELETE FROM objects WHERE kind = ? AND id = ?", kind, id);
  }

  #objects(where: string, ...values: (string | number)[]): CloudObject[] {
    const rows = this.#sql
      .exec<{
        kind: string;
        id: string;
        name: string;
        properties: string;
        ready_at_ms: number;
        fails: number;
      }>(`SELECT * FROM objects WHERE ${where} ORDER BY id LIMIT ${MAX_LIST_LENGTH}`, ...values)
      .toArray();
    return rows.map((row) => ({
      kind: row.kind as MockKind,
      id: row.id,
      name: row.name,
      properties: JSON.parse(row.properties) as JsonMap,
      readyAtMs: row.ready_at_ms,
      fails: row.fails === 1,
    }));
  }

  record(entry: Omit<LedgerEntry, "seq">): void {
    this.#sql.exec(
      "INSERT INTO ledger (verb, kind, id, name, at_ms, idempotency_key) VALUES (?, ?, ?, ?, ?, ?)",
      entry.verb,
      entry.kind,
      entry.id,
      entry.name,
      entry.atMs,
      entry.idempotencyKey,
    );
  }

  /** Entries after `seq`, oldest first. */
  ledger(afterSeq: number): LedgerEntry[] {
    const rows = this.#sql
      .exec<{
        seq: number;
        verb: string;
        kind: string;
        id: string;
        name: string;
        at_ms: number;
        idempotency_key: string | null;
      }>("SELECT * FROM ledger WHERE seq > ? ORDER BY seq LIMIT ?", afterSeq, MAX_LIST_LENGTH)
      .toArray();
    return rows.map((row) => ({
      seq: row.seq,
      verb: row.verb as LedgerEntry["verb"],
      kind: row.kind,
      id: row.id,
      name: row.name,
      atMs: row.at_ms,
      idempotencyKey: row.idempotency_key,
    }));
  }

  /** The answer to a create with this idempotency key after `sinceMs` (epoch milliseconds). */
  answer(key: string, sinceMs: number): { fingerprint: string; body: Json } | undefined {
    const row = this.#sql
      .exec<{ fingerprint: string; body: string }>(
        `SELECT fingerprint, body FROM answers WHERE key = ?1 AND EXISTS
          (SELECT 1 FROM ledger WHERE idempotency_key = ?1 AND verb = 'create' AND at_ms > ?2)`,
        key,
        sinceMs,
      )
      .toArray()[0];
    return row && { fingerprint: row.fingerprint, body: JSON.parse(row.body) as Json };
  }

  keepAnswer(key: string, fingerprint: string, body: Json): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO answers (key, fingerprint, body) VALUES (?, ?, ?)",
      key,
      fingerprint,
      JSON.stringify(body),
    );
  }

  /** Keeps a request that takes effect at `dueMs` (epoch milliseconds). */
  defer(dueMs: number, request: object): void {
    this.#sql.exec(
      "INSERT INTO late_requests (due_ms, request) VALUES (?, ?)",
      dueMs,
      JSON.stringify(request),
    );
  }

  /** Removes the first request that takes effect at `nowMs` or earlier. */
  takeDue(nowMs: number): { dueMs: number; request: unknown } | undefined {
    const row = this.#sql
      .exec<{ due_ms: number; request: string }>(
        `DELETE FROM late_requests WHERE seq =
          (SELECT seq FROM late_requests WHERE due_ms <= ? ORDER BY due_ms, seq LIMIT 1) RETURNING due_ms, request`,
        nowMs,
      )
      .toArray()[0];
    return row && { dueMs: row.due_ms, request: JSON.parse(row.request) as unknown };
  }

  /**
   * Uses the first fault that applies and was used fewer than `times` times, and counts the use. A fault that is listed
   * twice is counted separately for each entry.
   */
  useFault(
    faults: readonly MockFault[],
    applies: (fault: MockFault) => boolean,
  ): MockFault | undefined {
    const seen = new Map<string, number>();
    for (const fault of faults) {
      const text = canonicalJson(fault as JsonMap);
      const nth = (seen.get(text) ?? 0) + 1;
      seen.set(text, nth);
      if (!applies(fault)) continue;
      const key = `${nth} ${text}`;
      const used = this.#sql
        .exec<{ used: number }>("SELECT used FROM faults WHERE key = ?", key)
        .toArray()[0]?.used;
      if ((used ?? 0) >= fault.times) continue;
      this.#sql.exec(
        "INSERT INTO faults (key, used) VALUES (?, 1) ON CONFLICT (key) DO UPDATE SET used = used + 1",
        key,
      );
      return fault;
    }
    return undefined;
  }
}
