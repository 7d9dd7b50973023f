/** A file of an import whose path and encoding have been checked. */
export interface ImportFile {
  /** A relative POSIX path without `.` and `..`, unique within the import. */
  path: string;
  text: string;
  /** The format that the caller names; undefined: path and content decide. */
  format?: string | undefined;
}

/** A position in a file. Lines count from 1. */
export interface Place {
  file: string;
  line: number;
}

/** The folder of a path, `.` for files at the top. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "." : path.slice(0, slash);
}

export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
