import { type Expression, literal } from "#importers/expression.ts";
import {
  hidden,
  isSecretSetting,
  isSecretVariable,
  revealsDefault,
  withoutLiterals,
  withoutMarked,
} from "#importers/hidden-values.ts";
import { isSecretName } from "#importers/secrets/secret-name.ts";
import type { SourceOutput, SourceVariable } from "#importers/source-module.ts";
import { each, type HclBlock, isFalse, isTrue, memberIn, textValue, valueOf } from "./hcl-block.ts";
import { dependenciesOf } from "./read-resource.ts";

/** Reads a variable. The default of a sensitive one is hidden; only its existence is kept. */
export function readVariable(block: HclBlock, name: string): SourceVariable {
  const value = valueOf(block, "default");
  const type = valueOf(block, "type");
  // A boolean is not a secret, whatever its name.
  const isNamedSo = isSecretVariable(name, isScalar(value)) && block.typeText !== "bool";
  const sensitive = isMarked(block) || isNamedSo;
  return {
    name,
    file: block.file,
    line: block.line,
    type: type !== undefined && revealsDefault(type, sensitive) ? null : block.typeText,
    constraint: type,
    nullable: isFalse(valueOf(block, "nullable")) ? false : undefined,
    description: textValue(valueOf(block, "description")),
    default: sensitive && value !== undefined && !isNull(value) ? hidden(block.line) : value,
    sensitive,
    allowed: sensitive ? undefined : allowedBy(valueOf(block, "validation"), name),
  };
}

export function readOutput(block: HclBlock, name: string): SourceOutput {
  const value = valueOf(block, "value") ?? literal(null);
  const sensitive = isMarked(block) || isSecretName(name);
  const shown = sensitive ? withoutMarked(value, block.line) : value;
  return {
    name,
    file: block.file,
    line: block.line,
    value: isSecretSetting(name) ? withoutLiterals(value, block.line) : shown,
    sensitive,
    description: textValue(valueOf(block, "description")),
    dependsOn: dependenciesOf(block),
  };
}

/** Whether the source marks the value as a secret. An ephemeral one must not be stored either. */
function isMarked(block: HclBlock): boolean {
  return isTrue(valueOf(block, "sensitive")) || isTrue(valueOf(block, "ephemeral"));
}

function isScalar(value: Expression | undefined): boolean {
  return value === undefined || value.kind === "literal" || value.kind === "text";
}

function isNull(value: Expression): boolean {
  return value.kind === "literal" && value.value === null;
}

/** The values of the first `contains([…], var.name)` among the conditions. */
function allowedBy(
  validations: Expression | undefined,
  name: string,
): readonly (string | number | boolean)[] | undefined {
  for (const validation of each(validations)) {
    const condition = memberIn(validation, "condition");
    if (condition?.kind !== "call" || condition.name !== "contains") continue;
    const [list, value, ...others] = condition.args;
    const isOfVariable =
      value?.kind === "reference" &&
      value.target.kind === "variable" &&
      value.target.name === name &&
      value.path.length === 0;
    const values = list?.kind === "list" && others.length === 0 ? scalarsIn(list.items) : undefined;
    if (isOfVariable && values !== undefined) return values;
  }
  return undefined;
}

function scalarsIn(items: readonly Expression[]): (string | number | boolean)[] | undefined {
  const values = items.flatMap((item) =>
    item.kind === "literal" && item.value !== null ? [item.value] : [],
  );
  return values.length === items.length && values.length > 0 ? values : undefined;
}
