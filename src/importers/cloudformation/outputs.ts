import { referencesIn, type Expression } from "#importers/expression.ts";
import { isSecretSetting } from "#importers/hidden-values.ts";
import type { LeftOutPart, SourceOutput } from "#importers/source-module.ts";
import { lineOf, memberOf, membersOf, textIn, type DataNode } from "#importers/text/data-node.ts";
import { noValue } from "./no-value.ts";
import { conditionOf, type TemplateNames } from "./template-names.ts";
import { opaqueOf, type ValueReader } from "./value-reader.ts";

/** The outputs of a template, except those whose condition is never true. `secrets`: the sensitive parameters. */
export function outputsOf(
  section: DataNode | undefined,
  names: TemplateNames,
  reader: ValueReader,
  secrets: ReadonlySet<string>,
  file: string,
): { outputs: SourceOutput[]; leftOut: LeftOutPart[] } {
  const outputs: SourceOutput[] = [];
  const leftOut: LeftOutPart[] = [];
  for (const [name, node] of membersOf(section)) {
    const given = memberOf(node, "Value");
    if (given === undefined || name.startsWith("Fn::")) {
      const reason = name.startsWith("Fn::") ? computedOutputs : "It has no value.";
      const address = `output.${name.slice(0, 256)}`;
      leftOut.push({ address, file, line: lineOf(node), path: null, reason });
      continue;
    }
    const condition = conditionOf(node, names.mappings);
    const holds = condition === undefined ? true : names.conditions.holds(condition);
    if (holds === false) continue;
    const read = reader.readOrNull(given, name);
    const references = referencesIn(read);
    const { line } = given;
    const decides = holds === true ? undefined : reader.condition(condition ?? "");
    const value: Expression =
      holds === true
        ? read
        : decides === undefined
          ? opaqueOf(`Condition ${condition ?? ""}`, [read], line)
          : { kind: "call", name: "?:", args: [decides, read, noValue(line)], line };
    outputs.push({
      name,
      value,
      sensitive:
        isSecretSetting(name) ||
        references.some(({ target }) => target.kind === "variable" && secrets.has(target.name)),
      description: textIn(memberOf(node, "Description")) ?? null,
      file,
      line: lineOf(node),
    });
  }
  return { outputs, leftOut };
}

const computedOutputs = "Only the source's own tool can compute the outputs that it makes.";
