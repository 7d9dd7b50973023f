/**
 * Converts the path names of Pulumi's azure-native. It has the names in an object's path as properties:
 * `virtualNetworkName` and `subnetName` of a subnet. Our types have `name`, `resourceGroup`, and the id of the parent.
 */
import type { Scope } from "#importers/evaluate/scope.ts";
import type { Expression, Member } from "#importers/expression.ts";
import { propertyIn } from "./types/name-of-property.ts";
import { singular } from "./types/vendor-types.ts";
import type { DraftedResource } from "./values/drafted-resource.ts";
import { objectNamedBy } from "./values/named-object.ts";

/** Returns the resource with our properties for its path. */
export function withOurPath(
  made: DraftedResource,
  byScope: ReadonlyMap<Scope, ReadonlyMap<string, DraftedResource>>,
): DraftedResource {
  const { mapped, source, scope } = made;
  const kinds = (mapped.type.slice(mapped.type.indexOf(":") + 1).split("@")[0] ?? "")
    .split("/")
    .slice(1);
  const { members } = source.settings;
  const names = members.filter((member) => isPlaceName(member, made));
  const ownName = nameFor(kinds.at(-1) ?? "");
  const isGroup = ({ name }: Member) => name === "resourceGroupName";
  const others = names.filter((member) => !isGroup(member));
  const above = new Set(kinds.slice(0, -1).map(nameFor));
  const left = others.filter(({ name }) => !above.has(name.toLowerCase()));
  const own =
    names.find(({ name }) => name.toLowerCase() === ownName) ??
    (left.length === 1 ? left[0] : undefined);
  const parents = new Set(others.filter((member) => member !== own));
  const placed = members.flatMap((member): Member[] => {
    if (member === own) return [{ ...member, name: "name" }];
    if (isGroup(member)) return kinds.length === 1 ? [{ ...member, name: "resourceGroup" }] : [];
    if (!parents.has(member)) return [member];
    const object = kinds.length === 2 ? objectNamedBy(member.value, scope, byScope) : undefined;
    return object === undefined
      ? []
      : [{ name: "parent", value: idOf(object, member.line), line: member.line }];
  });
  return { ...made, source: { ...source, settings: { kind: "object", members: placed } } };
}

/** Whether a member is a name in the path: the type itself has no such property. */
function isPlaceName({ name }: Member, { facts, mapped }: DraftedResource): boolean {
  if (!name.endsWith("Name")) return false;
  const shape = facts?.shape;
  const inside = mapped.under === undefined ? undefined : shape?.properties[mapped.under]?.object;
  return [shape, inside].every(
    (of) => of === undefined || propertyIn(of, name, "camel") === undefined,
  );
}

function nameFor(kind: string): string {
  return `${singular(kind)}name`.toLowerCase();
}

function idOf({ source }: DraftedResource, line: number): Expression {
  const target = { kind: "resource", address: source.address } as const;
  return { kind: "reference", target, path: ["id"], line };
}
