/** Lists the findings of the parsers for an import's answer. No list contains a value that could be a secret. */
import type { Place } from "#importers/import-file.ts";
import type { ImportLog } from "#importers/import-log.ts";
import type { SourceModule, SourceVariable } from "#importers/source-module.ts";
import { cloudOf } from "./cloud-of.ts";
import { type Edge, edgesOf } from "./graph.ts";
import { ListBudget, MAX_CHARACTERS } from "./list-budget.ts";
import { NamedTargets } from "./named-targets.ts";
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
    SourceModule,
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

/** Limits on lists that the limit on resources does not bound. */
const MAX_LISTED = 20_000;
const MAX_EDGES = 50_000;
const MAX_REGIONS = 40;
const MAX_TEXT = 500;
/** The maximum length of the names of a provider's aliases together, in characters. */
const MAX_ALIASES = 1_000;

/** Lists the contents of the modules, and warns of everything beyond a limit. */
export function listInventory(modules: readonly SourceModule[], log: ImportLog): Inventory {
  const resources: ListedResource[] = [];
  const clouds = new Map<string, { resources: number; regions: Map<string, Region> }>();
  const nodes: string[] = [];
  const edges: Edge[] = [];
  const budget = new ListBudget();
  let left = 0;
  let isGraphCut = false;
  const targets = new NamedTargets(modules, nodeId);
  for (const module of modules) {
    const regionOf = regionsIn(module);
    const idOf = (address: string) => nodeId(module.path, address);
    for (const resource of module.resources) {
      const { address, mode, type, name, provider, file, line, endLine, repeated } = resource;
      const isListed = budget.spend([module.path, address, type, name, provider, file]);
      if (!isListed) {
        left += 1;
        continue;
      }
      const cloud = cloudOf(resource.provider);
      const region = regionOf(resource);
      resources.push({
        module: module.path,
        address,
        mode,
        type,
        name,
        provider,
        cloud,
        region: region?.name ?? null,
        file,
        line,
        endLine,
        repeated,
      });
      nodes.push(idOf(address));
      if (cloud !== null) count(clouds, cloud, region);
    }
    for (const { name } of module.moduleCalls) nodes.push(idOf(`module.${name}`));
    for (const edge of edgesOf(module, idOf, targets))
      if (edges.length < MAX_EDGES && budget.spend([edge.from, edge.to, edge.file]))
        edges.push(edge);
      else isGraphCut = true;
  }
  if (left > 0)
    log.add(
      "warning",
      "too_many_resources",
      `${left} more resources are not listed: an import has at most ${MAX_CHARACTERS} characters in its lists.`,
    );
  if (isGraphCut)
    log.add(
      "warning",
      "too_many_edges",
      `The graph has only the first ${edges.length} dependencies.`,
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
    variables: bounded(modules.flatMap(variablesOf), "variables", budget, log),
    outputs: bounded(modules.flatMap(outputsOf), "outputs", budget, log),
    moduleCalls: bounded(modules.flatMap(moduleCallsOf), "module calls", budget, log),
    providers: bounded(modules.flatMap(providersOf), "providers", budget, log),
    clouds: [...clouds].map(([cloud, { resources, regions }]) => ({
      cloud,
      resources,
      regions: [...regions.values()].slice(0, MAX_REGIONS),
    })),
    nodes: bounded(nodes, "nodes of the graph", budget, log),
    edges,
  };
}

/** The id of a resource in the whole import: its address below the path of its module. */
function nodeId(path: string, address: string): string {
  return path === "." ? address : `${path}/${address}`;
}

function count(
  clouds: Map<string, { resources: number; regions: Map<string, Region> }>,
  cloud: string,
  region: Region | undefined,
): void {
  const found = clouds.get(cloud) ?? { resources: 0, regions: new Map<string, Region>() };
  found.resources += 1;
  if (region !== undefined && !found.regions.has(region.name))
    found.regions.set(region.name, region);
  clouds.set(cloud, found);
}

function variablesOf({ path, variables }: SourceModule): ListedVariable[] {
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

function outputsOf({ path, outputs }: SourceModule): ListedOutput[] {
  return outputs.map(({ name, description, sensitive, file, line }) => ({
    module: path,
    name,
    description: shortened(description),
    sensitive,
    file,
    line,
  }));
}

function moduleCallsOf({ path, moduleCalls }: SourceModule): ListedModuleCall[] {
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

/** Removes the credentials before the host: `git::https://user:token@host/repo`. */
function withoutCredentials(source: string | null): string | null {
  return source === null ? null : shortened(source.replace(/:\/\/[^/@]{1,1000}@/, "://"));
}

function providersOf({ path, providers }: SourceModule): ListedProvider[] {
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

function bounded<T extends string | object>(
  items: readonly T[],
  what: string,
  budget: ListBudget,
  log: ImportLog,
): readonly T[] {
  let end = 0;
  for (const item of items) {
    const texts = typeof item === "string" ? [item] : Object.values(item);
    if (end === MAX_LISTED || !budget.spend(texts.flat())) break;
    end += 1;
  }
  if (end < items.length)
    log.add("warning", "list_too_long", `Only the first ${end} ${what} are listed.`);
  return items.slice(0, end);
}
