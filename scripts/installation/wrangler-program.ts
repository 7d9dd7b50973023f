/** Runs Wrangler on a Cloudflare account, and reads its answers. */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { projectRoot } from "../files/project-root.ts";
import { wranglerCli } from "../service/wrangler.ts";

/** A line of the file that `WRANGLER_OUTPUT_FILE_PATH` names: Wrangler's output for programs. */
export interface OutputEntry {
  type: string;
  code?: unknown;
  message?: string;
  version_id?: unknown;
  targets?: unknown;
}

export interface WranglerResult {
  code: number;
  stdout: string;
  stderr: string;
  entries: readonly OutputEntry[];
}

export interface WranglerCall {
  args: readonly string[];
  /** The standard input: the only way for a secret. */
  input?: string | undefined;
  /** Receives each line of its standard output as it comes. */
  onLine?: ((line: string) => void) | undefined;
}

export type RunWrangler = (call: WranglerCall) => Promise<WranglerResult>;

/**
 * Wrangler without prompts: it has no terminal. `cli` is another program in tests. Errors are not reported to
 * Cloudflare, and its log has no bodies of requests, which carry secrets.
 */
export function wranglerProgram({
  root = projectRoot,
  cli = process.env["WRANGLER_STAND_IN"] || wranglerCli,
  accountId,
}: {
  root?: string;
  cli?: string;
  accountId?: () => string | undefined;
} = {}): RunWrangler {
  return async ({ args, input, onLine }) => {
    const directory = await mkdtemp(path.join(tmpdir(), "control-api-wrangler-"));
    const output = path.join(directory, "output.jsonl");
    const account = accountId?.();
    try {
      const child = spawn(process.execPath, [cli, ...args], {
        cwd: root,
        stdio: ["pipe", "pipe", "pipe"],
        env: {
          ...process.env,
          // `d1 migrations list` and others ask for the account before they read the configuration.
          ...(account === undefined ? {} : { CLOUDFLARE_ACCOUNT_ID: account }),
          NODE_COMPILE_CACHE: path.join(projectRoot, "node_modules/.cache/wrangler"),
          NO_COLOR: "1",
          FORCE_COLOR: "0",
          WRANGLER_HIDE_BANNER: "true",
          WRANGLER_SEND_METRICS: "false",
          WRANGLER_SEND_ERROR_REPORTS: "false",
          WRANGLER_LOG_SANITIZE: "true",
          WRANGLER_OUTPUT_FILE_PATH: output,
        },
      });
      // A program that ends before it has read its input.
      child.stdin.on("error", () => undefined);
      child.stdin.end(input ?? "");
      if (onLine !== undefined) createInterface({ input: child.stdout }).on("line", onLine);
      const [stdout, stderr, code] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        new Promise<number>((resolve, reject) => {
          child.on("error", reject);
          child.on("close", (code) => {
            resolve(code ?? 1);
          });
        }),
      ]);
      return {
        code,
        stdout,
        stderr,
        entries: entriesOf(await readFile(output, "utf8").catch(() => "")),
      };
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  };
}

export function entriesOf(lines: string): OutputEntry[] {
  return lines
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as OutputEntry);
}

/** The error by which Wrangler ended, for programs. */
export function failureOf({
  entries,
}: WranglerResult): { code: unknown; message: string } | undefined {
  const failed = entries.find(({ type }) => type === "command-failed");
  return failed && { code: failed.code, message: failed.message ?? "" };
}

/** A command as a person would type it. */
export function shownCommand(args: readonly string[]): string {
  return ["npx", "wrangler", ...args.map(quoted)].join(" ");
}

function quoted(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return /^[^"$`\\!]+$/.test(text) ? `"${text}"` : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
