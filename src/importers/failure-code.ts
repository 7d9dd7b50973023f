import type { ImportLog } from "./import-log.ts";

/** The code of the last logged error of a file, for the verdict of a file that could not be read. */
export function failureCode(log: ImportLog, path: string): string {
  return log.errorOf(path) ?? "unreadable_file";
}
