import type { ObjectExpression } from "#importers/expression.ts";
import type { ImportLog } from "#importers/import-log.ts";
import type { Dependency, SourceResource } from "#importers/source-module.ts";
import { lineOf, memberOf, nameIn, textIn, type DataNode } from "#importers/text/data-node.ts";
import { argumentsIn } from "./intrinsic.ts";
import { optionsOf } from "./resource-options.ts";
import { membersOf, type TemplateNames } from "./template-names.ts";
import type { ValueReader } from "./value-reader.ts";

/** The resources of a template. The log lists those left out. */
export function resourcesOf(
  section: DataNode | undefined,
  names: TemplateNames,
  reader: ValueReader,
  file: string,
  log: ImportLog,
): SourceResource[] {
  const resources: SourceResource[] = [];
  for (const [id, node] of membersOf(section)) {
    const place = { file, line: lineOf(node) };
    if (id.startsWith("Fn::")) {
      const message = "Resources that a loop or a transform makes are not read: write them out.";
      log.add("warning", "unsupported_loop", message, place);
      continue;
    }
    const type = textIn(memberOf(node, "Type"));
    if (type === undefined) {
      const message = `The resource \`${shown(id)}\` has no type: it was left out.`;
      log.add("warning", "invalid_resource", message, place);
      continue;
    }
    if (!names.resources.has(id)) {
      const message = `The condition of the resource \`${shown(id)}\` is never true: it was left out.`;
      log.add("info", "condition_false", message, place);
      continue;
    }
    const condition = nameIn(memberOf(node, "Condition"));
    const settings = memberOf(node, "Properties");
    const isOpen = condition !== undefined && names.conditions.holds(condition) !== true;
    resources.push({
      address: id,
      mode: "managed",
      type,
      name: id,
      provider: "aws",
      ...place,
      endLine: node.endLine,
      repeated: isOpen,
      ...(isOpen ? { when: reader.condition(condition) } : {}),
      settings: settingsOf(settings, reader),
      dependsOn: dependenciesOf(memberOf(node, "DependsOn"), names),
      options: optionsOf(node),
    });
  }
  return resources;
}

function settingsOf(node: DataNode | undefined, reader: ValueReader): ObjectExpression {
  const none: ObjectExpression = { kind: "object", members: [] };
  if (node === undefined) return none;
  const read = reader.read(node);
  if (read === undefined) return none;
  // A transform or an alias stands in place of the properties.
  if (read.kind !== "object")
    return { kind: "object", members: [{ name: "Properties", value: read, line: node.line }] };
  return read;
}

function dependenciesOf(node: DataNode | undefined, names: TemplateNames): Dependency[] {
  if (node === undefined) return [];
  const found = new Map<string, Dependency>();
  for (const item of argumentsIn(node)) {
    const address = textIn(item);
    if (address !== undefined && names.resources.has(address))
      found.set(address, { address, line: item.line });
  }
  return [...found.values()];
}

function shown(name: string): string {
  return name.slice(0, 256);
}
