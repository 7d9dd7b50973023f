/**
 * A fault to plant in the code, and the test that has to fail while it is there. It is tied to the name of a function, so
 * that it survives every change but one of what the function means.
 */
export interface Mutant {
  /** Unique, in kebab-case. */
  id: string;
  /** What is wrong while the fault is there. */
  what: string;
  /** The file it is planted in, relative to the project. */
  file: string;
  /** One function of the file has this name: `nextAttempt`, `PlacesTable.#first`, `outer.inner`. */
  name: string;
  /** What the function returns instead of doing its work, as an expression of its parameters; empty: nothing. */
  returns: string;
  /** When it returns that, as an expression of its parameters; absent: always. */
  when?: string;
  /** The file of the test that notices it, relative to the project. */
  test: string;
  /** The name of that test, or the part of it that its source contains. */
  noticedBy: string;
}
