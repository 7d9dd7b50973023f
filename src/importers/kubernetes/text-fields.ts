import type { ImportLog } from "#importers/import-log.ts";
import { lineOf, memberOf, type DataMap, type DataNode } from "#importers/text/data-node.ts";

/** Maps whose values are texts. */
const maps: ReadonlySet<string> = new Set(["annotations", "labels", "matchLabels", "nodeSelector"]);
/** Lists whose items are texts. */
const lists: ReadonlySet<string> = new Set(["args", "command"]);
const stores: ReadonlySet<string> = new Set(["ConfigMap", "Secret"]);

const message =
  "Kubernetes takes only a text here and refuses this boolean or number: quote it. The draft has it as a text.";

/** Warns of values that YAML reads as booleans or numbers where a cluster takes texts: `enabled: yes` in labels. */
export function warnOfOtherTypes(
  { kind, node, file }: { kind: string; node: DataMap; file: string },
  log: ImportLog,
): void {
  const check = (value: DataNode): void => {
    if (value.kind === "scalar" && value.value !== null && typeof value.value !== "string")
      log.add("warning", "text_expected", message, { file, line: lineOf(value) });
  };
  if (stores.has(kind))
    for (const name of ["data", "stringData"]) valuesIn(memberOf(node, name)).forEach(check);
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
}

function valuesIn(node: DataNode | undefined): readonly DataNode[] {
  if (node?.kind === "list") return node.items;
  if (node?.kind === "map") return [...node.members.values()];
  return node === undefined ? [] : [node];
}
