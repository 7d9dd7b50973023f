/** Hints for a loop that is read like one resource: `${node.id}`, or `${node.map(x, x.id)}`, where `x` is a key. */
import { childrenOf, type Node, type NodeOf } from "#engine/expressions/ast.ts";
import type { Problem } from "#engine/expressions/problem.ts";
import { formatReference } from "#engine/template/references.ts";

export type Keyed = "loop" | "map";

type Path = readonly (string | number)[];
type Step = NodeOf<"member"> | NodeOf<"index">;

/** For a path that begins with neither a key of the loop nor another member of it. */
export function hintForLoop(name: string, path: Path, key = "a"): string {
  const [first, ...more] = path;
  const members = membersOf(path.length > 1 || typeof first === "number" ? more : path);
  const one = `\${${name}[${JSON.stringify(key)}]${members}}`;
  return `\`${name}\` is a loop: name a turn, as in \`${one}\`, or all, as in \`\${${name}.transformList(k, x, x${members})}\`.`;
}

/** For a problem of a formula. `keyedOf`: whether a name of the template is a loop or a map. */
export function hintInFormula(
  problem: Problem,
  node: Node,
  keyedOf: (name: string) => Keyed | undefined,
): string | undefined {
  const isMisread =
    (problem.kind === "no_such_member" && problem.nearest === undefined) ||
    problem.kind === "no_such_item" ||
    problem.kind === "wrong_kind";
  if (!isMisread) return undefined;
  const way = wayTo(node, problem);
  const step = way?.at(-1);
  if (way === undefined || !isStep(step) || step.of.kind !== "name") return undefined;
  const { name } = step.of;
  const binder = binderOf(name, way);
  if (binder === undefined)
    return keyedOf(name) === "loop" ? hintForLoop(name, pathAlong(way)) : undefined;
  const keyed =
    binder.kind === "loop" && binder.variables.length === 1 && binder.of.kind === "name"
      ? keyedOf(binder.of.name)
      : undefined;
  if (keyed === undefined || binder.kind !== "loop" || binder.of.kind !== "name") return undefined;
  const of = binder.of.name;
  const isTest = ["all", "exists", "exists_one"].includes(binder.loop);
  const body = binder.body === step ? `${name}${membersOf(pathAlong([step]))}` : "…";
  const form = `${of}.${isTest ? binder.loop : "transformList"}(k, ${name}, ${body})`;
  return `\`${name}\` is a key of the ${keyed} \`${of}\`. For the values, write \`${form}\`.`;
}

function membersOf(path: Path): string {
  return formatReference("", path).slice(2, -1);
}

function isStep(node: Node | undefined): node is Step {
  return node?.kind === "member" || node?.kind === "index";
}

/** The nodes from the outermost one to the step that the problem is about. */
function wayTo(node: Node, problem: Problem): Node[] | undefined {
  if (problem.start < node.start || problem.end > node.end) return undefined;
  for (const child of childrenOf(node)) {
    const way = wayTo(child, problem);
    if (way !== undefined) return [node, ...way];
  }
  if (!isStep(node)) return undefined;
  const segment = node.kind === "member" ? node.member : node.index;
  const at = problem.kind === "wrong_kind" ? node : segment;
  return at.start === problem.start && at.end === problem.end ? [node] : undefined;
}

/** The macro that introduces a variable around the last node of the way. */
function binderOf(name: string, way: readonly Node[]): Node | undefined {
  return way.findLast((node, at) => {
    const inner = way[at + 1];
    if (node.kind === "loop")
      return inner !== node.of && node.variables.some((variable) => variable.name === name);
    return (
      (node.kind === "bind" || node.kind === "optional-map") &&
      inner === node.body &&
      node.variable.name === name
    );
  });
}

/** The constant path that begins with the last step of the way. */
function pathAlong(way: readonly Node[]): Path {
  const path: (string | number)[] = [];
  for (let at = way.length - 1; at >= 0; at -= 1) {
    const node = way[at];
    if (!isStep(node) || (at < way.length - 1 && node.of !== way[at + 1])) break;
    if (node.kind === "member") path.push(node.member.name);
    else {
      const key = node.index.kind === "literal" ? node.index.value : undefined;
      if (typeof key !== "number" && typeof key !== "string") break;
      path.push(key);
    }
  }
  return path;
}
