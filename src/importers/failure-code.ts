import type { ImportLog } from "./import-log.ts";

/** The code of the last error that the log has of a file, for the verdict of a file that could not be read. */
export function failureCode(log: ImportLog, path: string): string {
  const error = log
    .warnings()
    .findLast(({ file, severity }) => file === path && severity === "error");
  return error?.code ?? "unreadable_file";
}
