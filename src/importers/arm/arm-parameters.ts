import { literal } from "#importers/expression.ts";
import { hidden } from "#importers/hidden-values.ts";
import { isSecretName } from "#importers/secrets/secret-name.ts";
import type { SourceVariable } from "#importers/source-module.ts";
import { lineOf, memberOf, textIn, type DataNode } from "#importers/text/data-node.ts";
import { start } from "./arm-turn.ts";
import { type ArmValues } from "./arm-values.ts";

export function armParameter(
  name: string,
  node: DataNode,
  values: ArmValues,
  file: string,
): SourceVariable {
  const type = textIn(memberOf(node, "type")) ?? null;
  const sensitive = isSecureType(type) || isSecretName(name);
  const given = memberOf(node, "defaultValue");
  const isGiven = given !== undefined && !(given.kind === "scalar" && given.value === null);
  const nullable = memberOf(node, "nullable");
  const isNullable = nullable?.kind === "scalar" && nullable.value === true;
  const allowed = scalarsIn(memberOf(node, "allowedValues"));
  return {
    name,
    type,
    description: textIn(memberOf(memberOf(node, "metadata"), "description")) ?? null,
    default: isGiven
      ? sensitive
        ? hidden(given.line)
        : values.read(given, start, name)
      : isNullable
        ? literal(null)
        : undefined,
    sensitive,
    allowed: sensitive || allowed.length === 0 ? undefined : allowed,
    file,
    line: lineOf(node),
  };
}

export function isSecureType(type: string | null): boolean {
  return type !== null && /^secure/i.test(type);
}

function scalarsIn(node: DataNode | undefined): (string | number | boolean)[] {
  const values: (string | number | boolean)[] = [];
  for (const item of node?.kind === "list" ? node.items : [])
    if (item.kind === "scalar" && item.value !== null) values.push(item.value);
  return values;
}
