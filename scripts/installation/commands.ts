/** Wrangler's commands of one deploy. Each is shown before it runs. None changes anything before a person agrees. */
import { stripVTControlCharacters } from "node:util";
import { InstallationError } from "./installation-error.ts";
import {
  failureOf,
  type RunWrangler,
  shownCommand,
  type WranglerResult,
} from "./wrangler-program.ts";

/** Wrangler's lines about its results. The rest explains how to edit a configuration, or repeats tables. */
const result = /^\s*[✅✨⚠❌]/u;

/** A command failed. Earlier changes stay, and a repeated deploy continues there. */
export class CommandFailed extends InstallationError {
  override readonly name = "CommandFailed";
  readonly args: readonly string[];
  readonly result: WranglerResult;
  constructor(args: readonly string[], result: WranglerResult) {
    super(`${shownCommand(args)}\nfailed: ${reasonOf(result)}`);
    this.args = args;
    this.result = result;
  }
}

export interface CommandPorts {
  run: RunWrangler;
  show: (line: string) => void;
  /** Whether to make the changes. */
  ask: () => Promise<boolean>;
  dryRun: boolean;
}

export class Commands {
  readonly #ports: CommandPorts;
  #allowed = false;

  constructor(ports: CommandPorts) {
    this.#ports = ports;
  }

  get dryRun(): boolean {
    return this.#ports.dryRun;
  }

  /** Runs a command that changes nothing, whatever it answers. */
  async tryRead(args: readonly string[]): Promise<WranglerResult> {
    this.#ports.show(`$ ${shownCommand(args)}`);
    return this.#ports.run({ args });
  }

  /** Runs a command that changes nothing. Throws `CommandFailed`. */
  async read(args: readonly string[]): Promise<WranglerResult> {
    const result = await this.tryRead(args);
    if (result.code !== 0) throw new CommandFailed(args, result);
    return result;
  }

  /** The error of a command that was tried. */
  failed(args: readonly string[], result: WranglerResult): CommandFailed {
    return new CommandFailed(args, result);
  }

  /** Asks for permission, unless it was given before. Throws if the answer is no. A dry run does not ask. */
  async allowChanges(): Promise<void> {
    if (this.#allowed || this.dryRun) return;
    if (!(await this.#ports.ask())) throw new InstallationError("Nothing was changed.");
    this.#allowed = true;
  }

  /**
   * Runs a command that changes something, and shows its lines about results, or else its whole output; undefined in a
   * dry run, which only shows the command. `input` goes to its standard input and is never shown; `inputIs` describes
   * it.
   */
  async change(
    args: readonly string[],
    { input, inputIs, all = false }: { input?: string; inputIs?: string; all?: boolean } = {},
  ): Promise<WranglerResult | undefined> {
    const { show, run, dryRun } = this.#ports;
    const about = inputIs === undefined ? "" : `   (standard input: ${inputIs})`;
    show(`$ ${shownCommand(args)}${about}`);
    if (dryRun) return undefined;
    await this.allowChanges();
    const onLine = (line: string): void => {
      const text = stripVTControlCharacters(line);
      if (all ? text.trim() !== "" : result.test(text)) show(`  ${text}`);
    };
    const ran = await run({ args, input, onLine });
    if (ran.code !== 0) throw new CommandFailed(args, ran);
    return ran;
  }
}

/** Wrangler's printed output: its output for programs lacks the answer of Cloudflare's API. */
function reasonOf(result: WranglerResult): string {
  const printed = stripVTControlCharacters(result.stderr)
    .split("\n")
    .filter((line) => line.trim() !== "" && !/Logs were written to|think this is a bug/.test(line))
    .join("\n");
  return (
    printed || failureOf(result)?.message || result.stdout.trim() || `exit code ${result.code}`
  );
}
