/** The shared state while a template and the templates nested in it are read. */
import { type ArmNode, parseArmExpression } from "#importers/arm/arm-syntax.ts";
import { type Expression, partsOf } from "#importers/expression.ts";
import type { ImportWork } from "#importers/import-work.ts";
import type { DataNode } from "#importers/text/data-node.ts";
import { armTypeOf, type ArmNames } from "./arm-names.ts";
import type { HiddenParts } from "./hidden-parts.ts";
import type { ArmType } from "./known-values.ts";
import { isLoopIndex } from "./open-loops.ts";

/** The limit for the expressions of one file, so that it does not spend the work of others. */
const MAX_STEPS = 300_000;
/** The limit on the parts of one value with its repetitions. */
const MAX_VALUE = 20_000;
/** The parts that one step reads. */
const PARTS_IN_STEP = 16;
/** The limit on the levels of one value: its readers recurse. */
const MAX_LEVELS = 100;
/** The largest value that is written out where its name stands, in parts. */
const MAX_PARTS = 5_000;
/** The limit for all such values of a file. */
const MAX_WRITTEN_OUT = 200_000;

/** The characters that one step parses. */
const CHARACTERS_IN_STEP = 32;

/** The longest text whose expression is kept, in characters. */
const MAX_KNOWN = 2_000;

/** `parts`: with their repetitions. */
interface Size {
  parts: number;
  levels: number;
}

export class ArmReading {
  readonly #work: ImportWork;
  readonly #types = new Map<string, ArmType>();
  readonly #typesOfCalls = new WeakMap<Expression, ArmType | undefined>();
  readonly #sizes = new WeakMap<Expression, Size>();
  readonly #asked = new Map<string, string>();
  readonly #timesAsked = new Map<string, number>();
  readonly #parsed: Map<string, ArmNode | undefined>;
  /** The secrets among the values of names; undefined: this reading finds them. */
  readonly #secrets: HiddenParts | undefined;
  /** Whether names stay, so that the secrets among their values can be found. */
  #keepsNames = false;
  #isCut = false;
  #steps = 0;
  #written = 0;
  depth = 0;

  constructor(
    root: ArmNames,
    work: ImportWork,
    parsed: Map<string, ArmNode | undefined>,
    secrets: HiddenParts | undefined,
  ) {
    this.#parsed = parsed;
    this.#work = work;
    this.#secrets = secrets;
    for (const { name, node } of root.parameters.values()) {
      const type = armTypeOf(node);
      if (type !== undefined) this.#types.set(name, type);
    }
  }

  readonly spend = (steps: number): boolean => {
    this.#steps += steps;
    if (this.#steps > MAX_STEPS || steps > this.#work.readable) {
      this.cut();
      return false;
    }
    this.#work.spendReading(steps);
    return true;
  };

  /** Notes that a part is not read. */
  cut(): void {
    this.#isCut = true;
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  /** Whether this reading finds the secrets. It reads every part, even one that is never made. */
  get findsSecrets(): boolean {
    return this.#secrets === undefined;
  }

  get keepsNames(): boolean {
    return this.#keepsNames;
  }

  /** Keeps names from now on. */
  keepNames(): void {
    this.#keepsNames = true;
  }

  /** Reads a value in which names are written out. */
  writtenOut<T>(read: () => T): T {
    const before = this.#keepsNames;
    this.#keepsNames = false;
    const made = read();
    this.#keepsNames = before;
    return made;
  }

  /** The value of a declared name without its secrets. */
  withoutSecrets(declaration: DataNode, value: Expression): Expression {
    return this.#secrets?.hide(declaration, value, declaration.line) ?? value;
  }

  /** The expression in a text. The same texts occur often, and each is read twice. */
  parsed(text: string): ArmNode | undefined {
    if (text.length > MAX_KNOWN)
      return this.spend(text.length / CHARACTERS_IN_STEP) ? parseArmExpression(text) : undefined;
    if (this.#parsed.has(text)) return this.#parsed.get(text);
    const node = parseArmExpression(text);
    this.#parsed.set(text, node);
    return node;
  }

  /** Spends the writing out of a value where its name stands. False: it is too large, or the budget is spent. */
  writesOut(value: Expression): boolean {
    const { parts, levels } = this.#sizeOf(value);
    if (levels > MAX_LEVELS || parts > MAX_PARTS) return false;
    if (this.#written + parts > MAX_WRITTEN_OUT) return false;
    this.#written += parts;
    return true;
  }

  /** Whether a value is not too large to be a part of others. */
  fits(value: Expression): boolean {
    const { parts, levels } = this.#sizeOf(value);
    return parts <= MAX_VALUE && levels <= MAX_LEVELS;
  }

  /** Spends one pass over values. False: the budget is spent. */
  spendOn(values: readonly Expression[]): boolean {
    let parts = 0;
    for (const value of values) parts += this.#sizeOf(value).parts;
    return this.spend(parts / PARTS_IN_STEP);
  }

  /** Spends a copy of a value. False: the budget is spent. */
  spendCopy(value: Expression): boolean {
    return this.spend(this.#sizeOf(value).parts);
  }

  #sizeOf(of: Expression): Size {
    const known = this.#sizes.get(of);
    if (known !== undefined) return known;
    let parts = 1;
    let levels = 0;
    if (of.kind === "literal") parts += String(of.value).length / 32;
    else if (of.kind === "opaque") parts += of.references.length;
    for (const part of partsOf(of)) {
      const size = this.#sizeOf(part);
      parts += size.parts;
      levels = Math.max(levels, size.levels);
    }
    const size = { parts, levels: levels + 1 };
    this.#sizes.set(of, size);
    return size;
  }

  /** A name for a value that is asked for: the same for the same call with the same arguments. */
  askedName(wanted: string, key: string | undefined): string {
    const whole = `${wanted} ${key ?? this.#asked.size}`;
    const known = this.#asked.get(whole);
    if (known !== undefined) return known;
    const times = (this.#timesAsked.get(wanted) ?? 0) + 1;
    this.#timesAsked.set(wanted, times);
    const name = times === 1 ? wanted : `${wanted} ${times}`;
    this.#asked.set(whole, name);
    return name;
  }

  readonly typeOf = (of: Expression): ArmType | undefined => {
    switch (of.kind) {
      case "literal":
        return of.value === null ? "null" : literalTypes[typeof of.value];
      case "list":
        return "array";
      case "object":
        return "object";
      case "text":
        return "string";
      case "for":
        return of.key === undefined ? "array" : "object";
      case "reference":
        if (of.target.kind === "variable" && of.path.length === 0)
          return this.#types.get(of.target.name);
        if (of.target.kind === "each" && of.target.name === "key") return "string";
        if (of.target.kind === "item" && isLoopIndex(of.target.name)) return "int";
        return of.target.kind === "resource" && /^(?:id|name)$/.test(String(of.path.at(-1)))
          ? "string"
          : undefined;
      case "call": {
        if (this.#typesOfCalls.has(of)) return this.#typesOfCalls.get(of);
        const type = this.#typeOfCall(of.name, of.args);
        this.#typesOfCalls.set(of, type);
        return type;
      }
      case "opaque":
        return undefined;
    }
  };

  #typeOfCall(name: string, args: readonly Expression[]): ArmType | undefined {
    const [first, second, third] = args;
    if (name === "?:") return (second && this.typeOf(second)) ?? (third && this.typeOf(third));
    if (name === "arm:coalesce")
      return (first && this.typeOf(first)) ?? (second && this.typeOf(second));
    if (name === "sensitive") return first && this.typeOf(first);
    if (name === "[]") return typeOfItems(first, this.typeOf);
    return resultTypes.get(name);
  }
}

/** The type of a table's items, where all have the same. */
function typeOfItems(
  table: Expression | undefined,
  typeOf: (of: Expression) => ArmType | undefined,
): ArmType | undefined {
  if (table?.kind !== "list" && table?.kind !== "object") return undefined;
  const [type, ...others] = new Set(partsOf(table).map(typeOf));
  return others.length === 0 ? type : undefined;
}

const literalTypes: Readonly<Record<string, ArmType>> = {
  string: "string",
  number: "int",
  boolean: "bool",
};

const resultTypes: ReadonlyMap<string, ArmType> = new Map(
  Object.entries({
    string: [
      "lower upper trimspace join tostring jsonencode base64encode base64decode pseudo",
      "arm:padLeft arm:substring arm:replace arm:uri arm:take arm:takeLast arm:skip",
      "arm:cidrSubnet cidrhost arm:string",
    ],
    int: ["+ - * % arm:div length max min arm:int arm:indexOf arm:lastIndexOf"],
    bool: [
      "== != < <= > >= && || ! contains startswith endswith arm:contains arm:containsAny arm:hasKey",
    ],
    array: ["split keys range distinct concat arm:flatten arm:takeItems arm:skipItems arm:array"],
    object: ["merge arm:createObject"],
  } satisfies Record<string, string[]>).flatMap(([type, names]) =>
    names
      .join(" ")
      .split(" ")
      .map((name) => [name, type as ArmType] as const),
  ),
);
