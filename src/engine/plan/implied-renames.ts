/**
 * Renames that the template does not write as aliases. A new resource that names the object of a leaving resource is
 * that resource under another name. A delete and a new create of the object would lose its content, or fail while the
 * name is taken. If this is not certain, the plan is refused.
 */
import type { StoredResource } from "#engine/state/state.ts";
import { aliasFor } from "#engine/template/levels/address.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import type { ResourceDeclaration } from "#engine/template/template.ts";
import type { ValueMap } from "#engine/value.ts";
import type { TypeFacts } from "#providers/provider.ts";
import { isSameType } from "#providers/type-name.ts";
import type { ChangeDecision } from "./decide-change.ts";
import { type NameFacts, plainAt, samenessAt, uniquePaths } from "./unique-name.ts";

type IdentityFacts = NameFacts & Pick<TypeFacts, "nameProperty" | "regionProperty" | "location">;

/** An object that a run is going to create. */
export interface NewObject {
  name: string;
  declaration: Pick<ResourceDeclaration, "type" | "options" | "place">;
  inputs: ValueMap;
  facts: IdentityFacts | undefined;
  /** The id that the object will have, if the cloud derives it from the properties. */
  knownId: string | undefined;
  /** The resource has an object, which the new one replaces. */
  replaces: boolean;
}

/** `named`: both have the same name, but the cloud may give it to several objects. */
type Identity = "same" | "anyCase" | "named" | "other";

function identityOf(
  { declaration: { type }, inputs, facts, knownId }: NewObject,
  leaving: StoredResource,
): Identity {
  if (!isSameType(type, leaving.type)) return "other";
  if (knownId !== undefined && leaving.state !== "lost")
    return knownId === leaving.id ? "same" : "other";
  const paths = uniquePaths(facts);
  const { nameProperty } = facts ?? {};
  const named = paths ?? (nameProperty === undefined ? undefined : [nameProperty]);
  if (named === undefined || isElsewhere(inputs, leaving.inputs, facts)) return "other";
  const sameness = samenessAt(leaving.inputs, inputs, named);
  if (paths !== undefined) return sameness;
  return sameness === "same" ? "named" : "other";
}

/** Whether the two are in different regions or parents, where the cloud may give the name again. */
function isElsewhere(
  inputs: ValueMap,
  before: ValueMap,
  { regionProperty, location = [] }: IdentityFacts = {},
): boolean {
  const places = regionProperty === undefined ? location : [regionProperty, ...location];
  return places.some((path) => plainAt(inputs, path) !== plainAt(before, path));
}

/**
 * The renames, from the names in the state to those in the template. Throws `ResolveError` if a new resource may be a
 * leaving object, but this is not certain. `leaving`: the objects whose resources left the template; `kept`: the change
 * of such an object under the new name.
 */
export function impliedRenames(
  arriving: readonly NewObject[],
  leaving: readonly StoredResource[],
  kept: (arriving: NewObject, object: StoredResource) => ChangeDecision["action"],
): Map<string, string> {
  const pairs = arriving.flatMap((one) =>
    leaving.flatMap((object) => {
      const identity = identityOf(one, object);
      return identity === "other" ? [] : [{ one, object, identity }];
    }),
  );
  const renames = new Map<string, string>();
  for (const { one, object, identity } of pairs) {
    const isOnly = pairs.every(
      (other) => (other.one === one) === (other.object === object) || other.identity !== identity,
    );
    const isCertain =
      identity !== "anyCase" &&
      isOnly &&
      !one.replaces &&
      (kept(one, object) !== "replace" || one.declaration.options.deleteBeforeReplace);
    if (isCertain) {
      renames.set(object.name, one.name);
      continue;
    }
    // Several objects may have the name, so the new one can be created beside the old one.
    if (identity !== "named") throw unclear(one, object);
  }
  return renames;
}

/**
 * Throws `ResolveError` for an object about to be created that is a leaving one. Its name has become known only now.
 */
export function requireNotLeaving(one: NewObject, leaving: readonly StoredResource[]): void {
  for (const object of leaving) {
    const identity = identityOf(one, object);
    if (identity === "same" || identity === "anyCase") throw unclear(one, object);
  }
}

function unclear({ name, declaration, facts, knownId, replaces }: NewObject, old: StoredResource) {
  const paths = uniquePaths(facts) ?? [];
  const what =
    paths.length > 0 && knownId === undefined
      ? paths.map((path) => `\`${path}\``).join(" and ")
      : "id";
  const { alias, on } = aliasFor(old.name, name);
  const advice = replaces
    ? "R"
    : `If ${name} is the new name of ${old.name}, add \`aliases: [${alias}]\` to ${on}. Otherwise r`;
  return new ResolveError(
    "unclear_rename",
    `${name} gets the same ${what} as ${old.name}, which is no longer in the template and has it until it is deleted. ${advice}emove ${old.name} in a deployment of its own first.`,
    declaration.place,
  );
}
