import type { ImportLog } from "#importers/import-log.ts";
import { type DataNode, memberOf, membersOf, nameIn, textIn } from "#importers/text/data-node.ts";
import { Conditions } from "./conditions.ts";
import { argumentsIn, intrinsicOf } from "./intrinsic.ts";
import { nestedFiles } from "./nested-stacks.ts";
import { type OpenLoop, openLoopsIn } from "./open-loops.ts";
import { RepeatedValues } from "./repeated-values.ts";
import { subParts } from "./sub-text.ts";
import type { TemplateFiles } from "./template-files.ts";

/** The names of a template, by kind. */
export interface TemplateNames {
  parameters: ReadonlySet<string>;
  /** Logical ids of all resources. */
  declared: ReadonlySet<string>;
  /** Logical ids of the resources whose condition may be true. */
  resources: ReadonlySet<string>;
  mappings: DataNode | undefined;
  conditions: Conditions;
  /** Loops over resources that the deployment decides, by their name in the section. */
  loops: ReadonlyMap<string, readonly OpenLoop[]>;
  /** Whether AWS SAM adds resources, whose names the template may read. */
  isServerless: boolean;
  /** The files of nested stacks in the import, by logical id. */
  nested: ReadonlyMap<string, string>;
  repeated: RepeatedValues;
}

export function namesOf(
  root: DataNode,
  file: string,
  files: TemplateFiles,
  log: ImportLog,
): TemplateNames {
  const mappings = memberOf(root, "Mappings");
  const repeated = new RepeatedValues(log);
  const conditions = new Conditions(
    memberOf(root, "Conditions"),
    (node) => literalText(node, mappings),
    repeated,
  );
  const resources = new Set<string>();
  const declared = new Set<string>();
  for (const [id, node] of membersOf(memberOf(root, "Resources"))) {
    declared.add(id);
    const name = conditionOf(node, mappings);
    if (name === undefined || conditions.holds(name) !== false) resources.add(id);
  }
  const parameters = new Set(membersOf(memberOf(root, "Parameters")).keys());
  const nested = nestedFiles(memberOf(root, "Resources"), file, files);
  const loops = openLoopsIn(memberOf(root, "Resources"));
  for (const all of loops.values()) for (const { id } of all) resources.add(id);
  const transforms = argumentsIn(memberOf(root, "Transform") ?? nowhere).map(textIn);
  const isServerless = transforms.some((name) => name?.startsWith("AWS::Serverless") === true);
  return {
    parameters,
    declared,
    resources,
    mappings,
    conditions,
    nested,
    isServerless,
    loops,
    repeated,
  };
}

/** The name of the condition of a resource or an output; an empty one for a computed name. */
export function conditionOf(node: DataNode, mappings: DataNode | undefined): string | undefined {
  const written = memberOf(node, "Condition");
  return written && (nameIn(written) ?? literalText(written, mappings) ?? "");
}

const nowhere: DataNode = { kind: "list", items: [], line: 1, endLine: 1 };

/** The text of a literal, of `Fn::Sub` without names, or of a look-up that literals decide. */
export function literalText(
  node: DataNode,
  mappings: DataNode | undefined,
  depth = 0,
): string | undefined {
  const intrinsic = intrinsicOf(node);
  if (intrinsic === undefined)
    return node.kind === "scalar" && node.value !== null
      ? (node.written ?? String(node.value))
      : undefined;
  if (intrinsic.name === "Fn::Sub") return plainText(intrinsic.argument);
  if (intrinsic.name !== "Fn::FindInMap" || depth > MAX_LOOKUPS) return undefined;
  const args = argumentsIn(intrinsic.argument);
  const found = lookedUp(args, mappings, depth + 1);
  const value = found === "missing" ? memberOf(args[3], "DefaultValue") : found?.node;
  return value?.kind === "scalar" && value.tag === undefined && value.value !== null
    ? String(value.value)
    : undefined;
}

/** The text of `Fn::Sub` that names nothing. */
function plainText(argument: DataNode): string | undefined {
  const text = textIn(argumentsIn(argument)[0]);
  const parts = text === undefined ? [] : subParts(text);
  const texts = parts.flatMap((part) => (part.kind === "text" ? [part.text] : []));
  return text !== undefined && texts.length === parts.length ? texts.join("") : undefined;
}

/** The maximum depth of look-ups in the arguments of look-ups. */
const MAX_LOOKUPS = 5;

/** The value and key that `Fn::FindInMap` finds, if literals decide it; or that there is none. */
export function lookedUp(
  args: readonly DataNode[],
  mappings: DataNode | undefined,
  depth = 0,
): { node: DataNode; key: string } | "missing" | undefined {
  const [map, top, second] = args
    .slice(0, 3)
    .map((argument) => literalText(argument, mappings, depth));
  if (map === undefined || top === undefined || second === undefined) return undefined;
  const node = memberOf(memberOf(memberOf(mappings, map), top), second);
  return node === undefined ? "missing" : { node, key: second };
}
