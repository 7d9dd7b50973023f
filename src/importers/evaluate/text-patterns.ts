/** Terraform's functions that search a text for a pattern. */
import { asText, decidedList, decidedLiteral, failed } from "./decided.ts";
import { type Function_, MAX_TEXT, type Place } from "./deciding.ts";
import { listed } from "./each-turn.ts";
import { matchesOf, partsBetween } from "./regular-expression.ts";
import type { Bound, Decided } from "./scope.ts";

/** The maximum length of a search text, in characters. A search takes the product of both lengths. */
const MAX_SEARCHED = 1_000;
/** The number of characters that a search compares in one step. */
const COMPARED_IN_STEP = 1_024;

/**
 * The number of parts between the matches of a search text. At most one more than the limit of a list; undefined: open.
 */
export function partsOfText(
  text: string,
  search: string,
  spend: Place["spend"],
): number | undefined {
  if (!searches(text, search, spend)) return undefined;
  let parts = 1;
  for (let at = text.indexOf(search); at !== -1 && parts <= MAX_COUNTED; parts += 1)
    at = text.indexOf(search, at + search.length);
  return parts;
}

/** The limit of the count. */
const MAX_COUNTED = 1_000;

/** Spends the steps of a search. False: the search must not run. */
function searches(text: string, search: string, spend: Place["spend"]): boolean {
  if (search.length > MAX_SEARCHED) return false;
  return spend(Math.ceil((text.length * search.length) / COMPARED_IN_STEP));
}

/** `replace`: a pattern between slashes is a regular expression. */
export const replace: Function_ = (args, place) => {
  const [text, search, replacement] = args.map(asText);
  if (text === undefined || search === undefined || replacement === undefined) return undefined;
  const [, pattern] = /^\/(.+)\/$/s.exec(search) ?? [];
  if (search === "" || search === "//" || !searches(text, search, place.spend)) return undefined;
  const parts =
    pattern === undefined ? text.split(search) : partsBetween(pattern, text, place.spend);
  // The two languages differ on `$1x` in a replacement.
  if (parts === undefined || (pattern !== undefined && replacement.includes("$"))) return undefined;
  const added = (parts.length - 1) * replacement.length;
  return text.length + added > MAX_TEXT ? undefined : decidedLiteral(parts.join(replacement));
};

/** Undefined: the matches are open. */
const matches = (args: readonly Decided[], place: Place): Bound[] | undefined => {
  const [pattern, text] = args.map(asText);
  if (pattern === undefined || text === undefined) return undefined;
  const { literal, scope } = place;
  return matchesOf(pattern, text, place.spend)?.map((match) =>
    typeof match === "string"
      ? literal(match, scope)
      : listed(
          match.map((group) => literal(group, scope)),
          scope,
        ),
  );
};

export const regexall: Function_ = (args, place) => {
  const found = matches(args, place);
  return found && decidedList(found);
};

export const regex: Function_ = (args, place) => {
  const found = matches(args, place);
  const [first] = found ?? [];
  return first === undefined ? found && failed : place.decide(first);
};
