import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  command: string;
}

/** The live processes of this machine, without zombies. */
export async function processTable(): Promise<ProcessEntry[]> {
  return process.platform === "linux" ? tableOfProc() : tableOfPs();
}

/** Cheap enough for frequent polling. Only on Linux is a zombie reported as not alive. */
export async function isAlive(pid: number): Promise<boolean> {
  if (process.platform === "linux") return (await entryOfProc(String(pid))) !== undefined;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function tableOfProc(): Promise<ProcessEntry[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const entries = await Promise.all(names.map(entryOfProc));
  return entries.filter((entry) => entry !== undefined);
}

async function entryOfProc(name: string): Promise<ProcessEntry | undefined> {
  try {
    const [stat, command] = await Promise.all([
      readFile(`/proc/${name}/stat`, "utf8"),
      readFile(`/proc/${name}/cmdline`, "utf8"),
    ]);
    return parseStat(stat, command);
  } catch {
    return undefined; // The process ended in the meantime.
  }
}

/** Parses /proc/<pid>/stat. The name in parentheses may itself contain spaces and parentheses. */
export function parseStat(stat: string, commandLine: string): ProcessEntry | undefined {
  const [state, parent, group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (state === "Z" || state === "X") return undefined;
  return {
    pid: Number.parseInt(stat, 10),
    parent: Number(parent),
    group: Number(group),
    command: commandLine.replaceAll("\0", " ").trim(),
  };
}

async function tableOfPs(): Promise<ProcessEntry[]> {
  const { stdout } = await promisify(execFile)(
    "ps",
    ["-A", "-ww", "-o", "pid=,ppid=,pgid=,state=,command="],
    { maxBuffer: 16 * 1024 * 1024 },
  );
  return stdout.split("\n").flatMap(parsePsLine);
}

/** Parses one line of `ps -o pid=,ppid=,pgid=,state=,command=`. */
export function parsePsLine(line: string): ProcessEntry[] {
  const [, pid, parent, group, state, command] =
    /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
  if (pid === undefined || command === undefined || state === undefined) return [];
  if (state.startsWith("Z")) return [];
  return [{ pid: Number(pid), parent: Number(parent), group: Number(group), command }];
}
