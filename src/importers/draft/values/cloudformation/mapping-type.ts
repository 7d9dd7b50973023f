import type { Scope } from "#importers/evaluate/scope.ts";
import type { Expression, ObjectExpression } from "#importers/expression.ts";
import type { Formula } from "./intrinsic-formulas.ts";

/** The type of the values that a look-up in a mapping may find; undefined: it is another call, or they differ. */
export function mappingType(call: Expression, { home }: Scope): Formula["type"] | undefined {
  if (call.kind !== "call") return undefined;
  const within = call.name === "lookup" ? call.args[0] : call;
  const [of] = within?.kind === "call" && within.name === "[]" ? within.args : [];
  const key = call.name === "lookup" ? call.args[1] : call.args.at(-1);
  if (of?.kind !== "reference" || of.target.kind !== "local" || key?.kind !== "literal")
    return undefined;
  const mapping = home.locals.get(of.target.name)?.value;
  return mapping?.kind === "object" ? typesIn(mapping).get(String(key.value)) : undefined;
}

type Types = ReadonlyMap<string, Formula["type"] | undefined>;

/** The types of each mapping by second key, since every line of a template may look it up. */
const known = new WeakMap<Expression, Types>();

function typesIn(mapping: ObjectExpression): Types {
  const before = known.get(mapping);
  if (before !== undefined) return before;
  const types = new Map<string, Formula["type"] | undefined>();
  for (const { value: inside } of mapping.members)
    for (const { name, value } of inside.kind === "object" ? inside.members : []) {
      const type = typeOf(value);
      types.set(name, !types.has(name) || types.get(name) === type ? type : undefined);
    }
  known.set(mapping, types);
  return types;
}

function typeOf(value: Expression): Formula["type"] {
  if (value.kind === "list") return "list";
  if (value.kind !== "literal" || value.value === null) return "unknown";
  if (typeof value.value === "string") return "text";
  return typeof value.value === "number" ? "number" : "boolean";
}
