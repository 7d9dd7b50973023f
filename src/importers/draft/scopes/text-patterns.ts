import { asText, decidedList, decidedLiteral, failed } from "./decided.ts";
import { type Function_, MAX_TEXT, type Place } from "./deciding.ts";
import { listed } from "./each-turn.ts";
import { matchesOf, partsBetween } from "./regular-expression.ts";
/** Terraform's functions that find what a pattern says in a text. */
import type { Bound, Decided } from "./scope.ts";

/** Characters that are searched for: with more, a search takes as long as both texts multiplied. */
const MAX_SEARCHED = 1_000;
/** Characters that a search compares in one step. */
const COMPARED_IN_STEP = 1_024;

/** The number of parts that a text has between what is searched for, at most one more than a list may have; undefined: open. */
export function partsOfText(
  text: string,
  search: string,
  takes: Place["takes"],
): number | undefined {
  if (!searches(text, search, takes)) return undefined;
  let parts = 1;
  for (let at = text.indexOf(search); at !== -1 && parts <= MAX_COUNTED; parts += 1)
    at = text.indexOf(search, at + search.length);
  return parts;
}

/** More parts are not told apart. */
const MAX_COUNTED = 1_000;

/** Pays for a search of one text in another; false: it is not made. */
function searches(text: string, search: string, takes: Place["takes"]): boolean {
  if (search.length > MAX_SEARCHED) return false;
  return takes(Math.ceil((text.length * search.length) / COMPARED_IN_STEP));
}

/** A pattern between slashes is a regular expression. */
export const replace: Function_ = (args, place) => {
  const [text, search, replacement] = args.map(asText);
  if (text === undefined || search === undefined || replacement === undefined) return undefined;
  const [, pattern] = /^\/(.+)\/$/s.exec(search) ?? [];
  if (search === "" || search === "//" || !searches(text, search, place.takes)) return undefined;
  const parts =
    pattern === undefined ? text.split(search) : partsBetween(pattern, text, place.takes);
  // What `$1x` names in place of a match, the two languages do not agree on.
  if (parts === undefined || (pattern !== undefined && replacement.includes("$"))) return undefined;
  const added = (parts.length - 1) * replacement.length;
  return text.length + added > MAX_TEXT ? undefined : decidedLiteral(parts.join(replacement));
};

/** Undefined: they are open. */
const matches = (args: readonly Decided[], place: Place): Bound[] | undefined => {
  const [pattern, text] = args.map(asText);
  if (pattern === undefined || text === undefined) return undefined;
  const { literal, scope } = place;
  return matchesOf(pattern, text, place.takes)?.map((match) =>
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
