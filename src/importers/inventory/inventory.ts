/** Lists the findings of the parsers for an import's answer. No list contains a value that could be a secret. */
import type { Place } from "#importers/import-file.ts";
import type { ImportLog } from "#importers/import-log.ts";
import type { SafeModule, SourceVariable } from "#importers/source-module.ts";
import { cloudOf } from "./cloud-of.ts";
import { type Edge, edgesOfModules, MAX_EDGES } from "./graph.ts";
import { ListBudget, MAX_CHARACTERS, type RowsByModule } from "./list-budget.ts";
import { type Region, regionsIn } from "./regions.ts";

export interface ListedResource extends Place {
  /** The path of the resource's module. */
  module: string;
  address: string;
  mode: string;
  type: string;
  name: string;
  provider: string;
  cloud: string | null;
  region: string | null;
  endLine: number;
  repeated: boolean;
}

export interface ListedVariable extends Place {
  module: string;
  name: string;
  type: string | null;
  description: string | null;
  required: boolean;
  /** Null for a required variable, a computed default and a secret. */
  default: Json | null;
  sensitive: boolean;
}

export interface ListedOutput extends Place {
  module: string;
  name: string;
  description: string | null;
  sensitive: boolean;
}

export interface ListedModuleCall extends Place {
  module: string;
  name: string;
  source: string | null;
  version: string | null;
  target: string | null;
  repeated: boolean;
}

export interface ListedProvider {
  module: string;
  name: string;
  source: string | null;
  constraints: string | null;
  aliases: readonly string[];
  cloud: string | null;
}

export interface ListedCloud {
  cloud: string;
  resources: number;
  regions: readonly Region[];
}

export interface Inventory {
  modules: readonly Pick<
    SafeModule,
    "path" | "format" | "isRoot" | "requiredVersion" | "backend"
  >[];
  resources: readonly ListedResource[];
  variables: readonly ListedVariable[];
  outputs: readonly ListedOutput[];
  moduleCalls: readonly ListedModuleCall[];
  providers: readonly ListedProvider[];
  clouds: readonly ListedCloud[];
  nodes: readonly string[];
  edges: readonly Edge[];
}

type Json = string | number | boolean;

const MAX_REGIONS = 40;
const MAX_TEXT = 500;
/** The maximum length of the names of a provider's aliases together, in characters. */
const MAX_ALIASES = 1_000;

/** Lists the contents of the modules, each with its share of every limit, and warns of everything beyond it. */
export function listInventory(modules: readonly SafeModule[], log: ImportLog): Inventory {
  const regions = new Map<ListedResource, Region | undefined>();
  const graph = edgesOfModules(modules, nodeId);
  const lists = {
    resources: modules.map((module) => resourcesOf(module, regions)),
    edges: graph.edges,
    variables: modules.map(variablesOf),
    outputs: modules.map(outputsOf),
    moduleCalls: modules.map(moduleCallsOf),
    providers: modules.map(providersOf),
    nodes: modules.map(nodesOf),
  };
  const budget = new ListBudget(modules.length, Object.values(lists));
  const bounded = <T extends string | object>(what: string, list: RowsByModule<T>): T[] => {
    const listed = budget.spend(list);
    const all = list.reduce((count, rows) => count + rows.length, 0);
    if (listed.length < all)
      log.add("warning", "list_too_long", `Only ${listed.length} of ${all} ${what} are listed.`);
    return listed;
  };
  const resources = budget.spend(lists.resources);
  const left = regions.size - resources.length;
  if (left > 0)
    log.add(
      "warning",
      "too_many_resources",
      `${left} more resources are not listed: an import has at most ${MAX_CHARACTERS} characters in its lists.`,
    );
  const edges = budget.spend(graph.edges, MAX_EDGES);
  if (edges.length < graph.found)
    log.add(
      "warning",
      "too_many_edges",
      `The graph has only ${edges.length} of ${graph.found} dependencies.`,
    );
  return {
    modules: modules.map(({ path, format, isRoot, requiredVersion, backend }) => ({
      path,
      format,
      isRoot,
      requiredVersion: shortened(requiredVersion),
      backend: shortened(backend),
    })),
    resources,
    variables: bounded("variables", lists.variables),
    outputs: bounded("outputs", lists.outputs),
    moduleCalls: bounded("module calls", lists.moduleCalls),
    providers: bounded("providers", lists.providers),
    clouds: cloudsOf(resources, regions),
    nodes: bounded("nodes of the graph", lists.nodes),
    edges,
  };
}

/** The id of a resource in the whole import: its address below the path of its module. */
function nodeId(path: string, address: string): string {
  return path === "." ? address : `${path}/${address}`;
}

/** The rows of a module's resources. Adds the region of each. */
function resourcesOf(
  module: SafeModule,
  regions: Map<ListedResource, Region | undefined>,
): ListedResource[] {
  const regionOf = regionsIn(module);
  return module.resources.map((resource) => {
    const { address, mode, type, name, provider, file, line, endLine, repeated } = resource;
    const region = regionOf(resource);
    const listed = {
      module: module.path,
      address,
      mode,
      type,
      name,
      provider,
      cloud: cloudOf(provider),
      region: region?.name ?? null,
      file,
      line,
      endLine,
      repeated,
    };
    regions.set(listed, region);
    return listed;
  });
}

function nodesOf({ path, resources, moduleCalls }: SafeModule): string[] {
  return [
    ...resources.map(({ address }) => nodeId(path, address)),
    ...moduleCalls.map(({ name }) => nodeId(path, `module.${name}`)),
  ];
}

function cloudsOf(
  resources: readonly ListedResource[],
  regions: ReadonlyMap<ListedResource, Region | undefined>,
): ListedCloud[] {
  const clouds = new Map<string, { resources: number; regions: Map<string, Region> }>();
  for (const resource of resources) {
    const { cloud } = resource;
    if (cloud === null) continue;
    const found = clouds.get(cloud) ?? { resources: 0, regions: new Map<string, Region>() };
    clouds.set(cloud, found);
    found.resources += 1;
    const region = regions.get(resource);
    if (region !== undefined && !found.regions.has(region.name))
      found.regions.set(region.name, region);
  }
  return [...clouds].map(([cloud, { resources, regions }]) => ({
    cloud,
    resources,
    regions: [...regions.values()].slice(0, MAX_REGIONS),
  }));
}

function variablesOf({ path, variables }: SafeModule): ListedVariable[] {
  return variables.map((variable) => ({
    module: path,
    name: variable.name,
    type: shortened(variable.type),
    description: shortened(variable.description),
    required: variable.default === undefined,
    default: shownDefault(variable),
    sensitive: variable.sensitive,
    file: variable.file,
    line: variable.line,
  }));
}

function shownDefault({ default: value, sensitive }: SourceVariable): Json | null {
  if (sensitive || value?.kind !== "literal") return null;
  return typeof value.value === "string" ? shortened(value.value) : value.value;
}

/** A text, cut to the length for lists. */
function shortened<T extends string | null>(text: T): T | string {
  if (typeof text !== "string") return text;
  // The cut may have split a surrogate pair.
  return (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text).toWellFormed();
}

function outputsOf({ path, outputs }: SafeModule): ListedOutput[] {
  return outputs.map(({ name, description, sensitive, file, line }) => ({
    module: path,
    name,
    description: shortened(description),
    sensitive,
    file,
    line,
  }));
}

function moduleCallsOf({ path, moduleCalls }: SafeModule): ListedModuleCall[] {
  return moduleCalls.map(({ name, source, version, target, repeated, file, line }) => ({
    module: path,
    name,
    source: withoutCredentials(source),
    version: shortened(version),
    target,
    repeated,
    file,
    line,
  }));
}

/** The parameters of a module's address that name a version or a form; any other may be a secret. */
const plainParameters: ReadonlySet<string> = new Set([
  "ref",
  "rev",
  "depth",
  "archive",
  "checksum",
  "filename",
  "version",
]);

/**
 * Removes the credentials before the host and in parameters: `git::https://user:token@host/repo`,
 * `git::ssh://host/repo?sshkey=…`.
 */
function withoutCredentials(source: string | null): string | null {
  const shown = source
    ?.replace(/:\/\/[^/@]{1,1000}@/, "://")
    .replaceAll(/([?&])([^=&]*)=[^&]*/g, (all: string, sign: string, name: string) =>
      plainParameters.has(name) ? all : `${sign}${name}=[hidden]`,
    );
  return shortened(shown ?? null);
}

function providersOf({ path, providers }: SafeModule): ListedProvider[] {
  return providers.map(({ name, source, constraints, aliases }) => ({
    module: path,
    name,
    source: shortened(source),
    constraints: constraints.length === 0 ? null : shortened(constraints.join(", ")),
    aliases: firstNames(aliases.map((alias) => alias.name)),
    cloud: cloudOf(name) ?? cloudOf(source?.slice(source.lastIndexOf("/") + 1) ?? ""),
  }));
}

/** The first names that fit into one row of a list. */
function firstNames(names: readonly string[]): string[] {
  let characters = 0;
  return names.filter((name) => (characters += name.length) <= MAX_ALIASES);
}
