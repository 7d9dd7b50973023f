/** Names that a cloud gives to only one object at a time. */
import { factPath } from "#engine/path-set.ts";
import type { StoredResource } from "#engine/state/state.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import type { ResourceDeclaration } from "#engine/template/template.ts";
import { valueAt } from "#engine/value-paths.ts";
import { hasUnknown, reveal, type ValueMap } from "#engine/value.ts";
import type { TypeFacts } from "#providers/provider.ts";

export type NameFacts = Pick<TypeFacts, "uniqueName" | "identifier">;

/** `anyCase`: equal except for letter case, which means nothing to some clouds. */
export type Sameness = "same" | "anyCase" | "other";

/** The plain text of a value; undefined: it has none, or is not known yet. */
export function plainAt(values: ValueMap, path: string): string | undefined {
  const value = valueAt(values, factPath(path));
  if (value === undefined || value === null || hasUnknown(value)) return undefined;
  const plain = reveal(value);
  return typeof plain === "string" ? plain : JSON.stringify(plain);
}

/** The paths of the properties that together form a name of only one object; undefined: the type has none. */
export function uniquePaths(facts: NameFacts | undefined): readonly string[] | undefined {
  if (facts?.uniqueName !== undefined) return [facts.uniqueName];
  return facts?.identifier?.length === 0 ? undefined : facts?.identifier;
}

/**
 * Whether two objects of a type have the same values at these paths. A value that the template leaves out differs for
 * each object, because the engine or the cloud chooses it.
 */
export function samenessAt(before: ValueMap, after: ValueMap, paths: readonly string[]): Sameness {
  let sameness: Sameness = "same";
  for (const path of paths) {
    const [old, wanted] = [plainAt(before, path), plainAt(after, path)];
    if (old === undefined || wanted === undefined) return "other";
    if (old === wanted) continue;
    if (old.toLowerCase() !== wanted.toLowerCase()) return "other";
    sameness = "anyCase";
  }
  return sameness;
}

/**
 * Whether the replacement of an object would get its id or its unique name. `knownId`: the id of the replacement, if
 * the cloud derives it from the properties.
 */
export function keepsUniqueName(
  stored: StoredResource,
  inputs: ValueMap,
  facts: NameFacts | undefined,
  knownId: string | undefined,
): boolean {
  if (knownId !== undefined && stored.state !== "lost") return knownId === stored.id;
  const paths = uniquePaths(facts);
  return paths !== undefined && samenessAt(stored.inputs, inputs, paths) !== "other";
}

/**
 * The refusal of a replacement that needs the old object's delete first. If its create then failed, no object would be
 * left.
 */
export function nameStaysTaken(
  name: string,
  { place, options }: Pick<ResourceDeclaration, "place" | "options">,
  facts: (NameFacts & Pick<TypeFacts, "required">) | undefined,
  why: string | undefined,
): ResolveError {
  const paths = uniquePaths(facts) ?? [];
  const named = paths.length === 0 ? "id" : paths.map((path) => `\`${path}\``).join(" and ");
  const leaveOut =
    paths.length === 0 || paths.some((path) => facts?.required.includes(path))
      ? ""
      : `, or leave ${named} out, so that every object gets a name of its own`;
  const retained = options.retainOnDelete
    ? " `retainOnDelete` keeps the old object at the provider, so its name stays taken."
    : ` To delete the old object first, with all that is in it, set \`deleteBeforeReplace: true\` on ${name}.`;
  return new ResolveError(
    "name_in_use",
    `${name} has to be replaced${why === undefined ? "" : ` (${why})`}, and the replacement cannot be created while the old object has the same ${named}. To create the new object first, give it another ${named}${leaveOut}.${retained}`,
    place,
  );
}
