/** The persons who changed the content of a row, each with the row's version after their last change. */
export type Authors = { [person: string]: number };

/** Represents the persons whom a full list has dropped, with the newest of their versions. */
export const OTHERS = "*";

/** The kinds of content that a deployment takes, and whose authors count. */
export type Content = "version" | "instance" | "profile" | "target";

/** The versions of the rows that a deployment took. */
export interface Taken {
  instance: number;
  target: number;
  profile: { id: string; version: number } | null;
}
