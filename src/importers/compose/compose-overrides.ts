/** Finds the override file of each Compose file, and merges the two. */
import type { Expression, Member, ObjectExpression } from "#importers/expression.ts";
import { fileNameOf, type ImportFile } from "#importers/import-file.ts";
import { memberOf, type DataMap, type DataNode } from "#importers/text/data-node.ts";

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

/** Tags of an override: the first removes a member, the second replaces it without merging. */
const RESET = "!reset";
const REPLACED = "!override";

/** Removes reset and replaced members from a node, and reset ones from its override. */
export function withoutReset(
  base: DataNode | undefined,
  override: DataNode | undefined,
): { base: DataNode | undefined; override: DataNode | undefined } {
  if (override?.tag === RESET) return { base: undefined, override: undefined };
  if (override?.tag === REPLACED) return { base: undefined, override };
  if (base?.kind !== "map" || override?.kind !== "map") return { base, override };
  const isSaidAnew = (name: string): boolean => {
    const tag = memberOf(override, name)?.tag;
    return tag === RESET || tag === REPLACED;
  };
  return {
    base: withMembers(base, (name) => !isSaidAnew(name)),
    override: withMembers(override, (name) => memberOf(override, name)?.tag !== RESET),
  };
}

function withMembers(node: DataMap, isKept: (name: string) => boolean): DataMap {
  return { ...node, members: new Map([...node.members].filter(([name]) => isKept(name))) };
}

/** Lists that an override replaces. */
const replacedLists: ReadonlySet<string> = new Set(["command", "entrypoint", "test"]);
/** Lists whose items are identified by their mount point. */
const mounts: ReadonlySet<string> = new Set(["volumes", "devices", "secrets", "configs"]);

/** Merges the settings of two files: maps are merged, most lists continued, and other values replaced. */
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
