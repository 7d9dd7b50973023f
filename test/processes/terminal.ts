import { type ChildProcess, spawn } from "node:child_process";
import { expect } from "vitest";
import { projectRoot } from "../../scripts/files/project-root.ts";
import { treeOf } from "./service-process.ts";

const PART_WITHIN_MS = 100_000;

/** A process with what it prints, to which commands can be typed. */
export class Terminal {
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
export async function interrupt(pid: number): Promise<void> {
  for (const one of await treeOf(pid)) {
    try {
      process.kill(one.pid, "SIGINT");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}
