/**
 * Runs the built service and the bare Worker under workerd in one process with one D1, so that both have the same platform
 * cost. `wrangler dev` is not suitable for measuring, because its proxies cost many times more than the program; requests
 * go directly to workerd's sockets.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  unstable_getMiniflareWorkerOptions,
  unstable_readConfig,
  unstable_splitSqlQuery,
} from "wrangler";
import { projectRoot } from "../scripts/files/project-root.ts";
import { newSecrets } from "../scripts/service/new-secrets.ts";
import { wranglerCli, wranglerEnvironment } from "../scripts/service/wrangler.ts";
import { runtimePid } from "./cpu-time.ts";

export interface Workers {
  /** Origin of the service. */
  service: string;
  /** Origin of the bare Worker. */
  bare: string;
  operatorKey: string;
  /** Id of the process that runs both. */
  pid: number;
  /** The port of their inspector, and the service's bundle with the names of its functions; for a profile. */
  inspected?: { port: number; bundle: string };
  stop: () => Promise<void>;
}

/** The part of Miniflare used here; it is wrangler's dependency, in wrangler's version. */
interface Miniflare {
  ready: Promise<URL>;
  unsafeGetDirectURL: (workerName: string) => Promise<URL>;
  getD1Database: (
    binding: string,
    workerName: string,
  ) => Promise<{
    prepare: (text: string) => object;
    batch: (statements: object[]) => Promise<unknown>;
  }>;
  dispose: () => Promise<void>;
}
interface MiniflareModule {
  Miniflare: new (options: unknown) => Miniflare;
  convertV4MiniflareOptions: (options: unknown) => unknown;
  Log: new (level: number) => object;
  LogLevel: { ERROR: number };
}

const SERVICE = "service";
const BARE = "bare";
const signals = ["SIGINT", "SIGTERM"] as const;

/** Builds both Workers and starts them on loopback with temporary state that `stop` removes. */
export async function startWorkers(
  variables: Readonly<Record<string, string>> = {},
  { assets = false, inspectorPort }: { assets?: boolean; inspectorPort?: number } = {},
): Promise<Workers> {
  const directory = await mkdtemp(path.join(tmpdir(), "control-api-bench-"));
  let miniflare: Miniflare | undefined;
  // Miniflare's own hook exits the process on a signal, so only synchronous cleanup still runs.
  const removeState = (): void => {
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  };
  process.on("exit", removeState);
  const stop = async (): Promise<void> => {
    for (const signal of signals) process.off(signal, interrupted);
    await miniflare?.dispose();
    await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    process.off("exit", removeState);
  };
  const interrupted = (): void => {
    void stop().finally(() => process.exit(1));
  };
  for (const signal of signals) process.on(signal, interrupted);
  try {
    const secrets = await newSecrets();
    const serviceConfig = path.join(projectRoot, "wrangler.toml");
    const bareConfig = path.join(import.meta.dirname, "bare/wrangler.toml");
    const minify = inspectorPort === undefined;
    const service = await built(serviceConfig, path.join(directory, SERVICE), { minify });
    const bare = await built(bareConfig, path.join(directory, BARE), { minify });
    const { Miniflare, convertV4MiniflareOptions, Log, LogLevel } = await loadMiniflare();
    const socket = { unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }] };
    miniflare = new Miniflare(
      convertV4MiniflareOptions({
        host: "127.0.0.1",
        port: 0,
        cf: false,
        ...(inspectorPort === undefined ? {} : { inspectorPort }),
        log: new Log(LogLevel.ERROR),
        logRequests: false,
        resourcePersistencePath: path.join(directory, "state"),
        workers: [
          {
            ...bindingsOf(
              serviceConfig,
              { RATE_LIMITS: "off", WEBHOOK_ALLOW_INSECURE: "on", ...secrets, ...variables },
              assets,
            ),
            ...socket,
            name: SERVICE,
            modulesRoot: path.dirname(service),
            modules: [{ type: "ESModule", path: service }],
          },
          {
            ...bindingsOf(bareConfig, {}, false),
            ...socket,
            name: BARE,
            modulesRoot: path.dirname(bare),
            modules: [{ type: "ESModule", path: bare }],
          },
        ],
      }),
    );
    await miniflare.ready;
    await applyMigrations(miniflare);
    return {
      service: originOf(await miniflare.unsafeGetDirectURL(SERVICE)),
      bare: originOf(await miniflare.unsafeGetDirectURL(BARE)),
      operatorKey: secrets.BOOTSTRAP_API_KEY,
      pid: await runtimePid(),
      ...(inspectorPort === undefined
        ? {}
        : { inspected: { port: inspectorPort, bundle: service } }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function originOf(url: URL): string {
  return url.origin;
}

async function loadMiniflare(): Promise<MiniflareModule> {
  const ofWrangler = createRequire(createRequire(import.meta.url).resolve("wrangler"));
  return (await import(ofWrangler.resolve("miniflare"))) as MiniflareModule;
}

/** Builds a Worker and returns the bundle's path. */
async function built(
  config: string,
  directory: string,
  { minify }: { minify: boolean },
): Promise<string> {
  const options = ["--dry-run", "--config", config, "--outdir", directory];
  const child = spawn(
    process.execPath,
    [wranglerCli, "deploy", ...options, ...(minify ? ["--minify"] : [])],
    { cwd: projectRoot, env: wranglerEnvironment(directory), stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", resolve);
  });
  if (code !== 0) throw new Error(`The build of ${config} failed:\n${output}`);
  return path.join(directory, "worker.js");
}

/**
 * The Worker's bindings from its configuration, without `.dev.vars`, because a run sets all variables itself, and without
 * assets unless they are asked for, because Miniflare puts two of its own Workers in front of a Worker with assets, and
 * they cost more than the Worker. At Cloudflare, the platform serves assets.
 */
function bindingsOf(
  config: string,
  variables: Readonly<Record<string, string>>,
  withAssets: boolean,
): object {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
  const { vars } = unstable_readConfig({ config });
  const { modulesRules: _, cronTriggers: __, assets, ...rest } = workerOptions;
  return {
    ...rest,
    ...(withAssets ? { assets } : {}),
    bindings: { ...vars, ...variables },
  };
}

async function applyMigrations(miniflare: Miniflare): Promise<void> {
  const db = await miniflare.getD1Database("DB", SERVICE);
  const directory = path.join(projectRoot, "migrations");
  const files = (await readdir(directory)).filter((name) => name.endsWith(".sql")).sort();
  for (const file of files) {
    const statements = unstable_splitSqlQuery(await readFile(path.join(directory, file), "utf8"));
    await db.batch(statements.map((statement) => db.prepare(statement)));
  }
}

/** A random name with this prefix. */
export function unique(prefix: string): string {
  return `${prefix}-${randomBytes(4).toString("hex")}`;
}
