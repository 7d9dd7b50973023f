import type { Member } from "#importers/expression.ts";
import type { PropertyMapping } from "#importers/mappings/type-mapping.ts";
import { rulesFor } from "./property-rules.ts";

/** Sorts members with weak rules after the others, which win. */
export function weakLast(
  members: readonly Member[],
  rules: ReadonlyMap<string, PropertyMapping>,
): readonly Member[] {
  const isWeak = ({ name }: Member): boolean =>
    rulesFor(rules.get(name) ?? null, name).some(({ weak }) => weak === true);
  if (!members.some(isWeak)) return members;
  return [...members.filter((one) => !isWeak(one)), ...members.filter(isWeak)];
}
