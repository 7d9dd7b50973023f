/** Converts expressions of the source to values of the draft. */
import { stepsOfText } from "#importers/evaluate/deciding.ts";
import type { Bound, Decided, OpenType, Path, Scope } from "#importers/evaluate/scope.ts";
import { secretsAmong } from "#importers/evaluate/secret-members.ts";
import type { Expression, ReferenceExpression } from "#importers/expression.ts";
import { holdsSecret, isHidden } from "#importers/hidden-values.ts";
import type { ImportWork } from "#importers/import-work.ts";
import type { SourceVariable } from "#importers/source-module.ts";
import type { Json, JsonMap } from "#platform/json.ts";
import { CallValues } from "./call-values.ts";
import { ConditionsInForce } from "./cloudformation/conditions-in-force.ts";
import { IntrinsicValues } from "./cloudformation/intrinsic-values.ts";
import {
  calledName,
  cannot,
  type Converted,
  escaped,
  joined,
  memberName,
  referenceTo,
  secret,
  value,
} from "./converted.ts";
import type { DraftConfig } from "./draft-config.ts";
import type { DraftNames } from "./draft-names.ts";
import type { DraftVariables } from "./draft-variables.ts";
import { shownName, tooMuch } from "./draft.ts";
import type { DraftedByScope, DraftedResource } from "./drafted-resource.ts";
import { Formulas } from "./formulas/formulas.ts";
import { ReferenceValues } from "./reference-values.ts";
import { asJoined, computed, type Converting, failing, type Use } from "./use.ts";

const MAX_STEPS = 200_000;
/** The limit for one resource or output, so that it does not spend the steps of others. */
const MAX_STEPS_OF_ONE = 20_000;
/** Far deeper than templates may nest. */
const MAX_DEPTH = 120;
/**
 * The maximum length of all texts in a draft's values, including repetitions, in characters. A template has at most
 * 200,000.
 */
const MAX_CHARACTERS = 4_000_000;
const MAX_LITERAL = 100_000;

export class DraftValues implements Converting {
  readonly formulas: Formulas;
  readonly #config: DraftConfig;
  /** The types of the references that are no names of the template. */
  readonly #openTypes = new Map<string, JsonMap>();
  readonly #references: ReferenceValues;
  readonly #calls: CallValues;
  readonly intrinsics: IntrinsicValues;
  readonly inForce = new ConditionsInForce();
  readonly #work: ImportWork;
  #steps = 0;
  #until = MAX_STEPS_OF_ONE;
  #depth = 0;
  #characters = 0;

  constructor(
    config: DraftConfig,
    resources: DraftedByScope,
    variables: DraftVariables,
    names: DraftNames,
    work: ImportWork,
  ) {
    this.#config = config;
    this.formulas = new Formulas(this, resources, names);
    this.#references = new ReferenceValues(this, config, resources, this.inForce);
    this.intrinsics = new IntrinsicValues(this, resources, variables, this.inForce);
    this.#calls = new CallValues(this, resources);
    this.#work = work;
  }

  /** Converts an expression. Values from outside the draft are asked for. */
  convert(expression: Expression, scope: Scope, use: Use): Converted {
    if (!this.follow()) return cannot(tooMuch, use.isSecret);
    return this.deeper(() => this.#converted(expression, scope, use));
  }

  /** Converts one level deeper. Lists, maps and names may contain more of them. */
  deeper(read: () => Converted): Converted {
    if (this.#depth === MAX_DEPTH) return cannot("It nests too deep.");
    this.#depth += 1;
    const made = read();
    this.#depth -= 1;
    return made;
  }

  #converted(expression: Expression, scope: Scope, use: Use): Converted {
    switch (expression.kind) {
      case "literal":
        return this.#literal(expression.value, use);
      case "list":
        return this.#list(
          expression.items.map((item) => ({ expression: item, scope })),
          use,
        );
      case "object":
        return this.#object(
          expression.members.map((one) => [one.name, { expression: one.value, scope }]),
          use,
        );
      case "text":
        return this.#text(expression.parts, scope, use);
      case "reference":
        return isCloudFormation(scope) && expression.target.kind === "local"
          ? this.intrinsics.named(expression, scope, use)
          : this.#references.convert(expression, scope, use);
      case "call":
        if (isCloudFormation(scope)) return this.intrinsics.convert(expression, scope, use);
        return this.#calls.convert(expression, scope, use);
      case "for": {
        const made = scope.decided.decide(scope.decided.bound(expression, scope));
        if (made !== undefined) return this.decided(made, use);
        return this.formulas.convert(expression, scope, use) ?? cannot(computed, use.isSecret);
      }
      case "opaque":
        if (isHidden(expression)) return secret();
        return cannot(computed, use.isSecret);
    }
  }

  /** Converts an expression after the type conversion of the source's tool. */
  convertBound(bound: Bound, use: Use): Converted {
    const { expression, scope, constraint } = bound;
    const made = constraint === undefined ? undefined : scope.decided.decide(bound);
    return made === undefined || made.kind === "error"
      ? this.convert(expression, scope, use)
      : this.decided(made, use);
  }

  /** Converts a value that the files decide. */
  decided(made: Decided, use: Use): Converted {
    if (!this.follow()) return cannot(tooMuch, use.isSecret);
    switch (made.kind) {
      case "literal":
        return this.#literal(made.value, use);
      case "list":
        return this.#list(made.items, use);
      case "map":
        return this.#object([...made.members], use);
      case "error":
        return cannot(failing, use.isSecret);
    }
  }

  /**
   * Returns and forgets the resources read since the last call. `unnamed`: those whose given value was repeated instead
   * of a reference.
   */
  takeRead(): { read: DraftedResource[]; unnamed: DraftedResource[] } {
    return this.#references.takeRead();
  }

  /** Starts the step budget of the next resource or output. */
  startNext(): void {
    // Steps beyond the budget were not executed.
    this.#steps = Math.min(this.#steps, this.#until);
    this.#until = this.#steps + MAX_STEPS_OF_ONE;
  }

  /** Counts one more reading of a name. False: the budget is spent. */
  follow(): boolean {
    return this.spend(1);
  }

  spend(steps: number): boolean {
    this.#steps += steps;
    return this.#steps <= Math.min(this.#until, MAX_STEPS) && this.#work.spend(steps);
  }

  /** The declaration of the source's variable that a template reference leads to; undefined for another reference. */
  variable(reference: string): JsonMap | undefined {
    return this.#openTypes.get(reference) ?? this.#config.variable(reference);
  }

  emptyOf(variable: SourceVariable): string | undefined {
    return this.#config.emptyOf(variable);
  }

  attributeOf(made: DraftedResource, formula: string, path: Path, use: Use): Converted {
    return this.#references.attributeOf(made, formula, path, use);
  }

  read(made: DraftedResource): void {
    this.#references.read(made);
  }

  /** Converts a name of a turn that only the deployment knows; undefined for another name. */
  open(reference: ReferenceExpression, scope: Scope, use: Use): Converted | undefined {
    const whole = this.formulas.open(reference, scope);
    const made = whole && this.formulas.below(whole, reference.path, scope, use);
    if (made === undefined) return undefined;
    const written = `\${${made.text}}`;
    // An object's attribute is no value of the source's words.
    if (whole?.type.kind !== "resource")
      this.#openTypes.set(written, { type: configType(made.type), open: true });
    return value(written);
  }

  #literal(given: string | number | boolean | null, use: Use): Converted {
    if (given === null) return { kind: "absent", reason: "It is null." };
    // `1e999` is parsed as infinity.
    if (typeof given === "number" && !Number.isFinite(given))
      return cannot("It is a number without an end.", use.isSecret);
    const isText = typeof given === "string";
    if (use.isSecret === true && given !== "" && typeof given !== "boolean") {
      const isNumber = use.shape?.type === "integer" || use.shape?.type === "number";
      if (isText || !isNumber) return secret();
    }
    if (!isText) return value(given);
    this.#characters += given.length;
    const isPaid = this.spend(stepsOfText(given.length));
    if (given.length > MAX_LITERAL || this.#characters > MAX_CHARACTERS || !isPaid)
      return cannot("It is too long.");
    return holdsSecret(given) ? secret() : value(escaped(given));
  }

  /** Asks for a value that the draft cannot express. Returns a reference to its config value. */
  ask(use: Use, key: string, reason: string, isSecret = false, initial?: Json): string {
    const { address, name, file, line, shape } = use;
    const asked = { key, name, reason, isSecret, shape, address, file, line, default: initial };
    return referenceTo(this.#config.ask(asked), []);
  }

  #list(items: readonly Bound[], use: Use): Converted {
    const values: Json[] = [];
    for (const [at, item] of items.entries()) {
      const path = `${use.path ?? use.name}[${at}]`;
      const one = this.convertBound(item, { ...use, path, shape: use.shape?.items });
      if (one.kind === "value") values.push(one.value);
      // An item cannot be left out: the list would have another meaning.
      else if (one.kind === "cannot")
        values.push(
          this.ask(
            { ...use, shape: use.shape?.items },
            `${item.scope.prefix}${use.address} ${path}`,
            one.reason,
            one.isSecret,
          ),
        );
    }
    return value(values);
  }

  #object(members: readonly (readonly [string, Bound])[], use: Use): Converted {
    const entries: [string, Json][] = [];
    const isSecret = secretsAmong(
      members.map(([name, { expression, scope }]) => ({ name, value: expression, scope })),
      use.isSecret === true,
    );
    for (const [name, member] of members) {
      const written = memberName(name);
      if (written === undefined) return cannot(calledName, use.isSecret);
      const one = this.convertBound(member, {
        ...use,
        path: `${use.path ?? use.name}.${shownName(name)}`,
        shape: use.shape?.items,
        reads: undefined,
        isSecret: isSecret(name),
      });
      if (one.kind === "cannot") return one;
      if (one.kind === "value") entries.push([written, one.value]);
    }
    return value(Object.fromEntries(entries));
  }

  #text(parts: readonly Expression[], scope: Scope, use: Use): Converted {
    const values: Json[] = [];
    for (const part of parts) {
      const one = this.convert(part, scope, {
        ...asJoined(use, parts.length),
        shape: { type: "string" },
        reads: undefined,
        isPart: true,
      });
      if (one.kind === "cannot") return one;
      if (one.kind === "absent") return cannot("A part of the text may be null.");
      values.push(one.value);
    }
    return joined(values);
  }
}

/** The type of a config value with a value of this type. */
function configType({ kind }: OpenType): string {
  switch (kind) {
    case "string":
    case "number":
      return kind;
    case "bool":
      return "boolean";
    case "list":
    case "set":
      return "array";
    case "map":
    case "object":
      return "object";
    case "any":
    case "optional":
    case "open":
    case "resource":
      return "unknown";
  }
}

function isCloudFormation({ module }: Scope): boolean {
  return module.format === "cloudformation";
}
