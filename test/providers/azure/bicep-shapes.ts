/** The shapes of Bicep's type files, which describe what each resource provider takes and shows. */
import type { Json } from "#platform/json.ts";
import type { Member, Shape } from "./shape.ts";

interface Ref {
  $ref: string;
}
interface Entry {
  $type: string;
  name?: string;
  value?: Json;
  body?: Ref;
  properties?: Record<string, { type: Ref; flags: number }>;
  baseProperties?: Record<string, { type: Ref; flags: number }>;
  additionalProperties?: Ref;
  discriminator?: string;
  elements?: Ref[] | Record<string, Ref>;
  itemType?: Ref;
}

const [REQUIRED, READ_ONLY, WRITE_ONLY] = [1, 2, 4];

/** The shapes of the bodies in a type file, by type and version. */
export function bicepShapes(file: unknown): ReadonlyMap<string, Shape> {
  const entries = file as Entry[];
  const entryAt = ({ $ref }: Ref): Entry => {
    const found = entries[Number($ref.replace("#/", ""))];
    if (found === undefined) throw new Error(`There is no ${$ref}`);
    return found;
  };
  const membersOf = (properties: Entry["properties"] = {}): Record<string, Member> =>
    Object.fromEntries(
      Object.entries(properties).map(([name, { type, flags }]) => [
        name,
        {
          required: (flags & REQUIRED) !== 0,
          readOnly: (flags & READ_ONLY) !== 0,
          writeOnly: (flags & WRITE_ONLY) !== 0,
          shape: () => shape(type),
        },
      ]),
    );
  const shape = (ref: Ref): Shape => {
    const entry = entryAt(ref);
    switch (entry.$type) {
      case "StringType":
        return { is: "text" };
      case "IntegerType":
        return { is: "integer" };
      case "BooleanType":
        return { is: "flag" };
      case "StringLiteralType":
        return { is: "choice", values: [entry.value ?? ""] };
      case "UnionType":
        return {
          is: "either",
          shapes: (Array.isArray(entry.elements) ? entry.elements : []).map(
            (one) => () => shape(one),
          ),
        };
      case "ArrayType": {
        const { itemType } = entry;
        return itemType === undefined
          ? { is: "any" }
          : { is: "list", items: () => shape(itemType) };
      }
      case "ObjectType": {
        const { additionalProperties: others, properties = {} } = entry;
        if (others !== undefined)
          return Object.keys(properties).length > 0
            ? { is: "any" }
            : { is: "map", items: () => shape(others) };
        return { is: "object", members: () => membersOf(properties) };
      }
      case "DiscriminatedObjectType": {
        const forms = Array.isArray(entry.elements) ? [] : Object.values(entry.elements ?? {});
        return {
          is: "either",
          shapes: forms.map((form) => () => ({
            is: "object",
            members: () => ({
              ...membersOf(entry.baseProperties),
              ...membersOf(entryAt(form).properties),
            }),
          })),
        };
      }
      default:
        return { is: "any" };
    }
  };
  return new Map(
    entries.flatMap(({ $type, name, body }): [string, Shape][] =>
      $type === "ResourceType" && name !== undefined && body !== undefined
        ? [[name, bodyShape(shape(body))]]
        : [],
    ),
  );
}

/** A body says neither its name nor its version: they are in the URL. */
function bodyShape(shape: Shape): Shape {
  if (shape.is !== "object") return shape;
  return {
    is: "object",
    members: () => {
      const { name, apiVersion: _, ...rest } = shape.members();
      return name === undefined ? rest : { ...rest, name: { ...name, required: false } };
    },
  };
}
