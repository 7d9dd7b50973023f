import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { formatEnvFile, type Variables } from "../files/env-file.ts";
import { projectRoot } from "../files/project-root.ts";
import { allMigrations, applyOnce } from "./applied-migrations.ts";
import { claimState } from "./claim-state.ts";
import { untilSilent } from "./health-watch.ts";
import { logLine } from "./log-line.ts";
import { portGetsFree } from "./port.ts";
import { fireScheduledHandler } from "./scheduled-handler.ts";
import { startSupervised, type Supervised } from "./supervised.ts";
import { devProgram, wranglerCli } from "./wrangler.ts";

const READY_WITHIN_MS = 120_000;
const READY_STEP_MS = 100;
const PORT_WITHIN_MS = 2_000;

export interface ServiceOptions {
  port: number;
  /** Absolute path, created if it does not exist. */
  stateDir: string;
  variables: Variables;
  /** Wrangler's configuration, if it is another than `wrangler.toml`. */
  config?: string;
  /** Aborts the start and stops the service. */
  signal: AbortSignal;
  onLine: (line: string) => void;
}

export interface Service {
  address: string;
  /** Resolves with the exit code when all its processes have ended; 0 after a requested stop. */
  exited: Promise<number>;
  /** Kills all its processes with SIGKILL; `exited` resolves with 1. */
  kill: () => void;
}

/**
 * Starts the service on 127.0.0.1 and resolves when it is ready: migrations applied, health check passed, scheduled
 * handler running. Continues from the state of a killed run. Throws, leaving no process behind, when the port or the
 * state is in use or the service does not start.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { port, stateDir, signal } = options;
  await makePrivate(stateDir);
  await claimState(stateDir);
  if (!(await portGetsFree(port, PORT_WITHIN_MS)))
    throw new Error(
      `Port ${port} of 127.0.0.1 is in use. Stop the process that uses it, or set PORT to another port.`,
    );
  const envFile = path.join(stateDir, "run.env");
  await rm(envFile, { force: true });
  const key = randomBytes(32).toString("base64url");
  const variables = { ...options.variables, SCHEDULED_HANDLER_KEY: key };
  await writeFile(envFile, formatEnvFile(variables), { mode: 0o600, flag: "wx" });
  const config = options.config ?? path.join(projectRoot, "wrangler.toml");
  const common = ["--config", config, "--persist-to", stateDir];

  await applyOnce(stateDir, (isNew) => applyMigrations(options, common, isNew));

  const run = start(options, [devProgram, config, stateDir, envFile, String(port)]);
  const address = `http://127.0.0.1:${port}`;
  const exited = run.exited.then(async (code) => {
    await rm(envFile, { force: true });
    return code;
  });
  try {
    await untilReady(address, exited);
  } catch (error) {
    run.stop();
    await exited;
    throw error;
  }
  const firing = new AbortController();
  const until = AbortSignal.any([signal, firing.signal]);
  void fireScheduledHandler({ address, key }, until, options.onLine);
  const stopWhenSilent = async (): Promise<void> => {
    if (!(await untilSilent(address, until))) return;
    options.onLine(
      "The service no longer answers, so it is stopped. Start it again: it continues from its state.",
    );
    run.stop();
  };
  void stopWhenSilent();
  return {
    address,
    exited: exited.finally(() => {
      firing.abort();
    }),
    kill: run.kill,
  };
}

/**
 * Creates the directory of the state for its owner alone, as everything that this process and its children create from
 * now on.
 */
async function makePrivate(stateDir: string): Promise<void> {
  process.umask(0o077);
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
}

function start(options: ServiceOptions, command: readonly string[]): Supervised {
  options.signal.throwIfAborted();
  const run = startSupervised(options.stateDir, command, (line) => {
    const wanted = logLine(line);
    if (wanted !== undefined) options.onLine(wanted);
  });
  options.signal.addEventListener("abort", run.stop);
  return {
    ...run,
    exited: run.exited.finally(() => {
      options.signal.removeEventListener("abort", run.stop);
    }),
  };
}

async function applyMigrations(
  options: ServiceOptions,
  common: readonly string[],
  isNew: boolean,
): Promise<void> {
  const { stateDir, signal } = options;
  const lines: string[] = [];
  const runD1 = async (...command: readonly string[]): Promise<number> => {
    const onLine = (line: string): void => {
      lines.push(line);
    };
    const { exited } = start({ ...options, onLine }, [
      wranglerCli,
      "d1",
      ...command,
      "--local",
      ...common,
    ]);
    const code = await exited;
    signal.throwIfAborted();
    return code;
  };
  if (isNew) {
    // `migrations apply` starts the runtime once for each of them: five times the processor time.
    const file = path.join(stateDir, "migrations.sql");
    await writeFile(file, await allMigrations());
    const code = await runD1("execute", "control-api", "--yes", `--file=${file}`);
    await rm(file, { force: true });
    if (code === 0) return;
  }
  if ((await runD1("migrations", "apply", "control-api")) !== 0)
    throw new Error(`The migrations could not be applied:\n${lines.join("\n")}`);
}

async function untilReady(address: string, exited: Promise<number>): Promise<void> {
  let ended = false;
  const end = exited.finally(() => {
    ended = true;
  });
  for (let waitedMs = 0; waitedMs < READY_WITHIN_MS; waitedMs += READY_STEP_MS) {
    if (await healthy(address)) return;
    await Promise.race([
      end,
      new Promise((resolve) => {
        setTimeout(resolve, READY_STEP_MS);
      }),
    ]);
    if (ended) throw new Error("The service exited before it was ready: see the lines above.");
  }
  throw new Error(`The service was not ready within ${READY_WITHIN_MS / 1_000} s.`);
}

async function healthy(address: string): Promise<boolean> {
  try {
    const response = await fetch(`${address}/api/v1/health`, {
      signal: AbortSignal.timeout(2_000),
    });
    await response.text();
    return response.ok;
  } catch {
    return false;
  }
}
