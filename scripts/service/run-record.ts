import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/** The process ids of a run on a state directory: the supervisor and Wrangler's process group. */
export interface RunRecord {
  supervisor: number;
  group: number;
}

function runRecordFile(stateDir: string): string {
  return path.join(stateDir, "run.json");
}

/** Throws `EEXIST` when another run is recorded. */
export async function writeRunRecord(stateDir: string, record: RunRecord): Promise<void> {
  await writeFile(runRecordFile(stateDir), JSON.stringify(record), { flag: "wx" });
}

/** Undefined when there is no record, or a crash truncated it. */
export async function readRunRecord(stateDir: string): Promise<RunRecord | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(runRecordFile(stateDir), "utf8"));
    if (typeof value !== "object" || value === null) return undefined;
    const { supervisor, group } = value as Partial<Record<keyof RunRecord, unknown>>;
    return Number.isInteger(supervisor) && Number.isInteger(group)
      ? (value as RunRecord)
      : undefined;
  } catch {
    return undefined;
  }
}

export async function removeRunRecord(stateDir: string): Promise<void> {
  await rm(runRecordFile(stateDir), { force: true });
}
