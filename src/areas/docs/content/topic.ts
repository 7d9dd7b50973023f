/** A short text of the reference with a place of its own to link to. */
export interface Topic {
  id: string;
  title: string;
  /** Paragraphs separated by empty lines, with code between backticks. */
  text: string;
}
