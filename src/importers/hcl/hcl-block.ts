import type { Expression, Member } from "#importers/expression.ts";
import type { Place } from "#importers/import-file.ts";

/** A block at the top of a Terraform file, in either syntax. */
export interface HclBlock extends Place {
  type: string;
  labels: readonly string[];
  endLine: number;
  /** Arguments and nested blocks by name. Labels of a nested block become objects around it, as in the JSON syntax. */
  members: Map<string, Member>;
  /** The source text of the argument `type`. */
  typeText: string | null;
}

export function valueOf(block: HclBlock, name: string): Expression | undefined {
  return block.members.get(name)?.value;
}

/** The text of a literal; null for any other value. */
export function textValue(value: Expression | undefined): string | null {
  return value?.kind === "literal" && typeof value.value === "string" ? value.value : null;
}

export function isTrue(value: Expression | undefined): boolean {
  return value?.kind === "literal" && (value.value === true || value.value === "true");
}

export function isFalse(value: Expression | undefined): boolean {
  return value?.kind === "literal" && (value.value === false || value.value === "false");
}

/** The member of an object; undefined for any other value. */
export function memberIn(value: Expression | undefined, name: string): Expression | undefined {
  return value?.kind === "object"
    ? value.members.find((member) => member.name === name)?.value
    : undefined;
}

/** The blocks of a member: a repeated block is a list. */
export function each(value: Expression | undefined): readonly Expression[] {
  if (value === undefined) return [];
  return value.kind === "list" ? value.items : [value];
}
