import { type Expression, literal } from "#importers/expression.ts";
import {
  hidden,
  isSecretSetting,
  isSecretVariable,
  revealsDefault,
  withoutLiterals,
  withoutMarked,
} from "#importers/hidden-values.ts";
import type { ImportWork } from "#importers/import-work.ts";
import { isSecretName } from "#importers/secrets/secret-name.ts";
import type { LeftOutPart, SourceOutput, SourceVariable } from "#importers/source-module.ts";
import { type HclBlock, isFalse, isTrue, textValue, valueOf } from "./hcl-block.ts";
import { dependenciesOf } from "./read-resource.ts";
import { readValidations } from "./validations/read-validations.ts";

export interface ReadVariable {
  variable: SourceVariable;
  /** Conditions that a draft cannot have. */
  leftOut: readonly LeftOutPart[];
}

/** Reads a variable. The default of a sensitive one is hidden; only its existence is kept. */
export function readVariable(block: HclBlock, name: string, work: ImportWork): ReadVariable {
  const value = valueOf(block, "default");
  const type = valueOf(block, "type");
  const sensitive = isSecret(block, name);
  const { allowed, schema, leftOut } = readValidations(block, name, sensitive, work);
  const variable: SourceVariable = {
    name,
    file: block.file,
    line: block.line,
    type: type !== undefined && revealsDefault(type, sensitive) ? null : block.typeText,
    constraint: type,
    nullable: isFalse(valueOf(block, "nullable")) ? false : undefined,
    description: textValue(valueOf(block, "description")),
    default: sensitive && value !== undefined && !isNull(value) ? hidden(block.line) : value,
    sensitive,
    allowed,
    schema,
  };
  return { variable, leftOut };
}

function isSecret(block: HclBlock, name: string): boolean {
  if (isMarked(block)) return true;
  // A boolean is not a secret, whatever its name.
  return block.typeText !== "bool" && isSecretVariable(name, isScalar(valueOf(block, "default")));
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
