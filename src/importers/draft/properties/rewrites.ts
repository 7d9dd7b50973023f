/** Rules that make a text of another text: a name becomes a path. */
import { isReference, joined } from "#importers/draft/values/converted.ts";
import type { PropertyRule } from "#importers/mappings/type-mapping.ts";
import type { Json, JsonMap } from "#platform/json.ts";

export interface RewriteWords {
  /** What another argument of the source's resource is here. */
  argument: (name: string) => Json;
  /** The declaration of the source's variable that a reference is to; undefined: it is to something else. */
  variable: (reference: string) => JsonMap | undefined;
}

const MAX_REWRITTEN = 1_000;

/** Undefined: no pattern says what the text becomes. */
export function rewritten(
  item: string,
  { rewrites, reads }: PropertyRule,
  words: RewriteWords,
): Json | undefined {
  if (rewrites === undefined) return undefined;
  if (isReference(item)) return computed(item, rewrites, reads, words);
  if (item.length > MAX_REWRITTEN) return undefined;
  for (const [pattern, text] of rewrites) {
    const groups: readonly string[] | null = new RegExp(`^(?:${pattern})$`).exec(item);
    if (groups !== null) return filled(text, groups, words);
  }
  return undefined;
}

/** An id of an object, as far as patterns tell ids from names. */
const anyId = "/a/b";

/** What only the deployment knows is what the first pattern says, unless that is of names and it is an id. */
function computed(
  reference: string,
  rewrites: NonNullable<PropertyRule["rewrites"]>,
  reads: string | undefined,
  words: RewriteWords,
): Json | undefined {
  const [first] = rewrites;
  if (first === undefined) return undefined;
  const [pattern, text] = first;
  if (/\$[1-9]/.test(text)) return undefined;
  if (isIdOfObject(reference, reads) && !new RegExp(`^(?:${pattern})$`).test(anyId))
    return undefined;
  const initial = words.variable(reference)?.["default"];
  const isTold = typeof initial === "string";
  if (isTold && !new RegExp(`^(?:${pattern})$`).test(initial.slice(0, MAX_REWRITTEN)))
    return undefined;
  // To stay as it is says something of a text that the pattern describes, and of no other.
  return text === "$0" && !isTold ? undefined : filled(text, [reference], words);
}

function isIdOfObject(reference: string, reads = "id"): boolean {
  return [reads, "id", "selfLink"].some((name) => reference.endsWith(`.${name}}`));
}

function filled(text: string, groups: readonly string[], { argument }: RewriteWords): Json {
  const parts = text
    .split(/(\$\d|\{[a-z0-9_]+\})/)
    .filter((part) => part !== "")
    .map((part): Json => {
      if (/^\$\d$/.test(part)) return groups[Number(part.slice(1))] ?? "";
      return /^\{[a-z0-9_]+\}$/.test(part) ? argument(part.slice(1, -1)) : part;
    });
  const made = joined(parts);
  return made.kind === "value" ? made.value : (groups[0] ?? "");
}
