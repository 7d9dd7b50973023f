/** Properties that a cloud takes only at the create, or changes in only one direction. */
import { factPath } from "#engine/path-set.ts";
import type { StoredResource } from "#engine/state/state.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import type { ResourceDeclaration } from "#engine/template/template.ts";
import { valueAt } from "#engine/value-paths.ts";
import { hasUnknown, reveal, type Value, type ValueMap } from "#engine/value.ts";
import { canonicalJson } from "#platform/json.ts";
import type { TypeFacts } from "#providers/provider.ts";

type Options = Pick<ResourceDeclaration["options"], "ignoreChanges" | "replaceOnChanges">;

function at(values: ValueMap, path: string): Value | undefined {
  return valueAt(values, factPath(path));
}

/** The paths whose changes are ignored: those that the template ignores, and create-only properties. */
export function ignoredPaths(
  { ignoreChanges, replaceOnChanges }: Options,
  facts: Pick<TypeFacts, "onlyAtCreate"> | undefined,
): string[] {
  const once = Object.keys(facts?.onlyAtCreate ?? {});
  return [...ignoreChanges, ...once.filter((path) => !replaceOnChanges.includes(path))];
}

/** The facts for this change: a flag that cannot be unset in place is immutable once it is set. */
export function factsFor<F extends Pick<TypeFacts, "immutable" | "oneWay">>(
  { inputs }: Pick<StoredResource, "inputs">,
  properties: ValueMap,
  facts: F | undefined,
): F | undefined {
  const unset = (facts?.oneWay ?? []).filter(
    (path) => isTrue(at(inputs, path)) && !isTrue(at(properties, path)),
  );
  return facts === undefined || unset.length === 0
    ? facts
    : { ...facts, immutable: [...facts.immutable, ...unset] };
}

function isTrue(value: Value | undefined): boolean {
  return value !== undefined && !hasUnknown(value) && reveal(value) === true;
}

/**
 * Throws `ResolveError` when the template changes a create-only property, since no update would apply it. Its removal
 * changes nothing.
 */
export function requireNotOnlyAtCreate(
  name: string,
  {
    type,
    options,
    place,
    places,
  }: Pick<ResourceDeclaration, "type" | "options" | "place" | "places">,
  stored: StoredResource | undefined,
  properties: ValueMap,
  facts: Pick<TypeFacts, "onlyAtCreate"> | undefined,
): void {
  if (stored === undefined || stored.type !== type) return;
  if (stored.state === "tainted" || stored.state === "lost") return;
  if (stored.drift?.kind === "missing") return;
  for (const [path, advice] of Object.entries(facts?.onlyAtCreate ?? {})) {
    const [before, after] = [at(stored.inputs, path), at(properties, path)];
    if (after === undefined || hasUnknown(after)) continue;
    if ([...options.ignoreChanges, ...options.replaceOnChanges].includes(path)) continue;
    if (before !== undefined && canonicalJson(reveal(before)) === canonicalJson(reveal(after)))
      continue;
    throw new ResolveError(
      "only_at_create",
      `\`${path}\` of ${name} counts only when the object is created. ${advice} Set \`${path}\` back, or name it in \`ignoreChanges\` to leave the object as it is, or in \`replaceOnChanges\` to replace the object.`,
      places?.get(`/properties/${path}`) ?? place,
    );
  }
}
