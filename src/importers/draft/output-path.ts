/** Which output of ours an attribute of the source is. */
import type { ReferenceExpression } from "#importers/expression.ts";
import type { TypeFacts } from "#providers/provider.ts";
import type { DraftedResource } from "./drafted-resource.ts";
import { converted as convertedName, propertyIn } from "./name-of-property.ts";

/** CloudFormation's `Ref` gives something else than a part of the identifier of these types. */
const refs: Readonly<Record<string, string>> = {
  "aws:AWS::EC2::EIP": "PublicIp",
  "aws:AWS::Events::Rule": "Name",
  "aws:AWS::WAFv2::IPSet": "id",
  "aws:AWS::WAFv2::RegexPatternSet": "id",
  "aws:AWS::WAFv2::RuleGroup": "id",
  "aws:AWS::WAFv2::WebACL": "id",
};

function refOf(type: string, facts: TypeFacts | undefined): readonly string[] | undefined {
  const own = Object.hasOwn(refs, type) ? refs[type] : undefined;
  if (own !== undefined) return [own];
  const identifier = facts?.identifier ?? [];
  if (identifier.length < 2) return ["id"];
  // Of several parts, the one that the cloud chooses: the others say where it is.
  const chosen = identifier.filter((part) => facts?.readOnly?.includes(part) === true);
  return chosen.length === 1 ? chosen : undefined;
}

/** The path of the output that an attribute of the source is; undefined: it is not known to be one. */
export function outputPath(
  { mapped, facts }: DraftedResource,
  [attribute, ...rest]: ReferenceExpression["path"],
): readonly (string | number)[] | undefined {
  if (attribute === undefined) {
    return refOf(mapped.type, facts);
  }
  const name = String(attribute);
  // Of a part, nothing but the object that it belongs to is there.
  if (mapped.part !== undefined) return name === "id" ? ["id"] : undefined;
  const told = mapped.outputs.get(name);
  if (told === null) return undefined;
  if (told !== undefined) return [...stepsOf(told), ...rest];
  if (name === "id") return ["id", ...rest];
  const shown = facts?.outputs;
  const ours = convertedName(name, mapped.naming);
  if (shown?.includes(ours) === true) return [ours, ...rest];
  const shape = facts?.shape;
  const property =
    shape === undefined || mapped.under !== undefined
      ? undefined
      : propertyIn(shape, name, mapped.naming);
  if (property !== undefined) return [property, ...rest];
  if (facts?.properties !== undefined && Object.hasOwn(facts.properties, ours))
    return [ours, ...rest];
  // The cloud shows more than its description tells of what is sent.
  return shown === undefined && mapped.isMadeFromVendor ? [ours, ...rest] : undefined;
}

/** The steps of a path with dots between them. */
export function stepsOf(path: string): (string | number)[] {
  return path.split(".").map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}
