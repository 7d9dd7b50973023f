/** Applies rules that rewrite a text: a name becomes a path. */
import { isReference, joined } from "#importers/draft/values/converted.ts";
import type { PropertyRule } from "#importers/mappings/type-mapping.ts";
import type { Json, JsonMap } from "#platform/json.ts";

export interface RewriteWords {
  /** The value of another argument of the resource in the draft. */
  argument: (name: string) => Json;
  /** The declaration of the source's variable that a template reference leads to; undefined for another reference. */
  variable: (reference: string) => JsonMap | undefined;
}

const MAX_REWRITTEN = 1_000;

/** Undefined: no pattern matches the text. */
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

/** An example id, for a test whether a pattern describes ids or names. */
const anyId = "/a/b";

/** Rewrites a computed value by the first pattern, unless the pattern describes names and the value is an id. */
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
  // `$0` keeps a text that the pattern describes. A computed value may be another text.
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
