/** Finds the override file of each Compose file, and merges the documents of a project. */
import {
  type Expression,
  type Member,
  type ObjectExpression,
  withoutLines,
} from "#importers/expression.ts";
import { fileNameOf, type ImportFile } from "#importers/import-file.ts";
import type { DataNode } from "#importers/text/data-node.ts";

/** Compose uses the first of these in a folder, and the first of the override names. */
const baseNames = [
  "compose.yaml",
  "compose.yml",
  "docker-compose.yml",
  "docker-compose.yaml",
] as const;
const overrideNames = [
  "compose.override.yml",
  "compose.override.yaml",
  "docker-compose.override.yml",
  "docker-compose.override.yaml",
] as const;

/** The override file of each Compose file that is the first of its folder. */
export function overridesIn(files: readonly ImportFile[]): ReadonlyMap<ImportFile, ImportFile> {
  const folders = new Map<string, Map<string, ImportFile>>();
  for (const file of files) {
    const name = fileNameOf(file.path);
    const folder = file.path.slice(0, file.path.length - name.length);
    const own = folders.get(folder) ?? new Map<string, ImportFile>();
    folders.set(folder, own.set(name, file));
  }
  const found = new Map<ImportFile, ImportFile>();
  for (const own of folders.values()) {
    const base = baseNames.find((name) => own.has(name));
    const override = overrideNames.find((name) => own.has(name));
    const [first, second] = [own.get(base ?? ""), own.get(override ?? "")];
    if (first !== undefined && second !== undefined) found.set(first, second);
  }
  return found;
}

/** Tags of a later document: the first removes a value, the second replaces it without merging. */
export const RESET = "!reset";
export const REPLACED = "!override";

/** The members that later documents reset or replace, by name. */
type Dropped = Map<string, Dropped | "all">;

/** Removes values that later ones reset or replace, and the resets, at any depth. In the order of the documents. */
export function withoutReset<One extends { node: DataNode }>(said: readonly One[]): One[] {
  const kept: One[] = [];
  const dropped: Dropped = new Map();
  for (const one of said.toReversed()) {
    const { node } = one;
    if (node.tag === RESET) break;
    kept.push({ ...one, node: withoutTags(without(node, dropped)) });
    if (node.tag === REPLACED) break;
    addDropped(node, dropped);
  }
  return kept.reverse();
}

/** A value without members that later documents drop. */
function without(node: DataNode, dropped: Dropped): DataNode {
  if (node.kind !== "map" || dropped.size === 0) return node;
  const members = [...node.members].flatMap(([name, value]): [string, DataNode][] => {
    const inside = dropped.get(name);
    if (inside === "all") return [];
    return [[name, inside === undefined ? value : without(value, inside)]];
  });
  return { ...node, members: new Map(members) };
}

/** Adds the members of a document that drop those of earlier ones. */
function addDropped(node: DataNode, dropped: Dropped): void {
  if (node.kind !== "map") return;
  for (const [name, value] of node.members) {
    const before = dropped.get(name);
    if (before === "all") continue;
    if (value.tag === RESET || value.tag === REPLACED) dropped.set(name, "all");
    else if (value.kind === "map") {
      const inside: Dropped = before ?? new Map();
      addDropped(value, inside);
      if (inside.size > 0) dropped.set(name, inside);
    }
  }
}

/** A value without the members that only reset others. */
function withoutTags(node: DataNode): DataNode {
  if (node.kind !== "map") return node;
  const members = [...node.members].filter(([, value]) => value.tag !== RESET);
  return {
    ...node,
    members: new Map(members.map(([name, value]) => [name, withoutTags(value)])),
  };
}

/** Lists that an override replaces. */
const replacedLists: ReadonlySet<string> = new Set(["command", "entrypoint", "test"]);
/** Lists whose items are identified by their mount point. */
const mounts: ReadonlySet<string> = new Set(["volumes", "devices", "secrets", "configs"]);

/** A member of several documents: its last place, and the values since the last one of another kind. */
interface Merging {
  last: Member;
  values: Expression[];
}

/** Merges the settings of documents: maps are merged, most lists continued, and other values replaced. */
export function mergedSettings(all: readonly ObjectExpression[]): ObjectExpression {
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  const members = new Map<string, Merging>();
  for (const settings of all)
    for (const member of settings.members) {
      const { name, value } = member;
      const before = members.get(name);
      const isSame = before?.last.value.kind === value.kind;
      const values = isSame && before !== undefined ? before.values : [];
      values.push(value);
      members.set(name, { last: member, values });
    }
  return { kind: "object", members: [...members.values()].map(mergedMember) };
}

function mergedMember({ last, values }: Merging): Member {
  const { name, value } = last;
  if (values.length === 1) return last;
  if (value.kind === "object")
    return { ...last, value: mergedSettings(values.filter((one) => one.kind === "object")) };
  if (value.kind !== "list" || replacedLists.has(name)) return last;
  const keyOf = mounts.has(name) ? targetOf : withoutLines;
  const items = new Map<string, Expression>();
  for (const one of values)
    if (one.kind === "list") for (const item of one.items) items.set(keyOf(item), item);
  return { ...last, value: { kind: "list", items: [...items.values()] } };
}

/** The mount point in `data:/data:ro`, `${DIR}:/data` or `{ source, target }`. The item itself if a variable decides it. */
function targetOf(item: Expression): string {
  const named = (wanted: string) =>
    item.kind === "object" ? item.members.find(({ name }) => name === wanted)?.value : undefined;
  const given = item.kind === "object" ? (named("target") ?? named("source")) : item;
  const text = given && writtenIn(given);
  const target = item.kind === "object" ? text : (text?.split(":")[1] ?? text);
  return target === undefined || target.includes(VARIABLE) ? withoutLines(item) : target;
}

/** Stands for a variable in a text. */
const VARIABLE = "\0";

function writtenIn(given: Expression): string | undefined {
  if (given.kind === "literal") return String(given.value);
  if (given.kind !== "text") return undefined;
  return given.parts
    .map((part) => (part.kind === "literal" ? String(part.value) : VARIABLE))
    .join("");
}
