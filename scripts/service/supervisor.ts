/**
 * Runs a program of Wrangler on a state directory: `node supervisor.ts <state directory> <file> <arguments>`.
 * Guarantee: no process outlives the parent, not even after a kill -9: the IPC channel closes, and the supervisor kills
 * the process group. On a stop request, it stops Wrangler gracefully first. If the supervisor is killed, the parent
 * kills the group; if both are, the next start kills the processes in the state directory's record (`claim-state.ts`).
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { processTable } from "./process-table.ts";
import { removeRunRecord, writeRunRecord } from "./run-record.ts";
import { wranglerEnvironment } from "./wrangler.ts";

const GRACE_MS = 5_000;

const [stateDir, ...command] = process.argv.slice(2);
if (stateDir === undefined || process.send === undefined)
  throw new Error("supervisor.ts is started by service.ts, not by hand.");

const wrangler = spawn(process.execPath, command, {
  stdio: ["ignore", "inherit", "inherit"],
  env: wranglerEnvironment(stateDir),
  detached: true,
});
const ended = once(wrangler, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
const group = wrangler.pid;
if (group === undefined) throw new Error("Wrangler could not be started.");

const killGroup = (signal: NodeJS.Signals): void => {
  try {
    process.kill(-group, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
};

let stopping = false;
const stop = (): void => {
  if (stopping) {
    killGroup("SIGKILL");
    return;
  }
  stopping = true;
  killGroup("SIGTERM");
  setTimeout(killGroup, GRACE_MS, "SIGKILL").unref();
};

// A terminal signals the whole foreground group: the parent decides how to react.
process.on("SIGINT", () => {});
process.on("SIGHUP", () => {});
process.on("SIGTERM", stop);
process.on("message", (message) => {
  if (message === "stop") stop();
});
process.on("disconnect", () => {
  killGroup("SIGKILL");
});

if (!process.connected) killGroup("SIGKILL");
try {
  await writeRunRecord(stateDir, { supervisor: process.pid, group });
} catch (error) {
  killGroup("SIGKILL");
  throw error;
}
const [code] = await ended;
killGroup("SIGKILL");
while ((await processTable()).some((entry) => entry.group === group))
  await new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
await removeRunRecord(stateDir);
process.exit(stopping ? 0 : (code ?? 1));
