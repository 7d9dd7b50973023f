/** The findings of a deploy before it changes anything, and the ones that stop it. */
import {
  type Account,
  migrationFiles,
  type MigrationState,
  readAccounts,
  readDatabases,
  readMigrations,
  readQueue,
  readSecretNames,
  readWorker,
} from "./account-state.ts";
import type { Commands } from "./commands.ts";
import { InstallationError } from "./installation-error.ts";
import { type MadeSecret, madeSecrets } from "./installation-secrets.ts";
import type { InstallationConfig } from "./wrangler-config.ts";

export interface FoundInstallation {
  databaseId: string | undefined;
  missingQueues: readonly string[];
  /** Of the Worker, as far as there is one. */
  versionId: string | undefined;
  missingSecrets: readonly MadeSecret[];
  migrations: MigrationState;
}

interface Place {
  root: string;
  config: InstallationConfig;
  /** The name of Wrangler's configuration, as in the commands. */
  configName: string;
  /** The name of the installation's file. */
  fileName: string;
  /** Writes Wrangler's configuration with this database. */
  useDatabase: (id: string) => Promise<void>;
}

/** The account that is named, or the only one. */
export async function findAccount(
  commands: Commands,
  named: string | undefined,
  fileName: string,
): Promise<Account> {
  const accounts = await readAccounts(commands);
  const list = accounts.map(({ id, name }) => `  ${id}  ${name}`).join("\n");
  if (named !== undefined) {
    const account = accounts.find(({ id }) => id === named);
    if (account !== undefined) return account;
    throw new InstallationError(
      `Whoever is logged in has no access to the account ${named}. Log in with \`npx wrangler login\`, or correct \`account_id\` in ${fileName}. The accounts are:\n${list}`,
    );
  }
  const [only] = accounts;
  if (only !== undefined && accounts.length === 1) return only;
  throw new InstallationError(
    accounts.length === 0
      ? "Whoever is logged in has no account at Cloudflare."
      : `Choose the account with \`--account <id>\`:\n${list}`,
  );
}

/** Throws an `InstallationError` if a deploy could take over something foreign, or lose something. */
export async function findInstallation(
  commands: Commands,
  place: Place,
): Promise<FoundInstallation> {
  const { configName, config } = place;
  const databaseId = knownDatabase(await readDatabases(commands, configName), place);
  const missingQueues = await findMissingQueues(commands, place);
  const worker = await readWorker(commands, configName);
  const secrets =
    worker === undefined ? new Set<string>() : await readSecretNames(commands, configName);
  if (databaseId !== undefined && config.databaseId === undefined)
    await place.useDatabase(databaseId);
  const migrations = await findMigrations(commands, place, databaseId);
  const isUsed = migrations.applied.length > 0;
  if (isUsed && !secrets.has("SEALING_KEYS"))
    throw new InstallationError(
      `The database is in use, but the Worker has no secret SEALING_KEYS. New keys could not open what is stored. Set the keys from your copy, then run \`npm run deploy\` again:\n  npx wrangler secret put SEALING_KEYS --config ${configName}`,
    );
  return {
    databaseId,
    missingQueues,
    versionId: worker?.versionId,
    // The operator of an installation in use may have removed the bootstrap key on purpose.
    missingSecrets: isUsed ? [] : madeSecrets.filter((name) => !secrets.has(name)),
    migrations,
  };
}

/** What a deploy finds in an account that has nothing of it. */
export async function emptyInstallation({
  root,
  config,
}: Pick<Place, "root" | "config">): Promise<FoundInstallation> {
  return {
    databaseId: undefined,
    missingQueues: config.queues.map(({ name }) => name),
    versionId: undefined,
    missingSecrets: madeSecrets,
    migrations: noMigrations(await migrationFiles(root)),
  };
}

function noMigrations(pending: readonly string[]): MigrationState {
  return { applied: [], pending, unknown: [], foreignTables: [] };
}

function knownDatabase(
  databases: readonly { id: string; name: string }[],
  { config: { databaseId, databaseName }, fileName }: Place,
): string | undefined {
  if (databaseId === undefined) return databases.find(({ name }) => name === databaseName)?.id;
  if (databases.some(({ id }) => id === databaseId)) return databaseId;
  throw new InstallationError(
    `The account has no database ${databaseId}, which ${fileName} names. Log in to the installation's account. If the database was deleted, remove \`database_id\` from the file: the next deploy then makes a new one, which is empty.`,
  );
}

async function findMissingQueues(
  commands: Commands,
  { config, configName, fileName }: Place,
): Promise<string[]> {
  const missing: string[] = [];
  for (const { name } of config.queues) {
    const queue = await readQueue(commands, configName, name);
    if (queue === undefined) missing.push(name);
    const other = queue?.consumers.find(({ worker }) => worker !== config.workerName);
    if (other === undefined) continue;
    const whom =
      other.worker === undefined ? "a consumer that is no Worker" : `the Worker ${other.worker}`;
    throw new InstallationError(
      `Messages of the queue ${name} go to ${whom}, not to ${config.workerName}. An account has room for one installation, because its queues have fixed names. If that Worker is this installation, set \`name\` in ${fileName} to its name; otherwise use another account.`,
    );
  }
  return missing;
}

async function findMigrations(
  commands: Commands,
  { root, config, configName, fileName }: Place,
  databaseId: string | undefined,
): Promise<MigrationState> {
  if (databaseId === undefined) return noMigrations(await migrationFiles(root));
  const migrations = await readMigrations(commands, configName, root);
  if (migrations.foreignTables.length > 0)
    throw new InstallationError(
      `The database ${config.databaseName} belongs to something else: it has tables (${migrations.foreignTables.slice(0, 3).join(", ")}) and no migration of Control API. Set \`database_name\` in ${fileName} to another name.`,
    );
  if (migrations.unknown.length > 0)
    throw new InstallationError(
      `The database is newer than this checkout: it has the migration ${migrations.unknown.at(-1)}. Check out the version that has it, or a later one. To go back to earlier code that works with this database, use \`npx wrangler rollback --config ${configName}\`.`,
    );
  return migrations;
}
