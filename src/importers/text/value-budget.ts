import type { ImportFile } from "#importers/import-file.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { workOf } from "#importers/import-work.ts";

/**
 * Spends the values of a file. False: the import has too many values, an error is logged, and nothing of this file may
 * be kept. Names and values of HCL count once. Values of JSON and YAML take more memory and count twice. Each takes 45
 * bytes until the import is done, and a unit of its work.
 */
export function spendValues(count: number, { path }: ImportFile, log: ImportLog): boolean {
  const work = workOf(log);
  if (count <= work.readable) {
    work.spendReading(count);
    return true;
  }
  const message =
    "The files before this one say as much as an import may have: import this one in another import.";
  log.add("error", "too_many_values", message, { file: path });
  return false;
}
