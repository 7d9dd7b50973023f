/** How the resources of a graph are grouped, by what they say of themselves. No document is needed. */

/** More resources than these are shown as groups first. */
const MANY = 40;
/** Groups say more than single resources as long as there are fewer of them than this. */
const MAX_GROUPS = 40;

/** The group without a name, which is not drawn, is for resources that are in none. */
const keys = {
  part: ({ part }) => part ?? "",
  group: ({ group }) => group ?? "elsewhere",
  service: ({ type }) => serviceOf(type),
  type: ({ type }) => type,
};

const words = { part: "loop and component", group: "place", service: "service", type: "type" };

/** The ways to group these resources that say something, as value and words: no group of all, no groups of one each. */
export function waysOf(nodes) {
  const sizes = new Map(
    Object.entries(keys).map(([way, keyOf]) => [way, new Set(nodes.map(keyOf)).size]),
  );
  const hasParts = nodes.some(({ part }) => part !== undefined);
  sizes.delete("part");
  // Types without a service are their own.
  if (sizes.get("service") === sizes.get("type")) sizes.delete("service");
  if (nodes.every(({ group }) => group === undefined)) sizes.delete("group");
  const ways = [...sizes].filter(([, size]) => size > 1 && size < nodes.length);
  return [
    ["", "nothing"],
    ...(hasParts ? [["part", words.part]] : []),
    ...ways.map(([way]) => [way, words[way]]),
  ];
}

/** The way to begin with: loops and components if there are any, else none for few resources. */
export function firstWay(nodes) {
  const ways = waysOf(nodes).map(([way]) => way);
  const isFew = groupsOf(nodes, ways.includes("part") ? "part" : "").length <= MAX_GROUPS;
  if (ways.includes("part") && isFew) return "part";
  if (nodes.length <= MANY) return "";
  const fit = ways.find((way) => way !== "" && groupsOf(nodes, way).length <= MAX_GROUPS);
  return fit ?? ways[1] ?? "";
}

/**
 * `[name, resources]` of each group, in the order of their first resources. `way` empty: one without a name. Loops and
 * components leave resources that are in none, each in a group without a name.
 */
export function groupsOf(nodes, way) {
  if (way === "") return [["", nodes]];
  const groups = [];
  const named = new Map();
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
function serviceOf(type) {
  const [plain] = type.split("@");
  const end = Math.max(plain.lastIndexOf("::"), plain.lastIndexOf("/"));
  if (end > 0) return plain.slice(0, end);
  const [first, second] = plain.split("_");
  if (second !== undefined) return `${first}_${second}`;
  return plain;
}

/** The last part of a type: `Subnet`. */
export function shortType(type) {
  return type
    .split("@")[0]
    .split(/::|[/:]/)
    .at(-1);
}
