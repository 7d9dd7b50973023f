/** Maps attributes of the source to our outputs. */
import type { MappedType } from "#importers/draft/types/mapped-type.ts";
import { converted as convertedName, propertyIn } from "#importers/draft/types/name-of-property.ts";
import type { ReferenceExpression } from "#importers/expression.ts";
import type { ObjectShape, TypeFacts } from "#providers/provider.ts";
import type { DraftedResource } from "./drafted-resource.ts";

/** Types for which CloudFormation's `Ref` differs from every part of the identifier. */
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
  // Of an identifier with several parts, the part that the cloud chooses. The others are its place.
  const chosen = identifier.filter((part) => facts?.readOnly?.includes(part) === true);
  return chosen.length === 1 ? chosen : undefined;
}

/** The path of our output for an attribute of the source; undefined if it is not known to be one. */
export function outputPath(
  { mapped, facts }: DraftedResource,
  given: ReferenceExpression["path"],
): readonly (string | number)[] | undefined {
  const path = inVendorsWords(given, mapped, facts);
  const [attribute, ...rest] = path;
  if (attribute === undefined) return refOf(mapped.type, facts);
  const name = String(attribute);
  const { part, outputs, naming } = mapped;
  // A part has no outputs of its own except the id of its object. An item of a list has another id.
  if (part !== undefined) return name === "id" && part.item === undefined ? ["id"] : undefined;
  const told = toldOf(outputs, path);
  if (told !== undefined) return told.steps && [...told.steps, ...told.rest];
  if (name === "id") return ["id", ...rest];
  const shown = facts?.outputs;
  const shape = facts?.shape;
  const ours = convertedName(name, naming);
  const spelled = shape && propertyIn(shape, name, naming);
  if (shown?.includes(ours) === true) return partOf(ours, rest, shape, mapped);
  if (spelled !== undefined && mapped.under === undefined)
    return partOf(spelled, rest, shape, mapped);
  if (facts?.properties !== undefined && Object.hasOwn(facts.properties, ours))
    return partOf(ours, rest, shape, mapped);
  // The cloud may return more than its description of requests contains.
  return shown === undefined && mapped.isMadeFromVendor
    ? partOf(ours, rest, undefined, mapped)
    : undefined;
}

/** Top-level attributes of every ARM object. */
const atTop: ReadonlySet<string> = new Set(["id", "location", "name", "tags", "type"]);

/** Adapts the path to the vendor's object. Some tools show it below `output`, or without `properties`. */
function inVendorsWords(
  path: ReferenceExpression["path"],
  { body, under, showsUnder }: MappedType,
  facts: TypeFacts | undefined,
): ReferenceExpression["path"] {
  const [first] = path;
  if (first === undefined) return path;
  if (body !== undefined && first === "output" && path.length > 1) return path.slice(1);
  if (showsUnder !== true || under === undefined || atTop.has(String(first))) return path;
  const isTop = facts?.shape !== undefined && Object.hasOwn(facts.shape.properties, String(first));
  return isTop ? path : [under, ...path];
}

/** The table's output for an attribute or the start of its path. No steps: our type has no such output. */
function toldOf(
  outputs: MappedType["outputs"],
  path: ReferenceExpression["path"],
): { steps: (string | number)[] | undefined; rest: ReferenceExpression["path"] } | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const told = outputs.get(path.slice(0, length).join("."));
    const rest = path.slice(length);
    if (told !== undefined) return { steps: told === null ? undefined : stepsOf(told), rest };
  }
  return undefined;
}

/** The path of a part of an output, in our names. In Terraform a single block is a list of one. */
function partOf(
  name: string,
  rest: ReferenceExpression["path"],
  of: ObjectShape | undefined,
  { naming, isMadeFromVendor }: MappedType,
): readonly (string | number)[] | undefined {
  const steps: (string | number)[] = [name];
  let shape =
    of !== undefined && Object.hasOwn(of.properties, name) ? of.properties[name] : undefined;
  for (const step of rest) {
    const object = shape?.object;
    if (typeof step === "number") {
      if (object !== undefined && step === 0) continue;
      if (object !== undefined) return undefined;
      steps.push(step);
      shape = shape?.items;
    } else if (object !== undefined) {
      const own = propertyIn(object, step, naming);
      if (own === undefined && object.open !== true) return undefined;
      steps.push(own ?? step);
      shape = own === undefined ? undefined : object.properties[own];
    } else if (shape === undefined || shape.type === undefined) {
      // The shape is unknown, so the vendor's own names apply.
      if (!isMadeFromVendor) return undefined;
      steps.push(convertedName(step, naming));
    } else {
      if (shape.type !== "object") return undefined;
      steps.push(step);
      shape = shape.items;
    }
  }
  return steps;
}

/** Splits a path at its dots. */
export function stepsOf(path: string): (string | number)[] {
  return path.split(".").map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}
