/** Who changed the content of a row: persons, each with the version of the row that their last change made. */
export type Authors = { [person: string]: number };

/** Stands in `Authors` for those whom a full list has dropped, with the newest of their versions. */
export const OTHERS = "*";

/** The content that a deployment takes, by which its authors are asked for. */
export type Content = "version" | "instance" | "profile" | "target";

/** The versions of the rows that a deployment took. */
export interface Taken {
  instance: number;
  target: number;
  profile: { id: string; version: number } | null;
}
