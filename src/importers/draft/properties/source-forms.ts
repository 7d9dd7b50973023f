/** Equivalent forms of a value in the source: a block and a list of one, a JSON text and its value. */
import { parsedText } from "#importers/evaluate/json-text.ts";
import type { Expression, Member } from "#importers/expression.ts";
import type { PropertyRule } from "#importers/mappings/type-mapping.ts";
import type { ValueShape } from "#providers/provider.ts";
import { wantsStructure } from "./property-rules.ts";

export function onlyItem(given: Expression): Expression {
  const [only] = given.kind === "list" ? given.items : [];
  return given.kind === "list" && given.items.length === 1 && only !== undefined ? only : given;
}

/** The value of a JSON text, if our type takes the value itself. */
export function innerOf(
  given: Expression,
  rule: PropertyRule | undefined,
  { shape, line }: { shape?: ValueShape | undefined; line: number },
): Expression | undefined {
  if (!wantsStructure(shape, rule)) return undefined;
  if (given.kind === "call" && given.name === "jsonencode") return given.args[0];
  if (given.kind !== "text" && given.kind !== "literal") return undefined;
  return shape?.type === "object" || rule?.as === "parsed" ? parsedText(given, line) : undefined;
}

/** Converts a list of pairs to a map. */
export function mapOfPairs(
  given: Expression,
  [key, of]: readonly [string, string] = ["Key", "Value"],
): Member[] | undefined {
  const isNamed = (name: string) => (member: Member) =>
    member.name.toLowerCase() === name.toLowerCase();
  const pairs = (given.kind === "list" ? given.items : [given]).map((pair) => {
    if (pair.kind !== "object") return undefined;
    const name = pair.members.find(isNamed(key))?.value;
    const member = pair.members.find(isNamed(of));
    return name?.kind === "literal" && member !== undefined
      ? { ...member, name: String(name.value) }
      : undefined;
  });
  return pairs.every((pair) => pair !== undefined) ? pairs : undefined;
}

/** Whether the conversion changes names or the form of the value, which must then be written out. */
export function isRestructured(
  rule: PropertyRule | undefined,
  shape: ValueShape | undefined,
): boolean {
  if (rule?.members !== undefined || rule?.each !== undefined || rule?.wrap !== undefined)
    return true;
  if (rule?.as === "pairs" || rule?.as === "entries") return true;
  return shape?.object !== undefined || shape?.items?.object !== undefined;
}
