/** The existing parts of an installation at Cloudflare, read by commands of Wrangler that change nothing. */
import { readdir } from "node:fs/promises";
import path from "node:path";
import { printable } from "../operator/printable.ts";
import type { Commands } from "./commands.ts";
import { InstallationError } from "./installation-error.ts";
import { DATABASE_BINDING } from "./wrangler-config.ts";
import { failureOf, type WranglerResult } from "./wrangler-program.ts";

/** The code of Cloudflare's API for a Worker that does not exist. */
const noWorkerCodes: ReadonlySet<unknown> = new Set([10_007, 10_090]);

export interface Account {
  id: string;
  name: string;
}

export interface QueueState {
  consumers: readonly { worker: string | undefined; deadLetterQueue: string | undefined }[];
}

/** Nobody is logged in to Cloudflare. */
export class NotLoggedIn extends InstallationError {
  override readonly name = "NotLoggedIn";
}

/** The accounts of the logged-in person. Throws `NotLoggedIn`. */
export async function readAccounts(commands: Commands): Promise<Account[]> {
  const result = await commands.tryRead(["whoami", "--json"]);
  const { loggedIn, accounts } = (jsonIn(result) ?? {}) as {
    loggedIn?: boolean;
    accounts?: Account[];
  };
  if (result.code !== 0 || loggedIn !== true)
    throw new NotLoggedIn(
      'Wrangler is not logged in to Cloudflare. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN to a token with the template "Edit Cloudflare Workers" and the permissions D1 Edit and Queues Edit.',
    );
  return (accounts ?? []).map(({ id, name }) => ({ id, name: printable(name) }));
}

export async function readDatabases(
  commands: Commands,
  config: string,
): Promise<{ id: string; name: string }[]> {
  const result = await commands.read(["d1", "list", "--json", "--config", config]);
  return (answerOf(result) as { uuid: string; name: string }[]).map(({ uuid, name }) => ({
    id: uuid,
    name,
  }));
}

/** Undefined: there is no such queue. */
export async function readQueue(
  commands: Commands,
  config: string,
  name: string,
): Promise<QueueState | undefined> {
  const args = ["queues", "consumer", "list", name, "--json", "--config", config];
  const result = await commands.tryRead(args);
  if (result.code !== 0) {
    if (failureOf(result)?.message.startsWith(`Queue "${name}" does not exist`)) return undefined;
    throw commands.failed(args, result);
  }
  type Consumer = { script?: string; service?: string; dead_letter_queue?: string };
  return {
    consumers: (answerOf(result) as Consumer[]).map(({ script, service, dead_letter_queue }) => ({
      worker: script ?? service,
      deadLetterQueue: dead_letter_queue,
    })),
  };
}

/** The Worker's version with the greater part of the requests; undefined: there is no Worker. */
export async function readWorker(
  commands: Commands,
  config: string,
): Promise<{ versionId: string | undefined } | undefined> {
  const args = ["deployments", "status", "--json", "--config", config];
  const result = await commands.tryRead(args);
  if (result.code !== 0) {
    const failure = failureOf(result);
    if (noWorkerCodes.has(failure?.code)) return undefined;
    if (failure?.message.endsWith("has no deployments.")) return { versionId: undefined };
    throw commands.failed(args, result);
  }
  const { versions } = answerOf(result) as {
    versions: { version_id: string; percentage: number }[];
  };
  const [most] = versions.toSorted((a, b) => b.percentage - a.percentage);
  return { versionId: most?.version_id };
}

/** The names of the Worker's secrets. */
export async function readSecretNames(
  commands: Commands,
  config: string,
): Promise<ReadonlySet<string>> {
  const result = await commands.read(["secret", "list", "--format", "json", "--config", config]);
  return new Set((answerOf(result) as { name: string }[]).map(({ name }) => name));
}

export interface MigrationState {
  applied: readonly string[];
  /** Migrations of the checkout that the database lacks, in order. */
  pending: readonly string[];
  /** Migrations of the database that the checkout lacks: the database is of a newer version. */
  unknown: readonly string[];
  /** Tables that no migration accounts for. */
  foreignTables: readonly string[];
}

export async function readMigrations(
  commands: Commands,
  config: string,
  root: string,
): Promise<MigrationState> {
  const tables = await query(
    commands,
    config,
    "SELECT name FROM sqlite_master WHERE type = 'table'",
  );
  const own = tables.filter((name) => !/^(_cf_|sqlite_|d1_)/.test(name));
  const applied = tables.includes("d1_migrations")
    ? await query(commands, config, "SELECT name FROM d1_migrations ORDER BY id")
    : [];
  const ours = await migrationFiles(root);
  return {
    applied,
    pending: ours.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !ours.includes(name)),
    foreignTables: applied.length === 0 ? own : [],
  };
}

export async function migrationFiles(root: string): Promise<string[]> {
  const names = await readdir(path.join(root, "migrations"));
  return names.filter((name) => name.endsWith(".sql")).sort();
}

/** When the sweeps last began; undefined: never. */
export async function readSweptAtMs(
  commands: Commands,
  config: string,
): Promise<number | undefined> {
  const [text] = await query(commands, config, "SELECT swept_at_ms AS name FROM sweep_watch");
  return text === undefined ? undefined : Number(text);
}

/** The database's present bookmark, for Time Travel. */
export async function readBookmark(
  commands: Commands,
  config: string,
): Promise<string | undefined> {
  const result = await commands.tryRead([
    "d1",
    "time-travel",
    "info",
    DATABASE_BINDING,
    "--json",
    "--config",
    config,
  ]);
  return result.code === 0
    ? (jsonIn(result) as { bookmark?: string } | undefined)?.bookmark
    : undefined;
}

/** The column `name` of the rows. */
async function query(commands: Commands, config: string, sql: string): Promise<string[]> {
  const result = await commands.read([
    "d1",
    "execute",
    DATABASE_BINDING,
    "--remote",
    "--json",
    "--config",
    config,
    "--command",
    sql,
  ]);
  return (answerOf(result) as { results: { name: string | number }[] }[]).flatMap(({ results }) =>
    results.map(({ name }) => String(name)),
  );
}

function answerOf(result: WranglerResult): unknown {
  const value = jsonIn(result);
  if (value === undefined)
    throw new InstallationError(`Wrangler's answer is not JSON:\n${result.stdout.trim()}`);
  return value;
}

/** Undefined: the output is not JSON. */
function jsonIn({ stdout }: WranglerResult): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    return undefined;
  }
}
