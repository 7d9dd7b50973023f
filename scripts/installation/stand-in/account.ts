/**
 * A Cloudflare account as Wrangler's commands show and change it, for tests. `wrangler.ts` beside this answers from it.
 * `test/processes/wrangler-answers.test.ts` compares these answers with the real Wrangler's.
 */
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import type { OutputEntry, WranglerCall, WranglerResult } from "../wrangler-program.ts";

export interface StandInDatabase {
  uuid: string;
  name: string;
  tables: string[];
  applied: string[];
  sweptAtMs: number | null;
}

interface StandInWorker {
  versions: { id: string; tag: string; vars: Record<string, string> }[];
  /** The version that answers. */
  active: string;
  secrets: Record<string, string>;
}

export interface StandInConsumer {
  script: string;
  type: "worker";
  dead_letter_queue?: string;
}

export interface StandInAccount {
  loggedIn: boolean;
  accounts: { id: string; name: string }[];
  databases: StandInDatabase[];
  queues: Record<string, { consumers: StandInConsumer[] }>;
  workers: Record<string, StandInWorker>;
  domains: Record<string, string>;
  /** A migration that its database refuses. */
  failingMigration: string | undefined;
}

export function newAccount(): StandInAccount {
  return {
    loggedIn: true,
    accounts: [{ id: "0123456789abcdef0123456789abcdef", name: "Acme" }],
    databases: [],
    queues: {},
    workers: {},
    domains: {},
    failingMigration: undefined,
  };
}

interface Config {
  name: string;
  vars: Record<string, string>;
  d1_databases: { database_name: string; database_id?: string }[];
  queues: {
    producers: { queue: string }[];
    consumers: { queue: string; dead_letter_queue?: string }[];
  };
  routes?: { pattern: string; custom_domain?: boolean }[];
}

class Failure extends Error {
  readonly code: number | undefined;
  constructor(message: string, code?: number) {
    super(message);
    this.code = code;
  }
}

/** Executes the command on the account, and answers as Wrangler does. */
export function answerOf(
  account: StandInAccount,
  root: string,
  { args, input = "" }: WranglerCall,
): WranglerResult {
  const entries: OutputEntry[] = [{ type: "wrangler-session" }];
  try {
    const stdout = commandOf(account, root, args, input, entries);
    return { code: 0, stdout: `${stdout}\n`, stderr: "", entries };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { message, code } = error;
    entries.push({ type: "command-failed", message, ...(code === undefined ? {} : { code }) });
    return { code: 1, stdout: "", stderr: `\n✘ [ERROR] ${message}\n\n`, entries };
  }
}

function commandOf(
  account: StandInAccount,
  root: string,
  args: readonly string[],
  input: string,
  entries: OutputEntry[],
): string {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      config: { type: "string" },
      json: { type: "boolean" },
      remote: { type: "boolean" },
      command: { type: "string" },
      tag: { type: "string" },
      format: { type: "string" },
      location: { type: "string" },
      jurisdiction: { type: "string" },
    },
  });
  const config = () =>
    JSON.parse(readFileSync(path.join(root, values.config ?? ""), "utf8")) as Config;
  const command = positionals.join(" ");
  if (command === "whoami") {
    if (account.loggedIn)
      return json({ loggedIn: true, email: "ada@example.com", accounts: account.accounts });
    throw new Failure(json({ loggedIn: false }));
  }
  if (!account.loggedIn) throw new Failure("In a non-interactive environment, it's necessary …");
  const [first = "", second = "", third = ""] = positionals;
  const named = positionals.at(-1) ?? "";
  if (command === "d1 list")
    return json(account.databases.map(({ uuid, name }) => ({ uuid, name, version: "production" })));
  if (`${first} ${second}` === "d1 create") return createDatabase(account, named);
  if (`${first} ${second}` === "d1 execute")
    return json([
      { results: rowsOf(databaseOf(account, config()), values.command ?? ""), success: true },
    ]);
  if (`${first} ${second} ${third}` === "d1 time-travel info")
    return json({ bookmark: `bookmark-${databaseOf(account, config()).applied.length}` });
  if (`${first} ${second} ${third}` === "d1 migrations apply")
    return migrate(account, databaseOf(account, config()), root);
  if (`${first} ${second}` === "queues create") return createQueue(account, named);
  if (`${first} ${second} ${third}` === "queues consumer list")
    return json(queueOf(account, named).consumers);
  if (command === "deployments status") {
    const worker = workerOf(account, config().name);
    return json({ id: "d", versions: [{ version_id: worker.active, percentage: 100 }] });
  }
  if (command === "secret list")
    return json(
      Object.keys(workerOf(account, config().name).secrets).map((name) => ({
        name,
        type: "secret_text",
      })),
    );
  if (command === "secret bulk") return storeSecrets(account, config().name, input);
  if (command === "deploy") return deploy(account, config(), values.tag ?? "", entries);
  throw new Error(`The stand-in does not know: wrangler ${args.join(" ")}`);
}

function createDatabase(account: StandInAccount, name: string): string {
  if (account.databases.some((database) => database.name === name))
    throw new Failure(`A database with that name already exists [code: 7502]`, 7502);
  account.databases.push({
    uuid: randomUUID(),
    name,
    tables: [],
    applied: [],
    sweptAtMs: null,
  });
  return `✅ Successfully created DB '${name}' in region WEUR\nCreated your new D1 database.`;
}

function createQueue(account: StandInAccount, name: string): string {
  if (account.queues[name] !== undefined)
    throw new Failure(`Queue name '${name}' is already taken. [code: 11009]`, 11_009);
  account.queues[name] = { consumers: [] };
  return `🌀 Creating queue '${name}'\n✅ Created queue '${name}'`;
}

function queueOf(account: StandInAccount, name: string) {
  const queue = account.queues[name];
  if (queue !== undefined) return queue;
  throw new Failure(
    `Queue "${name}" does not exist. To create it, run: wrangler queues create ${name}`,
  );
}

function databaseOf(account: StandInAccount, { d1_databases: [named] }: Config): StandInDatabase {
  const database = account.databases.find(({ uuid }) => uuid === named?.database_id);
  if (database !== undefined) return database;
  throw new Failure(`Couldn't find DB with name '${named?.database_name}'`);
}

function rowsOf(database: StandInDatabase, sql: string): { name: unknown }[] {
  if (sql.includes("FROM sqlite_master"))
    return [
      "_cf_KV",
      ...database.tables,
      ...(database.applied.length > 0 ? ["d1_migrations", "sweep_watch"] : []),
    ].map((name) => ({ name }));
  if (sql.includes("FROM d1_migrations")) return database.applied.map((name) => ({ name }));
  if (sql.includes("FROM sweep_watch"))
    return database.sweptAtMs === null ? [] : [{ name: database.sweptAtMs }];
  throw new Error(`The stand-in does not know: ${sql}`);
}

function migrate(account: StandInAccount, database: StandInDatabase, root: string): string {
  const names = readdirSync(path.join(root, "migrations"))
    .filter((name) => name.endsWith(".sql"))
    .sort();
  for (const name of names.filter((name) => !database.applied.includes(name))) {
    if (name === account.failingMigration)
      throw new Failure('near "NONSENSE": syntax error at offset 0: SQLITE_ERROR');
    database.applied.push(name);
  }
  return "✅";
}

function workerOf(account: StandInAccount, name: string): StandInWorker {
  const worker = account.workers[name];
  if (worker !== undefined) return worker;
  throw new Failure("This Worker does not exist on your account.", 10_007);
}

/** If the Worker does not exist, Wrangler makes a draft without code. */
function storeSecrets(account: StandInAccount, name: string, input: string): string {
  const worker = (account.workers[name] ??= newWorker("", {}));
  Object.assign(worker.secrets, JSON.parse(input) as Record<string, string>);
  return Object.keys(JSON.parse(input) as object)
    .map((key) => `✨ Successfully created secret for key: ${key}`)
    .join("\n");
}

function newWorker(tag: string, vars: Record<string, string>): StandInWorker {
  const id = randomUUID();
  return { versions: [{ id, tag, vars }], active: id, secrets: {} };
}

function deploy(
  account: StandInAccount,
  config: Config,
  tag: string,
  entries: OutputEntry[],
): string {
  databaseOf(account, config);
  const { producers, consumers } = config.queues;
  for (const { queue } of producers) queueOf(account, queue);
  for (const { queue, dead_letter_queue } of consumers) {
    const script = config.name;
    queueOf(account, queue).consumers = [
      { script, type: "worker", ...(dead_letter_queue === undefined ? {} : { dead_letter_queue }) },
    ];
  }
  const worker = account.workers[config.name];
  const made = newWorker(tag, config.vars);
  if (worker === undefined) account.workers[config.name] = made;
  else {
    worker.versions.push(...made.versions);
    worker.active = made.active;
  }
  const domains = (config.routes ?? []).filter((route) => route.custom_domain === true);
  for (const { pattern } of domains) account.domains[pattern] = config.name;
  const targets =
    domains.length > 0
      ? domains.map(({ pattern }) => `${pattern} (custom domain)`)
      : [`https://${config.name}.acme.workers.dev`];
  entries.push({
    type: "deploy",
    version_id: made.active,
    targets: [...targets, "schedule: * * * * *"],
  });
  return `Uploaded ${config.name}\nDeployed ${config.name} triggers\n  ${targets.join("\n  ")}\nCurrent Version ID: ${made.active}`;
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
