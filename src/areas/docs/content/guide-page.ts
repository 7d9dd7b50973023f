/** A page of the project's documentation beside the reference, as the build renders it from Markdown. */
export interface GuidePage {
  path: string;
  title: string;
  /** Trusted: made of the project's own files. */
  html: string;
  /** Its headings of the second level. */
  places: readonly { id: string; title: string }[];
}
