import { inWords } from "#engine/template/place-in-words.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import type { Place, Template } from "#engine/template/template.ts";
import { isSameType } from "#providers/type-name.ts";
import type { InstanceState, StoredResource } from "./state.ts";

interface Rename {
  from: string;
  to: string;
}

interface Names {
  /** By present name. */
  objects: ReadonlyMap<string, StoredResource>;
  resources: Template["resources"];
  /** The renames decided so far. */
  renames: Map<string, string>;
}

/**
 * The renames of objects that the template knows by another name, from their present names to those in the template.
 * They apply all at once, so that names may be swapped. Throws `ResolveError` when two readings are possible.
 *
 * 1. Aliases that are new to an object. They take precedence over the object's present name, declared or not.
 * 2. Aliases with which the object has been deployed (`spentAliases`). Then aliases that are former names of an object,
 *    since its template may have skipped the versions between. Then former names themselves, since an older template,
 *    deployed again, cannot know later names. All apply only if otherwise an object would be deleted and another
 *    created in its place.
 */
export function findRenames(
  { current: objects }: Pick<InstanceState, "current">,
  template: Template | undefined,
): Map<string, string> {
  const renames = new Map<string, string>();
  // A resource that is only read has no object in the state.
  const resources = Object.fromEntries(
    Object.entries(template?.resources ?? {}).filter(([, { get }]) => get === undefined),
  );
  const names: Names = { objects, resources, renames };
  const aliases = Object.entries(resources).flatMap(([to, { options }]) =>
    [...new Set(options.aliases)]
      .filter((from) => from !== to && objects.has(from))
      .map((from) => ({ from, to })),
  );
  const isSpent = ({ from, to }: Rename): boolean =>
    objects.get(from)?.spentAliases?.includes(to) === true;
  const fresh = aliases.filter((one) => !isSpent(one));
  add(names, possible(names, fresh));
  requireFree(names, fresh);

  const isVacant = (name: string): boolean => !objects.has(name) || renames.has(name);
  const spent = aliases.filter(
    (one) => isSpent(one) && !Object.hasOwn(resources, one.from) && isVacant(one.to),
  );
  add(names, possible(names, spent));

  const byAlias = (former: string) =>
    Object.entries(resources).filter(([, { options }]) => options.aliases.includes(former));
  const formerAliases = [...objects.values()].flatMap(({ name: from, type, formerNames = [] }) =>
    formerNames
      // An object that has the name now is the one meant.
      .filter((former) => !objects.has(former))
      .flatMap((former) => byAlias(former))
      .filter(([to, resource]) => to !== from && isSameType(resource.type, type))
      .map(([to]) => ({ from, to })),
  );
  add(names, chained(names, formerAliases));

  const remembered = [...objects.values()].flatMap(({ name: from, type, formerNames = [] }) => {
    const own = Object.hasOwn(resources, from) ? resources[from]?.options.aliases : undefined;
    // An alias of this template has brought the object here.
    if (own?.some((alias) => formerNames.includes(alias)) === true) return [];
    return formerNames
      .filter((to) => Object.hasOwn(resources, to) && isSameType(resources[to]?.type ?? "", type))
      .map((to) => ({ from, to }));
  });
  add(names, chained(names, remembered));
  requireUnclaimed(names, [...formerAliases, ...remembered]);
  return renames;
}

/** Drops candidates whose object is renamed already, and those to a name that another object has or gets. */
function possible({ objects, renames }: Names, candidates: readonly Rename[]): Rename[] {
  const taken = new Set(renames.values());
  let left = candidates.filter(({ from, to }) => !renames.has(from) && !taken.has(to));
  for (;;) {
    const leaving = new Set([...renames.keys(), ...left.map(({ from }) => from)]);
    const next = left.filter(({ to }) => !objects.has(to) || leaving.has(to));
    if (next.length === left.length) return left;
    left = next;
  }
}

/**
 * The renames that begin at a name that no resource is to have, and end at a name without an object, over any number of
 * names between. The rest forms circles and is dropped, because all names in a circle have their objects.
 */
function chained(names: Names, candidates: readonly Rename[]): Rename[] {
  const { objects, resources, renames } = names;
  const found = possible(names, unique(candidates));
  const [given, free] = [new Set<string>(), new Set<string>()];
  const begins = ({ from }: Rename) => !Object.hasOwn(resources, from) || given.has(from);
  const ends = ({ to }: Rename) => !objects.has(to) || renames.has(to) || free.has(to);
  for (let before = -1; before !== given.size + free.size;) {
    before = given.size + free.size;
    for (const one of found) {
      if (begins(one)) given.add(one.to);
      if (ends(one)) free.add(one.from);
    }
  }
  return found.filter((one) => begins(one) && ends(one));
}

/** Without repetitions: an object may have several of a resource's aliases as former names. */
function unique(candidates: readonly Rename[]): Rename[] {
  return [...new Map(candidates.map((one) => [`${one.from} ${one.to}`, one])).values()];
}

function add({ renames, resources }: Names, found: readonly Rename[]): void {
  const objectOf = new Map<string, string>();
  for (const { from, to } of found) {
    const other = renames.get(from);
    if (other !== undefined)
      throw ambiguous(
        `Both ${other} and ${to} are to have the object ${from}`,
        resources[to]?.place,
        `Keep the alias ${from} only on the resource that had this name, or give it to one of the two.`,
      );
    const object = objectOf.get(to);
    if (object !== undefined)
      throw ambiguous(
        `${to} is to have both the object ${object} and the object ${from}`,
        resources[to]?.place,
        `Give ${to} only one of the two names as an alias, and the other object a resource of its own, or remove it in a separate deployment first.`,
      );
    renames.set(from, to);
    objectOf.set(to, from);
  }
}

/**
 * Throws for an alias without effect that names an object which the plan would delete: its resource has another object.
 */
function requireFree({ resources, renames }: Names, aliases: readonly Rename[]): void {
  for (const { from, to } of aliases) {
    if (renames.has(from) || Object.hasOwn(resources, from)) continue;
    throw ambiguous(
      `${to} has an object already, and its alias ${from} names another one`,
      resources[to]?.place,
      `To keep both objects, declare a resource ${from} or another one with this alias. To delete the object ${from}, remove the alias.`,
    );
  }
}

/**
 * Throws for an object that would be deleted although it had the name, or an alias, of a resource to which an alias gives
 * another object: an older template may mean either.
 */
function requireUnclaimed({ resources, renames }: Names, claims: readonly Rename[]): void {
  const takenFrom = new Map([...renames].map(([from, to]) => [to, from]));
  for (const { from, to } of claims) {
    const other = takenFrom.get(to);
    if (other === undefined || renames.has(from) || Object.hasOwn(resources, from)) continue;
    throw ambiguous(
      `${to} is to have the object ${other} by an alias, and the object ${from}, which would be deleted, was ${to} before`,
      resources[to]?.place,
      `Declare a resource ${from} to keep its object, or remove that object in a deployment of its own first.`,
    );
  }
}

function ambiguous(problem: string, place: Place | undefined, advice: string): ResolveError {
  const where = place ?? { path: "/resources", line: 0, column: 0 };
  const line = where.line > 0 ? ` See ${inWords(where)}.` : "";
  return new ResolveError("ambiguous_alias", `${problem}. ${advice}${line}`, where);
}
