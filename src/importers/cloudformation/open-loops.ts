/**
 * Loops of a template over a list that the deployment decides. Each of their resources is one with `forEach`.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-foreach.html
 */
import { type DataNode, memberOf, membersOf, textIn } from "#importers/text/data-node.ts";
import { argumentsIn, intrinsicOf } from "./intrinsic.ts";

export interface OpenLoop {
  /** The logical id with the loop's name in it, which is the resource's address: `Topic${Name}`. */
  id: string;
  /** The logical id before and after the name. */
  start: string;
  end: string;
  variable: string;
  /** The list that the loop runs over. */
  of: DataNode;
  body: DataNode;
}

/** The resources of loops over a parameter or a part of one. A loop inside another one is none. */
export function openLoopsIn(resources: DataNode | undefined): ReadonlyMap<string, OpenLoop[]> {
  const found = new Map<string, OpenLoop[]>();
  for (const [name, node] of membersOf(resources)) {
    const loops = name.startsWith("Fn::ForEach::") ? loopsIn(node) : undefined;
    if (loops !== undefined) found.set(name, loops);
  }
  return found;
}

function loopsIn(node: DataNode): OpenLoop[] | undefined {
  const [identifier, of, body] = argumentsIn(node);
  const variable = textIn(identifier);
  if (variable === undefined || of === undefined || body?.kind !== "map") return undefined;
  if (intrinsicOf(of) === undefined || !/^[A-Za-z0-9]{1,64}$/.test(variable)) return undefined;
  const loops = [...body.members].map(([id, inside]): OpenLoop | undefined => {
    const [start = "", end = "", ...more] = id.split(new RegExp(`[$&]\\{${variable}\\}`));
    const isOne = more.length === 0 && start.length + end.length < id.length;
    const isPlain = textIn(memberOf(inside, "Type")) !== undefined && !/[$&]\{/.test(start + end);
    return isOne && isPlain ? { id, start, end, variable, of, body: inside } : undefined;
  });
  return loops.every((one) => one !== undefined) ? loops : undefined;
}
