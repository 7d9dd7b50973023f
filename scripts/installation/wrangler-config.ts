/**
 * The configuration that Wrangler gets for one installation: the committed `wrangler.toml` with the values of the
 * installation's file. It is written beside `wrangler.toml`, because Wrangler's paths are relative to it, made anew by
 * each command and ignored by Git.
 */
import path from "node:path";
import type { Unstable_RawConfig } from "wrangler";
import { readPublicUrl } from "#kernel/identity/public-url.ts";
import { nearest } from "#platform/text/nearest.ts";
import { replaceFile } from "../files/replace-file.ts";
import { InstallationError } from "./installation-error.ts";
import type { InstallationValues } from "./installation-file.ts";

/** The contents of `wrangler.toml`. */
export type CommittedConfig = Unstable_RawConfig;

/** Variables that `wrangler.toml` does not list: they may be secrets too (docs/settings.md). */
const otherVariables = ["AWS_SM_REGION"];
const secretNames =
  /^(BOOTSTRAP_API_KEY|SEALING_KEYS|IDENTITY_KEYS|LICENSE_KEY|LICENSE_PUBLIC_KEY|TARGET_.*|AWS_SM_.*|OIDC_.*)$/;

/** The name by which Wrangler's commands and the code know the database. */
export const DATABASE_BINDING = "DB";

export interface QueueNeed {
  name: string;
  hasConsumer: boolean;
  deadLetterQueue: string | undefined;
}

/** The parts that an installation needs at Cloudflare, and their configuration. */
export interface InstallationConfig {
  raw: CommittedConfig;
  workerName: string;
  databaseName: string;
  databaseId: string | undefined;
  queues: readonly QueueNeed[];
  vars: Readonly<Record<string, string>>;
  /** PUBLIC_URL as an origin; undefined: not known yet. */
  address: string | undefined;
}

export async function committedConfig(root: string): Promise<CommittedConfig> {
  // Loaded late, because it takes a second: a mistake must be reported before.
  const { experimental_readRawConfig } = await import("wrangler");
  return experimental_readRawConfig({ config: path.join(root, "wrangler.toml") }).rawConfig;
}

/** Throws an `InstallationError` for variables that the service does not have. */
export function installationConfig(
  committed: CommittedConfig,
  values: InstallationValues,
  configName: string,
): InstallationConfig {
  const vars = {
    ...(committed.vars as Record<string, string>),
    ...ownVars(committed, values, configName),
  };
  const [database] = committed.d1_databases ?? [];
  const databaseName = values.database_name ?? database?.database_name ?? "control-api";
  const databaseId = values.database_id ?? knownId(database?.database_id);
  const { database_id: _, ...withoutId } = database ?? {};
  const raw: CommittedConfig = {
    ...committed,
    name: values.name ?? committed.name,
    ...(values.account_id === undefined ? {} : { account_id: values.account_id }),
    ...(values.routes === undefined ? {} : { routes: values.routes as never }),
    ...(values.workers_dev === undefined ? {} : { workers_dev: values.workers_dev }),
    vars,
    d1_databases: [
      {
        ...withoutId,
        binding: DATABASE_BINDING,
        database_name: databaseName,
        ...(databaseId === undefined ? {} : { database_id: databaseId }),
      },
    ],
  };
  return {
    raw,
    workerName: raw.name ?? "control-api",
    databaseName,
    databaseId,
    queues: queuesOf(committed),
    vars,
    address: addressIn(vars["PUBLIC_URL"] ?? ""),
  };
}

function addressIn(setting: string): string | undefined {
  const read = readPublicUrl(setting);
  if (read.ok) return read.url;
  throw new InstallationError(
    `vars.PUBLIC_URL is "${setting}", but must be an address without a path that begins with https, for example https://control.example.com.`,
  );
}

/** Writes the configuration for Wrangler and returns its name below `root`. */
export async function writeWranglerConfig(
  root: string,
  installationFile: string,
  { raw }: InstallationConfig,
): Promise<string> {
  const name = wranglerConfigName(installationFile);
  await replaceFile(path.join(root, name), `${JSON.stringify(raw, null, 2)}\n`, root);
  return name;
}

export function wranglerConfigName(installationFile: string): string {
  return `wrangler.${path.basename(installationFile).replace(/\.jsonc?$/, "")}.json`;
}

/** Every queue that the configuration names: as a producer's, a consumer's or for dead letters. */
function queuesOf({ queues }: CommittedConfig): QueueNeed[] {
  const consumers = queues?.consumers ?? [];
  const names = new Set([
    ...(queues?.producers ?? []).map(({ queue }) => queue),
    ...consumers.flatMap(({ queue, dead_letter_queue }) => [queue, dead_letter_queue]),
  ]);
  return [...names]
    .filter((name) => name !== undefined)
    .map((name) => {
      const consumer = consumers.find(({ queue }) => queue === name);
      return {
        name,
        hasConsumer: consumer !== undefined,
        deadLetterQueue: consumer?.dead_letter_queue,
      };
    });
}

/** The committed zeros are nobody's database. */
function knownId(id: string | undefined): string | undefined {
  return id === undefined || /^[0-]*$/.test(id) ? undefined : id;
}

/** Variables are texts for the service: a list or an object of the file is its JSON. */
function ownVars(
  { vars: committed = {} }: CommittedConfig,
  { vars = {} }: InstallationValues,
  configName: string,
): Record<string, string> {
  const known = [...Object.keys(committed), ...otherVariables];
  for (const name of Object.keys(vars)) {
    if (known.includes(name)) continue;
    if (secretNames.test(name))
      throw new InstallationError(
        `vars.${name} is a secret and must not stand in a file. Remove it, and set it with \`npx wrangler secret put ${name} --config ${configName}\`.`,
      );
    const meant = nearest(name, known);
    throw new InstallationError(
      `vars.${name} is not a variable of the service.${meant === undefined ? "" : ` Did you mean ${meant}?`} docs/settings.md lists them.`,
    );
  }
  return Object.fromEntries(
    Object.entries(vars).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}
