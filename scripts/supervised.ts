import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { claimState } from "./claim-state.ts";
import { projectRoot } from "./project-root.ts";

export interface Supervised {
  /** The exit code once nothing of it is left; 0 when it was asked to stop. */
  exited: Promise<number>;
  /** Asks it to end; asked again, it is killed. */
  stop: () => void;
}

/** Starts a Wrangler command that cannot outlive this process. `onLine` gets each line that it prints. */
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
      // The supervisor was killed: what it watched over is still there, and holds the pipes open.
      if (code === null) resolve(claimState(stateDir).then(() => 1));
    });
  });
  return {
    exited,
    stop: () => {
      if (child.connected) child.send("stop");
    },
  };
}
