/**
 * The service of a soak: one state directory, killed and started again and again, and a D1 that can be set back. Its
 * output goes into `service.log`, and through the watch for secrets.
 */
import { appendFileSync } from "node:fs";
import { cp, mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Variables } from "../files/env-file.ts";
import { startIdentityProvider } from "../service/dev-identity-provider.ts";
import { newSecrets } from "../service/new-secrets.ts";
import { freePort, portIsFree } from "../service/port.ts";
import { type Service, startService } from "../service/service.ts";
import { writeUnrulyConfig } from "./unruly-config.ts";

const D1 = "v3/d1";
const FIRST_PORT = 20_000;
const PORTS = 10_000;

export interface SoakServiceOptions {
  directory: string;
  seed: number;
  variables: Variables;
  signal: AbortSignal;
  /** Called with each line that the service prints. */
  onLine: (line: string) => void;
}

export class SoakService {
  readonly stateDir: string;
  readonly address: string;
  readonly operatorKey: string;
  kills = 0;
  /** Variables of the next start. */
  variables: Variables;
  readonly #options: SoakServiceOptions;
  readonly #config: string;
  readonly #port: number;
  #running: Service | undefined;
  #starts = 0;
  #isQuiet = false;

  private constructor(
    options: SoakServiceOptions,
    parts: { config: string; port: number; secrets: Variables },
  ) {
    this.#options = options;
    this.#config = parts.config;
    this.#port = parts.port;
    this.address = `http://127.0.0.1:${parts.port}`;
    this.operatorKey = parts.secrets["BOOTSTRAP_API_KEY"] ?? "";
    this.stateDir = path.join(options.directory, "state");
    this.variables = {
      ...parts.secrets,
      PUBLIC_URL: this.address,
      RATE_LIMITS: "off",
      WEBHOOK_ALLOW_INSECURE: "on",
      // The sweep of the next start wakes the killed runs at once.
      STALL_SECONDS: "1",
      ...options.variables,
    };
  }

  static async prepare(options: SoakServiceOptions): Promise<SoakService> {
    const configDir = path.join(options.directory, "config");
    await mkdir(configDir, { recursive: true });
    const config = await writeUnrulyConfig(configDir);
    const [port, secrets] = [await lastingPort(options.seed), await newSecrets()];
    const people = await startIdentityProvider({
      port: await freePort(),
      servicePort: port,
      stateDir: configDir,
      operatorKey: secrets.BOOTSTRAP_API_KEY,
    });
    return new SoakService(options, { config, port, secrets: { ...secrets, ...people } });
  }

  async start(): Promise<void> {
    const { seed, signal, directory, onLine } = this.#options;
    this.#starts += 1;
    const log = path.join(directory, "service.log");
    const note = (line: string): void =>
      appendFileSync(log, `${new Date().toISOString()} ${line}\n`);
    note(`--- start ${this.#starts}`);
    this.#running = await startService({
      port: this.#port,
      stateDir: this.stateDir,
      config: this.#config,
      variables: {
        ...this.variables,
        UNRULY_SEED: this.#isQuiet ? "" : String((seed + this.#starts * 7919) % 2 ** 31),
      },
      signal,
      onLine: (line) => {
        note(line);
        onLine(line);
      },
    });
  }

  /** Kills all its processes as a power failure would, and waits until they are gone. */
  async kill(): Promise<void> {
    this.#running?.kill();
    await this.#running?.exited;
    this.#running = undefined;
    this.kills += 1;
  }

  /** From the next start on, messages and alarms come as the platform's own simulator sends them. */
  beQuiet(): void {
    this.#isQuiet = true;
  }

  /** Only while the service is down. */
  async copyDatabase(): Promise<void> {
    await cp(path.join(this.stateDir, D1), this.#copy(), { recursive: true, force: true });
  }

  /** Only while the service is down. Rows written since the copy are gone, as after a restore. */
  async putBackDatabase(): Promise<void> {
    await rm(path.join(this.stateDir, D1), { recursive: true });
    await cp(this.#copy(), path.join(this.stateDir, D1), { recursive: true });
  }

  #copy(): string {
    return path.join(this.#options.directory, "d1-copy");
  }
}

/**
 * A free port below those that the system gives to connections: while the service is down, a client that tries to reach
 * it would be given its port, and the service could not start again.
 */
async function lastingPort(seed: number): Promise<number> {
  for (let nth = 0; nth < PORTS; nth += 1) {
    const port = FIRST_PORT + ((seed + nth) % PORTS);
    if (await portIsFree(port)) return port;
  }
  throw new Error(`No port from ${FIRST_PORT} to ${FIRST_PORT + PORTS - 1} of 127.0.0.1 is free.`);
}
