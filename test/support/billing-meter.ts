/**
 * Counts what Cloudflare bills for: rows that D1 and the objects read and write, alarms, requests to objects, queue
 * messages. The figures are the platform's own (`meta` of D1, the cursors of the objects' SQLite), so they are the same
 * on every machine. The mock cloud is left out, because it is no part of an installation.
 */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { InstanceRunner } from "#orchestrator/runner/instance-runner.ts";

/** A kind of billed work: `d1 events`, `runner journal`, `request gate`, `message deployments`. */
export type Charges = Readonly<Record<string, { written: number; read: number; times: number }>>;

/** The billed work by owners. `by`: an object's storage or name, or a text that contains the owner's id. */
interface Spent {
  trips: { by: string; sent: { query: string; meta: D1Meta }[] }[];
  objects: { by: unknown; query: string; cursor: SqlStorageCursor<never> }[];
  alarms: { by: unknown }[];
  requests: { by: string; name: string }[];
  messages: { by: string; name: string }[];
}

const owners: Readonly<Record<string, string>> = {
  runs: "runner",
  journal: "runner",
  resources: "runner",
  snapshots: "runner",
  facts: "runner",
  slots: "gate",
  queue: "gate",
  target: "gate",
  claims: "gate",
  unmade_claims: "gate",
  let_go: "gate",
  callers: "gate",
  rate: "gate",
  made: "gate",
  uses: "quota",
};

let spent: Spent | undefined;
let installed = false;

/**
 * The work for the tenant during `work`: runs of other suites go on in this Worker. Without a tenant, all work counts.
 */
export async function chargesOf(work: () => Promise<unknown>, tenantId?: string): Promise<Charges> {
  await installMeter();
  spent = { trips: [], objects: [], alarms: [], requests: [], messages: [] };
  const counted = spent;
  try {
    await work();
  } finally {
    spent = undefined;
  }
  return summarize(tenantId === undefined ? counted : spentFor(counted, await ownedBy(tenantId)));
}

/** The ids of a tenant and of its rows, and the storage of its objects. */
interface Owned {
  ids: readonly string[];
  storages: ReadonlySet<unknown>;
}

async function ownedBy(tenantId: string): Promise<Owned> {
  const owned = ["instances", "cloud_targets", "api_keys", "deployments", "webhooks"];
  const rows = await env.DB.batch<{ id: string }>(
    owned.map((table) =>
      env.DB.prepare(`SELECT id FROM ${table} WHERE tenant_id = ?`).bind(tenantId),
    ),
  );
  const [instances = [], targets = []] = rows.map(({ results }) => results.map(({ id }) => id));
  const storages = new Set<unknown>();
  const note = (_: unknown, { storage }: DurableObjectState): void => {
    storages.add(storage);
    storages.add(storage.sql);
  };
  const { INSTANCE_RUNNER, TARGET_GATE, QUOTA_COUNTER } = env;
  for (const id of instances)
    await runInDurableObject(INSTANCE_RUNNER.get(INSTANCE_RUNNER.idFromName(id)), note);
  for (const id of targets)
    await runInDurableObject(TARGET_GATE.get(TARGET_GATE.idFromName(id)), note);
  await runInDurableObject(QUOTA_COUNTER.get(QUOTA_COUNTER.idFromName(tenantId)), note);
  return {
    ids: [tenantId, ...rows.flatMap(({ results }) => results.map(({ id }) => id))],
    storages,
  };
}

function spentFor(all: Spent, { ids, storages }: Owned): Spent {
  const isOwn = ({ by }: { by: unknown }): boolean =>
    typeof by === "string" ? ids.some((id) => by.includes(id)) : storages.has(by);
  return {
    trips: all.trips.filter(isOwn),
    objects: all.objects.filter(isOwn),
    alarms: all.alarms.filter(isOwn),
    requests: all.requests.filter(isOwn),
    messages: all.messages.filter(isOwn),
  };
}

/** All rows written, alarms among them: each alarm that is set is billed as one. */
export function billedRows(charges: Charges): number {
  return total(charges, "written");
}

/** The number of statements sent to D1, and the time of the slowest. */
export interface Sent {
  statements: number;
  longestMs: number;
}

/** As `chargesOf`, with the statements sent to D1. */
export async function sentBy(
  work: () => Promise<unknown>,
): Promise<{ charges: Charges; sent: Sent }> {
  let counted: Spent | undefined;
  const charges = await chargesOf(async () => {
    counted = spent;
    await work();
  });
  const times = (counted?.trips ?? []).flatMap(({ sent }) => sent.map(({ meta }) => meta.duration));
  return { charges, sent: { statements: times.length, longestMs: Math.max(0, ...times) } };
}

export function total(
  charges: Charges,
  what: "written" | "read" | "times",
  of: RegExp = /^/,
): number {
  return Object.entries(charges)
    .filter(([name]) => of.test(name))
    .reduce((sum, [, charge]) => sum + charge[what], 0);
}

function summarize({ trips, objects, alarms, requests, messages }: Spent): Charges {
  const charges: Record<string, { written: number; read: number; times: number }> = {};
  const add = (name: string, written: number, read: number, times = 1): void => {
    const before = charges[name] ?? { written: 0, read: 0, times: 0 };
    charges[name] = {
      written: before.written + written,
      read: before.read + read,
      times: before.times + times,
    };
  };
  for (const { query, meta } of trips.flatMap(({ sent }) => sent))
    add(`d1 ${tableIn(query)}`, meta.rows_written, meta.rows_read);
  for (const { query, cursor } of objects) {
    const table = tableIn(query);
    const isMade = /^\s*CREATE /i.test(query);
    const owner = owners[isMade ? (/ ON (\w+)/i.exec(query)?.[1] ?? table) : table];
    if (owner === undefined) continue;
    add(
      isMade ? `${owner} its tables` : `${owner} ${table}`,
      cursor.rowsWritten,
      cursor.rowsRead,
      isMade ? 0 : 1,
    );
  }
  if (trips.length > 0) add("round trips to d1", 0, 0, trips.length);
  if (alarms.length > 0) add("runner alarms", alarms.length, 0, alarms.length);
  for (const { name } of requests) add(`request ${name}`, 0, 0);
  for (const { name } of messages) add(`message ${name}`, 0, 0);
  return Object.fromEntries(Object.entries(charges).sort(([a], [b]) => a.localeCompare(b)));
}

/** The table that a statement writes; else the first table that it reads. */
function tableIn(query: string): string {
  const text = query.replace(/["`]/g, "").replace(/\s+/g, " ");
  const [, table] =
    /\b(?:INSERT (?:OR \w+ )?INTO|DELETE FROM|CREATE TABLE(?: IF NOT EXISTS)?|DROP TABLE)\s+(\w+)/i.exec(
      text,
    ) ??
    /\bUPDATE (\w+) SET/i.exec(text) ??
    /\bFROM (\w+)/i.exec(text) ??
    [];
  return table ?? "no table";
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Before a test mocks one of the methods: to restore the mock would take away a meter put around it. */
export async function installMeter(): Promise<void> {
  if (installed) return;
  installed = true;
  meterD1();
  meterQueue("deployments", env.DEPLOYMENTS_QUEUE);
  meterQueue("triggers", env.TRIGGERS_QUEUE);
  meterQueue("webhooks", env.WEBHOOKS_QUEUE);
  meterQueue("webhooks", env.WEBHOOKS_SLOW_QUEUE);
  meterRequests("runner", env.INSTANCE_RUNNER);
  meterRequests("gate", env.TARGET_GATE);
  meterRequests("quota", env.QUOTA_COUNTER);
  around(InstanceRunner.prototype, "alarm", (result, runner) => {
    const { ctx } = runner as { ctx: DurableObjectState };
    spent?.requests.push({ by: ctx.id.name ?? "", name: "runner alarm" });
    return result;
  });
  const gate = env.TARGET_GATE.get(env.TARGET_GATE.newUniqueId());
  await runInDurableObject(gate, (_, { storage }) => {
    around(Object.getPrototypeOf(storage.sql), "exec", (cursor, by, query) => {
      spent?.objects.push({ by, query: String(query), cursor: cursor as SqlStorageCursor<never> });
      return cursor;
    });
    around(Object.getPrototypeOf(storage), "setAlarm", (result, by) => {
      spent?.alarms.push({ by });
      return result;
    });
  });
}

/** `seen` gets the method's result, its `this` and its arguments. It returns the result for the caller. */
function around(
  object: unknown,
  name: string,
  seen: (result: unknown, self: unknown, ...args: unknown[]) => unknown,
): void {
  const methods = object as Record<string, Method>;
  const method = methods[name];
  if (method === undefined) throw new Error(`There is no method ${name} to count`);
  methods[name] = function (...args) {
    return seen(Reflect.apply(method, this, args), this, ...args);
  };
}

/** All statements of all methods of the binding pass here, with their figures. */
function meterD1(): void {
  const { alwaysPrimarySession } = env.DB as unknown as { alwaysPrimarySession: object };
  const session: unknown = Object.getPrototypeOf(Object.getPrototypeOf(alwaysPrimarySession));
  around(session, "_sendOrThrow", async (answering, _self, _path, queries, values) => {
    const counted = spent;
    const answer = await answering;
    const results = [answer].flat() as { meta: D1Meta }[];
    const sent = ([queries].flat() as string[]).flatMap((query, at) => {
      const meta = results[at]?.meta;
      return meta === undefined ? [] : [{ query, meta }];
    });
    counted?.trips.push({ by: JSON.stringify(values), sent });
    return answer;
  });
}

function meterQueue(name: string, queue: Queue): void {
  const note = (message: unknown) => spent?.messages.push({ by: JSON.stringify(message), name });
  around(queue, "send", (result, _, message) => {
    note(message);
    return result;
  });
  around(queue, "sendBatch", (result, _, messages) => {
    for (const message of messages as Iterable<unknown>) note(message);
    return result;
  });
}

function meterRequests(name: string, namespace: object): void {
  around(namespace, "get", (stub) =>
    spent === undefined ? stub : counted(name, stub as DurableObjectStub),
  );
}

/** Each call of a method of a stub is a request. */
function counted(name: string, stub: DurableObjectStub): object {
  return new Proxy(stub, {
    get: (target, member) => {
      const value: unknown = Reflect.get(target, member);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        spent?.requests.push({ by: stub.id.name ?? "", name: `${name} ${String(member)}` });
        return (target as unknown as Record<PropertyKey, Method>)[member]?.(...args);
      };
    },
  });
}
