import type { DocumentNode, MapEntry, MapNode } from "#engine/template/document.ts";
import { parseExpression } from "#engine/template/expressions.ts";
import { didYouMean, quoted, type Report } from "#engine/template/report.ts";
import type { Expression, ResourceDeclaration, Template } from "#engine/template/template.ts";
import { nearest } from "#platform/text/nearest.ts";
import { parseComponentUse } from "./component-uses.ts";
import { placesIn, readProperties, rejectKey } from "./declaration-parts.ts";
import { noOptions, readOptions, readText, resourceOptions, TARGET } from "./resource-options.ts";

const resourceKeys = [
  "type",
  "component",
  "version",
  "when",
  "forEach",
  "properties",
  "get",
  "options",
] as const;

/**
 * Parses the resources and components of a template. An invalid one is reported and its valid parts are kept; a missing
 * type is `""`.
 */
export function parseResources(
  node: MapNode,
  report: Report,
): Pick<Template, "resources" | "components"> {
  const isUse = ({ value }: MapEntry): boolean =>
    value.kind === "map" && value.entries.some(({ key }) => key === "component");
  const [uses, resources] = [node.entries.filter(isUse), node.entries.filter((one) => !isUse(one))];
  return {
    resources: Object.fromEntries(resources.map((one) => [one.key, parseResource(one, report)])),
    components: Object.fromEntries(uses.map((one) => [one.key, parseComponentUse(one, report)])),
  };
}

function parseResource({ key, keyPlace, value }: MapEntry, report: Report): ResourceDeclaration {
  const resource: ResourceDeclaration = {
    type: "",
    properties: {},
    options: noOptions(),
    place: keyPlace,
    places: placesIn(value, keyPlace.path),
  };
  if (value.kind !== "map") {
    report.error(
      "invalid_resource",
      `The resource ${quoted(key)} must be a map with \`type\` and \`properties\`.`,
      value.place,
      `Write \`${key}: { type: "<provider>:<Type>", properties: {} }\`.`,
    );
    return resource;
  }
  for (const entry of value.entries) {
    const { key: member, value: node } = entry;
    if (member === "type") resource.type = readType(node, report);
    else if (member === "properties") resource.properties = readProperties(node, report);
    else if (member === "get") readGet(resource, node, report);
    else if (member === "when" || member === "forEach")
      resource[member] = parseExpression(node, report);
    else if (member === "options") resource.options = readOptions(node, report);
    else if (member === "defaultProvider")
      report.warning("ignored", "`defaultProvider` has no effect.", entry.keyPlace, TARGET);
    else if (member === "version")
      report.error(
        "not_supported",
        "Only a component has a `version`.",
        entry.keyPlace,
        "Write the version of a type in its name.",
      );
    else rejectKey(entry, "A resource", resourceKeys, report);
  }
  if (value.entries.some((entry) => entry.key === "get")) refuseBesideGet(key, value, report);
  if (resource.forEach !== undefined && resource.options.import !== undefined)
    report.error(
      "invalid_option",
      `${quoted(key)} is a loop, so it cannot import one object.`,
      resource.places?.get("/options/import") ?? keyPlace,
      "Import the object in a resource without `forEach`, and let the loop take it over by an alias.",
    );
  if (!value.entries.some((entry) => entry.key === "type"))
    report.error(
      "missing_type",
      `The resource ${quoted(key)} has no type.`,
      keyPlace,
      "Add `type`, for example `type: mock:Server`.",
    );
  return resource;
}

const GET = 'Write `get: { id: "<the object\'s id>" }`.';

function readGet(resource: ResourceDeclaration, node: DocumentNode, report: Report): void {
  if (node.kind !== "map") {
    report.error(
      "invalid_resource",
      "`get` must be a map with the `id` of an object.",
      node.place,
      GET,
    );
    return;
  }
  for (const { key, keyPlace, value } of node.entries)
    if (key === "id") resource.get = { id: readId(value, report) };
    else if (key === "state")
      report.error(
        "not_supported",
        "`state` of `get` is not supported.",
        keyPlace,
        "Remove it: the object is found by its id alone.",
      );
    else
      report.error(
        "unknown_key",
        `\`get\` has no key ${quoted(key)}.`,
        keyPlace,
        didYouMean(nearest(key, ["id"])) ?? GET,
      );
  if (!node.entries.some(({ key }) => key === "id"))
    report.error("invalid_resource", "`get` needs the `id` of an object.", node.place, GET);
}

function readId(node: DocumentNode, report: Report): Expression {
  const id = parseExpression(node, report);
  const text = id.kind === "literal" ? id.value : undefined;
  const isId = typeof text === "number" || (typeof text === "string" && text !== "");
  if (id.kind === "list" || id.kind === "map" || (id.kind === "literal" && !isId))
    report.error("invalid_resource", "The `id` of `get` must be a text.", node.place, GET);
  return id;
}

/** The options that have a meaning for an object that is only read. */
const readOptionNames = new Set<string>(["dependsOn", "additionalSecretOutputs"]);

function refuseBesideGet(name: string, { entries }: MapNode, report: Report): void {
  for (const { key, keyPlace, value } of entries) {
    if (key === "properties")
      report.error(
        "invalid_resource",
        `${quoted(name)} is only read, so it takes no \`properties\`.`,
        keyPlace,
        "Remove `properties`; or remove `get` to have the object created, or use `options.import` to manage it.",
      );
    if (key !== "options" || value.kind !== "map") continue;
    for (const option of value.entries)
      if (resourceOptions.some((known) => known === option.key) && !readOptionNames.has(option.key))
        report.error(
          "invalid_option",
          `${quoted(name)} is only read, so it takes no \`${option.key}\`.`,
          option.keyPlace,
          "Beside `get`, only `dependsOn` and `additionalSecretOutputs` have a meaning.",
        );
  }
}

function readType(node: DocumentNode, report: Report): string {
  const text = readText(node, report);
  if (text !== undefined && text !== "") return text;
  report.error(
    "invalid_resource",
    "`type` must be the literal name of a resource type.",
    node.place,
    "Write `<provider>:<Type>`, for example `mock:Server`.",
  );
  return "";
}
