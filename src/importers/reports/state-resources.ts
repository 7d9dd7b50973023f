import { MAX_NAME } from "#importers/name-limits.ts";
import type { ResourceMode } from "#importers/source-module.ts";
import { isJsonMap, type JsonMap } from "#platform/json.ts";
import { mapAt, mapsAt, textAt, textsAt } from "./json-parts.ts";
import { indexKey } from "./terraform-address.ts";

/** An instance of a resource in a state or plan. `attributes` may hold secrets and must not be kept as they are. */
export interface StateResource {
  /** The full address: `module.net.aws_subnet.this["a"]`. */
  address: string;
  /** The address without the instance's index, as in dependencies. */
  configAddress: string;
  /** `module.net`; empty for the root module. */
  module: string;
  mode: ResourceMode;
  type: string;
  name: string;
  index: string | number | undefined;
  provider: string;
  attributes: JsonMap | undefined;
  /** Whether the provider or the code marks an attribute as sensitive, also in part. */
  isSensitive: (attribute: string) => boolean;
  dependencies: readonly string[];
  /** The map of the document that describes the instance. */
  written: JsonMap;
}

/**
 * Yields every instance of a raw state, a state's JSON, or a plan's planned values, in the order of the document. A
 * resource with too long a name is skipped, because every instance would repeat it; `onLongName` is called for it.
 */
export function* stateResources(
  report: JsonMap,
  onLongName: () => void = ignore,
): Generator<StateResource> {
  if (report["version"] === 4) yield* rawResources(report, onLongName);
  else
    yield* valueResources(mapAt(report, "values") ?? mapAt(report, "planned_values"), onLongName);
}

function ignore(): void {}

/** The instances of a raw state of version 4, without deposed ones, which a replacement left behind. */
function* rawResources(state: JsonMap, onLongName: () => void): Generator<StateResource> {
  for (const resource of mapsAt(state, "resources")) {
    const type = textAt(resource, "type");
    const name = textAt(resource, "name");
    if (type === undefined || name === undefined) continue;
    const mode = modeOf(resource);
    const module = textAt(resource, "module") ?? "";
    if (isTooLong(module, type, name)) {
      onLongName();
      continue;
    }
    const configAddress = addressOf(module, mode, type, name);
    const instances = mapsAt(resource, "instances");
    for (const instance of instances) {
      if (textAt(instance, "deposed") !== undefined) continue;
      const index = indexOf(instance["index_key"]);
      const sensitive = sensitiveNames(instance);
      yield {
        address: `${configAddress}${indexKey(index)}`,
        configAddress,
        module,
        mode,
        type,
        name,
        index,
        provider: textAt(resource, "provider") ?? "",
        attributes: mapAt(instance, "attributes"),
        isSensitive: (attribute) => sensitive.has(attribute),
        dependencies: textsAt(instance, "dependencies"),
        // The resource states its name, and a single instance stands for it.
        written: instances.length === 1 ? resource : instance,
      };
    }
  }
}

/** The instances of `values`, `planned_values` or `prior_state.values` of Terraform's JSON output. */
export function* valueResources(
  values: JsonMap | undefined,
  onLongName: () => void = ignore,
): Generator<StateResource> {
  const root = mapAt(values, "root_module");
  const waiting: { at: JsonMap; module: string }[] =
    root === undefined ? [] : [{ at: root, module: "" }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { at, module } = next;
    for (const resource of mapsAt(at, "resources")) {
      const type = textAt(resource, "type");
      const name = textAt(resource, "name");
      if (type === undefined || name === undefined) continue;
      if (textAt(resource, "deposed_key") !== undefined) continue;
      if (isTooLong(module, type, name)) {
        onLongName();
        continue;
      }
      const mode = modeOf(resource);
      const index = indexOf(resource["index"]);
      const configAddress = addressOf(module, mode, type, name);
      yield {
        address: textAt(resource, "address") ?? `${configAddress}${indexKey(index)}`,
        configAddress,
        module,
        mode,
        type,
        name,
        index,
        provider: textAt(resource, "provider_name") ?? "",
        attributes: mapAt(resource, "values"),
        isSensitive: (attribute) => isMarked(resource["sensitive_values"], attribute),
        dependencies: textsAt(resource, "depends_on"),
        written: resource,
      };
    }
    for (const child of mapsAt(at, "child_modules").toReversed())
      waiting.push({ at: child, module: textAt(child, "address") ?? module });
  }
}

/** Whether `sensitive_values` or `before_sensitive` marks an attribute: `true` marks all, a map marks by name. */
export function isMarked(marks: unknown, attribute: string): boolean {
  if (!isJsonMap(marks)) return marks === true;
  return Object.hasOwn(marks, attribute) && marks[attribute] !== false;
}

/** The top-level attributes with a path in `sensitive_attributes` of a raw state. */
function sensitiveNames(instance: JsonMap): ReadonlySet<string> {
  const paths = instance["sensitive_attributes"];
  const names = new Set<string>();
  for (const path of Array.isArray(paths) ? paths : []) {
    const [first] = Array.isArray(path) ? path : [path];
    if (!isJsonMap(first)) continue;
    const name = first["value"];
    if (typeof name === "string") names.add(name);
  }
  return names;
}

function isTooLong(...names: readonly string[]): boolean {
  return names.some((name) => name.length > MAX_NAME);
}

function modeOf(resource: JsonMap): ResourceMode {
  return textAt(resource, "mode") === "data" ? "data" : "managed";
}

function indexOf(value: unknown): string | number | undefined {
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

function addressOf(module: string, mode: ResourceMode, type: string, name: string): string {
  return `${module === "" ? "" : `${module}.`}${mode === "data" ? "data." : ""}${type}.${name}`;
}
