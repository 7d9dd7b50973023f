/** Creates a draft template for each root module of an import, and for each module that they use as a component. */
import { withStackComponents } from "#importers/cloudformation/stack-components.ts";
import type { Scope } from "#importers/evaluate/scope.ts";
import { scopesOf } from "#importers/evaluate/scopes.ts";
import { smallFirst } from "#importers/fair-shares.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { workOf } from "#importers/import-work.ts";
import { loadMappings } from "#importers/mappings/load-mappings.ts";
import type { ExistingIds, ExistingObject } from "#importers/reports/existing-ids.ts";
import type { SafeModule } from "#importers/source-module.ts";
import { catalogueFor, listTypes } from "#providers/catalogue/catalogue.ts";
import type { Assets } from "#providers/catalogue/shard-cache.ts";
import { DocumentNames } from "./document-names.ts";
import { draftOf, type DraftWithInputs } from "./draft-builder.ts";
import { ComponentLibrary, componentScopes } from "./draft-components.ts";
import { type ExistingObjects, existingIn, importedBy } from "./existing-objects.ts";
import {
  isByArgument,
  type MappedType,
  mappedTypeOf,
  type MappedTypes,
  providersWithTables,
} from "./types/mapped-type.ts";
import { VendorTypes } from "./types/vendor-types.ts";
import type { Draft } from "./values/draft.ts";

/** Formats with drafts. */
const drafted: ReadonlySet<string> = new Set([
  "terraform",
  "cloudformation",
  "arm",
  "pulumi",
  "kubernetes",
  "compose",
]);
/** The limit on drafts of roots, and on those of components. */
const MAX_DRAFTS = 100;
/** More resources than any draft opens. */
const MAX_SIZE = 1_000_000;

export interface DraftOptions {
  /** Whether objects with a known id are adopted. */
  adopt: boolean;
  /** The existing objects by address, from a plan or state in the request's report. */
  ids: ExistingIds;
  assets: Assets;
}

export async function draftModules(
  modules: readonly SafeModule[],
  log: ImportLog,
  { adopt, ids, assets }: DraftOptions,
): Promise<Draft[]> {
  const roots = modules.filter(({ format, isRoot }) => isRoot && drafted.has(format));
  if (roots.length > MAX_DRAFTS)
    log.add(
      "warning",
      "too_many_drafts",
      `Only the first ${MAX_DRAFTS} of ${roots.length} root modules get a draft. Import fewer folders at a time.`,
    );
  const mappedTypes = await mapTypes(modules, assets);
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const existing: ExistingObjects = adopt ? existingIn(modules, ids) : new Map();
  const drafts = new Map<SafeModule, Draft>();
  const work = workOf(log);
  const chosen = roots.slice(0, MAX_DRAFTS);
  const names = new DocumentNames();
  const ownNames = new Map(chosen.map(({ path }) => [path, names.take(path)]));
  const library = new ComponentLibrary(names, MAX_DRAFTS);
  /** The modules with nested stacks as components. */
  let withComponents: ReadonlyMap<string, SafeModule> | undefined;
  for (const module of smallFirst(chosen, sizesOf(byPath))) {
    if (work.isSpent) break;
    const made = await draftRoot(module, byPath);
    const hasStacks = module.format === "cloudformation" && module.moduleCalls.length > 0;
    if (!made.isTooLarge || !hasStacks || existing.has(module.path)) {
      drafts.set(module, made.draft);
      continue;
    }
    withComponents ??= withStackComponents(byPath);
    const split = await draftRoot(withComponents.get(module.path) ?? module, withComponents);
    drafts.set(module, split.draft);
  }
  if (work.isSpent)
    log.add(
      "warning",
      "drafts_incomplete",
      "The drafts of this import take too long: some are incomplete, or there is none. Import fewer folders at a time.",
    );
  const ofRoots = chosen.flatMap((module) => drafts.get(module) ?? []);
  return [...ofRoots, ...library.drafts];

  async function draftRoot(
    module: SafeModule,
    all: ReadonlyMap<string, SafeModule>,
  ): Promise<DraftWithInputs> {
    const tree = scopesOf(module, all, work);
    const order = componentScopes(tree.all, all, work);
    const scopes = [...tree.all, ...order.flatMap((one) => one.all)];
    const catalogue = await catalogueFor(typesIn(scopes, mappedTypes), assets);
    const sources = { mappedTypes, catalogue, work };
    library.add(order, (one, name, components) =>
      draftOf(one.root, one.all, {
        ...sources,
        name,
        existing: new Map(),
        adopt: false,
        components,
      }),
    );
    const own = new Map<string, ExistingObject>([
      ...(adopt ? importedBy(tree.root) : []),
      ...(existing.get(module.path) ?? []),
    ]);
    return draftOf(tree.root, tree.all, {
      ...sources,
      name: ownNames.get(module.path) ?? "",
      existing: own,
      adopt,
      components: library.usedIn(tree.all),
    });
  }
}

/** The number of resources of a root and of all calls below it. */
function sizesOf(byPath: ReadonlyMap<string, SafeModule>): (module: SafeModule) => number {
  const known = new Map<SafeModule, number>();
  const sizeOf = (module: SafeModule): number => {
    const size = known.get(module);
    if (size !== undefined) return size;
    let sum = module.resources.length;
    // Modules may call each other in a circle.
    known.set(module, sum);
    for (const { target } of module.moduleCalls) {
      const called = byPath.get(target ?? "");
      if (called !== undefined) sum = Math.min(MAX_SIZE, sum + sizeOf(called));
    }
    known.set(module, sum);
    return sum;
  };
  return sizeOf;
}

async function mapTypes(modules: readonly SafeModule[], assets: Assets): Promise<MappedTypes> {
  const types = new Set(
    modules.flatMap(({ format, resources }) =>
      format === "terraform" || format === "pulumi" ? resources.map(({ type }) => type) : [],
    ),
  );
  const prefixes = new Set([...types].map((type) => type.split(/[_:]/, 1)[0] ?? ""));
  const tables = await loadMappings(
    providersWithTables.filter((name) => prefixes.has(name)),
    assets,
  );
  const listed = [
    ...(prefixes.has("awscc") || prefixes.has("aws-native") ? await listTypes("aws", assets) : []),
    ...(prefixes.has("azure-native") ? await listTypes("azure", assets) : []),
  ];
  const vendorTypes = new VendorTypes(listed.map(({ type }) => type));
  const mapped = new Map<SafeModule["resources"][number], MappedType>();
  const typeOf = (resource: SafeModule["resources"][number], format: SafeModule["format"]) =>
    mappedTypeOf(resource, format, { tables, vendorTypes });
  // Shared by all resources of a type: one for each of a hundred thousand resources would take more memory than the
  // files.
  const shared = new Map<string, MappedType | undefined>();
  for (const { format, resources } of modules)
    for (const resource of resources) {
      if (resource.mode !== "managed" && resource.got === undefined) continue;
      const key = `${format} ${resource.type}`;
      const isOwn = isByArgument(resource.type, tables);
      if (!isOwn && !shared.has(key)) shared.set(key, typeOf(resource, format));
      const type = isOwn ? typeOf(resource, format) : shared.get(key);
      if (type !== undefined) mapped.set(resource, type);
    }
  return mapped;
}

function typesIn(scopes: readonly Scope[], mappedTypes: MappedTypes): Set<string> {
  return new Set(
    scopes.flatMap(({ module }) =>
      module.resources.flatMap((resource) => {
        const mapped = mappedTypes.get(resource);
        return mapped === undefined ? [] : [mapped, ...mapped.beside].map(({ type }) => type);
      }),
    ),
  );
}
