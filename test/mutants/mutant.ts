/** A fault to plant in the code, and the test that has to fail while it is there. */
export interface Mutant {
  /** Unique, in kebab-case. */
  id: string;
  /** What is wrong while the fault is there. */
  what: string;
  /** The file it is planted in, relative to the project. */
  file: string;
  /** Occurs exactly once in the file. */
  from: string;
  to: string;
  /** The file of the test that notices it, relative to the project. */
  test: string;
  /** The name of that test, or the part of it that its source contains. */
  noticedBy: string;
}

/** The file's text with the fault. Throws if what it replaces is missing or occurs twice. */
export function plant(text: string, { id, file, from, to }: Mutant): string {
  const parts = text.split(from);
  if (parts.length !== 2)
    throw new Error(
      `The mutant ${id} replaces a text that occurs ${parts.length - 1} times in ${file}. It has to occur once: adapt \`from\`.`,
    );
  return parts.join(to);
}
