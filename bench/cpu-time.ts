import { readFile } from "node:fs/promises";
import { processTable } from "../scripts/service/process-table.ts";

/** Linux counts in hundredths of a second (USER_HZ) on every architecture that Node supports. */
const TICK_MS = 10;

/** The process id of the workerd that this process started. */
export async function runtimePid(): Promise<number> {
  const runtime = (await processTable()).find(
    ({ parent, command }) => parent === process.pid && /\bworkerd\b/.test(command),
  );
  if (runtime === undefined) throw new Error("The Workers runtime is not a child of this process.");
  return runtime.pid;
}

/** CPU time used by the process so far, in milliseconds; undefined without /proc. */
export async function cpuTimeMs(pid: number): Promise<number | undefined> {
  if (process.platform !== "linux") return undefined;
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name may contain spaces. After it, state is field 3, user time field 14, system time field 15.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
