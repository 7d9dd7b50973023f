/** Converts functions of the sources' languages to those of the template language, or computes them from literals. */
import { addressIn, firstBlocks, subBlock } from "#importers/evaluate/address-blocks.ts";
import { isJsonMap, type Json } from "#platform/json.ts";
import { cannot, type Converted, isCall, isReference, joined, value } from "./converted.ts";

type Call = (args: readonly Json[]) => Converted | undefined;

const same: Call = ([only]) => (only === undefined ? undefined : value(only));
const called =
  (name: string): Call =>
  ([only]) =>
    only === undefined ? undefined : value({ [`fn::${name}`]: only });

const join: Call = ([separator, ...rest]) => {
  const [list] = rest;
  if (typeof separator !== "string" || list === undefined) return undefined;
  const [only] = Array.isArray(list) && list.length === 1 ? list : [];
  if (isJsonMap(only) && Object.hasOwn(only, "fn::toJSON")) return value(only);
  return value({ "fn::join": [separator, list] });
};
const split: Call = ([separator, text]) =>
  typeof separator === "string" && text !== undefined
    ? value({ "fn::split": [separator, text] })
    : undefined;
const select: Call = ([index, ...rest]) => {
  const list = rest.length === 1 ? rest[0] : rest;
  const at = Number(index);
  if (!Number.isInteger(at) || at < 0 || list === undefined) return undefined;
  if (Array.isArray(list)) return list[at] === undefined ? undefined : value(list[at]);
  return value({ "fn::select": [at, list] });
};
const toJson: Call = ([only]) => (only === undefined ? undefined : value({ "fn::toJSON": only }));

/** `element` wraps around the end of the list, so the list must be written out. */
const element: Call = ([list, index]) => {
  const at = Number(index);
  if (!Array.isArray(list) || list.length === 0 || !Number.isInteger(at) || at < 0)
    return undefined;
  return value(list[at % list.length] ?? null);
};
const lookup: Call = ([map, key, otherwise]) => {
  if (!isJsonMap(map) || isCall(map) || typeof key !== "string" || isReference(key))
    return undefined;
  const found = Object.hasOwn(map, key) ? map[key] : otherwise;
  return found === undefined ? undefined : value(found);
};
const concat: Call = (lists) =>
  lists.every((list) => Array.isArray(list)) ? value(lists.flat()) : undefined;
const merge: Call = (maps) =>
  maps.every((map) => isJsonMap(map) && !isCall(map))
    ? value(Object.fromEntries(maps.flatMap((map) => (isJsonMap(map) ? Object.entries(map) : []))))
    : undefined;
const changed =
  (change: (text: string) => string): Call =>
  ([text]) =>
    typeof text === "string" && !text.includes("${") ? value(change(text)) : undefined;

/** `format("%s-%d", …)` with verbs that only insert a value. */
const format: Call = ([pattern, ...args]) => {
  if (typeof pattern !== "string" || pattern.includes("${")) return undefined;
  const parts = pattern.split(/(%%|%[a-z])/);
  if (parts.some((part) => /^%[a-z]$/.test(part) && !/^%[sdv]$/.test(part))) return undefined;
  let next = 0;
  const filled = parts.map((part) => {
    if (part === "%%") return "%";
    return /^%[sdv]$/.test(part) ? args[next++] : part;
  });
  if (next !== args.length || !filled.every((part) => part !== undefined)) return undefined;
  return joined(filled);
};

const zones: Call = ([region]) => {
  const own = typeof region !== "string" || region === "" ? "${control.target.region}" : region;
  return value(["a", "b", "c"].map((letter) => `${own}${letter}`));
};
const known = (found: Json | undefined): Converted | undefined =>
  found === undefined ? undefined : value(found);
const blocks: Call = ([block, count, hostBits]) =>
  typeof block === "string"
    ? known(firstBlocks(block, Number(count), Number(hostBits)))
    : undefined;
const block: Call = ([around, newBits, number]) =>
  typeof around === "string" ? known(subBlock(around, Number(newBits), Number(number))) : undefined;
const address: Call = ([around, number]) =>
  typeof around === "string" ? known(addressIn(around, Number(number))) : undefined;

const functions: ReadonlyMap<string, Call> = new Map<string, Call>([
  ["join", join],
  ["split", split],
  ["select", select],
  ["length", called("length")],
  ["jsonencode", toJson],
  ["toJsonString", toJson],
  ["toJSON", toJson],
  ["string", same],
  ["base64encode", called("toBase64")],
  ["base64", called("toBase64")],
  ["toBase64", called("toBase64")],
  ["base64decode", called("fromBase64")],
  ["fromBase64", called("fromBase64")],
  ["sha1", called("sha1")],
  ["secret", called("secret")],
  ["sensitive", called("secret")],
  ["nonsensitive", same],
  ["tolist", same],
  ["toset", same],
  ["tomap", same],
  ["tostring", same],
  ["tonumber", same],
  ["tobool", same],
  ["one", called("singleOrNone")],
  ["element", element],
  ["lookup", lookup],
  ["concat", concat],
  ["merge", merge],
  ["union", merge],
  ["createArray", (items) => value([...items])],
  ["format", format],
  ["lower", changed((text) => text.toLowerCase())],
  ["toLower", changed((text) => text.toLowerCase())],
  ["upper", changed((text) => text.toUpperCase())],
  ["toUpper", changed((text) => text.toUpperCase())],
  // Nearly every region has zones of these letters. The zones of an account are not known here.
  ["getAzs", zones],
  ["cidr", blocks],
  ["cidrsubnet", block],
  ["cidrhost", address],
  ["trimspace", changed((text) => text.trim())],
]);

/** Converts the call of a function whose arguments are converted. */
export function callOf(name: string, args: readonly Json[]): Converted {
  const own = name.replace(/^fn::/i, "");
  return (
    functions.get(own)?.(args) ??
    cannot(`A draft does not translate the function \`${name.slice(0, 80)}\` here.`)
  );
}
