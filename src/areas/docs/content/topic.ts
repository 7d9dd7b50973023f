/** A short text of the reference with its own link target. */
export interface Topic {
  id: string;
  title: string;
  /** Paragraphs separated by empty lines, with code between backticks. */
  text: string;
}
