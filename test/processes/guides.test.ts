/** "DigitalOcean in ten minutes", pasted from its first command to its last, against `npm run fake:digitalocean`. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../scripts/port.ts";
import { projectRoot } from "../../scripts/project-root.ts";
import { localService } from "./local-service.ts";
import { longScenes } from "./long-scenes.ts";
import {
  cleanUp,
  type ServiceProcess,
  startService,
  temporaryDirectory,
  treeOf,
} from "./service-process.ts";

const PART_WITHIN_MS = 100_000;

let directory: string;
let environment: Record<string, string>;
let fakePort: string;
let fake: Terminal;
let shell: Terminal | undefined;
let service: ServiceProcess | undefined;

beforeEach(async () => {
  directory = await temporaryDirectory();
  // What the guide does not say is as for its reader.
  const { PROVIDER_ENDPOINTS: _, ...own } = await localService(directory);
  environment = own;
  fakePort = String(await freePort());
  fake = new Terminal("npm", ["run", "fake:digitalocean"], { PORT: fakePort });
});

afterEach(async () => {
  await interrupt(fake.pid);
  if (shell !== undefined) await interrupt(shell.pid);
  await cleanUp(directory);
});

/** A process with what it prints, to which commands can be typed. */
class Terminal {
  readonly #child: ChildProcess;
  output = "";
  errors = "";

  constructor(command: string, parameters: readonly string[], variables: Record<string, string>) {
    this.#child = spawn(command, parameters, {
      cwd: projectRoot,
      env: { ...process.env, ...variables },
    });
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
    await expect.poll(() => this.output, { timeout: PART_WITHIN_MS }).toContain(text);
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

/** The commands of the guide, in its order, with this test's ports and file. */
async function commandsOf(guide: string): Promise<string[]> {
  const text = await readFile(path.join(projectRoot, guide), "utf8");
  return [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, commands = ""]) =>
    commands
      .replaceAll("127.0.0.1:8787", `127.0.0.1:${environment["PORT"]}`)
      .replaceAll("127.0.0.1:9898", `127.0.0.1:${fakePort}`)
      .replaceAll(".dev.vars", environment["DEV_VARS_FILE"] ?? ""),
  );
}

describe.runIf(longScenes.includes("DigitalOcean's guide pasted"))(
  "DigitalOcean in ten minutes",
  () => {
    it("works when it is pasted", { timeout: 400_000 }, async () => {
      const [first, ...commands] = await commandsOf("docs/guides/digitalocean.md");
      expect(first).toBe("npm run fake:digitalocean\n");
      await fake.until("A fake DigitalOcean listens");
      expect(commands.length).toBeGreaterThan(6);
      shell = new Terminal("sh", [], {});
      let printed = "";
      for (const one of commands) {
        if (!one.endsWith("npm start\n")) {
          printed += await shell.type(one);
          continue;
        }
        if (service !== undefined) {
          await interrupt(service.pid);
          await service.exited;
        }
        service = await startService(environment, ["sh", "-c", one]);
      }
      expect(shell.errors).toBe("");
      expect(printed).toContain('"ok":true');
      expect(printed.match(/^event: end$/gm)).toHaveLength(3);
      expect(printed.match(/Succeeded\./g)).toHaveLength(2);
      expect(printed).toContain("Destroyed.");
      expect(printed).toContain("databaseUri: '[secret]'");
      // What the fake cloud prints: everything that was made is gone, and it refused nothing.
      expect(fake.output).toMatch(/^update shop-database \(PUT \S+\/resize\)$/m);
      const count = (verb: string) => fake.output.match(new RegExp(`^${verb} `, "gm"))?.length;
      expect(count("create")).toBeGreaterThan(9);
      expect(count("delete")).toBe(count("create"));
      expect(fake.errors).not.toContain("is not as described");
    });
  },
);
