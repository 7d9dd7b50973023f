import { literal, type Expression, type Member } from "#importers/expression.ts";
import { memberOf, type DataNode } from "#importers/text/data-node.ts";
import { type ArmNames, type Declared, isNullable, isSecureType } from "./arm-names.ts";
import type { ArmReading } from "./arm-reading.ts";
import { type Path, stepped } from "./arm-steps.ts";
import { start, type Turn } from "./arm-turn.ts";
import { call, textIn as knownText } from "./known-values.ts";
import { asDeclared } from "./secret-values.ts";

/** A parameter's value in the deployment of its template. */
export interface Argument {
  name: string;
  line: number;
  read: () => Expression;
}

/** A nested template's side of its deployment. */
export interface Given {
  /** The values of its parameters, by lower case. */
  arguments: ReadonlyMap<string, Argument>;
  /** The start of the names of its variables and parameters. */
  prefix: string;
  /** Whether a file has other values of its parameters. */
  hasFile: boolean;
}

/** The values of names. Null: the value is being read. */
interface KnownValues {
  variables: Map<string, Expression | null>;
  parameters: Map<string, Expression | null>;
}

function noValues(): KnownValues {
  return { variables: new Map(), parameters: new Map() };
}

/** The reading of the template's nodes. */
interface Values {
  readonly reading: ArmReading;
  read: (node: DataNode, turn: Turn, name?: string) => Expression;
  copies: (item: DataNode, name: string, turn: Turn) => Expression;
}

const MAX_TABLE = 20;
/** The names of variables that one step compares. */
const NAMES_IN_STEP = 8;

/** Reads the values of one template's variables and parameters. */
export class NamedValues {
  readonly #names: ArmNames;
  readonly #values: Values;
  readonly #given: Given | undefined;
  /** Values in which other names are written out, and those in which they stay. */
  #writtenOut = noValues();
  #named = noValues();

  constructor(names: ArmNames, values: Values, given: Given | undefined) {
    this.#names = names;
    this.#values = values;
    this.#given = given;
  }

  /** Forgets the values that were read before all resources were known. */
  forget(): void {
    this.#writtenOut = noValues();
    this.#named = noValues();
  }

  get #known(): KnownValues {
    return this.#values.reading.keepsNames ? this.#named : this.#writtenOut;
  }

  /** The value of `parameters(…)` with its path; undefined: there is none. */
  parameter(named: string, path: Path): Expression | undefined {
    const { line, turn } = path;
    const { reading } = this.#values;
    const given = turn.given?.get(named);
    if (turn.given !== undefined) return given && stepped(given, path, reading);
    const declared = this.#names.parameters.get(named);
    if (declared === undefined) return undefined;
    if (this.#given === undefined)
      return stepped(
        { kind: "reference", target: { kind: "variable", name: declared.name }, path: [], line },
        path,
        reading,
      );
    const value = reading.keepsNames
      ? localOf(this.parameterLocal(declared), line)
      : this.argument(named, declared);
    return value && stepped(value, path, reading);
  }

  /** The name of a nested template's parameter among the locals of its module. */
  parameterLocal({ name }: Declared): string {
    return `${this.prefix}parameter ${name}`;
  }

  /** The name of a variable among the locals of its module. */
  variableLocal({ name }: Declared): string {
    return `${this.prefix}${name}`;
  }

  /** The start of the template's names in its module. */
  get prefix(): string {
    return this.#given?.prefix ?? "";
  }

  /** The value of a nested template's parameter; undefined: it has none, or refers to itself. */
  argument(named: string, { name, node }: Declared): Expression | undefined {
    const given = this.#given;
    if (given === undefined) return undefined;
    const { parameters } = this.#known;
    const known = parameters.get(named);
    if (known !== undefined) return known ?? undefined;
    parameters.set(named, null);
    const initial = memberOf(node, "defaultValue");
    const argument = given.arguments.get(named);
    const plain =
      argument?.read() ??
      (initial ? this.#values.read(initial, start) : undefined) ??
      (isNullable(node) ? literal(null) : this.#notGiven(named, { name, node }));
    const own = plain && this.#values.reading.withoutSecrets(node, plain);
    const value = own && asDeclared(name, node, own);
    // A name that stays is not written out.
    const { reading } = this.#values;
    if (value === undefined || !(reading.keepsNames || reading.writesOut(value))) {
      parameters.delete(named);
      return undefined;
    }
    parameters.set(named, value);
    return value;
  }

  /** A nested parameter whose value is in another file. */
  #notGiven(named: string, { name, node }: Declared): Expression | undefined {
    if (this.#given?.hasFile !== true) return undefined;
    const asked = this.#values.reading.askedName(name, `${this.prefix}parameter ${named}`);
    const given = [literal(asked), literal(null), literal(true)];
    return call("pseudo", isSecureType(node) ? given : given.slice(0, 1), node.line);
  }

  /** The value of `variables(…)` with its path; undefined: there is none. */
  variable(named: string, path: Path): Expression | undefined {
    const { reading } = this.#values;
    const declared = this.#names.variables.get(named);
    if (declared === undefined) return undefined;
    const reference = localOf(this.variableLocal(declared), path.line);
    if (reading.keepsNames) return stepped(reference, path, reading);
    const value = this.valueOf(named, declared);
    if (value === undefined) return undefined;
    const part = stepped(value, path, reading);
    if (part === undefined) return undefined;
    return reading.writesOut(part) ? part : stepped(reference, path, reading);
  }

  /** The variable of a computed name: a table of those that may be meant. */
  variableOf(name: Expression, path: Path): Expression | undefined {
    const { reading } = this.#values;
    const { steps, line } = path;
    const parts = name.kind === "text" ? name.parts : [name];
    const from = knownText(parts[0])?.toLowerCase() ?? "";
    const to = knownText(parts.at(-1))?.toLowerCase() ?? "";
    if (!reading.spend(this.#names.variables.size / NAMES_IN_STEP)) return undefined;
    const members: Member[] = [];
    for (const [key, declared] of this.#names.variables) {
      if (!key.startsWith(from) || !key.endsWith(to) || this.#known.variables.get(key) === null)
        continue;
      const value = this.variable(key, { ...path, steps: [] });
      if (value === undefined || members.length === MAX_TABLE) return undefined;
      members.push({ name: declared.name, value, line });
    }
    return stepped(
      { kind: "object", members },
      { ...path, steps: [{ value: name, isOptional: false }, ...steps] },
      reading,
    );
  }

  /** The value of a variable; undefined: it refers to itself. */
  valueOf(named: string, { name, node, isCopy = false }: Declared): Expression | undefined {
    const { variables } = this.#known;
    const known = variables.get(named);
    if (known !== undefined) return known ?? undefined;
    variables.set(named, null);
    const read = isCopy
      ? this.#values.copies(node, name, start)
      : this.#values.read(node, start, name);
    const made = this.#values.reading.withoutSecrets(node, read);
    variables.set(named, made);
    return made;
  }
}

export function localOf(name: string, line: number): Expression {
  return { kind: "reference", target: { kind: "local", name }, path: [], line };
}
