import type { Expression, Member } from "#importers/expression.ts";
import type { Place } from "#importers/import-file.ts";

/** A block at the top of a file of Terraform, of either syntax. */
export interface HclBlock extends Place {
  type: string;
  labels: readonly string[];
  endLine: number;
  /** Arguments and nested blocks by name; labels of a nested block are objects around it, as in the JSON syntax. */
  members: Map<string, Member>;
  /** The argument `type` as written. */
  typeText: string | null;
}

/** The value of a member that a block has. */
export function valueOf(block: HclBlock, name: string): Expression | undefined {
  return block.members.get(name)?.value;
}

/** The text of a member that is written out. */
export function textValue(value: Expression | undefined): string | null {
  return value?.kind === "literal" && typeof value.value === "string" ? value.value : null;
}

/** The member of an object. */
export function memberIn(value: Expression | undefined, name: string): Expression | undefined {
  return value?.kind === "object"
    ? value.members.find((member) => member.name === name)?.value
    : undefined;
}

/** One or several: repeated blocks are a list. */
export function each(value: Expression | undefined): readonly Expression[] {
  if (value === undefined) return [];
  return value.kind === "list" ? value.items : [value];
}
