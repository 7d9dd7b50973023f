import { asText, decidedList, decidedLiteral, failed } from "./decided.ts";
import { type Function_, MAX_TEXT, type Place } from "./deciding.ts";
import { listed } from "./each-turn.ts";
import { matchesOf, partsBetween } from "./regular-expression.ts";
/** Terraform's functions that find what a pattern says in a text. */
import type { Bound, Decided } from "./scope.ts";

/** A pattern between slashes is a regular expression. */
export const replace: Function_ = (args, place) => {
  const [text, search, replacement] = args.map(asText);
  if (text === undefined || search === undefined || replacement === undefined) return undefined;
  const [, pattern] = /^\/(.+)\/$/s.exec(search) ?? [];
  if (search === "" || search === "//") return undefined;
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
