import type { Place } from "./template.ts";

/** The reason why a value cannot be computed, with its place in the template. The message never contains a value. */
export class ResolveError extends Error {
  override readonly name = "ResolveError";
  /** Stable, snake_case, e.g. `path_not_found`, `not_a_text`. */
  readonly code: string;
  readonly place: Place;
  readonly hint: string | undefined;
  /** The output of the template that fails because of it. */
  readonly output: string | undefined;

  constructor(code: string, message: string, place: Place, hint?: string, output?: string) {
    super(message);
    this.code = code;
    this.place = place;
    this.hint = hint;
    this.output = output;
  }
}
