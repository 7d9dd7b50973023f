import type { Json, JsonMap } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import type { Answered, Failed, RestProviderDefinition } from "#providers/rest/definition.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { fillId } from "./fill-path.ts";

/** One call of the engine with everything its requests need. */
export interface Attempt {
  definition: RestProviderDefinition;
  context: ProviderContext;
  row: RestType;
  /** Absent: the request is of no type, but of the account. */
  type?: string;
  verb: Answered["verb"];
  /** The engine's name for the object, if it has one. */
  name?: string;
  /** The properties, including the name; they fill the placeholders. */
  properties: JsonMap;
  /** What the object was earlier: as last shown, as last applied. */
  earlier?: readonly JsonMap[];
}

/** A failure; by default not retryable and without effect at the provider. */
export function failure(code: string, message: string, more: Partial<Failed> = {}): Failed {
  return { kind: "failed", code, message, retryable: false, unknownOutcome: false, ...more };
}

/** A failure before the call was sent. That of a poll says nothing about the object. */
export function unsent(verb: Attempt["verb"], failed: Failed): Failed {
  return verb === "poll" ? { ...failed, unread: true } : failed;
}

/** What fills the placeholders of a path; the first that has one counts. */
export function placeholderSources(
  { properties, name, context }: Attempt,
  id?: string,
): Readonly<Record<string, Json>>[] {
  return [
    id === undefined ? {} : { id },
    properties,
    name === undefined ? {} : { name },
    context.config,
    { region: context.region },
  ];
}

/** The id that the row knows before the call; undefined: it knows none, or a value for it is missing. */
export function knownIdOf(attempt: Attempt): string | undefined {
  const known = attempt.row.id?.known;
  if (known === undefined) return undefined;
  const filled = fillId(known, placeholderSources(attempt));
  return filled.ok ? filled.path : undefined;
}
