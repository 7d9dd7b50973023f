import type { Scope } from "#importers/draft/scopes/scope.ts";
import type { Expression } from "#importers/expression.ts";
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
  const kinds = new Set<Formula["type"]>();
  for (const { value: inside } of mapping?.kind === "object" ? mapping.members : []) {
    const members = inside.kind === "object" ? inside.members : [];
    const found = members.find(({ name }) => name === String(key.value))?.value;
    if (found !== undefined) kinds.add(typeOf(found));
  }
  const [only, ...others] = kinds;
  return others.length === 0 ? only : undefined;
}

function typeOf(value: Expression): Formula["type"] {
  if (value.kind === "list") return "list";
  if (value.kind !== "literal" || value.value === null) return "unknown";
  if (typeof value.value === "string") return "text";
  return typeof value.value === "number" ? "number" : "boolean";
}
