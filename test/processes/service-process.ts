/** `npm start`'s own program as a process of its own, to be killed. */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { projectRoot } from "../../scripts/files/project-root.ts";
import { claimState } from "../../scripts/service/claim-state.ts";
import { type ProcessEntry, processTable } from "../../scripts/service/process-table.ts";

export interface ServiceProcess {
  pid: number;
  address: string;
  operatorKey: string;
  output: () => string;
  exited: Promise<number | null>;
  kill: (signal: NodeJS.Signals) => void;
}

const running = new Set<number>();

export type Command = readonly [string, ...string[]];
export const program: Command = [process.execPath, path.join(projectRoot, "scripts/dev.ts")];

/** Resolves once the service is ready. Throws what it printed when it ends before. */
export async function startService(
  environment: Readonly<Record<string, string>>,
  command: Command = program,
): Promise<ServiceProcess> {
  const service = spawnService(environment, command);
  const ready = await service.ready;
  if (ready === undefined)
    throw new Error(
      `The service ended (${await service.exited}) before it was ready:\n${service.output()}`,
    );
  return { ...service, ...ready };
}

/** Runs a start that is expected to end by itself. */
export async function runToEnd(
  environment: Readonly<Record<string, string>>,
  command: Command = program,
): Promise<{ code: number | null; output: string }> {
  const service = spawnService(environment, command);
  const code = await service.exited;
  return { code, output: service.output() };
}

function spawnService(
  environment: Readonly<Record<string, string>>,
  [file, ...parameters]: Command,
) {
  const child = spawn(file, parameters, {
    cwd: projectRoot,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error("The service could not be started.");
  running.add(pid);
  let output = "";
  let onOutput = (): void => {};
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      onOutput();
    });
  const exited = new Promise<number | null>((resolve) => {
    child.on("exit", (code) => {
      running.delete(pid);
      resolve(code);
    });
  });
  const ready = new Promise<{ address: string; operatorKey: string } | undefined>((resolve) => {
    onOutput = () => {
      const address = /^API\s+(http:\S+)\/api\/v1$/m.exec(output)?.[1];
      const operatorKey = /^Operator key\s+(\S+)$/m.exec(output)?.[1];
      if (address !== undefined && operatorKey !== undefined) resolve({ address, operatorKey });
    };
    void exited.finally(() => {
      resolve(undefined);
    });
  });
  return {
    pid,
    ready,
    exited,
    output: () => output,
    kill: (signal: NodeJS.Signals) => {
      child.kill(signal);
    },
  };
}

export async function temporaryDirectory(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), "control-api-"));
}

/** Ends whatever a failed test left running, then removes its directory. */
export async function cleanUp(directory: string): Promise<void> {
  for (const pid of running) for (const entry of await treeOf(pid)) killHard(entry.pid);
  await claimState(path.join(directory, "state"));
  await rm(directory, {
    recursive: true,
    force: true,
    maxRetries: 10,
    retryDelay: 100,
  });
}

/** The process and everything it started, as far as parents are still there to tell. */
export async function treeOf(pid: number): Promise<ProcessEntry[]> {
  const table = await processTable();
  const tree = table.filter((entry) => entry.pid === pid);
  for (const { pid: parent } of tree)
    tree.push(...table.filter((entry) => entry.parent === parent));
  return tree;
}

/** Kills the process and everything it started, before any of it can notice. */
export async function killTree(pid: number): Promise<ProcessEntry[]> {
  const tree = await treeOf(pid);
  for (const entry of tree) killHard(entry.pid);
  return tree;
}

export function killHard(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Those of `entries` that are still there after `withinMs`; sooner, when none is. */
export async function survivors(
  entries: readonly ProcessEntry[],
  withinMs: number,
): Promise<ProcessEntry[]> {
  const until = performance.now() + withinMs;
  for (;;) {
    const table = await processTable();
    const left = entries.filter(({ pid, command }) =>
      table.some((entry) => entry.pid === pid && entry.command === command),
    );
    if (left.length === 0 || performance.now() > until) return left;
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
}
