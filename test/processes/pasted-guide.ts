/** A guide pasted from its first command to its last: the fake cloud, the service and a shell in terminals of their own. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { projectRoot } from "../../scripts/files/project-root.ts";
import { freePort } from "../../scripts/service/port.ts";
import { localService } from "./local-service.ts";
import {
  cleanUp,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from "./service-process.ts";
import { interrupt, Terminal } from "./terminal.ts";

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
      if (commands.includes("npm run fake -- ")) await this.#startFake(commands);
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
