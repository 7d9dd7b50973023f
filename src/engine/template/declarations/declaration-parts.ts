import type { DocumentNode, MapEntry } from "#engine/template/document.ts";
import { FUNCTION, parseEntries, parseExpression } from "#engine/template/expressions.ts";
import { foreignKeyHint } from "#engine/template/mistakes/foreign-keys.ts";
import { own } from "#engine/template/own.ts";
import { didYouMean, quoted, type Report } from "#engine/template/report.ts";
import type { Place, ResourceDeclaration } from "#engine/template/template.ts";
import { nearest } from "#platform/text/nearest.ts";
import { resourceOptions } from "./resource-options.ts";

const unsupportedKeys: { readonly [key: string]: string } = {
  name: "The key is the name of the resource: rename the key. The name at the provider is a property.",
};

/** Reports a key that a resource or a component does not have. `what` begins the sentence. */
export function rejectKey(
  { key, keyPlace }: MapEntry,
  what: string,
  keys: readonly string[],
  report: Report,
): void {
  const advice = own(unsupportedKeys, key);
  if (advice !== undefined)
    report.error("not_supported", `${quoted(key)} is not supported.`, keyPlace, advice);
  else
    report.error(
      "unknown_key",
      `${what} has no key ${quoted(key)}.`,
      keyPlace,
      foreignKeyHint(key, resourceOptions) ??
        didYouMean(nearest(key, keys)) ??
        "The provider's properties belong under `properties`.",
    );
}

/** The places of the type, of each property's key at every depth, and of each option and its items. */
export function placesIn(node: DocumentNode, base: string): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  const add = (place: Place) => places.set(place.path.slice(base.length), place);
  for (const { key, value } of node.kind === "map" ? node.entries : []) {
    if (key === "type") add(value.place);
    if (key === "get" || key === "component" || key === "version") add(value.place);
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

export function readProperties(
  node: DocumentNode,
  report: Report,
): ResourceDeclaration["properties"] {
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
