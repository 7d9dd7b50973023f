import { nearest } from "#platform/text/nearest.ts";
import type { DocumentNode, MapEntry, MapNode } from "./document.ts";
import { own } from "./own.ts";
import { parsePlainText, parseText, unreadable } from "./references.ts";
import { didYouMean, quoted, type Report } from "./report.ts";
import type { BuiltIn, Expression } from "./template.ts";

export const builtIns = [
  "join",
  "split",
  "select",
  "length",
  "toJSON",
  "toBase64",
  "fromBase64",
  "secret",
  "unsecret",
  "singleOrNone",
  "sha1",
] as const satisfies readonly BuiltIn[];

/** A key that calls a function; the older spelling is `Fn::`. */
export const FUNCTION = /^fn::/i;

const builtInBySpelling = new Map<string, BuiltIn>(
  builtIns.map((name) => [name.toLowerCase(), name]),
);

const ASSET = "Write the content in a property as a string, or pass it as a config value.";
const FILE = "Templates cannot read files: pass the content as a config value.";
const PULUMI_NAMES = "Write the resource's name as a string, or use `${control.instance.name}`.";

const unsupportedFunctions: { readonly [name: string]: string } = {
  invoke: "Pass the looked-up value as a config value, or bind another instance's output.",
  call: "Pass the method's result as a config value, or bind another instance's output.",
  readfile: FILE,
  filebase64: FILE,
  filebase64sha256: FILE,
  asset: ASSET,
  fileasset: ASSET,
  stringasset: ASSET,
  remoteasset: ASSET,
  archive: ASSET,
  filearchive: ASSET,
  remotearchive: ASSET,
  assetarchive: ASSET,
  stackreference: "Bind the other instance's output to a config value.",
  pulumiresourcename: PULUMI_NAMES,
  pulumiresourcetype: PULUMI_NAMES,
  getoption: "Write the option's value.",
  rootdirectory: FILE,
  cwd: FILE,
  organization: "Write `${control.tenant.slug}`.",
  project: "Write the template's name.",
  stack: "Write `${control.instance.name}`.",
};

/** Parses a document node as an expression. An invalid part is reported and replaced by `unreadable`. */
export function parseExpression(node: DocumentNode, report: Report): Expression {
  const { place } = node;
  switch (node.kind) {
    case "scalar":
      if (node.isUnreadable === true) return unreadable(place);
      return typeof node.value === "string"
        ? parseText(node.value, place, node.placeAt, report)
        : { kind: "literal", value: node.value, place };
    case "list":
      return {
        kind: "list",
        items: node.items.map((item) => parseExpression(item, report)),
        place,
      };
    case "map": {
      const call = node.entries.find(({ key }) => FUNCTION.test(key));
      if (call !== undefined) return parseCall(node, call, report);
      return { kind: "map", entries: parseEntries(node, report), place };
    }
  }
}

/** The entries of a map: keys unescaped, values as expressions. */
export function parseEntries(node: MapNode, report: Report): { [key: string]: Expression } {
  return Object.fromEntries(
    node.entries.map(({ key, keyPlace, value }) => [
      parsePlainText(key, keyPlace, report),
      parseExpression(value, report),
    ]),
  );
}

function parseCall(node: MapNode, entry: MapEntry, report: Report): Expression {
  const { place } = node;
  const { key } = entry;
  if (node.entries.length > 1)
    report.error(
      "function_not_alone",
      `${quoted(key)} must be the only key of its map.`,
      entry.keyPlace,
      "Remove the other keys, or move the function into a map of its own.",
    );
  const name = key.slice("fn::".length);
  const fn = builtInBySpelling.get(name.toLowerCase());
  const argument = parseExpression(entry.value, report);
  if (fn !== undefined) return { kind: "call", fn, argument, place };
  const advice = name.includes(":")
    ? own(unsupportedFunctions, "invoke")
    : own(unsupportedFunctions, name.toLowerCase());
  if (advice !== undefined)
    report.error(
      "not_supported",
      `The function ${quoted(key)} is not supported.`,
      entry.keyPlace,
      advice,
    );
  else
    report.error(
      "unknown_function",
      `There is no function ${quoted(key)}. The functions are ${builtIns.map((known) => `fn::${known}`).join(", ")}.`,
      entry.keyPlace,
      didYouMean(prefixed(nearest(name, builtIns))),
    );
  return unreadable(place);
}

function prefixed(name: string | undefined): string | undefined {
  return name === undefined ? undefined : `fn::${name}`;
}
