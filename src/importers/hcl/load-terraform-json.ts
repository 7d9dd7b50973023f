import type { Member } from "#importers/expression.ts";
import type { ImportFile } from "#importers/import-file.ts";
import type { ImportLog } from "#importers/import-log.ts";
import type { DataMap, DataNode } from "#importers/text/data-node.ts";
import { textIn } from "#importers/text/data-node.ts";
import { loadJson } from "#importers/text/load-json.ts";
import { labelsOfBlock } from "./block-types.ts";
import type { HclBlock } from "./hcl-block.ts";
import { jsonExpression, opaqueJson } from "./json-expressions.ts";

/**
 * The blocks of a file in Terraform's JSON syntax (https://developer.hashicorp.com/terraform/language/syntax/json).
 * Undefined if it cannot be read; an error in the log has the reason.
 */
export function loadTerraformJson(file: ImportFile, log: ImportLog): HclBlock[] | undefined {
  const root = loadJson(file, log);
  if (root === undefined) return undefined;
  const blocks: HclBlock[] = [];
  for (const map of mapsIn(root, file.path, log))
    for (const [type, node] of map.members) {
      if (type === "//") continue;
      const labels = labelsOfBlock.get(type);
      const around = { file: file.path, log };
      if (labels === undefined)
        blocks.push({ ...block(type, node, file.path), members: new Map() });
      else
        for (const found of labelled(node, labels, [], around))
          blocks.push({
            ...block(type, found.body, file.path),
            labels: found.labels,
            members: membersOf(found.body),
            typeText: type === "variable" ? typeTextIn(found.body) : null,
          });
    }
  return blocks;
}

function block(type: string, { line, endLine }: DataNode, file: string): HclBlock {
  return { type, labels: [], file, line, endLine, members: new Map(), typeText: null };
}

interface Around {
  file: string;
  log: ImportLog;
}

interface Labelled {
  labels: string[];
  body: DataMap;
}

/** The bodies below so many levels of labels. Each level may be a list of objects. */
function labelled(
  node: DataNode,
  levels: number,
  labels: readonly string[],
  around: Around,
): Labelled[] {
  return mapsIn(node, around.file, around.log).flatMap((map) => {
    if (levels === 0) return [{ labels: [...labels], body: map }];
    return [...map.members].flatMap(([label, below]) =>
      label === "//" ? [] : labelled(below, levels - 1, [...labels, label], around),
    );
  });
}

function mapsIn(node: DataNode, file: string, log: ImportLog): DataMap[] {
  const nodes = node.kind === "list" ? node.items : [node];
  return nodes.flatMap((one) => {
    if (one.kind === "map") return [one];
    const message = "Here Terraform's JSON syntax has an object; what stands here was left out.";
    log.add("warning", "syntax_error", message, { file, line: one.line });
    return [];
  });
}

function membersOf(body: DataMap): Map<string, Member> {
  const members = new Map<string, Member>();
  for (const [name, node] of body.members)
    if (name === "dynamic") addDynamic(node, members);
    else if (name !== "//")
      members.set(name, { name, value: jsonExpression(node), line: node.line });
  return members;
}

/** Adds the blocks of `dynamic` under their own names, without content. */
function addDynamic(node: DataNode, members: Map<string, Member>): void {
  for (const map of node.kind === "list" ? node.items : [node])
    if (map.kind === "map")
      for (const [name, below] of map.members)
        members.set(name, { name, value: opaqueJson(below), line: below.line });
}

function typeTextIn(body: DataMap): string | null {
  return textIn(body.members.get("type")) ?? null;
}
