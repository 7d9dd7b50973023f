/** A guide pasted from its first command to its last: the fake cloud, the service and a shell in terminals of their own. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { freePort } from "../../scripts/port.ts";
import { projectRoot } from "../../scripts/project-root.ts";
import { localService } from "./local-service.ts";
import {
  cleanUp,
  type ServiceProcess,
  startService,
  temporaryDirectory,
  treeOf,
} from "./service-process.ts";

const PART_WITHIN_MS = 100_000;

export interface Guide {
  file: string;
  /** The section that is pasted; absent: all of it. */
  section?: string;
  /** Says what a reader puts in place of `…` in these commands, by what the terminals printed. */
  fill?: (commands: string, printed: { fake: string; shell: string }) => string;
}

/** What a fake cloud has printed after this label. */
export function printedAs(label: string, output: string): string {
  const line = output.split("\n").find((one) => one.startsWith(label));
  if (line === undefined) throw new Error(`The fake cloud has not printed "${label}":\n${output}`);
  return line.slice(label.length).trim();
}

/** A process with what it prints, to which commands can be typed. */
class Terminal {
  readonly #child: ChildProcess;
  readonly exited: Promise<unknown>;
  output = "";
  errors = "";

  constructor(command: string, parameters: readonly string[], variables: Record<string, string>) {
    this.#child = spawn(command, parameters, {
      cwd: projectRoot,
      env: { ...process.env, ...variables },
    });
    this.exited = new Promise((resolve) => this.#child.on("exit", resolve));
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.output += text));
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.errors += text));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Types the commands; what they printed once the last has ended. */
  async type(commands: string): Promise<string> {
    const from = this.output.length;
    const marker = `typed-${from}`;
    this.#child.stdin?.write(`${commands}\necho ${marker}\n`);
    await this.until(marker);
    return this.output.slice(from).replace(`${marker}\n`, "");
  }

  async until(text: string): Promise<void> {
    await expect
      .poll(() => this.output, { timeout: PART_WITHIN_MS, message: this.errors })
      .toContain(text);
  }
}

/** Ctrl+C: the signal goes to all processes of the terminal. */
async function interrupt(pid: number): Promise<void> {
  for (const one of await treeOf(pid)) {
    try {
      process.kill(one.pid, "SIGINT");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

export class PastedGuide {
  readonly #guide: Guide;
  readonly #directory: string;
  readonly #environment: Record<string, string>;
  readonly #fakePort: string;
  readonly #shell = new Terminal("sh", [], {});
  #fake: Terminal | undefined;
  #service: ServiceProcess | undefined;
  #start = "";
  /** What the shell has printed. */
  printed = "";

  private constructor(
    guide: Guide,
    place: { directory: string; environment: Record<string, string>; fakePort: string },
  ) {
    this.#guide = guide;
    this.#directory = place.directory;
    this.#environment = place.environment;
    this.#fakePort = place.fakePort;
  }

  static async prepare(guide: Guide): Promise<PastedGuide> {
    const directory = await temporaryDirectory();
    // What the guide does not say is as for its reader.
    const { PROVIDER_ENDPOINTS: _, ...environment } = await localService(directory);
    return new PastedGuide(guide, { directory, environment, fakePort: String(await freePort()) });
  }

  async close(): Promise<void> {
    if (this.#fake !== undefined) await interrupt(this.#fake.pid);
    await interrupt(this.#shell.pid);
    await cleanUp(this.#directory);
  }

  get fake(): { output: string; errors: string } {
    if (this.#fake === undefined) throw new Error("The guide has not started its fake cloud.");
    return this.#fake;
  }

  get errors(): string {
    return this.#shell.errors;
  }

  async paste(): Promise<void> {
    const all = await this.#commands();
    for (const [at, written] of all.entries()) {
      const commands = this.#filled(written);
      if (commands.includes("npm run fake:")) await this.#startFake(commands);
      else if (commands.endsWith("npm start\n")) await this.#startService(commands);
      else {
        this.printed += await this.#shell.type(commands);
        // "Start it again as before", where the guide does not repeat the command.
        const isRead = !commands.includes(`>> ${this.#environment["DEV_VARS_FILE"]}`);
        if (!isRead && all[at + 1]?.endsWith("npm start\n") !== true)
          await this.#startService(this.#start);
      }
    }
  }

  /** The commands in their order, with this test's ports and file. */
  async #commands(): Promise<string[]> {
    const text = await readFile(path.join(projectRoot, this.#guide.file), "utf8");
    const { section } = this.#guide;
    const part =
      section === undefined ? text : text.split(/^## /m).find((one) => one.startsWith(section));
    return [...(part ?? "").matchAll(/```sh\n(.*?)```/gs)].flatMap(([, commands = ""]) =>
      // What is for somebody with an account.
      /^(az|aws|gcloud|oci|npx) /.test(commands)
        ? []
        : commands
            .replaceAll("127.0.0.1:8787", `127.0.0.1:${this.#environment["PORT"]}`)
            .replaceAll(/127\.0\.0\.1:9[89]\d\d/g, `127.0.0.1:${this.#fakePort}`)
            .replaceAll(".dev.vars", this.#environment["DEV_VARS_FILE"] ?? ""),
    );
  }

  #filled(commands: string): string {
    const { fill } = this.#guide;
    if (fill === undefined || !commands.includes("…")) return commands;
    return fill(commands, { fake: this.#fake?.output ?? "", shell: this.printed });
  }

  async #startFake(commands: string): Promise<void> {
    if (this.#fake !== undefined) {
      await interrupt(this.#fake.pid);
      await this.#fake.exited;
    }
    this.#fake = new Terminal("sh", ["-c", commands], {
      PORT: this.#fakePort,
      ISSUER: `http://127.0.0.1:${this.#environment["PORT"]}`,
    });
    await this.#fake.until("PROVIDER_ENDPOINTS");
  }

  async #startService(commands: string): Promise<void> {
    if (this.#service !== undefined) {
      await interrupt(this.#service.pid);
      await this.#service.exited;
    }
    this.#start = commands;
    this.#service = await startService(this.#environment, ["sh", "-c", commands]);
  }
}
