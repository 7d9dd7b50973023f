import { literal } from "#importers/expression.ts";
import { hidden, holdsSecret, isSecretSetting } from "#importers/hidden-values.ts";
import type { ImportLog } from "#importers/import-log.ts";
import type { SourceVariable } from "#importers/source-module.ts";
import { itemsOf, lineOf, memberOf, textIn, type DataNode } from "#importers/text/data-node.ts";
import type { JsonMap } from "#platform/json.ts";
import { isListType } from "./list-in.ts";

export function parameterOf(
  name: string,
  node: DataNode,
  file: string,
  log: ImportLog,
): SourceVariable {
  const line = lineOf(node);
  const written = textIn(memberOf(node, "Type")) ?? null;
  const stored = /^AWS::SSM::Parameter::Value<(.+)>$/.exec(written ?? "")?.[1];
  const type = stored ?? written;
  const given = memberOf(node, "Default");
  const reference = /\{\{resolve:([a-z-]*)/.exec(textIn(given) ?? "")?.[1];
  const isOfSecret = reference !== undefined && reference !== "ssm";
  const sensitive = isTrue(memberOf(node, "NoEcho")) || isSecretSetting(name) || isOfSecret;
  if (given !== undefined && (stored !== undefined || reference !== undefined)) {
    const store = isOfSecret ? "a store of secrets" : "the Parameter Store";
    log.add(
      "warning",
      "stored_parameter",
      `The default of the parameter \`${name}\` names an entry of ${store}: give its value instead.`,
      { file, line: given.line },
    );
  }
  // Those of a stored value are about its name in the store.
  const isPlain = stored === undefined;
  const allowed = isPlain && !sensitive ? valuesIn(memberOf(node, "AllowedValues")) : [];
  return {
    name,
    type,
    description: textIn(memberOf(node, "Description")) ?? null,
    default: isPlain && reference === undefined ? defaultOf(given, sensitive) : undefined,
    sensitive,
    allowed: allowed.length === 0 ? undefined : allowed,
    rules: isPlain ? rulesOf(node, type) : {},
    file,
    line,
  };
}

function defaultOf(given: DataNode | undefined, sensitive: boolean): SourceVariable["default"] {
  if (given?.kind !== "scalar" || given.value === null) return undefined;
  return sensitive || isSecret(given.value) ? hidden(given.line) : literal(given.value);
}

/** The length, range and pattern of a parameter as keywords of JSON Schema. A pattern is about the whole value. */
function rulesOf(node: DataNode, type: string | null): JsonMap {
  const isNumber = type === "Number";
  const isList = isListType(type);
  const pattern = textIn(memberOf(node, "AllowedPattern"));
  const rules: JsonMap = {};
  if (isNumber) {
    Object.assign(rules, numberRule(node, "MinValue", "minimum"));
    Object.assign(rules, numberRule(node, "MaxValue", "maximum"));
  } else if (!isList) {
    Object.assign(rules, numberRule(node, "MinLength", "minLength"));
    Object.assign(rules, numberRule(node, "MaxLength", "maxLength"));
  }
  if (pattern !== undefined && !isNumber) rules["pattern"] = wholePattern(pattern);
  return rules;
}

function numberRule(node: DataNode, name: string, keyword: string): JsonMap {
  const given = memberOf(node, name);
  const number =
    given?.kind === "scalar" && given.value !== null ? Number(given.value) : Number.NaN;
  return Number.isFinite(number) ? { [keyword]: number } : {};
}

function wholePattern(pattern: string): string {
  const isWhole = /^\^[^|]*[^\\]\$$/.test(pattern);
  return isWhole ? pattern : `^(?:${pattern})$`;
}

function isTrue(node: DataNode | undefined): boolean {
  return node?.kind === "scalar" && String(node.value).toLowerCase() === "true";
}

function isSecret(value: unknown): boolean {
  return typeof value === "string" && holdsSecret(value);
}

/** Empty if one of them holds a secret: the others alone would refuse it. */
function valuesIn(node: DataNode | undefined): (string | number | boolean)[] {
  const values: (string | number | boolean)[] = [];
  for (const item of itemsOf(node))
    if (item.kind === "scalar" && item.value !== null) values.push(item.value);
  return values.some(isSecret) ? [] : values;
}
