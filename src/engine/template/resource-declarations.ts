import { parsePropertyPath } from "#platform/property-path.ts";
import { nearest } from "#platform/text/nearest.ts";
import type { DocumentNode, MapEntry, MapNode, ScalarNode } from "./document.ts";
import { FUNCTION, parseEntries, parseExpression } from "./expressions.ts";
import { foreignKeyHint } from "./mistakes/foreign-keys.ts";
import { own } from "./own.ts";
import { parsePlainText } from "./references.ts";
import { didYouMean, quoted, type Report } from "./report.ts";
import type { Expression, Place, ResourceDeclaration, ResourceOptions } from "./template.ts";

const resourceKeys = ["type", "properties", "get", "options"] as const;

const resourceOptions = [
  "dependsOn",
  "protect",
  "retainOnDelete",
  "deleteBeforeReplace",
  "ignoreChanges",
  "replaceOnChanges",
  "import",
  "customTimeouts",
  "aliases",
  "additionalSecretOutputs",
] as const satisfies readonly (keyof ResourceOptions)[];

const unsupportedKeys: { readonly [key: string]: string } = {
  name: "The key is the name of the resource: rename the key. The name at the provider is a property.",
  component: "Write out the component's resources in the template.",
};

const TARGET = "The instance's target decides the provider, its account and its version.";
const REPLACE = "List properties whose change forces a replacement under `replaceOnChanges`.";

const unsupportedOptions: { readonly [key: string]: string } = {
  provider: TARGET,
  providers: TARGET,
  version: TARGET,
  pluginDownloadURL: TARGET,
  envVarMappings: TARGET,
  parent: "Resources have no parents: use `dependsOn` to set the order.",
  deletedWith:
    "Set `retainOnDelete: true` on objects that the provider deletes together with another.",
  replaceWith: REPLACE,
  replacementTrigger: REPLACE,
  hideDiffs: "Mark values that must not be shown with `fn::secret`.",
  transforms: "Write the transformed properties in the template.",
  transformations: "Write the transformed properties in the template.",
  urn: "Refer to the resource by its name.",
};

const MAX_TIMEOUT_SECONDS = 86_400;
const CONSTANT = "Options are constants and cannot depend on config values. Write the value.";

/**
 * Parses the resources of a template. An invalid one is reported and its valid parts are kept; a missing type is `""`.
 */
export function parseResources(
  node: MapNode,
  report: Report,
): { [name: string]: ResourceDeclaration } {
  return Object.fromEntries(node.entries.map((entry) => [entry.key, parseResource(entry, report)]));
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
  for (const { key: member, keyPlace: memberPlace, value: node } of value.entries) {
    const advice = own(unsupportedKeys, member);
    if (member === "type") resource.type = readType(node, report);
    else if (member === "properties") resource.properties = readProperties(node, report);
    else if (member === "get") readGet(resource, node, report);
    else if (member === "options") resource.options = readOptions(node, report);
    else if (member === "defaultProvider")
      report.warning("ignored", "`defaultProvider` has no effect.", memberPlace, TARGET);
    else if (advice !== undefined)
      report.error("not_supported", `${quoted(member)} is not supported.`, memberPlace, advice);
    else
      report.error(
        "unknown_key",
        `A resource has no key ${quoted(member)}.`,
        memberPlace,
        foreignKeyHint(member, resourceOptions) ??
          didYouMean(nearest(member, resourceKeys)) ??
          "The provider's properties belong under `properties`.",
      );
  }
  if (value.entries.some((entry) => entry.key === "get")) refuseBesideGet(key, value, report);
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

/** The places of the type, of each property's key at every depth, and of each option and its items. */
function placesIn(node: DocumentNode, base: string): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  const add = (place: Place) => places.set(place.path.slice(base.length), place);
  for (const { key, value } of node.kind === "map" ? node.entries : []) {
    if (key === "type") add(value.place);
    if (key === "get") add(value.place);
    if (key === "properties") addKeys(value, add);
    if (key === "options" && value.kind === "map")
      for (const option of value.entries) {
        add(option.value.place);
        if (option.value.kind === "list") for (const item of option.value.items) add(item.place);
      }
  }
  return places;
}

/** Recursion is safe, since the nesting of a document is limited. */
function addKeys(node: DocumentNode, add: (place: Place) => void): void {
  if (node.kind === "list") for (const item of node.items) addKeys(item, add);
  if (node.kind !== "map") return;
  for (const { keyPlace, value } of node.entries) {
    add(keyPlace);
    addKeys(value, add);
  }
}

function noOptions(): ResourceOptions {
  return {
    dependsOn: [],
    protect: false,
    retainOnDelete: false,
    deleteBeforeReplace: false,
    ignoreChanges: [],
    replaceOnChanges: [],
    customTimeouts: {},
    aliases: [],
    additionalSecretOutputs: [],
  };
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

function readProperties(node: DocumentNode, report: Report): ResourceDeclaration["properties"] {
  if (node.kind === "scalar" && node.value === null) return {};
  if (node.kind === "map" && !node.entries.some(({ key }) => FUNCTION.test(key)))
    return parseEntries(node, report);
  parseExpression(node, report);
  report.error(
    "invalid_resource",
    "`properties` must be a map.",
    node.place,
    "Write each property as `name: value`; a value may be a reference or a function.",
  );
  return {};
}

function readOptions(node: DocumentNode, report: Report): ResourceOptions {
  const options = noOptions();
  if (node.kind === "scalar" && node.value === null) return options;
  if (node.kind !== "map") {
    report.error("invalid_option", "`options` must be a map.", node.place);
    return options;
  }
  for (const { key, keyPlace, value } of node.entries) {
    switch (key) {
      case "protect":
      case "retainOnDelete":
      case "deleteBeforeReplace":
        options[key] = readFlag(key, value, report);
        break;
      case "ignoreChanges":
      case "replaceOnChanges":
        options[key] = readList(key, value, report, readPropertyPath);
        break;
      case "additionalSecretOutputs":
        options[key] = readList(key, value, report, readOutputName);
        break;
      case "dependsOn":
        options.dependsOn = readList(key, value, report, readDependency);
        break;
      case "aliases":
        options.aliases = readList(key, value, report, readAlias);
        break;
      case "import": {
        const id = readText(value, report);
        if (id !== undefined && id !== "") options.import = id;
        else
          invalid(key, "must be the id of an existing object, as a string.", value.place, report);
        break;
      }
      case "customTimeouts":
        options.customTimeouts = readTimeouts(value, report);
        break;
      default: {
        const advice = own(unsupportedOptions, key);
        if (advice !== undefined)
          report.error(
            "not_supported",
            `The option ${quoted(key)} is not supported.`,
            keyPlace,
            advice,
          );
        else
          report.error(
            "unknown_option",
            `There is no option ${quoted(key)}.`,
            keyPlace,
            foreignKeyHint(key, []) ?? didYouMean(nearest(key, resourceOptions)),
          );
      }
    }
  }
  return options;
}

function invalid(option: string, rule: string, place: Place, report: Report, hint?: string): void {
  report.error("invalid_option", `\`${option}\` ${rule}`, place, hint);
}

/** A string without references; undefined for another kind of node. A reference is reported and kept as text. */
function readText(node: DocumentNode, report: Report): string | undefined {
  return node.kind === "scalar" && typeof node.value === "string"
    ? parsePlainText(node.value, node.place, report)
    : undefined;
}

function readFlag(option: string, node: DocumentNode, report: Report): boolean {
  if (node.kind === "scalar" && typeof node.value === "boolean") return node.value;
  invalid(option, "must be true or false.", node.place, report, CONSTANT);
  return false;
}

function readList(
  option: string,
  node: DocumentNode,
  report: Report,
  read: (item: DocumentNode, report: Report) => string | undefined | typeof reported,
): string[] {
  if (node.kind === "scalar" && node.value === null) return [];
  const items = node.kind === "list" ? node.items : [node];
  return items.flatMap((item) => {
    const text = read(item, report);
    if (text === reported) return [];
    if (text !== undefined && text !== "") return [text];
    invalid(option, `must be ${listRules[option] ?? "a list of strings."}`, item.place, report);
    return [];
  });
}

/** Returned by an item reader that has already reported the problem. */
const reported: unique symbol = Symbol("reported");

const listRules: { readonly [option: string]: string } = {
  dependsOn: "a list of resources, each written as `${name}`.",
  aliases: "a list of this resource's former names.",
  ignoreChanges: "a list of property paths, each as a string.",
  replaceOnChanges: "a list of property paths, each as a string.",
  additionalSecretOutputs: "a list of output names.",
};

function readDependency(node: DocumentNode, report: Report): string | undefined {
  if (node.kind !== "scalar" || typeof node.value !== "string") return undefined;
  const expression = parseExpression(node, report);
  if (expression.kind === "literal")
    return typeof expression.value === "string" ? expression.value : undefined;
  return expression.kind === "reference" && expression.reference.path.length === 0
    ? expression.reference.root
    : undefined;
}

/** Only whole outputs can be secret. A path is rejected because, read as a name, it would hide nothing. */
function readOutputName(node: DocumentNode, report: Report): string | undefined | typeof reported {
  const text = readText(node, report);
  const end = text?.search(/[.[]/) ?? -1;
  if (text === undefined || end === -1) return text;
  const whole = end > 0 ? `Name the whole output: ${text.slice(0, end)}.` : undefined;
  const rule = `takes output names; ${quoted(text)} is a path into an output.`;
  invalid("additionalSecretOutputs", rule, node.place, report, whole);
  return reported;
}

function readPropertyPath(
  node: DocumentNode,
  report: Report,
): string | undefined | typeof reported {
  const text = readText(node, report);
  if (text === undefined || text === "" || parsePropertyPath(text) !== undefined) return text;
  report.error(
    "invalid_property_path",
    `${quoted(text)} is not a valid property path.`,
    node.place,
    'Examples: `settings.size`, `rules[0].port`, `rules[*].port`, `labels["a.b"]`.',
  );
  return reported;
}

const aliasAdvice: { readonly [key: string]: string } = {
  parent: "Resources have no parents: write only the former name.",
  noParent: "Resources have no parents: write only the former name.",
  type: "An alias cannot change the type: to use the object under another type, set `import` to its id.",
  stack:
    "An alias is limited to one instance: to use another instance's object, set `import` to its id.",
  project:
    "An alias is limited to one instance: to use another instance's object, set `import` to its id.",
};

/** A former name: a plain name, `{ name: … }`, or a URN that ends in the name. */
function readAlias(node: DocumentNode, report: Report): string | undefined | typeof reported {
  if (node.kind === "map") {
    const odd = node.entries.filter(({ key }) => key !== "name");
    for (const { key, keyPlace } of odd)
      report.error(
        own(aliasAdvice, key) === undefined ? "unknown_key" : "not_supported",
        own(aliasAdvice, key) === undefined
          ? `An alias has no key ${quoted(key)}.`
          : `Aliases by ${quoted(key)} are not supported.`,
        keyPlace,
        own(aliasAdvice, key) ?? "Write the former name, or `{ name: <former name> }`.",
      );
    const name = node.entries.find(({ key }) => key === "name");
    if (name === undefined) return odd.length > 0 ? reported : undefined;
    return readText(name.value, report);
  }
  const text = readText(node, report);
  return text?.startsWith("urn:") === true ? text.slice(text.lastIndexOf("::") + 2) : text;
}

function readTimeouts(node: DocumentNode, report: Report): ResourceOptions["customTimeouts"] {
  const timeouts: ResourceOptions["customTimeouts"] = {};
  if (node.kind !== "map") {
    invalid(
      "customTimeouts",
      "must be a map of `create`, `update` and `delete`.",
      node.place,
      report,
    );
    return timeouts;
  }
  for (const { key, keyPlace, value } of node.entries) {
    if (key === "read") {
      report.warning(
        "ignored",
        "`customTimeouts.read` has no effect: reads time out after one minute.",
        keyPlace,
      );
      continue;
    }
    if (key !== "create" && key !== "update" && key !== "delete") {
      invalid(
        "customTimeouts",
        `has no timeout for ${quoted(key)}.`,
        keyPlace,
        report,
        didYouMean(nearest(key, ["create", "update", "delete"])),
      );
      continue;
    }
    const seconds = readSeconds(value);
    if (seconds !== undefined && seconds > 0 && seconds <= MAX_TIMEOUT_SECONDS)
      timeouts[`${key}Seconds`] = seconds;
    else
      invalid(
        "customTimeouts",
        "takes durations such as `90s`, `5m` or `1h30m`, up to 24h.",
        value.place,
        report,
        isText(value) && value.value.includes("${") ? CONSTANT : undefined,
      );
  }
  return timeouts;
}

function isText(node: DocumentNode): node is ScalarNode & { value: string } {
  return node.kind === "scalar" && typeof node.value === "string";
}

const unitSeconds: { readonly [unit: string]: number } = { ms: 0.001, s: 1, m: 60, h: 3600 };

function readSeconds(node: DocumentNode): number | undefined {
  if (node.kind !== "scalar") return undefined;
  if (typeof node.value === "number") return node.value;
  const text = typeof node.value === "string" ? node.value : "";
  const part = /([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)/y;
  let seconds = 0;
  while (part.lastIndex < text.length) {
    const found = part.exec(text);
    if (found === null) return undefined;
    seconds += Number(found[1]) * (unitSeconds[found[2] ?? ""] ?? 0);
  }
  return text === "" ? undefined : seconds;
}
