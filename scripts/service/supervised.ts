import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { projectRoot } from "../files/project-root.ts";
import { claimState } from "./claim-state.ts";

export interface Supervised {
  /** Resolves with the exit code when all its processes have ended; 0 after a requested stop. */
  exited: Promise<number>;
  /** Stops the command gracefully; a second call kills it. */
  stop: () => void;
  /** Kills all of it with SIGKILL, as a power failure would. */
  kill: () => void;
}

/**
 * Starts a program of Wrangler that cannot outlive this process: its file and arguments. `onLine` receives each output
 * line.
 */
export function startSupervised(
  stateDir: string,
  command: readonly string[],
  onLine: (line: string) => void,
): Supervised {
  const child = spawn(
    process.execPath,
    [fileURLToPath(import.meta.resolve("./supervisor.ts")), stateDir, ...command],
    { cwd: projectRoot, stdio: ["ignore", "pipe", "pipe", "ipc"], detached: true },
  );
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null) createInterface({ input: stream }).on("line", onLine);
  const exited = new Promise<number>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code !== null) resolve(code);
    });
    child.on("exit", (code) => {
      // The supervisor was killed: its processes are still running and keep the pipes open.
      if (code === null) resolve(claimState(stateDir).then(() => 1));
    });
  });
  return {
    exited,
    stop: () => {
      if (child.connected) child.send("stop");
    },
    kill: () => {
      // Kills its group, as it was started detached. `exited` ends the processes with their own groups.
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
    },
  };
}
