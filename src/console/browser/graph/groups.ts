/** The grouping of a graph's resources. No document is needed. */
import type { GraphNode } from "#console/shared/graph-node.ts";

/** More resources than these are shown as groups first. */
const MANY = 40;
/** With more groups than these, single resources say more. */
const MAX_GROUPS = 40;

/** The keys of the groups. The group without a name, which is not drawn, is for resources outside of groups. */
const keys = {
  part: ({ part }: GraphNode) => part ?? "",
  group: ({ group }: GraphNode) => group ?? "elsewhere",
  service: ({ type }: GraphNode) => serviceOf(type),
  type: ({ type }: GraphNode) => type,
};

const words = { part: "loop and component", group: "place", service: "service", type: "type" };

/** A way to group resources. Empty: not at all. */
export type Way = keyof typeof keys | "";

/** A group by its name, with its resources. */
export type Group<Node extends GraphNode = GraphNode> = readonly [name: string, members: Node[]];

export function isWay(text: string): text is Way {
  return text === "" || Object.hasOwn(keys, text);
}

/** The useful ways to group these resources, with their words: no group of all, no groups of one each. */
export function waysOf(nodes: readonly GraphNode[]): (readonly [way: Way, words: string])[] {
  const sizeOf = (way: keyof typeof keys): number => new Set(nodes.map(keys[way])).size;
  const ways = (["group", "service", "type"] as const)
    .filter((way) => way !== "group" || nodes.some(({ group }) => group !== undefined))
    // Types without a service are their own.
    .filter((way) => way !== "service" || sizeOf("service") !== sizeOf("type"))
    .filter((way) => sizeOf(way) > 1 && sizeOf(way) < nodes.length)
    .map((way) => [way, words[way]] as const);
  const hasParts = nodes.some(({ part }) => part !== undefined);
  return [["", "nothing"], ...(hasParts ? [["part", words.part] as const] : []), ...ways];
}

/** The first way: loops and components if there are any; otherwise none for few resources. */
export function firstWay(nodes: readonly GraphNode[]): Way {
  const ways = waysOf(nodes).map(([way]) => way);
  const isFew = (way: Way): boolean => groupsOf(nodes, way).length <= MAX_GROUPS;
  if (ways.includes("part") && isFew("part")) return "part";
  if (nodes.length <= MANY) return "";
  return ways.find((way) => way !== "" && isFew(way)) ?? ways[1] ?? "";
}

/**
 * The groups in the order of their first resources. Without a way, one group without a name. Resources outside of loops
 * and components are each in a group without a name.
 */
export function groupsOf<Node extends GraphNode>(nodes: readonly Node[], way: Way): Group<Node>[] {
  if (way === "") return [["", [...nodes]]];
  const groups: Group<Node>[] = [];
  const named = new Map<string, Node[]>();
  for (const node of nodes) {
    const name = keys[way](node);
    const known = name === "" ? undefined : named.get(name);
    if (known !== undefined) {
      known.push(node);
      continue;
    }
    const members = [node];
    groups.push([name, members]);
    named.set(name, members);
  }
  return groups;
}

/** `aws:AWS::EC2::Subnet` is of `aws:AWS::EC2`, `azure:Microsoft.Network/virtualNetworks` of `azure:Microsoft.Network`. */
function serviceOf(type: string): string {
  const [plain = ""] = type.split("@");
  const end = Math.max(plain.lastIndexOf("::"), plain.lastIndexOf("/"));
  if (end > 0) return plain.slice(0, end);
  const [first, second] = plain.split("_");
  return second === undefined ? plain : `${first}_${second}`;
}

/** The last part of a type: `Subnet`. */
export function shortType(type: string): string {
  const [plain = ""] = type.split("@");
  return plain.split(/::|[/:]/).at(-1) ?? plain;
}
