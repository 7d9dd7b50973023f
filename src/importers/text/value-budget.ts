import type { ImportFile } from "#importers/import-file.ts";
import type { ImportLog } from "#importers/import-log.ts";

/**
 * What all files of an import may say: names and values of HCL count once, values of JSON and YAML, which take more
 * memory, twice. 10 MiB of what people write have 1,500,000; each takes 45 bytes until the import is done.
 */
export const MAX_IMPORT_VALUES = 1_600_000;

const left = new WeakMap<ImportLog, number>();

/** False: the import says too much already, and nothing of this file may be kept, which the log says. */
export function takesValues(count: number, { path }: ImportFile, log: ImportLog): boolean {
  const before = left.get(log) ?? MAX_IMPORT_VALUES;
  if (count <= before) {
    left.set(log, before - count);
    return true;
  }
  const message =
    "The files before this one say as much as an import may have: import this one in another import.";
  log.add("error", "too_many_values", message, { file: path });
  return false;
}
