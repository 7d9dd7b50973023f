import { type Expression, literal } from "#importers/expression.ts";
import type { SourceOption } from "#importers/source-option.ts";
import { type DataNode, lineOf, memberOf, membersOf, textIn } from "#importers/text/data-node.ts";

/** The options that another part of the reader takes. */
const read = new Set(["dependsOn", "provider", "providers"]);
const MAX_NAME = 80;
/** The members of a resource. */
const members = new Set(["type", "name", "defaultProvider", "properties", "options", "get"]);

const reasons: Readonly<Record<string, string>> = {
  parent: "Resources of a draft have no parents.",
  version: "The instance's target decides the provider and its version.",
  pluginDownloadURL: "The instance's target decides the provider and its version.",
  deletedWith: "A draft deletes each object: use `retainOnDelete` for one that goes with another.",
  replaceWith: "A draft replaces an object for its own properties only.",
  transformations: "A draft runs no code.",
  transforms: "A draft runs no code.",
  hooks: "A draft runs no code.",
};

/** The options of a resource, without `dependsOn`, the provider and a known `import`; and members that it cannot have. */
export function optionsOf(resource: DataNode): SourceOption[] {
  const misplaced = [...membersOf(resource)]
    .filter(([name]) => !members.has(name))
    .map(([name, node]): SourceOption => {
      const reason = `A resource has no \`${name.slice(0, MAX_NAME)}\`: Pulumi refuses the program. Perhaps it belongs below \`options\` or \`properties\`.`;
      return { name: name.slice(0, MAX_NAME), line: lineOf(node), kind: "left out", reason };
    });
  const state = memberOf(memberOf(resource, "get"), "state");
  const read: SourceOption[] =
    state === undefined
      ? []
      : [{ name: "get.state", line: lineOf(state), kind: "left out", reason: byId }];
  return [...misplaced, ...read, ...optionsIn(memberOf(resource, "options"))];
}

const byId = "A deployment reads the object by its id alone.";

function optionsIn(options: DataNode | undefined): SourceOption[] {
  return [...membersOf(options)].flatMap(([name, node]): SourceOption[] => {
    const at = { name: `options.${name}`, line: lineOf(node) };
    if (read.has(name)) return [];
    const texts = textsIn(node);
    switch (name) {
      case "protect":
      case "retainOnDelete":
      case "deleteBeforeReplace":
        return flag(node, { ...at, kind: name });
      case "ignoreChanges":
      case "replaceOnChanges":
        return texts === undefined ? [computed(at)] : [{ ...at, kind: name, paths: texts }];
      case "additionalSecretOutputs":
        return texts === undefined ? [computed(at)] : [{ ...at, kind: name, names: texts }];
      case "aliases":
        return aliasesOf(node, at);
      case "customTimeouts":
        return timeoutsOf(node, at);
      case "import":
        return importedId(node) === undefined ? [{ ...at, kind: "left out", reason: openId }] : [];
      default:
        return [
          { ...at, kind: "left out", reason: reasons[name] ?? "A draft has no such option." },
        ];
    }
  });
}

const openId = "The id is computed: a deployment makes a second object.";

/** The id of the adopted object, if it is written out. */
export function importedId(node: DataNode | undefined): string | undefined {
  const id = textIn(node);
  return id === undefined || id === "" || isComputed(id) ? undefined : id;
}

type At = Pick<SourceOption, "name" | "line">;

/** A computed protection is set and told, because without it an object could be lost. */
function flag(
  node: DataNode,
  option: Extract<SourceOption, { when?: Expression }>,
): SourceOption[] {
  const { name, line, kind } = option;
  if (node.kind === "scalar" && typeof node.value === "boolean") return node.value ? [option] : [];
  const text = textIn(node);
  if (text !== undefined && !isComputed(text))
    return [{ name, line, kind: "left out", reason: noBoolean }];
  if (kind === "deleteBeforeReplace") return [computed(option)];
  return [{ ...option, when: { kind: "opaque", text: "", references: [], line } }];
}

const noBoolean = "It is a text, and Pulumi takes true or false here.";

function aliasesOf(node: DataNode, at: At): SourceOption[] {
  const items = node.kind === "list" ? node.items : [node];
  const found = items.flatMap((item) => textIn(item) ?? nameAlone(item) ?? []);
  const names = found.filter((name) => !isComputed(name));
  const reason =
    "An alias of a draft is a former name: a former parent, type or stack has no place.";
  return [
    ...(names.length === 0 ? [] : [{ ...at, kind: "aliases" as const, names }]),
    ...(found.length === items.length ? [] : [{ ...at, kind: "left out" as const, reason }]),
    ...(names.length === found.length ? [] : [computed(at)]),
  ];
}

function isComputed(text: string): boolean {
  return text.includes("${");
}

/** The name of an alias that says nothing else. */
function nameAlone(node: DataNode): string | undefined {
  if (node.kind !== "map" || node.members.size !== 1) return undefined;
  const name = node.members.get("name");
  return name === undefined ? undefined : textIn(name);
}

const operations: ReadonlySet<string> = new Set(["create", "update", "delete"]);

function timeoutsOf(node: DataNode, at: At): SourceOption[] {
  const timeouts: { [operation: string]: Expression } = {};
  const lost: SourceOption[] = [];
  for (const [operation, given] of membersOf(node)) {
    const text = textIn(given);
    const inside = { name: `${at.name}.${operation.slice(0, MAX_NAME)}`, line: lineOf(given) };
    if (!operations.has(operation)) lost.push({ ...inside, kind: "left out", reason: untimed });
    else if (text === undefined || isComputed(text)) lost.push(computed(inside));
    else timeouts[operation] = literal(text);
  }
  const isTimed = Object.keys(timeouts).length > 0;
  return [...(isTimed ? [{ ...at, kind: "customTimeouts" as const, timeouts }] : []), ...lost];
}

const untimed = "A draft limits the time for creating, updating and deleting.";

function computed(at: At): SourceOption {
  const { name, line } = at;
  return { name, line, kind: "left out", reason: "It is computed, and an option is constant." };
}

function textsIn(node: DataNode): string[] | undefined {
  const items = node.kind === "list" ? node.items : [node];
  const texts = items.map(textIn);
  return texts.every((text) => text !== undefined && !isComputed(text))
    ? texts.filter((text) => text !== undefined)
    : undefined;
}
