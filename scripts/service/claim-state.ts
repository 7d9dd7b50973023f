import { processTable } from "./process-table.ts";
import { readRunRecord, removeRunRecord } from "./run-record.ts";

const WAIT_MS = 2_000;
const STEP_MS = 50;

/**
 * Ensures that no other process uses the state: waits for a run that is ending, and kills the processes that a killed
 * run left behind. Throws when another run is alive.
 */
export async function claimState(stateDir: string): Promise<void> {
  let supervisor: number | undefined;
  for (let waitedMs = 0; waitedMs < WAIT_MS; waitedMs += STEP_MS) {
    const record = await readRunRecord(stateDir);
    if (record === undefined) break;
    const table = await processTable();
    supervisor = table.find(
      ({ pid, command }) => pid === record.supervisor && command.includes("supervisor.ts"),
    )?.pid;
    // The process id may have been reused since, so only Wrangler's processes are killed.
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
