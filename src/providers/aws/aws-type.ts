import type { RestType } from "#providers/rest/rest-type.ts";

export interface AwsType extends RestType {
  /**
   * The only identifier that an object can have, with placeholders for texts of its properties, those without a letter
   * case in lower case.
   */
  identifier?: string;
  /** What is never returned is not known in full: a patch adds whatever the object does not show. */
  hidesUnknown?: true;
}
