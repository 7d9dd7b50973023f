/** Finds the override file of each Compose file, and merges the documents of a project. */
import type { Expression, Member, ObjectExpression } from "#importers/expression.ts";
import { fileNameOf, type ImportFile } from "#importers/import-file.ts";
import { memberOf, type DataNode } from "#importers/text/data-node.ts";

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

/** A value that one document declares. */
export interface Declaration {
  node: DataNode;
}

/** Removes values that later ones reset or replace, and the resets, at any depth. In the order of the documents. */
export function withoutReset<One extends Declaration>(said: readonly One[]): One[] {
  let kept: One[] = [];
  for (const one of said) {
    const { node } = one;
    if (node.tag === RESET) kept = [];
    else if (node.tag === REPLACED) kept = [{ ...one, node: withoutTags(node) }];
    else
      kept = [
        ...kept.map((other) => ({ ...other, node: before(other.node, node) })),
        { ...one, node: withoutTags(node) },
      ];
  }
  return kept;
}

/** The part of an earlier value that a later one leaves. */
function before(earlier: DataNode, later: DataNode): DataNode {
  if (earlier.kind !== "map" || later.kind !== "map") return earlier;
  const members = [...earlier.members].flatMap(([name, value]): [string, DataNode][] => {
    const other = memberOf(later, name);
    if (other?.tag === RESET || other?.tag === REPLACED) return [];
    return [[name, other === undefined ? value : before(value, other)]];
  });
  return { ...earlier, members: new Map(members) };
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

/** Merges the settings of two documents: maps are merged, most lists continued, and other values replaced. */
export function mergedSettings(
  base: ObjectExpression,
  override: ObjectExpression,
): ObjectExpression {
  const merged = new Map<string, Member>(base.members.map((member) => [member.name, member]));
  for (const member of override.members) {
    const before = merged.get(member.name);
    const value = before === undefined ? member.value : mergedValue(before, member);
    merged.set(member.name, { ...member, value });
  }
  return { kind: "object", members: [...merged.values()] };
}

function mergedValue({ value: before }: Member, { name, value }: Member): Expression {
  if (before.kind === "object" && value.kind === "object") return mergedSettings(before, value);
  if (before.kind !== "list" || value.kind !== "list" || replacedLists.has(name)) return value;
  const keyOf = mounts.has(name) ? targetOf : textOf;
  const items = new Map<string, Expression>();
  for (const item of [...before.items, ...value.items]) items.set(keyOf(item), item);
  return { kind: "list", items: [...items.values()] };
}

function textOf(item: Expression): string {
  return JSON.stringify(item);
}

/** The mount point in `data:/data:ro` or in `{ source, target }`. */
function targetOf(item: Expression): string {
  const named = item.kind === "object" ? item.members.find(({ name }) => name === "target") : item;
  const given = named !== undefined && "value" in named ? named.value : undefined;
  const text = typeof given === "object" && given?.kind === "literal" ? given.value : given;
  if (typeof text !== "string") return textOf(item);
  return item.kind === "object" ? text : (text.split(":")[1] ?? text);
}
