import type { DataNode } from "#importers/text/data-node.ts";

/** A CloudFormation function: `Ref`, `Condition` or `Fn::…`. */
export interface Intrinsic {
  name: string;
  argument: DataNode;
}

/** The function of a value: a short tag (`!GetAtt a.b`) or the only member of a map (`Fn::GetAtt: …`). */
export function intrinsicOf(node: DataNode): Intrinsic | undefined {
  if (node.tag?.startsWith("!") === true) {
    const name = node.tag.slice(1);
    const argument = { ...node, tag: undefined };
    return { name: name === "Ref" || name === "Condition" ? name : `Fn::${name}`, argument };
  }
  if (node.kind !== "map" || node.members.size !== 1) return undefined;
  for (const [name, argument] of node.members)
    if (name === "Ref" || name.startsWith("Fn::")) return { name, argument };
  return undefined;
}

/** The name of a function as a call: `Fn::GetAZs` becomes `getAzs`. */
export function callName(name: string): string {
  const short = name.replace(/^Fn::/, "");
  if (short === "GetAZs") return "getAzs";
  return short.charAt(0).toLowerCase() + short.slice(1);
}

/** The items of a list, or the value itself. */
export function argumentsIn(node: DataNode): readonly DataNode[] {
  return node.kind === "list" && node.tag === undefined ? node.items : [node];
}
