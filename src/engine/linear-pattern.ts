/**
 * Matches user-written regular expressions in time proportional to pattern size times text length. The built-in
 * matcher backtracks, so a hostile pattern would block the Worker.
 */

export interface LinearPattern {
  /** True when the pattern matches anywhere in the text, as in JSON Schema's `pattern`. */
  test(text: string): boolean;
  /** Maximum steps per character of a match. */
  readonly size: number;
}

const MAX_PATTERN = 500;
const MAX_PROGRAM = 2_000;

type Tree =
  | { kind: "character"; test: (character: string) => boolean }
  | { kind: "edge"; edge: "start" | "end" }
  | { kind: "sequence"; items: Tree[] }
  | { kind: "choice"; items: Tree[] }
  | { kind: "repeat"; item: Tree; min: number; max: number };

type Instruction =
  | { op: "character"; test: (character: string) => boolean }
  | { op: "edge"; edge: "start" | "end" }
  | { op: "fork"; targets: number[] }
  | { op: "match" };

class Unsupported extends Error {}

/** Compiles an ECMAScript pattern (flag `u`). Returns a message when the pattern cannot be used. */
export function compilePattern(source: string): LinearPattern | string {
  if (source.length > MAX_PATTERN) return `A pattern can have at most ${MAX_PATTERN} characters.`;
  try {
    void new RegExp(source, "u");
  } catch {
    return "The pattern is not a valid regular expression.";
  }
  try {
    const program: Instruction[] = [];
    emit(new PatternReader(source).read(), program);
    push(program, { op: "match" });
    return { test: (text) => run(program, text), size: program.length };
  } catch (error) {
    if (error instanceof Unsupported) return error.message;
    throw error;
  }
}

/** Parses a pattern that is known to be valid. */
class PatternReader {
  readonly #source: string;
  #position = 0;

  constructor(source: string) {
    this.#source = source;
  }

  read(): Tree {
    const items = [this.#sequence()];
    while (this.#take("|")) items.push(this.#sequence());
    return items.length === 1 && items[0] !== undefined ? items[0] : { kind: "choice", items };
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#position)) return false;
    this.#position += text.length;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.#source)?.[0];
    if (found !== undefined) this.#position += found.length;
    return found;
  }

  #sequence(): Tree {
    const items: Tree[] = [];
    while (this.#position < this.#source.length && !/[|)]/.test(this.#source[this.#position] ?? ""))
      items.push(this.#quantified());
    return { kind: "sequence", items };
  }

  #quantified(): Tree {
    const item = this.#atom();
    const quantifier = this.#match(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
    if (quantifier === undefined) return item;
    if (quantifier.startsWith("*")) return { kind: "repeat", item, min: 0, max: Infinity };
    if (quantifier.startsWith("+")) return { kind: "repeat", item, min: 1, max: Infinity };
    if (quantifier.startsWith("?")) return { kind: "repeat", item, min: 0, max: 1 };
    const [min = "0", max] = quantifier.replace(/[{}?]/g, "").split(",");
    const least = Number(min);
    const most = max === undefined ? least : max === "" ? Infinity : Number(max);
    return { kind: "repeat", item, min: least, max: most };
  }

  #atom(): Tree {
    if (this.#take("^")) return { kind: "edge", edge: "start" };
    if (this.#take("$")) return { kind: "edge", edge: "end" };
    if (this.#take(".")) return characterClass(".");
    if (this.#take("(")) {
      if (this.#match(/\?(?:<?[=!]|[a-z-]+:)/y) !== undefined)
        throw new Unsupported("Patterns do not support lookaround or inline flags.");
      this.#match(/\?:|\?<[^>]*>/y);
      const inner = this.read();
      this.#take(")");
      return inner;
    }
    if (this.#source[this.#position] === "[")
      return characterClass(this.#match(/\[(?:[^\]\\]|\\.)*\]/uy) ?? "");
    if (this.#source[this.#position] === "\\") {
      if (this.#match(/\\(?:[1-9k])/y) !== undefined)
        throw new Unsupported("Patterns do not support backreferences.");
      if (this.#match(/\\[bB]/y) !== undefined)
        throw new Unsupported("Patterns do not support word boundaries.");
      const escape = this.#match(
        /\\(?:u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]+\}|x[0-9A-Fa-f]{2}|[pP]\{[^}]*\}|c[A-Za-z]|.)/uy,
      );
      return characterClass(escape ?? "");
    }
    const literal = this.#match(/./suy) ?? "";
    return { kind: "character", test: (character) => character === literal };
  }
}

/** The built-in matcher tests single characters, where it cannot backtrack. */
function characterClass(source: string): Tree {
  const pattern = new RegExp(`^${source}$`, "u");
  return { kind: "character", test: (character) => pattern.test(character) };
}

function push(program: Instruction[], instruction: Instruction): number {
  if (program.length >= MAX_PROGRAM)
    throw new Unsupported("The pattern is too large after its counted repetitions are expanded.");
  return program.push(instruction) - 1;
}

function emit(tree: Tree, program: Instruction[]): void {
  switch (tree.kind) {
    case "character":
      push(program, { op: "character", test: tree.test });
      return;
    case "edge":
      push(program, { op: "edge", edge: tree.edge });
      return;
    case "sequence":
      for (const item of tree.items) emit(item, program);
      return;
    case "choice": {
      const targets: number[] = [];
      push(program, { op: "fork", targets });
      const exits: number[][] = [];
      for (const item of tree.items) {
        targets.push(program.length);
        emit(item, program);
        const exit: number[] = [];
        push(program, { op: "fork", targets: exit });
        exits.push(exit);
      }
      for (const exit of exits) exit.push(program.length);
      return;
    }
    case "repeat": {
      for (let count = 0; count < tree.min; count++) emitPart(tree.item, program);
      if (tree.max === Infinity) {
        const targets = [program.length + 1];
        const loop = push(program, { op: "fork", targets });
        emit(tree.item, program);
        push(program, { op: "fork", targets: [loop] });
        targets.push(program.length);
        return;
      }
      const exits: number[][] = [];
      for (let count = tree.min; count < tree.max; count++) {
        const targets = [program.length + 1];
        push(program, { op: "fork", targets });
        exits.push(targets);
        emitPart(tree.item, program);
      }
      for (const exit of exits) exit.push(program.length);
    }
  }
}

/** An empty item costs one instruction too: otherwise its repetition would never reach the limit. */
function emitPart(tree: Tree, program: Instruction[]): void {
  const before = program.length;
  emit(tree, program);
  if (program.length === before) push(program, { op: "fork", targets: [program.length + 1] });
}

function run(program: readonly Instruction[], text: string): boolean {
  let current: number[] = [];
  const seenAt = new Int32Array(program.length).fill(-1);
  const pending: number[] = [];

  /** Follows forks and edges from `from`; returns true when it reaches the match. */
  const enter = (from: number, step: number, position: number, into: number[]): boolean => {
    pending.push(from);
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (seenAt[at] === step) continue;
      seenAt[at] = step;
      const instruction = program[at];
      if (instruction === undefined) continue;
      if (instruction.op === "match") return true;
      if (instruction.op === "character") into.push(at);
      else if (instruction.op === "fork")
        for (const target of instruction.targets) pending.push(target);
      else if (instruction.edge === "start" ? position === 0 : position === text.length)
        pending.push(at + 1);
    }
    return false;
  };

  let position = 0;
  let step = 0;
  if (enter(0, step, position, current)) return true;
  for (const character of text) {
    position += character.length;
    step++;
    const next: number[] = [];
    for (const at of current) {
      const instruction = program[at];
      if (instruction?.op === "character" && instruction.test(character))
        if (enter(at + 1, step, position, next)) return true;
    }
    if (enter(0, step, position, next)) return true;
    current = next;
  }
  return false;
}
