import { literal, referencesIn } from "#importers/expression.ts";
import { isSecretSetting } from "#importers/hidden-values.ts";
import type { SourceOutput } from "#importers/source-module.ts";
import { lineOf, memberOf, membersOf, textIn, type DataNode } from "#importers/text/data-node.ts";
import { isSecureType, keyOf } from "./values/arm-names.ts";
import { start } from "./values/arm-turn.ts";
import type { ArmValues } from "./values/arm-values.ts";
import { call, truthIn } from "./values/known-values.ts";
import { withoutValues } from "./values/secret-values.ts";

/** The outputs of a root template. `secrets`: the names of its secret parameters. */
export function outputsOf(
  section: DataNode | undefined,
  values: ArmValues,
  secrets: ReadonlySet<string>,
  file: string,
): SourceOutput[] {
  const outputs: SourceOutput[] = [];
  for (const [name, node] of membersOf(section)) {
    const given = memberOf(node, "value");
    const copied = memberOf(node, "copy");
    const source = given ?? copied;
    if (source === undefined) continue;
    const isSecure = isSecureType(node);
    const condition = memberOf(node, "condition");
    const holds = condition && values.read(condition, start);
    if (truthIn(holds) === false && !values.reading.findsSecrets) continue;
    const key = holds && keyOf(holds);
    const turn = key === undefined ? start : { ...start, holds: new Set([key]) };
    const written =
      given === undefined ? values.copies(source, name, turn) : values.read(source, turn, name);
    const read = isSecure ? withoutValues(written, source.line) : written;
    const isOpen = holds !== undefined && truthIn(holds) === undefined;
    outputs.push({
      name,
      value: isOpen ? call("?:", [holds, read, literal(null)], source.line) : read,
      sensitive:
        isSecure ||
        isSecretSetting(name) ||
        referencesIn(read).some(
          ({ target }) => target.kind === "variable" && secrets.has(target.name),
        ),
      description: textIn(memberOf(memberOf(node, "metadata"), "description")) ?? null,
      file,
      line: lineOf(node),
    });
  }
  return outputs;
}
