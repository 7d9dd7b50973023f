/** Wrangler's facts about an installation: its Worker, database, queues and the names of its secrets. */
import {
  readDatabases,
  readMigrations,
  readQueue,
  readSecretNames,
  readSweptAtMs,
  readWorker,
} from "../account-state.ts";
import type { Commands } from "../commands.ts";
import { findAccount } from "../found-installation.ts";
import { InstallationError } from "../installation-error.ts";
import { providersIn } from "../next-steps.ts";
import type { InstallationConfig, QueueNeed } from "../wrangler-config.ts";
import { sweepFinding } from "./check-service.ts";
import { error, type Finding, note, ok, warning } from "./finding.ts";

interface Place {
  root: string;
  commands: Commands;
  config: InstallationConfig;
  /** The name of Wrangler's configuration. */
  configName: string;
  fileName: string;
  accountId: string | undefined;
  useAccount: (id: string) => void;
}

const DEPLOY = "Run `npm run deploy`.";

export async function checkCloudflare(place: Place): Promise<Finding[]> {
  const { commands, configName, config } = place;
  try {
    const account = await findAccount(commands, place.accountId, place.fileName);
    place.useAccount(account.id);
  } catch (reason) {
    return [unchecked("cloudflare", reason)];
  }
  const worker = await found("worker", async () => {
    const there = await readWorker(commands, configName);
    return there === undefined
      ? [
          error(
            "worker",
            `The account has no Worker ${config.workerName}.`,
            "Nothing runs.",
            `${DEPLOY} If the Worker has another name, set \`name\` in ${place.fileName}.`,
          ),
        ]
      : [ok("worker", `The Worker ${config.workerName} is there.`)];
  });
  const hasWorker = worker.some(({ level }) => level === "ok");
  return [
    ...worker,
    ...(await found("database", () => checkDatabase(place))),
    ...(await found("queues", () => checkQueues(place))),
    ...(hasWorker ? await found("secrets", () => checkSecrets(place)) : []),
  ];
}

async function found(check: string, read: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await read();
  } catch (reason) {
    return [unchecked(check, reason)];
  }
}

function unchecked(check: string, reason: unknown): Finding {
  if (!(reason instanceof InstallationError)) throw reason;
  return warning(
    check,
    `This could not be checked at Cloudflare: ${reason.message}`,
    "What is missing there stays unknown.",
    "Do what the message says, and run `npm run doctor` again.",
  );
}

async function checkDatabase({ commands, configName, config, root }: Place): Promise<Finding[]> {
  const { databaseId, databaseName } = config;
  const databases = await readDatabases(commands, configName);
  if (databaseId === undefined || !databases.some(({ id }) => id === databaseId))
    return [
      error(
        "database",
        `The account has no database ${databaseId ?? databaseName}.`,
        "The service answers 503.",
        `${DEPLOY} If the database was deleted, its data is lost; the deploy says how to make a new one.`,
      ),
    ];
  const { applied, pending, unknown } = await readMigrations(commands, configName, root);
  const sweptAtMs = pending.length === 0 ? await readSweptAtMs(commands, configName) : undefined;
  return [
    ok("database", `The database ${databaseName} is there.`),
    migrationFinding({ applied: applied.length, pending, unknown }),
    ...(pending.length === 0 ? [sweepFinding(sweptAtMs, Date.now())] : []),
  ];
}

function migrationFinding({
  applied,
  pending,
  unknown,
}: {
  applied: number;
  pending: readonly string[];
  unknown: readonly string[];
}): Finding {
  if (pending.length > 0)
    return error(
      "migrations",
      `Migrations of this checkout are not applied: ${pending.join(", ")}.`,
      "Code that needs them answers 503.",
      DEPLOY,
    );
  if (unknown.length > 0)
    return warning(
      "migrations",
      `The database has migrations that this checkout does not know: ${unknown.join(", ")}.`,
      "This checkout is older than the installation and must not be deployed there.",
      "Check out the version that runs, or a later one.",
    );
  return ok("migrations", `All ${applied} migrations are applied.`);
}

async function checkQueues({ commands, configName, config }: Place): Promise<Finding[]> {
  const problems: Finding[] = [];
  for (const need of config.queues) {
    const queue = await readQueue(commands, configName, need.name);
    const what =
      queue === undefined
        ? `The queue ${need.name} is missing.`
        : consumerProblem(need, queue.consumers, config.workerName);
    if (what === undefined) continue;
    problems.push(
      error(
        "queues",
        what,
        "Deployments, triggers or webhooks wait for the sweep of each minute, or fail.",
        `${DEPLOY} It makes queues, and sets consumers and their dead letter queue.`,
      ),
    );
  }
  return problems.length > 0
    ? problems
    : [ok("queues", `All ${config.queues.length} queues are there, with their consumers.`)];
}

function consumerProblem(
  { name, hasConsumer, deadLetterQueue }: QueueNeed,
  consumers: readonly { worker: string | undefined; deadLetterQueue: string | undefined }[],
  workerName: string,
): string | undefined {
  if (!hasConsumer) return undefined;
  const [consumer] = consumers;
  if (consumer === undefined) return `Nobody consumes the queue ${name}.`;
  if (consumer.worker !== workerName)
    return `The queue ${name} is consumed by ${consumer.worker ?? "something that is no Worker"}, not by ${workerName}.`;
  return consumer.deadLetterQueue === deadLetterQueue
    ? undefined
    : `Messages of ${name} that fail go to ${consumer.deadLetterQueue ?? "no queue"}, not to ${deadLetterQueue ?? "none"}.`;
}

async function checkSecrets({ commands, configName, config }: Place): Promise<Finding[]> {
  const names = await readSecretNames(commands, configName);
  const put = (name: string) => `\`npx wrangler secret put ${name} --config ${configName}\``;
  const findings: Finding[] = [];
  if (!names.has("SEALING_KEYS"))
    findings.push(
      error(
        "secrets",
        "The secret SEALING_KEYS is not set.",
        "Nothing that is stored as a secret can be opened, and the service answers 503.",
        `Set the keys from your copy: ${put("SEALING_KEYS")}. New keys open nothing that is stored.`,
      ),
    );
  for (const { clientSecret } of providersIn(config.vars["OIDC_PROVIDERS"]))
    if (clientSecret !== undefined && !names.has(clientSecret))
      findings.push(
        error(
          "secrets",
          `The secret ${clientSecret}, which OIDC_PROVIDERS names, is not set.`,
          "Sign-in with that provider fails.",
          `Store the client's secret: ${put(clientSecret)}.`,
        ),
      );
  if (!names.has("BOOTSTRAP_API_KEY"))
    findings.push(
      note(
        "secrets",
        "There is no bootstrap key. Operators sign in, or use operator keys.",
        `If no operator can get in any more, set one: ${put("BOOTSTRAP_API_KEY")}.`,
      ),
    );
  return findings.some(({ level }) => level === "error")
    ? findings
    : [...findings, ok("secrets", "The secrets that the settings need are set.")];
}
