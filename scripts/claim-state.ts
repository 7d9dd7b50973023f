import { processTable } from "./process-table.ts";
import { readRunRecord, removeRunRecord } from "./run-record.ts";

const PATIENCE_MS = 2_000;
const STEP_MS = 50;

/**
 * Makes sure that no other process works on the state: waits for a run that is just ending, kills what a killed run
 * left behind. Throws when another run is alive.
 */
export async function claimState(stateDir: string): Promise<void> {
  let supervisor: number | undefined;
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += STEP_MS) {
    const record = await readRunRecord(stateDir);
    if (record === undefined) break;
    const table = await processTable();
    supervisor = table.find(
      ({ pid, command }) => pid === record.supervisor && command.includes("supervisor.ts"),
    )?.pid;
    // A number that was given to another process since is none of ours: only Wrangler's own kind is killed.
    const left = table.filter(
      ({ group, command }) => group === record.group && /wrangler|workerd|esbuild/.test(command),
    );
    if (supervisor === undefined && left.length === 0) break;
    if (supervisor === undefined) for (const { pid } of left) kill(pid);
    await new Promise((resolve) => {
      setTimeout(resolve, STEP_MS);
    });
  }
  if (supervisor !== undefined)
    throw new Error(
      `Another run (process ${supervisor}) uses the state in ${stateDir}. Stop it, or set STATE_DIR to another directory.`,
    );
  await removeRunRecord(stateDir);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
