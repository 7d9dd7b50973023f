/** The names that an expression reads, and whether it copes with their absence. */
import { childrenOf, type Node, type NodeOf, type Range } from "./ast.ts";

export interface Read extends Range {
  /** The name and each constant member or index after it that exist in every evaluation, or the expression fails. */
  root: string;
  path: (string | number)[];
  /**
   * The value before this segment of the path may lack it: from the first `.?`, `[?…]` or the end of a `has(…)`. 0: the
   * name itself may be absent. Undefined: every segment is needed.
   */
  optionalFrom: number | undefined;
  /** The conditions under which the name is read, from the outermost. */
  conditions: readonly Condition[];
}

/** A condition and its value: true or false. */
export interface Fact {
  node: Node;
  holds: boolean;
}

/** The name is read only where the fact is given. */
export interface Condition extends Fact {
  /** Variables of the expression, which hide other values of their names in the condition. */
  hidden: ReadonlySet<string>;
}

/** The reads of an expression in text order. Variables of its own loops are not among them. */
export function readsOf(node: Node): Read[] {
  const found: Read[] = [];
  collect(node, { hidden: new Set(), conditions: [] }, found);
  return found;
}

/**
 * Whether the expression copes with the absence of the read name: it asks before (`has(a) ? a.b : c`), or reads it as
 * `a.?b`.
 */
export function isGuarded({ root, path, optionalFrom, conditions }: Read): boolean {
  if (optionalFrom === 0) return true;
  return conditions.flatMap(factsOf).some((fact) => {
    const proven = provenBy(fact);
    return (
      proven?.root === root &&
      proven.path.every((segment, at) => at >= path.length || segment === path[at])
    );
  });
}

/**
 * The facts that together mean the same as one fact: without `!` and `!=`, of each side of an `&&` that is true, and of
 * each side of an `||` that is false.
 */
export function factsOf(fact: Fact): Fact[] {
  const { node, holds } = fact;
  if (node.kind === "not") return factsOf({ node: node.of, holds: !holds });
  if (node.kind === "logic" && (node.operator === "&&") === holds)
    return node.sides.flatMap((side) => factsOf({ node: side, holds }));
  if (node.kind === "binary" && node.operator === "!=")
    return [{ node: { ...node, operator: "==" }, holds: !holds }];
  return [fact];
}

/** Whether two facts are one, as they are written: apart from blanks, and from the order of the sides of `==`. */
export function isSameFact(a: Fact, b: Fact): boolean {
  return a.holds === b.holds && withoutRanges(ordered(a.node)) === withoutRanges(ordered(b.node));
}

/** The facts of a condition about names of the scope alone. */
export function outerFactsOf(condition: Condition): Fact[] {
  return factsOf(condition).filter(
    ({ node }) => condition.hidden.size === 0 || !readsAny(node, condition.hidden),
  );
}

function readsAny(node: Node, names: ReadonlySet<string>): boolean {
  return (
    (node.kind === "name" && names.has(node.name)) ||
    childrenOf(node).some((child) => readsAny(child, names))
  );
}

function ordered(node: Node): Node {
  if (node.kind !== "binary" || node.operator !== "==") return node;
  const { left, right } = node;
  return withoutRanges(left) <= withoutRanges(right) ? node : { ...node, left: right, right: left };
}

function withoutRanges(node: Node): string {
  return JSON.stringify(node, (key, value: unknown) =>
    key === "start" || key === "end" ? undefined : value,
  );
}

interface Place {
  /** The variables of loops and of `cel.bind` around it. */
  hidden: ReadonlySet<string>;
  conditions: readonly Condition[];
}

function collect(node: Node, place: Place, found: Read[]): void {
  switch (node.kind) {
    case "name":
    case "member":
    case "index":
      return collectPath(node, node, place, found);
    case "has":
      return collectPath(node.of, node, place, found);
    case "choice": {
      const { condition } = node;
      collect(condition, place, found);
      collect(node.met, under(place, condition, true), found);
      return collect(node.otherwise, under(place, condition, false), found);
    }
    case "logic": {
      let at = place;
      for (const side of node.sides) {
        collect(side, at, found);
        at = under(at, side, node.operator === "&&");
      }
      return;
    }
    case "loop":
      collect(node.of, place, found);
      for (const inner of node.filter === undefined ? [node.body] : [node.filter, node.body])
        collect(inner, hiding(place, node.variables), found);
      return;
    case "bind":
      collect(node.value, place, found);
      return collect(node.body, hiding(place, [node.variable]), found);
    case "optional-map":
      collect(node.of, place, found);
      return collect(node.body, hiding(place, [node.variable]), found);
    case "literal":
    case "not":
    case "minus":
    case "binary":
    case "list":
    case "map":
    case "call":
      for (const child of childrenOf(node)) collect(child, place, found);
  }
}

function under(place: Place, node: Node, holds: boolean): Place {
  const { hidden, conditions } = place;
  return { ...place, conditions: [...conditions, { node, holds, hidden }] };
}

function hiding(place: Place, variables: readonly { name: string }[]): Place {
  return { ...place, hidden: new Set([...place.hidden, ...variables.map(({ name }) => name)]) };
}

function collectPath(node: Node, { start, end, kind }: Node, place: Place, found: Read[]): void {
  const { base, path, optionalFrom, indexes } = pathOf(node, kind === "has");
  if (base.kind !== "name") collect(base, place, found);
  else if (!place.hidden.has(base.name))
    found.push({ root: base.name, path, optionalFrom, conditions: place.conditions, start, end });
  for (const index of indexes) collect(index, place, found);
}

/** The longest constant path of a member or an item, and the indexes that are computed. */
function pathOf(
  node: Node,
  isAsked: boolean,
): { base: Node; path: (string | number)[]; optionalFrom: number | undefined; indexes: Node[] } {
  const steps: (NodeOf<"member"> | NodeOf<"index">)[] = [];
  let base = node;
  for (; base.kind === "member" || base.kind === "index"; base = base.of) steps.unshift(base);
  const path: (string | number)[] = [];
  const indexes: Node[] = [];
  let optionalFrom: number | undefined;
  for (const [at, step] of steps.entries()) {
    const isOptional = step.optional || (isAsked && at === steps.length - 1);
    if (isOptional && indexes.length === 0) optionalFrom ??= at;
    const segment = segmentOf(step);
    if (segment === undefined) indexes.push(...(step.kind === "index" ? [step.index] : []));
    else if (indexes.length === 0) path.push(segment);
  }
  if (isAsked && steps.length <= 1) optionalFrom = 0;
  return { base, path, optionalFrom, indexes };
}

function segmentOf(step: NodeOf<"member"> | NodeOf<"index">): string | number | undefined {
  if (step.kind === "member") return step.member.name;
  const { index } = step;
  const value = index.kind === "literal" ? index.value : undefined;
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

/** The path that exists where the condition has its value. */
function provenBy({ node, holds }: Fact): { root: string; path: (string | number)[] } | undefined {
  const asked =
    node.kind === "has" || (node.kind === "call" && node.function.name === "hasValue")
      ? node.of
      : undefined;
  if (!holds || asked === undefined) return undefined;
  const { base, path, indexes } = pathOf(asked, true);
  return base.kind === "name" && indexes.length === 0 ? { root: base.name, path } : undefined;
}
