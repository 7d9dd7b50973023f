/**
 * Terraform's regular expressions are those of RE2 (https://github.com/google/re2/wiki/Syntax). Only patterns that
 * JavaScript reads alike, and cannot take long over, are evaluated.
 */

const MAX_PATTERN = 200;
/** The maximum number of ways to match a text. */
const MAX_WAYS = 100_000;
const MAX_TEXT = 1_000;

/** The two languages differ on letters and spaces outside ASCII. */
const ascii = /^[\x20-\x7e]*$/;

/** A character, or a position between two. */
const atom =
  /^(?:[A-Za-z0-9 _\-!"#%&',/:;<=>@`~]|\\[dDwW]|\\[.*+?()[\]{}|^$\\/-]|\.|\[\^?(?:\w(?:-\w)?|[ .:/@,]|\\[dw.-])+-?\])/;
const place = /^(?:\^|\$|\\b)/;
const quantifier = /^(?:[*+?]|\{(\d{1,2})(,\d{0,2})?\})\??/;

/** The number of ways in one step of a draft's work. */
const WAYS_OF_STEP = 10;

/** A match: its text, or the texts of its groups, null for an unused group. */
export type Match = string | readonly (string | null)[];

type Spend = (steps: number) => boolean;

/** All matches in the text; undefined: not decided here. */
export function matchesOf(pattern: string, text: string, spend: Spend): Match[] | undefined {
  return readAlike(pattern, text, spend)?.map(([whole, ...groups]) =>
    groups.length === 0 ? whole : groups.map((group: string | undefined) => group ?? null),
  );
}

/** The texts before, between and after the matches; undefined: not decided here. */
export function partsBetween(pattern: string, text: string, spend: Spend): string[] | undefined {
  const all = readAlike(pattern, text, spend);
  const ends = [0, ...(all ?? []).map((match) => match.index + match[0].length)];
  return all && ends.map((end, at) => text.slice(end, all[at]?.index));
}

function readAlike(pattern: string, text: string, spend: Spend): RegExpExecArray[] | undefined {
  if (pattern.length > MAX_PATTERN || text.length > MAX_TEXT || !ascii.test(text)) return undefined;
  const ways = waysOf(pattern, text.length + 1);
  if (ways > MAX_WAYS || !spend(Math.ceil(ways / WAYS_OF_STEP))) return undefined;
  const found = [...text.matchAll(new RegExp(pattern, "g"))];
  // The two languages differ on empty matches beside others.
  return found.some(([whole]) => whole === "") ? undefined : found;
}

/**
 * An upper bound for the ways to match a text with so many positions. A match starts at each position, and each choice
 * multiplies. Infinity: the pattern contains another construct, or repeats a group with choices.
 */
function waysOf(pattern: string, places: number): number {
  let ways = places;
  let rest = pattern;
  /** The open groups, and whether they contain a choice. */
  const open: { hasChoice: boolean }[] = [];
  const choose = (count: number): void => {
    ways *= count;
    for (const group of open) group.hasChoice = true;
  };
  while (rest !== "") {
    const start = /^\((?:\?:)?(?![?*+])/.exec(rest)?.[0] ?? place.exec(rest)?.[0];
    if (start !== undefined) {
      if (start.startsWith("(")) open.push({ hasChoice: false });
      rest = rest.slice(start.length);
      if (!start.startsWith("(") && quantifier.test(rest)) return Infinity;
      continue;
    }
    if (rest.startsWith("|")) {
      choose(2);
      rest = rest.slice(1);
      continue;
    }
    const closed = rest.startsWith(")") ? open.pop() : undefined;
    const one = closed === undefined ? atom.exec(rest)?.[0] : ")";
    if (one === undefined || isBackwards(one)) return Infinity;
    rest = rest.slice(one.length);
    const many = quantifier.exec(rest);
    if (many === null) continue;
    const [written, least, more] = many;
    if (closed?.hasChoice === true) return Infinity;
    const most = more === undefined || more === "," ? Infinity : Number(more.slice(1));
    if (Number(least) > most) return Infinity;
    if (least === undefined || more !== undefined) choose(places);
    rest = rest.slice(written.length);
    if (quantifier.test(rest)) return Infinity;
  }
  return open.length === 0 ? ways * Math.max(1, pattern.length / 20) : Infinity;
}

/** Whether a range is invalid in both languages: `[z-a]`. */
function isBackwards(one: string): boolean {
  if (!one.startsWith("[")) return false;
  return [...one.matchAll(/(\w)-(\w)/g)].some(([, from = "", to = ""]) => from > to);
}
