import type { Expression, Member, ObjectExpression } from "#importers/expression.ts";
import type { ImportLog } from "#importers/import-log.ts";
import type {
  Dependency,
  LeftOutPart,
  ModuleCall,
  SourceResource,
} from "#importers/source-module.ts";
import {
  lineOf,
  memberOf,
  membersOf,
  nameIn,
  textIn,
  type DataNode,
} from "#importers/text/data-node.ts";
import { sizeOf } from "#importers/text/joined-text.ts";
import { argumentsIn, intrinsicOf } from "./intrinsic.ts";
import { addressesOfTemplates } from "./nested-stacks.ts";
import { isNoValue, noValue } from "./no-value.ts";
import { optionsOf } from "./resource-options.ts";
import { tableOf } from "./serverless-table.ts";
import { conditionOf, literalText, type TemplateNames } from "./template-names.ts";
import type { ValueReader } from "./value-reader.ts";

export interface ReadResources {
  resources: SourceResource[];
  /** Nested stacks whose template is in the import. */
  calls: ModuleCall[];
  leftOut: LeftOutPart[];
}

/** The resources of a template. The log lists those left out. */
export function resourcesOf(
  section: DataNode | undefined,
  names: TemplateNames,
  reader: ValueReader,
  file: string,
  log: ImportLog,
): ReadResources {
  const resources: SourceResource[] = [];
  const calls: ModuleCall[] = [];
  const leftOut: LeftOutPart[] = [];
  for (const [id, node] of membersOf(section)) {
    const place = { file, line: lineOf(node) };
    const loops = names.loops.get(id);
    if (loops !== undefined) {
      // Each resource of the loop has the list, which is read once.
      const [first] = loops;
      const forEach = first && reader.readOrNull(first.of);
      const size = forEach === undefined ? 0 : sizeOf(forEach, MAX_LIST);
      if (size > MAX_LIST || !names.repeated.take(size * loops.length)) {
        log.add("warning", "too_many_values", longList, place);
        leftOut.push({ address: shown(id), ...place, path: null, reason: longList });
        continue;
      }
      for (const loop of loops)
        reader.inLoop(loop.variable, () => {
          add(loop.id, loop.body, forEach);
        });
      continue;
    }
    if (id.startsWith("Fn::")) {
      const message = "Resources that a loop or a transform makes are not read: write them out.";
      log.add("warning", "unsupported_loop", message, place);
      leftOut.push({ address: shown(id), ...place, path: null, reason: message });
      continue;
    }
    add(id, node);
  }
  return { resources, calls, leftOut };

  function add(id: string, written: DataNode, forEach?: Expression): void {
    const node = tableOf(written) ?? written;
    const place = { file, line: lineOf(node) };
    const type = textIn(memberOf(node, "Type"));
    if (type === undefined) {
      const message = `The resource \`${shown(id)}\` has no type: it was left out.`;
      log.add("warning", "invalid_resource", message, place);
      leftOut.push({ address: shown(id), ...place, path: null, reason: noType });
      return;
    }
    if (!names.resources.has(id)) {
      const message = `The condition of the resource \`${shown(id)}\` is never true: it was left out.`;
      log.add("info", "condition_false", message, place);
      return;
    }
    const condition = conditionOf(node, names.mappings);
    const settings = memberOf(node, "Properties");
    const isOpen = condition !== undefined && names.conditions.holds(condition) !== true;
    const when = isOpen ? reader.condition(condition) : undefined;
    const dependsOn = dependenciesOf(memberOf(node, "DependsOn"), names);
    for (const item of dependsOn.unknown) leftOut.push({ address: id, file, ...item });
    const target = names.nested.get(id);
    if (target !== undefined) {
      const own = memberOf(settings, "Parameters");
      calls.push({
        name: id,
        source: target,
        version: null,
        target,
        ...place,
        repeated: isOpen && when === undefined,
        ...(when === undefined ? {} : { when }),
        settings: settingsOf(own, reader),
        dependsOn: dependsOn.known,
      });
      for (const one of ofStack(node, settings)) leftOut.push({ address: id, file, ...one });
      return;
    }
    resources.push({
      address: id,
      mode: "managed",
      type,
      name: forEach === undefined ? id : id.replace(/[$&]\{\w+\}/, ""),
      provider: "aws",
      ...place,
      endLine: node.endLine,
      repeated: isOpen || forEach !== undefined,
      ...(isOpen ? { when } : {}),
      ...(forEach === undefined ? {} : { forEach }),
      settings: settingsOf(settings, reader),
      dependsOn: dependsOn.known,
      options: optionsOf(node),
    });
  }
}

/** The values of a list that a loop runs over. Lists that the deployment decides are references. */
const MAX_LIST = 500;

const noType = "It has no type.";
const longList =
  "The list of the loop is too long to be repeated in each of its resources: they were left out.";
const onStack = "The draft has the content of the nested stack, and no stack.";

/** The settings of a nested stack that its content does not have. */
function ofStack(
  node: DataNode,
  settings: DataNode | undefined,
): { line: number; path: string; reason: string }[] {
  const address = addressesOfTemplates.get(textIn(memberOf(node, "Type")));
  const options = optionsOf(node).map(({ name, line }) => ({ line, path: name, reason: onStack }));
  const others = [...membersOf(settings)].filter(
    ([name]) => name !== address && name !== "Parameters",
  );
  return [
    ...options,
    ...others.map(([name, one]) => ({ line: lineOf(one), path: name, reason: onStack })),
  ];
}

function settingsOf(node: DataNode | undefined, reader: ValueReader): ObjectExpression {
  const none: ObjectExpression = { kind: "object", members: [] };
  if (node === undefined) return none;
  const read = reader.read(node);
  if (read === undefined) return none;
  const chosen = chosenMembers(read, node.line);
  if (chosen !== undefined) return { kind: "object", members: chosen };
  // A transform or an alias stands in place of the properties.
  if (read.kind !== "object")
    return { kind: "object", members: [{ name: "Properties", value: read, line: node.line }] };
  return read;
}

/** The members of a choice between properties, each with the choice. Undefined: it is another value. */
function chosenMembers(of: Expression, line: number): Member[] | undefined {
  if (of.kind === "object") return [...of.members];
  if (isNoValue(of)) return [];
  const [condition, ...sides] = of.kind === "call" && of.name === "?:" ? of.args : [];
  const [met, otherwise] = sides.map((side) => chosenMembers(side, line));
  if (condition === undefined || met === undefined || otherwise === undefined) return undefined;
  const byName = [met, otherwise].map((all) => new Map(all.map((one) => [one.name, one])));
  const both = new Map([...otherwise, ...met].map((one) => [one.name, one]));
  return [...both].map(([name, known]): Member => {
    const values = byName.map((all) => all.get(name)?.value ?? noValue(line));
    return { ...known, value: { kind: "call", name: "?:", args: [condition, ...values], line } };
  });
}

interface Dependencies {
  known: Dependency[];
  unknown: { line: number; path: string; reason: string }[];
}

function dependenciesOf(node: DataNode | undefined, names: TemplateNames): Dependencies {
  const found = new Map<string, Dependency>();
  const unknown: Dependencies["unknown"] = [];
  const items = node === undefined || intrinsicOf(node) !== undefined ? [node] : argumentsIn(node);
  for (const item of items) {
    if (item === undefined) continue;
    const id = nameIn(item) ?? literalText(item, names.mappings);
    const { line } = item;
    if (id === undefined) unknown.push({ line, path: "DependsOn", reason: computedName });
    else if (names.nested.has(id)) found.set(id, { address: `module.${id}`, line });
    else if (names.resources.has(id)) found.set(id, { address: id, line });
    else if (!names.declared.has(id)) unknown.push({ line, path: "DependsOn", reason: noResource });
  }
  return { known: [...found.values()], unknown };
}

const noResource =
  "The template has no such resource: a macro or AWS SAM makes it, or the name is wrong.";
const computedName = "Only the source's own tool can compute the resource that it waits for.";

function shown(name: string): string {
  return name.slice(0, 256);
}
