import { literal, type Expression } from "#importers/expression.ts";
import { failureCode } from "#importers/failure-code.ts";
import type { ImportFile } from "#importers/import-file.ts";
import type { FormatParserOf, ReadFile } from "#importers/import-format.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { MAX_NAME } from "#importers/name-limits.ts";
import { parserOfSingleFiles } from "#importers/single-files.ts";
import type { SourceOutput, SourceResource } from "#importers/source-module.ts";
import { loadPassingJson } from "#importers/text/load-json.ts";
import { spendValues } from "#importers/text/value-budget.ts";
import { isJsonMap, type JsonMap } from "#platform/json.ts";
import { stateProblem } from "./detect-terraform-state.ts";
import { existingIds, type ExistingIds } from "./existing-ids.ts";
import { mapAt } from "./json-parts.ts";
import { placedJson, type PlacedJson } from "./placed-json.ts";
import { reportKindOf } from "./report-kind.ts";
import { Dependencies } from "./state-dependencies.ts";
import { providersOf } from "./state-providers.ts";
import { stateResources, type StateResource } from "./state-resources.ts";
import { providerNameOf } from "./terraform-address.ts";

/** The maximum number of resources kept of one file. */
const MAX_RESOURCES = 20_000;
/** The memory of a kept resource, in values. */
const RESOURCE_COST = 12;

/**
 * Reads state files and the JSON of `terraform show -json`, each as one module. Only addresses, types, providers,
 * regions, ids and dependencies are kept.
 */
export const terraformStateParser: FormatParserOf = (files, log) => {
  const paths = new Set(files.map(({ path }) => path));
  return parserOfSingleFiles(files, (file) => {
    const original = file.path.replace(/(?<=\.tfstate)\.(?:[\w-]+\.)?backup$/, "");
    return original !== file.path && paths.has(original)
      ? backupOf(original, file, log)
      : readState(file, log);
  });
};

function readState(file: ImportFile, log: ImportLog): ReadFile {
  const { path } = file;
  const failed = (): ReadFile => ({
    verdict: { path, state: "FAILED", reason: failureCode(log, path), counts: {} },
  });
  const loaded = loadPassingJson(file, log);
  if (loaded === undefined) return failed();
  const placed = placedJson(loaded.root);
  const document = isJsonMap(placed.value) ? placed.value : {};
  const kind = reportKindOf(document);
  if (kind !== "terraform-plan" && kind !== "terraform-state" && kind !== "terraform-raw-state")
    return withoutResources(document, path, log);
  const format = kind === "terraform-plan" ? kind : "terraform-state";
  const read = inModule(placed, document, format, path, log);
  const kept = RESOURCE_COST * (read.module?.resources.length ?? 0);
  return spendValues(kept, file, log) ? read : failed();
}

function backupOf(original: string, { path }: ImportFile, log: ImportLog): ReadFile {
  const message = `The state that this one is a backup of, \`${original}\`, is in the import: the backup was not read.`;
  log.add("info", "backup_of_state", message, { file: path });
  return { verdict: { path, state: "SKIPPED", reason: "backup_of_state", counts: {} } };
}

function withoutResources(document: JsonMap, path: string, log: ImportLog): ReadFile {
  const problem = stateProblem(document) ?? {
    code: "unrecognized_state",
    skipped: false,
    message:
      "The file is no state or plan of Terraform: import the output of `terraform show -json`.",
  };
  const { code, skipped, message } = problem;
  log.add(skipped ? "info" : "error", code, message, { file: path });
  return {
    verdict: { path, state: skipped ? "SKIPPED" : "FAILED", reason: code, counts: {} },
  };
}

function inModule(
  placed: PlacedJson,
  document: JsonMap,
  format: "terraform-state" | "terraform-plan",
  path: string,
  log: ImportLog,
): ReadFile {
  const instances = new Map<string, StateResource>();
  let left = 0;
  let unnamed = 0;
  for (const instance of stateResources(document, () => (unnamed += 1))) {
    if (instances.has(instance.address)) continue;
    if (instances.size < MAX_RESOURCES) instances.set(instance.address, instance);
    else left += 1;
  }
  if (left > 0) {
    const message = `The file has more than ${MAX_RESOURCES} resources: ${left} were left out.`;
    log.add("warning", "too_many_resources", message, { file: path });
  }
  if (unnamed > 0) {
    const message = `${unnamed} resources have a name of over ${MAX_NAME} characters: they were left out.`;
    log.add("warning", "name_too_long", message, { file: path });
  }
  const all = [...instances.values()];
  const dependencies = new Dependencies(all, document);
  const ids = existingIds(document);
  const resources = all.map((instance) => {
    const place = placed.placeOf(instance.written);
    const dependsOn = dependencies.of(instance).map((address) => ({ address, line: place.line }));
    return resourceOf(instance, { ...place, file: path }, dependsOn, ids);
  });
  const outputs = outputsOf(document, placed, path);
  const data = all.filter(({ mode }) => mode === "data").length;
  return {
    verdict: {
      path,
      state: "PARSED",
      counts: { resource: all.length - data, data, output: outputs.length },
    },
    module: {
      format,
      path,
      isRoot: true,
      requiredVersion: null,
      backend: null,
      resources,
      variables: [],
      outputs,
      locals: [],
      moduleCalls: [],
      providers: providersOf(resources, all),
    },
  };
}

function resourceOf(
  instance: StateResource,
  place: Pick<SourceResource, "file" | "line" | "endLine">,
  dependsOn: SourceResource["dependsOn"],
  ids: ExistingIds,
): SourceResource {
  const { address, mode, type, name, index, provider } = instance;
  const named = providerNameOf(provider);
  const { id, names } = (mode === "managed" ? ids.get(address) : undefined) ?? {};
  return {
    address,
    mode,
    type,
    name,
    ...place,
    provider:
      named === undefined
        ? (type.split("_", 1)[0] ?? "")
        : `${named.name}${named.alias === null ? "" : `.${named.alias}`}`,
    region: regionOf(instance),
    repeated: index !== undefined,
    settings: { kind: "object", members: [] },
    dependsOn,
    id,
    names,
  };
}

const regionAttributes = ["region", "location", "availability_zone"] as const;

/** The only attribute kept besides the ids: a short text in the form of a region name that is not marked sensitive. */
function regionOf({ attributes, isSensitive }: StateResource): Expression | undefined {
  for (const attribute of regionAttributes) {
    const value = attributes?.[attribute];
    if (typeof value !== "string" || isSensitive(attribute)) continue;
    if (!/^[A-Za-z][A-Za-z0-9 -]{0,39}$/.test(value)) continue;
    return literal(regionOfZone(value));
  }
  return undefined;
}

/** `us-east-1a` becomes `us-east-1`, and `europe-west1-b` becomes `europe-west1`. Other texts stay. */
function regionOfZone(place: string): string {
  return /^([a-z]+(?:-[a-z]+)+-?[0-9]+)-?[a-z]$/.exec(place)?.[1] ?? place;
}

function outputsOf(document: JsonMap, placed: PlacedJson, file: string): SourceOutput[] {
  const holder = mapAt(document, "values") ?? mapAt(document, "planned_values") ?? document;
  return Object.entries(mapAt(holder, "outputs") ?? {}).map(([name, output]) => {
    const { line } = placed.placeOf(isJsonMap(output) ? output : holder);
    return {
      name,
      value: { kind: "opaque", text: "", references: [], line },
      sensitive: true,
      description: null,
      file,
      line,
    };
  });
}
