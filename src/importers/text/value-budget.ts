import type { ImportFile } from "#importers/import-file.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { MAX_READING, workOf } from "#importers/import-work.ts";

/** Values of JSON and YAML take more memory than those of HCL. */
const COST_OF_DATA = 2;

/** Units for all values that an import reads again. The others are left to files that are not read yet. */
const MAX_REPEATED = MAX_READING / 3;

/**
 * Spends the values of a file. False: the import has too many values, an error is logged, and nothing of this file may
 * be kept. Names and values of HCL count once. Values of JSON and YAML take more memory and count twice. Each takes 45
 * bytes until the import is done, and a unit of its work.
 */
export function spendValues(count: number, { path }: ImportFile, log: ImportLog): boolean {
  if (spend(count, log)) return true;
  const message =
    "The files before this one say as much as an import may have: import this one in another import.";
  log.add("error", "too_many_values", message, { file: path });
  return false;
}

/**
 * Spends values of JSON or YAML that are read once more at another place, such as those of a file that several projects
 * include. False: the import has too many values, and these may not be kept.
 */
export function spendRepeated(count: number, log: ImportLog): boolean {
  const units = COST_OF_DATA * count;
  const all = (repeated.get(log) ?? 0) + units;
  if (all > MAX_REPEATED || !spend(units, log)) return false;
  repeated.set(log, all);
  return true;
}

const repeated = new WeakMap<ImportLog, number>();

function spend(units: number, log: ImportLog): boolean {
  const work = workOf(log);
  if (units > work.readable) return false;
  work.spendReading(units);
  return true;
}
