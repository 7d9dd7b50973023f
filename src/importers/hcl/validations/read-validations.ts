/** Reads the `validation` blocks of a variable: https://developer.hashicorp.com/terraform/language/validate */
import type { Expression } from "#importers/expression.ts";
import { each, type HclBlock, valueOf } from "#importers/hcl/hcl-block.ts";
import type { ImportWork } from "#importers/import-work.ts";
import type { LeftOutPart } from "#importers/source-module.ts";
import type { JsonMap } from "#platform/json.ts";
import { conjuncts, meetsNull, schemaOf } from "./condition-schema.ts";
import { allOf, orEmpty } from "./joined-schemas.ts";
import { shownCondition } from "./shown-condition.ts";
import type { Kind, Subject } from "./subject.ts";

/** Units of work for one condition. */
const MAX_UNITS = 20_000;

export interface Validations {
  /** The values of the first `contains([…], var.name)`. */
  allowed: readonly (string | number | boolean)[] | undefined;
  schema: JsonMap | undefined;
  /** Conditions without a form here. */
  leftOut: readonly LeftOutPart[];
}

/** The conditions of one `validation`, each of which must hold. */
interface Condition {
  of: Expression;
  line: number;
}

/** `isSecret`: no value of the conditions is kept. */
export function readValidations(
  block: HclBlock,
  name: string,
  isSecret: boolean,
  work: ImportWork,
): Validations {
  const type = kindOf(valueOf(block, "type"), valueOf(block, "default"));
  let left = 0;
  const about: Subject = {
    ...type,
    is: (of) => isVariable(of, name),
    spend: (units) => {
      if (units > left || work.readable < units) return false;
      left -= units;
      work.spendReading(units);
      return true;
    },
  };
  const isNullByDefault = isNull(valueOf(block, "default"));
  const leftOut: LeftOutPart[] = [];
  const schemas: JsonMap[] = [];
  let allowed: Validations["allowed"];
  for (const { of, line } of conditionsIn(valueOf(block, "validation"))) {
    const values = allowed === undefined && !isSecret ? valuesIn(of, about) : undefined;
    if (values !== undefined) {
      allowed = values;
      continue;
    }
    left = MAX_UNITS;
    const made = schemaOf(of, about);
    const schema =
      made !== undefined && isNullByDefault && meetsNull(of, about) ? orEmpty(made, about) : made;
    if (schema === undefined || (isSecret && !tellsLengths(schema)))
      leftOut.push({
        address: `var.${name}`,
        file: block.file,
        line,
        path: "validation",
        reason: `A config value's schema has nothing for the condition: ${shownCondition(of)}`,
      });
    else schemas.push(schema);
  }
  return { allowed, schema: schemas.length === 0 ? undefined : allOf(schemas), leftOut };
}

/** The keywords that reveal no value. */
const lengths: ReadonlySet<string> = new Set([
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
]);

function tellsLengths(schema: JsonMap): boolean {
  return Object.keys(schema).every((keyword) => lengths.has(keyword));
}

/** The rules that a secret keeps. */
export function onlyLengths(schema: JsonMap): JsonMap {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => lengths.has(keyword)));
}

function conditionsIn(validations: Expression | undefined): Condition[] {
  return each(validations).flatMap((validation) => {
    const found =
      validation.kind === "object"
        ? validation.members.find((member) => member.name === "condition")
        : undefined;
    return found === undefined
      ? []
      : conjuncts(found.value).map((of) => ({ of, line: found.line }));
  });
}

function isVariable(of: Expression, name: string): boolean {
  return (
    of.kind === "reference" &&
    of.target.kind === "variable" &&
    of.target.name === name &&
    of.path.length === 0
  );
}

function isNull(of: Expression | undefined): boolean {
  return of?.kind === "literal" && of.value === null;
}

function valuesIn(condition: Expression, { is }: Subject): Validations["allowed"] {
  if (condition.kind !== "call" || condition.name !== "contains") return undefined;
  const [list, value, ...others] = condition.args;
  if (list?.kind !== "list" || value === undefined || !is(value) || others.length > 0)
    return undefined;
  const values = list.items.flatMap((item) =>
    item.kind === "literal" && item.value !== null ? [item.value] : [],
  );
  return values.length === list.items.length && values.length > 0 ? values : undefined;
}

/** The kind of a variable by its type, or by its default. */
function kindOf(
  type: Expression | undefined,
  initial: Expression | undefined,
): Pick<Subject, "kind" | "inner"> {
  if (type !== undefined) {
    const [item] = type.kind === "call" ? type.args : [];
    return { kind: kindNamed(type), inner: item === undefined ? "unknown" : kindNamed(item) };
  }
  const value = initial?.kind === "literal" ? typeof initial.value : undefined;
  // A config value without a type or a default is a text.
  const untyped = initial === undefined ? "string" : "unknown";
  const kind = value === "string" || value === "number" ? value : untyped;
  return { kind, inner: "unknown" };
}

const kinds: ReadonlySet<string> = new Set(["string", "number", "bool", "list", "set", "map"]);

function kindNamed(type: Expression): Kind {
  const name = type.kind === "call" ? type.name : type.kind === "opaque" ? type.text : "";
  const written = type.kind === "literal" ? String(type.value) : name;
  return kinds.has(written) ? (written as Kind) : "unknown";
}
