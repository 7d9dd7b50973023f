import { literal } from "#importers/expression.ts";
import { hidden, isSecretVariable } from "#importers/hidden-values.ts";
import type { SourceVariable } from "#importers/source-module.ts";
import { lineOf, memberOf, textIn, type DataNode } from "#importers/text/data-node.ts";
import type { JsonMap } from "#platform/json.ts";
import { armTypeOf, isNullable, isSecureType } from "./values/arm-names.ts";
import { start } from "./values/arm-turn.ts";
import { type ArmValues } from "./values/arm-values.ts";

export function armParameter(
  name: string,
  node: DataNode,
  values: ArmValues,
  file: string,
): SourceVariable {
  const given = memberOf(node, "defaultValue");
  const isGiven = given !== undefined && !(given.kind === "scalar" && given.value === null);
  const initial = isGiven
    ? values.read(given, start, name)
    : isNullable(node)
      ? literal(null)
      : undefined;
  const left = initial && values.reading.withoutSecrets(node, initial);
  const isSecret =
    isSecureType(node) ||
    isSecretVariable(name, !/^(?:array|.*object)$/i.test(armTypeOf(node) ?? ""));
  const sensitive = isSecret || left !== initial;
  const allowed = scalarsIn(memberOf(node, "allowedValues"));
  return {
    name,
    type: textIn(memberOf(node, "type")) ?? null,
    description: textIn(memberOf(memberOf(node, "metadata"), "description")) ?? null,
    default: isSecret && isGiven ? hidden(given.line) : left,
    sensitive,
    allowed: sensitive || allowed.length === 0 ? undefined : allowed,
    rules: rulesOf(node),
    file,
    line: lineOf(node),
  };
}

/** The range or length of a parameter as keywords of JSON Schema. */
function rulesOf(node: DataNode): JsonMap {
  const type = armTypeOf(node);
  const keywords =
    type === "int"
      ? { minValue: "minimum", maxValue: "maximum" }
      : type === "string"
        ? { minLength: "minLength", maxLength: "maxLength" }
        : {};
  const rules: JsonMap = {};
  for (const [name, keyword] of Object.entries(keywords)) {
    const given = memberOf(node, name);
    if (given?.kind === "scalar" && typeof given.value === "number") rules[keyword] = given.value;
  }
  return rules;
}

function scalarsIn(node: DataNode | undefined): (string | number | boolean)[] {
  const values: (string | number | boolean)[] = [];
  for (const item of node?.kind === "list" ? node.items : [])
    if (item.kind === "scalar" && item.value !== null) values.push(item.value);
  return values;
}
