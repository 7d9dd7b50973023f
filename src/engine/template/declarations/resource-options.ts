import type { DocumentNode, ScalarNode } from "#engine/template/document.ts";
import { parseExpression } from "#engine/template/expressions.ts";
import { addressIn, partsOfAddress } from "#engine/template/levels/address.ts";
import { foreignKeyHint } from "#engine/template/mistakes/foreign-keys.ts";
import { own } from "#engine/template/own.ts";
import { parsePlainText } from "#engine/template/references.ts";
import { didYouMean, quoted, type Report } from "#engine/template/report.ts";
import type { ComponentOptions, Move, Place, ResourceOptions } from "#engine/template/template.ts";
import { parsePropertyPath } from "#platform/property-path.ts";
import { nearest } from "#platform/text/nearest.ts";

export const resourceOptions = [
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

export const TARGET = "The instance's target decides the provider, its account and its version.";
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
/** Each turn of a loop has all of them. */
const MAX_ALIASES = 100;
const CONSTANT = "Options are constants and cannot depend on config values. Write the value.";

export function noOptions(): ResourceOptions {
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

export function readOptions(node: DocumentNode, report: Report): ResourceOptions {
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
        Object.assign(options, readAliases(value, report));
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
export function readText(node: DocumentNode, report: Report): string | undefined {
  return node.kind === "scalar" && typeof node.value === "string"
    ? parsePlainText(node.value, node.place, report)
    : undefined;
}

function readFlag(option: string, node: DocumentNode, report: Report): boolean {
  if (node.kind === "scalar" && typeof node.value === "boolean") return node.value;
  invalid(option, "must be true or false.", node.place, report, CONSTANT);
  return false;
}

function readList<Item>(
  option: string,
  node: DocumentNode,
  report: Report,
  read: (item: DocumentNode, report: Report) => Item | undefined | typeof reported,
): Item[] {
  if (node.kind === "scalar" && node.value === null) return [];
  const items = node.kind === "list" ? node.items : [node];
  return items.flatMap((item) => {
    const found = read(item, report);
    if (found === reported) return [];
    if (found !== undefined && found !== "") return [found];
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

function readAliases(
  node: DocumentNode,
  report: Report,
): Pick<ResourceOptions, "aliases" | "moves"> {
  const given = readList("aliases", node, report, readAlias);
  if (given.length > MAX_ALIASES)
    invalid("aliases", `takes at most ${MAX_ALIASES} former names.`, node.place, report);
  const all = given.slice(0, MAX_ALIASES);
  const aliases = all.flatMap((alias) => (typeof alias === "string" ? [alias] : []));
  const moves = all.filter((alias) => typeof alias !== "string");
  return moves.length === 0 ? { aliases } : { aliases, moves };
}

const aliasKeys = ["name", "key", "address", "to"] as const;

/** A former name: a plain name, a URN that ends in the name, or a map with `name` and `key`, or with `address`. */
function readAlias(
  node: DocumentNode,
  report: Report,
): string | Move | undefined | typeof reported {
  if (node.kind !== "map") {
    const text = readText(node, report);
    if (text === undefined) return undefined;
    return text.startsWith("urn:") ? text.slice(text.lastIndexOf("::") + 2) : text;
  }
  const written: { [key in (typeof aliasKeys)[number]]?: string } = {};
  let isOdd = false;
  for (const { key, keyPlace, value } of node.entries) {
    const known = aliasKeys.find((one) => one === key);
    if (known !== undefined) {
      const text = readText(value, report);
      if (text === undefined || text === "") return undefined;
      written[known] = text;
      continue;
    }
    isOdd = true;
    report.error(
      own(aliasAdvice, key) === undefined ? "unknown_key" : "not_supported",
      own(aliasAdvice, key) === undefined
        ? `An alias has no key ${quoted(key)}.`
        : `Aliases by ${quoted(key)} are not supported.`,
      keyPlace,
      own(aliasAdvice, key) ?? "Write the former name, or `{ name: <former name> }`.",
    );
  }
  const from = formerAddress(written, node.place, report);
  if (from === reported) return reported;
  if (from === undefined) return isOdd ? reported : undefined;
  return written.to === undefined ? from : { from, to: written.to };
}

function formerAddress(
  { name, key, address }: { name?: string; key?: string; address?: string },
  place: Place,
  report: Report,
): string | undefined | typeof reported {
  if (address === undefined)
    return name === undefined ? undefined : addressIn({ address: "" }, name, key);
  if (name === undefined && key === undefined && partsOfAddress(address) !== undefined)
    return `/${address}`;
  invalid(
    "aliases",
    name === undefined && key === undefined
      ? `has ${quoted(address)}, which is not an address.`
      : "takes either `address`, or `name` and `key`.",
    place,
    report,
    'Examples: `{ name: node, key: a }`, `{ address: network/subnet["a"] }`.',
  );
  return reported;
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
export function readComponentOptions(node: DocumentNode, report: Report): ComponentOptions {
  const options: ComponentOptions = { dependsOn: [], aliases: [] };
  if (node.kind === "scalar" && node.value === null) return options;
  if (node.kind !== "map") {
    report.error("invalid_option", "`options` must be a map.", node.place);
    return options;
  }
  for (const { key, keyPlace, value } of node.entries)
    if (key === "dependsOn") options.dependsOn = readList(key, value, report, readDependency);
    else if (key === "aliases") Object.assign(options, readAliases(value, report));
    else
      report.error(
        "unknown_option",
        `A component has no option ${quoted(key)}.`,
        keyPlace,
        own(unsupportedOptions, key) ??
          (resourceOptions.some((known) => known === key)
            ? "Set it on the component's resources."
            : didYouMean(nearest(key, ["dependsOn", "aliases"]))),
      );
  return options;
}
