import type { ImportLog } from "#importers/import-log.ts";
import { lineOf, memberOf, type DataMap, type DataNode } from "#importers/text/data-node.ts";

/** Maps whose values are texts. */
const maps: ReadonlySet<string> = new Set(["annotations", "labels", "matchLabels", "nodeSelector"]);
/** Lists whose items are texts. */
const lists: ReadonlySet<string> = new Set(["args", "command"]);
const stores: ReadonlySet<string> = new Set(["ConfigMap", "Secret"]);

const message =
  "Kubernetes takes only a text here and refuses this boolean or number: quote it. The draft has it as a text.";

/**
 * An object with texts where a cluster takes them. Warns of each value that YAML reads as a boolean or a number there:
 * `enabled: yes` in labels.
 */
export function withTexts<One extends { kind: string; node: DataMap; file: string }>(
  object: One,
  log: ImportLog,
): One {
  const { kind, node, file } = object;
  const found = new Set<DataNode>();
  const check = (value: DataNode): void => {
    if (value.kind !== "scalar" || value.value === null || typeof value.value === "string") return;
    found.add(value);
    log.add("warning", "text_expected", message, { file, line: lineOf(value) });
  };
  if (stores.has(kind))
    for (const name of ["data", "stringData"]) valuesIn(memberOf(node, name)).forEach(check);
  // The selector of a workload has its texts in a map of its own.
  if (kind === "Service") valuesIn(memberOf(memberOf(node, "spec"), "selector")).forEach(check);
  const waiting: DataNode[] = [memberOf(node, "metadata"), memberOf(node, "spec")].flatMap(
    (one) => one ?? [],
  );
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at.kind === "scalar" || at.kind === "alias") continue;
    for (const value of valuesIn(at)) waiting.push(value);
    if (at.kind !== "map") continue;
    for (const [name, value] of at.members) {
      if (maps.has(name) && value.kind === "map") valuesIn(value).forEach(check);
      if (lists.has(name) && value.kind === "list") value.items.forEach(check);
      if (name === "env" && value.kind === "list")
        for (const one of value.items) valuesIn(memberOf(one, "value")).forEach(check);
    }
  }
  if (found.size === 0) return object;
  const members = [...node.members].map(([name, one]) => [name, written(one, found)] as const);
  return { ...object, node: { ...node, members: new Map(members) } };
}

/** A value in which these scalars are texts. */
function written(node: DataNode, texts: ReadonlySet<DataNode>): DataNode {
  switch (node.kind) {
    case "scalar":
      return texts.has(node) ? { ...node, value: String(node.value) } : node;
    case "list":
      return { ...node, items: node.items.map((item) => written(item, texts)) };
    case "map": {
      const members = [...node.members].map(([name, one]) => [name, written(one, texts)] as const);
      return { ...node, members: new Map(members) };
    }
    case "alias":
      return node;
  }
}

function valuesIn(node: DataNode | undefined): readonly DataNode[] {
  if (node?.kind === "list") return node.items;
  if (node?.kind === "map") return [...node.members.values()];
  return node === undefined ? [] : [node];
}
