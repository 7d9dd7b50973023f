import type { Scope } from "#importers/evaluate/scope.ts";
import type { Expression } from "#importers/expression.ts";
import { folderOf, type Place } from "#importers/import-file.ts";
import type { ExistingIds, ExistingObject } from "#importers/reports/existing-ids.ts";
import { addressIn } from "#importers/reports/terraform-address.ts";
import type { SafeModule } from "#importers/source-module.ts";
import type { MappedType } from "./types/mapped-type.ts";
import type { DraftGap } from "./values/draft.ts";
import { addressOf, type DraftedResource } from "./values/drafted-resource.ts";

/** Existing objects by the path of the root module and the address below it. */
export type ExistingObjects = ReadonlyMap<string, ExistingIds>;

/**
 * Assigns states and plans to roots: to the root in the state's folder, else to the root with most of its resources.
 * `reported`: the ids of the request's report.
 */
export function existingIn(modules: readonly SafeModule[], reported: ExistingIds): ExistingObjects {
  const roots = modules.filter(({ format, isRoot }) => isRoot && format === "terraform");
  const byPath = new Map(roots.map((root) => [root.path, root]));
  const rootsOf = rootsByName(roots);
  const found = new Map<string, Map<string, ExistingObject>>();
  const add = (root: SafeModule | undefined, ids: ExistingIds) => {
    if (root === undefined) return;
    const own = found.get(root.path) ?? new Map<string, ExistingObject>();
    for (const [address, id] of ids) own.set(address, id);
    found.set(root.path, own);
  };
  for (const { format, path, resources } of modules) {
    if (format !== "terraform-state" && format !== "terraform-plan") continue;
    const ids = new Map(
      resources.flatMap(({ address, id, names = new Map() }) =>
        id === undefined ? [] : [[address, { id, names }] as const],
      ),
    );
    add(byPath.get(folderOf(path)) ?? mostNamed(roots, ids, rootsOf), ids);
  }
  if (reported.size > 0) add(mostNamed(roots, reported, rootsOf), reported);
  return found;
}

/** The root with most of the objects; the first one if none has any. */
function mostNamed(
  roots: readonly SafeModule[],
  ids: ExistingIds,
  rootsOf: ReadonlyMap<string, readonly SafeModule[]>,
): SafeModule | undefined {
  const named = new Map<SafeModule, number>();
  let best = roots[0];
  for (const address of ids.keys())
    for (const root of rootsOf.get(nameIn(address)) ?? [])
      named.set(root, (named.get(root) ?? 0) + 1);
  for (const root of roots)
    if (best !== undefined && (named.get(root) ?? 0) > (named.get(best) ?? 0)) best = root;
  return best;
}

/** The address without the key of its instance. In a module, only the call. */
function nameIn(address: string): string {
  return /^[^.[]+\.[^.[]+/.exec(address)?.[0] ?? "";
}

/** The roots with a resource or call of each name. */
function rootsByName(roots: readonly SafeModule[]): ReadonlyMap<string, readonly SafeModule[]> {
  const found = new Map<string, SafeModule[]>();
  for (const root of roots) {
    const names = new Set([
      ...root.resources.map(({ address }) => address),
      ...root.moduleCalls.map(({ name }) => `module.${name}`),
    ]);
    for (const name of names) {
      const others = found.get(name);
      if (others === undefined) found.set(name, [root]);
      else others.push(root);
    }
  }
  return found;
}

/** An object that the source itself adopts. */
interface Adopted extends Place {
  /** Undefined: the address is computed, which Terraform refuses. */
  to: string | undefined;
  /** Undefined: the files do not decide it. */
  id: string | undefined;
}

/** The objects that `import` blocks adopt. */
function adoptedBy(root: Scope): Adopted[] {
  return (root.module.imports ?? []).flatMap(({ to, id, forEach, file, line }) => {
    const turns = forEach === undefined ? [root] : turnsOf(forEach, root);
    const all = (turns ?? []).flatMap((scope): Adopted[] => {
      const address = addressIn(to, (key) => literalOf(key, scope));
      const known = id && idOf(id, scope);
      return address === undefined ? [] : [{ to: address, id: known, file, line }];
    });
    const isNone = turns?.length === 0;
    return all.length > 0 || isNone ? all : [{ to: addressIn(to), id: undefined, file, line }];
  });
}

function literalOf(of: Expression, scope: Scope): string | number | boolean | null | undefined {
  const made = scope.decided.decide(scope.decided.bound(of, scope));
  return made?.kind === "literal" ? made.value : undefined;
}

/** Ids are short, and so are the arguments in them. */
const MAX_PARTS = 50;

/** The text of an id, in which an argument of a resource may be a part. */
function idOf(of: Expression, scope: Scope, depth = 0): string | undefined {
  const known = literalOf(of, scope);
  if (typeof known === "string" || typeof known === "number") return String(known);
  if (of.kind === "text") {
    if (of.parts.length > MAX_PARTS) return undefined;
    const parts = of.parts.map((part) => idOf(part, scope, depth));
    return parts.every((part) => part !== undefined) ? parts.join("") : undefined;
  }
  if (of.kind !== "reference" || of.target.kind !== "resource" || depth > 0) return undefined;
  const [argument, ...below] = of.path;
  const source = scope.home.resources.get(of.target.address);
  const given = source?.settings.members.find(({ name }) => name === argument)?.value;
  const isOne = source?.repeated === false && below.length === 0;
  return given !== undefined && isOne ? idOf(given, scope.home, depth + 1) : undefined;
}

/** The scopes of the turns of an `import` block, which may run over a list too. */
function turnsOf(forEach: Expression, root: Scope): Scope[] | undefined {
  const { decided } = root;
  const of = decided.decide(decided.bound(forEach, root));
  if (of?.kind === "map")
    return [...of.members].map(([name, value]) => ({ ...root, instance: { name, value } }));
  if (of?.kind !== "list") return undefined;
  return of.items.map((value, at) => {
    const key = of.isSet === true ? decided.decide(value) : undefined;
    const name = key?.kind === "literal" ? String(key.value) : String(at);
    return { ...root, instance: { name, value } };
  });
}

/** The objects that the source itself adopts, by `import` blocks with an id that the files decide. */
export function importedBy(root: Scope): Map<string, ExistingObject> {
  const found = new Map<string, ExistingObject>();
  for (const { to, id } of adoptedBy(root)) {
    if (to === undefined || id === undefined || found.has(to)) continue;
    const settings = root.resources.get(to.replace(/\[.*$/, ""))?.settings.members ?? [];
    const names = settings.flatMap(({ name, value }): [string, string][] =>
      value.kind === "literal" ? [[name, String(value.value)]] : [],
    );
    // DigitalOcean's provider takes `example.org,123`, and keeps `123`.
    const own = to.includes("digitalocean_") ? id.slice(id.lastIndexOf(",") + 1) : id;
    found.set(to, { id: own, names: new Map(names) });
  }
  return found;
}

/**
 * Gaps for the `import` blocks whose objects the draft does not adopt: deploying it would create them a second time.
 * `isThere`: whether the files have a resource at an address.
 */
export function importGaps(
  root: Scope,
  existing: ExistingIds,
  isAdopting: boolean,
  isThere: (address: string) => boolean,
): DraftGap[] {
  const seen = new Set<string>();
  return adoptedBy(root).flatMap(({ to, file, line }) => {
    const at = { file, line, path: "import", code: "not_adopted" as const };
    if (to === undefined) return [{ ...at, address: "import", reason: computedAddress }];
    const isFirst = !seen.has(to);
    seen.add(to);
    const reason = !isThere(to)
      ? noResource
      : !isFirst
        ? adoptedTwice
        : !isAdopting
          ? notAsked
          : existing.has(to)
            ? undefined
            : unknownId;
    return reason === undefined ? [] : [{ ...at, address: to, reason }];
  });
}

const notAsked =
  "The source adopts an existing object: import with `adopt=true`, or a deployment makes a second one.";
const unknownId =
  "The source adopts an existing object, and the files do not decide its id: a deployment makes a second one.";
const computedAddress = "Its address is computed, which Terraform refuses: nothing is adopted.";
const noResource = "The files have no resource at this address: nothing is adopted.";
const adoptedTwice = "Another block adopts an object at this address.";

/** The existing object of a resource. The address of one under a condition has an index. */
export function existingOf(
  made: Pick<DraftedResource, "scope" | "source">,
  existing: ExistingIds,
): ExistingObject | undefined {
  const address = addressOf(made);
  const isIndexed = made.source.when !== undefined && made.source.count !== undefined;
  return existing.get(isIndexed ? `${address}[0]` : address);
}

/** Our id of the object; undefined if the source does not contain it. */
export function importIdOf(
  { id, names }: ExistingObject,
  { id: rule }: MappedType,
): string | undefined {
  if (rule === "none") return undefined;
  if (rule === "whole") return id;
  if (rule === "last") return id.slice(id.lastIndexOf("/") + 1);
  const parts = rule.split(/\{([a-z_]+)\}/).map((part, at) => {
    if (at % 2 === 0) return part;
    return part === "id" ? id : names.get(part);
  });
  return parts.every((part) => part !== undefined) ? parts.join("") : undefined;
}
