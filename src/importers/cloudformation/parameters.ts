import { literal } from "#importers/expression.ts";
import { hidden, holdsSecret } from "#importers/hidden-values.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { isSecretName } from "#importers/secret-name.ts";
import type { SourceVariable } from "#importers/source-module.ts";
import { lineOf, memberOf, textIn, type DataNode } from "#importers/text/data-node.ts";

export function parameterOf(
  name: string,
  node: DataNode,
  file: string,
  log: ImportLog,
): SourceVariable {
  const line = lineOf(node);
  const type = textIn(memberOf(node, "Type")) ?? null;
  const sensitive = isTrue(memberOf(node, "NoEcho")) || isSecretName(name);
  const given = memberOf(node, "Default");
  const isStored = type?.startsWith("AWS::SSM::Parameter::") === true;
  if (isStored && given !== undefined)
    log.add(
      "warning",
      "stored_parameter",
      `The default of the parameter \`${name}\` names an entry of the Parameter Store: give its value instead.`,
      { file, line: given.line },
    );
  const { allowed } = { allowed: valuesIn(memberOf(node, "AllowedValues")) };
  return {
    name,
    type,
    description: textIn(memberOf(node, "Description")) ?? null,
    default:
      isStored || given?.kind !== "scalar" || given.value === null
        ? undefined
        : sensitive || (typeof given.value === "string" && holdsSecret(given.value))
          ? hidden(given.line)
          : literal(given.value),
    sensitive,
    allowed: sensitive || allowed.length === 0 ? undefined : allowed,
    file,
    line,
  };
}

function isTrue(node: DataNode | undefined): boolean {
  return node?.kind === "scalar" && String(node.value).toLowerCase() === "true";
}

function valuesIn(node: DataNode | undefined): (string | number | boolean)[] {
  const values: (string | number | boolean)[] = [];
  for (const item of node?.kind === "list" ? node.items : [])
    if (item.kind === "scalar" && item.value !== null) values.push(item.value);
  return values;
}
