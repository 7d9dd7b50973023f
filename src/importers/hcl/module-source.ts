/** The source of a module's call. OpenTofu computes one of locals and variables, before it reads the modules. */
import type { Expression } from "#importers/expression.ts";
import type { SourceLocal, SourceVariable } from "#importers/source-module.ts";

const MAX_DEPTH = 10;
const MAX_SOURCE = 1_000;
/** The values that one source is made of. Locals that name others twice would take exponential time. */
const MAX_VALUES = 100;

interface Names {
  locals: ReadonlyMap<string, SourceLocal>;
  variables: ReadonlyMap<string, SourceVariable>;
}

export interface CallSource {
  /** Null: nothing here tells it. */
  text: string | null;
  /** The variable whose default is a part of it. */
  variable: string | undefined;
}

export function sourceOfCall(value: Expression | undefined, names: Names): CallSource {
  const found: CallSource = { text: null, variable: undefined };
  let values = 0;
  const textOf = (of: Expression | undefined, depth: number): string | undefined => {
    values += 1;
    if (of === undefined || depth > MAX_DEPTH || values > MAX_VALUES) return undefined;
    if (of.kind === "literal") return of.value === null ? undefined : String(of.value);
    if (of.kind === "text") {
      const parts = of.parts.map((part) => textOf(part, depth + 1));
      const text = parts.every((part) => part !== undefined) ? parts.join("") : undefined;
      return text === undefined || text.length > MAX_SOURCE ? undefined : text;
    }
    if (of.kind !== "reference") return undefined;
    const { target, path } = of;
    if (target.kind === "local")
      return textOf(partOf(names.locals.get(target.name)?.value, path), depth + 1);
    const variable = target.kind === "variable" ? names.variables.get(target.name) : undefined;
    if (variable === undefined || variable.sensitive) return undefined;
    found.variable = variable.name;
    return textOf(partOf(variable.default, path), depth + 1);
  };
  found.text = textOf(value, 0) ?? null;
  return found;
}

function partOf(
  of: Expression | undefined,
  path: readonly (string | number)[],
): Expression | undefined {
  let at = of;
  for (const step of path) {
    if (at?.kind === "list") at = at.items[Number(step)];
    else if (at?.kind === "object")
      at = at.members.find(({ name }) => name === String(step))?.value;
    else return undefined;
  }
  return at;
}
