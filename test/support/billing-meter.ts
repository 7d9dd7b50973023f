/**
 * Counts what Cloudflare bills for: rows that D1 and the objects read and write, alarms, requests to objects, queue
 * messages. The figures are the platform's own (`meta` of D1, the cursors of the objects' SQLite), so they are the same
 * on every machine. What the mock cloud does is left out: it is no part of an installation.
 */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { InstanceRunner } from "#orchestrator/runner/instance-runner.ts";

/** A kind of billed work: `d1 events`, `runner journal`, `request gate`, `message deployments`. */
export type Charges = Readonly<Record<string, { written: number; read: number; times: number }>>;

interface Spent {
  d1: { query: string; meta: D1Meta }[];
  objects: { query: string; cursor: SqlStorageCursor<never> }[];
  alarms: number;
  roundTrips: number;
  requests: string[];
  messages: string[];
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

/** Whatever happens meanwhile in this Worker is counted: nothing else may run. */
export async function chargesOf(work: () => Promise<unknown>): Promise<Charges> {
  await install();
  spent = { d1: [], objects: [], alarms: 0, roundTrips: 0, requests: [], messages: [] };
  const counted = spent;
  try {
    await work();
  } finally {
    spent = undefined;
  }
  return summarize(counted);
}

/** All rows written, alarms among them: each alarm that is set is billed as one. */
export function billedRows(charges: Charges): number {
  return total(charges, "written");
}

/** The statements that D1 was sent, and the longest that one took. */
export interface Sent {
  statements: number;
  longestMs: number;
}

/** As `chargesOf`, with what was sent to D1. */
export async function sentBy(
  work: () => Promise<unknown>,
): Promise<{ charges: Charges; sent: Sent }> {
  let counted: Spent | undefined;
  const charges = await chargesOf(async () => {
    counted = spent;
    await work();
  });
  const times = (counted?.d1 ?? []).map(({ meta }) => meta.duration);
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

function summarize({ d1, objects, alarms, roundTrips, requests, messages }: Spent): Charges {
  const charges: Record<string, { written: number; read: number; times: number }> = {};
  const add = (name: string, written: number, read: number, times = 1): void => {
    const before = charges[name] ?? { written: 0, read: 0, times: 0 };
    charges[name] = {
      written: before.written + written,
      read: before.read + read,
      times: before.times + times,
    };
  };
  for (const { query, meta } of d1) add(`d1 ${tableIn(query)}`, meta.rows_written, meta.rows_read);
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
  if (roundTrips > 0) add("round trips to d1", 0, 0, roundTrips);
  if (alarms > 0) add("runner alarms", alarms, 0, alarms);
  for (const object of requests) add(`request ${object}`, 0, 0);
  for (const queue of messages) add(`message ${queue}`, 0, 0);
  return Object.fromEntries(Object.entries(charges).sort(([a], [b]) => a.localeCompare(b)));
}

/** The table that a statement writes, else the first that it reads. */
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

async function install(): Promise<void> {
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
  around(InstanceRunner.prototype, "alarm", (result) => {
    spent?.requests.push("runner alarm");
    return result;
  });
  const gate = env.TARGET_GATE.get(env.TARGET_GATE.newUniqueId());
  await runInDurableObject(gate, (_, { storage }) => {
    around(Object.getPrototypeOf(storage.sql), "exec", (cursor, query) => {
      spent?.objects.push({ query: String(query), cursor: cursor as SqlStorageCursor<never> });
      return cursor;
    });
    around(Object.getPrototypeOf(storage), "setAlarm", (result) => {
      if (spent !== undefined) spent.alarms += 1;
      return result;
    });
  });
}

/** `seen` gets what the method returned and its arguments, and returns what the caller gets. */
function around(
  object: unknown,
  name: string,
  seen: (result: unknown, ...args: unknown[]) => unknown,
): void {
  const methods = object as Record<string, Method>;
  const method = methods[name];
  if (method === undefined) throw new Error(`There is no method ${name} to count`);
  methods[name] = function (...args) {
    return seen(Reflect.apply(method, this, args), ...args);
  };
}

/** All statements of all methods of the binding pass here, with their figures. */
function meterD1(): void {
  const { alwaysPrimarySession } = env.DB as unknown as { alwaysPrimarySession: object };
  const session: unknown = Object.getPrototypeOf(Object.getPrototypeOf(alwaysPrimarySession));
  around(session, "_sendOrThrow", async (sent, _, queries) => {
    const counted = spent;
    const answer = await sent;
    const results = [answer].flat() as { meta: D1Meta }[];
    for (const [at, query] of ([queries].flat() as string[]).entries()) {
      const meta = results[at]?.meta;
      if (meta !== undefined) counted?.d1.push({ query, meta });
    }
    if (counted !== undefined) counted.roundTrips += 1;
    return answer;
  });
}

function meterQueue(name: string, queue: Queue): void {
  around(queue, "send", (result) => {
    spent?.messages.push(name);
    return result;
  });
  around(queue, "sendBatch", (result, messages) => {
    for (const _ of messages as Iterable<unknown>) spent?.messages.push(name);
    return result;
  });
}

function meterRequests(name: string, namespace: object): void {
  around(namespace, "get", (stub) => (spent === undefined ? stub : counted(name, stub as object)));
}

/** Each call of a method of a stub is a request. */
function counted(name: string, stub: object): object {
  return new Proxy(stub, {
    get: (target, member) => {
      const value: unknown = Reflect.get(target, member);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        spent?.requests.push(`${name} ${String(member)}`);
        return (target as Record<PropertyKey, Method>)[member]?.(...args);
      };
    },
  });
}
