import type { SourceLocal } from "#importers/source-module.ts";
import { lineOf, type DataNode } from "#importers/text/data-node.ts";
import type { ArmValues } from "./values/arm-values.ts";

/** A template that is part of the module. */
export interface Template {
  values: ArmValues;
  file: string;
}

/** The value of a name in a reading that keeps names. */
export interface NamedValue {
  declaration: DataNode;
  local: SourceLocal;
}

/** The variables of a template as locals of its module. */
export function localsOf({ values, file }: Template): SourceLocal[] {
  return [...values.names.variables].map(([key, declared]): SourceLocal => {
    const { node } = declared;
    const value = values.named.valueOf(key, declared) ?? {
      kind: "opaque",
      text: "variables",
      references: [],
      line: node.line,
    };
    return { name: values.named.variableLocal(declared), value, file, line: lineOf(node) };
  });
}

/** The variables of a template, and its parameters if it is nested. */
export function namedIn(template: Template): NamedValue[] {
  const { values, file } = template;
  const { variables, parameters } = values.names;
  const locals = localsOf(template);
  const named = [...variables.values()].flatMap(({ node }, at) => {
    const local = locals[at];
    return local === undefined ? [] : [{ declaration: node, local }];
  });
  for (const [key, declared] of parameters) {
    const value = values.named.argument(key, declared);
    const { node } = declared;
    if (value === undefined) continue;
    const local = { name: values.named.parameterLocal(declared), value, file, line: lineOf(node) };
    named.push({ declaration: node, local });
  }
  return named;
}
