import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { stopSignal } from "../service/stop-signal.ts";

export interface SoakRun {
  /** Of this run alone; kept if it found problems. */
  directory: string;
  /** Prints a line with the time since the start. */
  print: (line: string) => void;
  /** Aborts when somebody stops the soak. */
  stop: AbortSignal;
}

/** Runs a soak, which returns the number of problems, and ends the process: with 0 if there are none. */
export async function runSoak(
  name: string,
  seed: number,
  soak: (run: SoakRun) => Promise<number>,
): Promise<never> {
  const stop = stopSignal();
  const directory = await mkdtemp(path.join(tmpdir(), `control-api-${name}-`));
  const startedAtMs = performance.now();
  const print = (line: string): void => {
    const elapsed = ((performance.now() - startedAtMs) / 1_000).toFixed(0).padStart(4);
    console.log(`${elapsed} s  ${line}`);
  };
  let problems = 1;
  try {
    problems = await soak({ directory, print, stop });
  } catch (error) {
    if (!stop.aborted) console.error(error);
  }
  if (problems === 0 || stop.aborted)
    await rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  else print(`Seed ${seed}. The state and the logs are kept in ${directory}`);
  if (stop.aborted) console.error("The soak was interrupted.");
  process.exit(stop.aborted ? 130 : problems === 0 ? 0 : 1);
}
