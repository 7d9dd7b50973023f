/** Finds the paths of an import that a pattern means, in time linear to the path for each step of the pattern. */
import type { Expression } from "#importers/expression.ts";

/** Whether a path has these texts in their order, the first at its start and the last at its end. */
export function hasPieces(path: string, pieces: readonly Expression[]): boolean {
  let at = 0;
  for (const [nth, piece] of pieces.entries()) {
    if (piece.kind !== "literal") continue;
    const text = String(piece.value);
    const isLast = nth === pieces.length - 1;
    if (isLast) return path.length >= at + text.length && path.endsWith(text);
    const found = nth === 0 ? (path.startsWith(text) ? 0 : -1) : path.indexOf(text, at);
    if (found === -1) return false;
    at = found + text.length;
  }
  return true;
}

const MAX_ALTERNATIVES = 50;
const MAX_PATTERN = 500;

export interface Glob {
  matches: (path: string) => boolean;
  /** The length of all its alternatives. A match takes time linear to it for each character of the path. */
  length: number;
}

/** Reads a pattern of `fileset`: `*`, `?`, `[a-z]`, `{a,b}` and `**`. Undefined: the pattern is not read. */
export function globOf(pattern: string): Glob | undefined {
  if (pattern.length > MAX_PATTERN) return undefined;
  const all = alternatives(pattern.replace(/^(?:\.\/)+/, "")) ?? [];
  const globs = all.map((one) => one.split("/").map(stepOf));
  if (globs.length === 0 || globs.some((steps) => steps.includes(undefined))) return undefined;
  return {
    matches: (path) => {
      const steps = path.split("/");
      return globs.some((glob) => matches(glob as readonly Step[], steps));
    },
    length: all.join("").length,
  };
}

/** `anything`: any number of folders. */
type Step = "anything" | readonly Sign[];
/** `*`, or a test of one character. */
type Sign = "*" | ((char: string) => boolean);

/** The pattern once for each choice in its braces. */
function alternatives(pattern: string): string[] | undefined {
  const waiting = [pattern];
  const found: string[] = [];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (found.length + waiting.length > MAX_ALTERNATIVES) return undefined;
    const [, before = "", choices, after = ""] = /^([^{}]*)\{([^{}]*)\}(.*)$/s.exec(at) ?? [];
    if (choices === undefined) found.push(at);
    else for (const choice of choices.split(",")) waiting.push(`${before}${choice}${after}`);
  }
  return found.some((one) => /[{}\\]/.test(one)) ? undefined : found;
}

function stepOf(written: string): Step | undefined {
  if (written === "**") return "anything";
  const signs: Sign[] = [];
  for (let at = 0; at < written.length; at += 1) {
    const char = written.charAt(at);
    if (char === "*") {
      if (signs.at(-1) !== "*") signs.push("*");
    } else if (char === "?") signs.push(() => true);
    else if (char !== "[") signs.push((other) => other === char);
    else {
      const end = written.indexOf("]", at + 2);
      if (end === -1) return undefined;
      signs.push(oneOf(written.slice(at + 1, end)));
      at = end;
    }
  }
  return signs;
}

function oneOf(written: string): (char: string) => boolean {
  const isNot = /^[!^]/.test(written);
  const chars = isNot ? written.slice(1) : written;
  const ranges = [...chars.matchAll(/(.)-(.)|(.)/gs)].map(([, from, to, only]) => [
    only ?? from ?? "",
    only ?? to ?? "",
  ]);
  return (char) => ranges.some(([from = "", to = ""]) => from <= char && char <= to) !== isNot;
}

function matches(glob: readonly Step[], path: readonly string[]): boolean {
  /** Whether the steps of the pattern so far mean so many steps of the path. */
  let reached = [true, ...path.map(() => false)];
  for (const step of glob) {
    const next = reached.map(() => false);
    for (const [at, isReached] of reached.entries()) {
      if (step === "anything") next[at] = isReached || (at > 0 && next[at - 1] === true);
      else if (isReached && at < path.length && matchesStep(step, path[at] ?? ""))
        next[at + 1] = true;
    }
    reached = next;
  }
  return reached.at(-1) === true;
}

function matchesStep(signs: readonly Sign[], text: string): boolean {
  let [sign, at] = [0, 0];
  /** The last star, and the characters that it has taken. */
  let star: { sign: number; at: number } | undefined;
  while (at < text.length) {
    const one = signs[sign];
    if (one === "*") {
      star = { sign, at };
      sign += 1;
    } else if (one?.(text.charAt(at)) === true) {
      sign += 1;
      at += 1;
    } else if (star === undefined) return false;
    else {
      star.at += 1;
      sign = star.sign + 1;
      ({ at } = star);
    }
  }
  return signs.slice(sign).every((one) => one === "*");
}
