/**
 * Installs the service at Cloudflare, or updates it. No record of a deploy's progress exists: each run looks for the
 * existing parts and makes the missing ones, so a run after an interruption continues (docs/decisions/0090).
 */
import path from "node:path";
import {
  type Account,
  NotLoggedIn,
  readBookmark,
  readDatabases,
  readMigrations,
} from "./account-state.ts";
import { checkoutVersion } from "./checkout-version.ts";
import { CommandFailed, type CommandPorts, Commands } from "./commands.ts";
import {
  emptyInstallation,
  findAccount,
  findInstallation,
  type FoundInstallation,
} from "./found-installation.ts";
import { InstallationError } from "./installation-error.ts";
import {
  completeInstallation,
  type InstallationFile,
  type NewValue,
  readInstallation,
} from "./installation-file.ts";
import { keepSecrets, readSecretsFile, secretsFileOf } from "./installation-secrets.ts";
import { howToGoBack, nextSteps } from "./next-steps.ts";
import { answersHere, keyWorks, type SmokePorts, smokeTest } from "./smoke-test.ts";
import {
  type CommittedConfig,
  committedConfig,
  DATABASE_BINDING,
  type InstallationConfig,
  installationConfig,
  wranglerConfigName,
  writeWranglerConfig,
} from "./wrangler-config.ts";

export interface DeployOptions {
  /** The folder of the checkout, absolute. */
  root: string;
  /** The file of the installation's values, absolute. */
  file: string;
  /** The address that a new installation gets; undefined: Cloudflare's below workers.dev. */
  address: string | undefined;
  account: string | undefined;
  /** Arguments of `wrangler d1 create`. */
  databasePlace: readonly string[];
  /** An operator's key, for the test of an update. */
  operatorKey: string | undefined;
}

export interface DeployPorts extends CommandPorts, SmokePorts {
  /** Every later command is for this account. */
  useAccount: (id: string) => void;
}

/** Throws an `InstallationError` if it stops. The message says what to do. */
export async function deployInstallation(
  options: DeployOptions,
  ports: DeployPorts,
): Promise<void> {
  const installation = await readInstallation(options.file);
  const committed = await committedConfig(options.root);
  await new Deploy(options, ports, { installation, committed }).run();
}

/** The facts known before the first change. */
interface Start extends FoundInstallation {
  account: Account;
  version: string;
  /** An operator's key that works at the present version. */
  key: string | undefined;
  /** A version answers at the address. */
  wasRunning: boolean;
}

class Deploy {
  readonly #options: DeployOptions;
  readonly #ports: DeployPorts;
  readonly #commands: Commands;
  readonly #secretsFile: string;
  readonly #configName: string;
  readonly #configArgs: readonly string[];
  readonly #committed: CommittedConfig;
  #installation: InstallationFile;
  #config: InstallationConfig;
  /** The database's bookmark from before the migrations; undefined: there was no database. */
  #bookmark: string | undefined;

  constructor(
    options: DeployOptions,
    ports: DeployPorts,
    { installation, committed }: { installation: InstallationFile; committed: CommittedConfig },
  ) {
    this.#options = options;
    this.#ports = ports;
    this.#commands = new Commands(ports);
    this.#secretsFile = secretsFileOf(options.file);
    this.#configName = wranglerConfigName(options.file);
    this.#configArgs = ["--config", this.#configName];
    this.#committed = committed;
    this.#installation = installation;
    this.#config = this.#configOf(installation);
  }

  async run(): Promise<void> {
    this.#checkAddress();
    await this.#use(this.#installation);
    const start = await this.#look().catch(async (error: unknown) => this.#imagine(error));
    this.#summarize(start);
    await this.#commands.allowChanges();
    await this.#record(start);
    await this.#createDatabase(start);
    for (const queue of start.missingQueues)
      await this.#commands.change(["queues", "create", queue, ...this.#configArgs]);
    await this.#storeSecrets(start);
    await this.#migrate(start);
    await this.#deploy(start);
    if (this.#commands.dryRun) this.#ports.show("\nThis was a dry run: nothing was changed.");
    else await this.#test(start);
  }

  #configOf({ values }: InstallationFile): InstallationConfig {
    return installationConfig(this.#committed, values, this.#configName);
  }

  /** Takes these values from now on. */
  async #use(installation: InstallationFile): Promise<void> {
    const { root, file } = this.#options;
    this.#installation = installation;
    this.#config = this.#configOf(installation);
    await writeWranglerConfig(root, file, this.#config);
  }

  get #fileName(): string {
    return path.basename(this.#options.file);
  }

  /** Empty: not known yet. */
  get #address(): string {
    return this.#config.address ?? "";
  }

  #checkAddress(): void {
    const { address } = this.#options;
    if (address === undefined || this.#address === "" || this.#address === address) return;
    throw new InstallationError(
      `The installation's address is ${this.#address}. To change it, edit PUBLIC_URL, ALLOWED_ORIGINS and \`routes\` in ${this.#fileName}; docs/federation.md says what depends on it.`,
    );
  }

  async #look(): Promise<Start> {
    const { root, file } = this.#options;
    const version = await checkoutVersion(root);
    const named = this.#installation.values.account_id ?? this.#options.account;
    const account = await findAccount(this.#commands, named, this.#fileName);
    this.#ports.useAccount(account.id);
    const found = await findInstallation(this.#commands, {
      root,
      config: this.#config,
      configName: this.#configName,
      fileName: this.#fileName,
      useDatabase: async (id) => {
        const values = { ...this.#installation.values, database_id: id };
        await writeWranglerConfig(root, file, this.#configOf({ ...this.#installation, values }));
      },
    });
    const wasRunning = this.#address !== "" && (await answersHere(this.#address, this.#ports));
    return { ...found, account, version, wasRunning, key: await this.#workingKey(wasRunning) };
  }

  /** Without a login, a dry run shows what a new installation would be. Throws the error otherwise. */
  async #imagine(error: unknown): Promise<Start> {
    if (!(error instanceof NotLoggedIn) || !this.#commands.dryRun) throw error;
    const { root } = this.#options;
    this.#ports.show(
      "Wrangler is not logged in to Cloudflare, so what exists there is not known. This is a deploy to an empty account:",
    );
    return {
      ...(await emptyInstallation({ root, config: this.#config })),
      account: { id: "not known", name: "the one that you log in to" },
      version: await checkoutVersion(root),
      key: undefined,
      wasRunning: false,
    };
  }

  /** A key that this installation no longer accepts must not make an update look broken. */
  async #workingKey(wasRunning: boolean): Promise<string | undefined> {
    if (!wasRunning) return undefined;
    const { operatorKey } = this.#options;
    const key = operatorKey ?? (await readSecretsFile(this.#secretsFile))?.BOOTSTRAP_API_KEY;
    if (key === undefined) return undefined;
    if (await keyWorks(this.#address, key, this.#ports)) return key;
    this.#ports.show(
      "The operator's key is refused by the version that answers now, so the new one will be tested without it.",
    );
    return undefined;
  }

  #summarize(start: Start): void {
    const { workerName, databaseName } = this.#config;
    const { account, migrations, databaseId, missingQueues, missingSecrets } = start;
    const made = (names: readonly string[]) =>
      names.length > 0 ? `made: ${names.join(", ")}` : "kept";
    const address =
      this.#address || this.#options.address || "by Cloudflare, below workers.dev (or --address)";
    const domain = this.#newDomain();
    for (const line of [
      "",
      `Account     ${account.name} (${account.id})`,
      `Worker      ${workerName}: ${start.wasRunning ? "updated" : "new"}, version ${start.version}`,
      `Database    ${databaseName}: ${databaseId === undefined ? "made" : `kept (${databaseId})`}`,
      `Migrations  ${migrations.applied.length} applied, ${migrations.pending.length} to apply`,
      `Queues      ${made(missingQueues)}`,
      `Secrets     ${made(missingSecrets)}`,
      `Address     ${address}`,
      ...(domain === undefined
        ? []
        : [`            DNS records of ${domain} are replaced by the Worker's.`]),
      "",
    ])
      this.#ports.show(line);
  }

  /** The host that becomes a custom domain of the Worker. */
  #newDomain(): string | undefined {
    const { address } = this.#options;
    if (address === undefined || this.#installation.values.routes !== undefined) return undefined;
    const { hostname } = new URL(address);
    return hostname.endsWith(".workers.dev") ? undefined : hostname;
  }

  /** The values that are known before anything is made. */
  async #record({ account, databaseId }: Start): Promise<void> {
    const domain = this.#newDomain();
    await this.#complete([
      [["account_id"], account.id],
      [["name"], this.#config.workerName],
      [["database_name"], this.#config.databaseName],
      [["database_id"], databaseId],
      [["routes"], domain && [{ pattern: domain, custom_domain: true }]],
      ...this.#addressValues(this.#options.address ?? (this.#address || undefined)),
    ]);
  }

  /** The settings that follow from the address, unless the file has them. */
  #addressValues(address: string | undefined): NewValue[] {
    return ["PUBLIC_URL", "ALLOWED_ORIGINS"].map((name) => [
      ["vars", name],
      this.#config.vars[name] ? undefined : address,
    ]);
  }

  async #complete(values: readonly NewValue[]): Promise<void> {
    if (this.#commands.dryRun) return;
    await this.#use(await completeInstallation(this.#installation, values));
  }

  async #createDatabase({ databaseId }: Start): Promise<void> {
    if (databaseId !== undefined) return;
    const { databaseName } = this.#config;
    const place = this.#options.databasePlace;
    await this.#commands.change(["d1", "create", databaseName, ...place, ...this.#configArgs]);
    if (this.#commands.dryRun) return;
    const databases = await readDatabases(this.#commands, this.#configName);
    const made = databases.find(({ name }) => name === databaseName);
    if (made === undefined)
      throw new InstallationError(
        `Wrangler made the database ${databaseName}, but does not list it yet. Run \`npm run deploy\` again in a minute.`,
      );
    await this.#complete([[["database_id"], made.id]]);
  }

  async #storeSecrets({ missingSecrets }: Start): Promise<void> {
    if (missingSecrets.length === 0) return;
    const values = this.#commands.dryRun
      ? {}
      : await keepSecrets(this.#secretsFile, missingSecrets);
    await this.#commands.change(["secret", "bulk", ...this.#configArgs], {
      input: JSON.stringify(values),
      inputIs: `${missingSecrets.join(", ")} of ${path.basename(this.#secretsFile)}, which is made for you`,
    });
  }

  async #migrate({ migrations, wasRunning }: Start): Promise<void> {
    if (migrations.pending.length === 0) return;
    if (migrations.applied.length > 0)
      this.#bookmark = await readBookmark(this.#commands, this.#configName);
    const args = ["d1", "migrations", "apply", DATABASE_BINDING, "--remote", ...this.#configArgs];
    try {
      await this.#commands.change(args);
      if (this.#commands.dryRun) return;
      const { root } = this.#options;
      const { pending } = await readMigrations(this.#commands, this.#configName, root);
      if (pending.length > 0)
        throw new InstallationError(`Wrangler did not apply the migration ${pending[0]}.`);
    } catch (error) {
      if (!(error instanceof InstallationError)) throw error;
      const undo =
        this.#bookmark === undefined
          ? ""
          : `\n\nTo undo those that were applied, restore the database to before them. That loses what was written since (docs/operations.md, "Restore the database"):\n  npx wrangler d1 time-travel restore ${DATABASE_BINDING} --bookmark=${this.#bookmark} --config ${this.#configName}`;
      throw new InstallationError(
        `${error.message}\n\nThe migrations were not all applied, so the code was not deployed: ${wasRunning ? "the version from before keeps answering" : "nothing answers yet"}. A migration is applied as a whole or not at all, and those before the failed one stay. Run \`npm run deploy\` again: it continues with the failed one.${undo}`,
        { cause: error },
      );
    }
  }

  async #deploy(start: Start): Promise<void> {
    const addresses = await this.#deployCode(start);
    if (this.#address !== "") return;
    if (this.#commands.dryRun) {
      if (this.#options.address === undefined)
        this.#ports.show(
          "(The first deploy says the address. It becomes PUBLIC_URL and ALLOWED_ORIGINS, and the same command runs again.)",
        );
      return;
    }
    const address = addresses.find((one) => /^https:\/\/[^/*]+$/.test(one));
    if (address === undefined)
      throw new InstallationError(
        `The code is deployed, but at no address that could be its PUBLIC_URL (${addresses.join(", ") || "none"}). Set \`vars.PUBLIC_URL\` in ${this.#fileName} and run \`npm run deploy\` again.`,
      );
    await this.#complete(this.#addressValues(address));
    await this.#deployCode(start);
  }

  /** The addresses that the Worker has. */
  async #deployCode(start: Start): Promise<readonly string[]> {
    try {
      const args = ["deploy", ...this.#configArgs, "--tag", start.version];
      const deployed = await this.#commands.change(args, { all: true });
      const targets = deployed?.entries.find(({ type }) => type === "deploy")?.targets;
      return Array.isArray(targets) ? targets.map(String) : [];
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      const back = start.wasRunning
        ? `\n\nIf the error came after the upload, the new version answers. ${this.#howToGoBack(start)}`
        : "";
      throw new InstallationError(
        `${error.message}\n\nThe code was not deployed, or not completely. What is there stays: mend the cause and run \`npm run deploy\` again.${back}`,
        { cause: error },
      );
    }
  }

  #howToGoBack({ versionId, migrations }: Start): string {
    return howToGoBack({
      versionId,
      config: this.#configName,
      applied: migrations.pending,
      bookmark: this.#bookmark,
    });
  }

  async #test(start: Start): Promise<void> {
    const { show } = this.#ports;
    const secrets = await readSecretsFile(this.#secretsFile);
    const { version, wasRunning } = start;
    const key = wasRunning ? start.key : (secrets?.BOOTSTRAP_API_KEY ?? this.#options.operatorKey);
    show(`\nTesting ${this.#address} …`);
    const result = await smokeTest({ address: this.#address, version, key }, this.#ports);
    if (!result.ok)
      throw new InstallationError(
        `The test failed. ${result.problem}\n\n${
          wasRunning
            ? `The new version answers requests. ${this.#howToGoBack(start)}`
            : "No version answered before, so there is none to go back to. Mend the cause and run `npm run deploy` again; `npm run doctor` looks for it."
        }`,
      );
    const steps = nextSteps({
      address: this.#address,
      vars: this.#config.vars,
      config: this.#configName,
      installationFile: this.#fileName,
      secretsFile: secrets === undefined ? undefined : path.basename(this.#secretsFile),
      wasRunning,
    });
    for (const line of [...result.passed, ...steps]) show(line);
  }
}
