/**
 * Regular expressions of Terraform, which are those of RE2 (https://github.com/google/re2/wiki/Syntax), as far as
 * JavaScript reads them alike and cannot take long over them.
 */

const MAX_PATTERN = 200;
/** Ways in which a text can be read; more are not tried. */
const MAX_WAYS = 100_000;
const MAX_TEXT = 1_000;

/** What of other texts is a letter or a space, the two languages do not agree on. */
const ascii = /^[\x20-\x7e]*$/;

/** One character, or a place between two. */
const atom =
  /^(?:[A-Za-z0-9 _\-!"#%&',/:;<=>@`~]|\\[dDwW]|\\[.*+?()[\]{}|^$\\/-]|\.|\[\^?(?:\w(?:-\w)?|[ .:/@,]|\\[dw.-])+-?\])/;
const place = /^(?:\^|\$|\\b)/;
const quantifier = /^(?:[*+?]|\{(\d{1,2})(,\d{0,2})?\})\??/;

/** Ways for which one step of a draft's work is taken. */
const WAYS_OF_STEP = 10;

/** Each match: its text, or what its groups have found, of which one that took no part is null. */
export type Match = string | readonly (string | null)[];

type Takes = (steps: number) => boolean;

/** Every match in the text, one after the other; undefined: it is not decided here. */
export function matchesOf(pattern: string, text: string, takes: Takes): Match[] | undefined {
  return readAlike(pattern, text, takes)?.map(([whole, ...groups]) =>
    groups.length === 0 ? whole : groups.map((group: string | undefined) => group ?? null),
  );
}

/** What stands before, between and after the matches; undefined: it is not decided here. */
export function partsBetween(pattern: string, text: string, takes: Takes): string[] | undefined {
  const all = readAlike(pattern, text, takes);
  const ends = [0, ...(all ?? []).map((match) => match.index + match[0].length)];
  return all && ends.map((end, at) => text.slice(end, all[at]?.index));
}

function readAlike(pattern: string, text: string, takes: Takes): RegExpExecArray[] | undefined {
  if (pattern.length > MAX_PATTERN || text.length > MAX_TEXT || !ascii.test(text)) return undefined;
  const ways = waysOf(pattern, text.length + 1);
  if (ways > MAX_WAYS || !takes(Math.ceil(ways / WAYS_OF_STEP))) return undefined;
  const found = [...text.matchAll(new RegExp(pattern, "g"))];
  // Which empty ones count beside others, the two languages do not agree on.
  return found.some(([whole]) => whole === "") ? undefined : found;
}

/**
 * In how many ways a text with so many places can be read, at most: it starts at each of them, and each choice
 * multiplies. Infinity: the pattern has something else, or repeats what has choices itself.
 */
function waysOf(pattern: string, places: number): number {
  let ways = places;
  let rest = pattern;
  /** The groups that are open, and whether there is a choice in them. */
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

/** A class that neither language reads: `[z-a]`. */
function isBackwards(one: string): boolean {
  if (!one.startsWith("[")) return false;
  return [...one.matchAll(/(\w)-(\w)/g)].some(([, from = "", to = ""]) => from > to);
}
