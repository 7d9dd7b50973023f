/** `before` and `after` are indexes of steps. When edges form a cycle, the weakest is dropped. */
export interface OrderEdge {
  before: number;
  after: number;
  strength: number;
}

export interface StepOrder {
  order: number[];
  /** For each step, the steps it waits for; all of them come earlier in `order`. */
  predecessors: number[][];
}

/**
 * A topological order of `count` steps, lowest index first among those that are ready. The weakest edge of a
 * cycle is dropped; edges outside cycles never are. Among duplicate edges the strongest counts.
 */
export function orderSteps(count: number, edges: readonly OrderEdge[]): StepOrder {
  const waitsFor = Array.from({ length: count }, () => new Map<number, number>());
  const successors = Array.from({ length: count }, () => new Set<number>());
  for (const { before, after, strength } of edges) {
    const known = waitsFor[after]?.get(before) ?? strength;
    waitsFor[after]?.set(before, Math.max(known, strength));
    successors[before]?.add(after);
  }
  const pending = waitsFor.map((waits) => new Map(waits));
  const ready: number[] = [];
  for (const [i, waits] of pending.entries()) if (waits.size === 0) ready.push(i);
  ready.reverse();
  const left = new Set(Array.from({ length: count }, (_, i) => i));
  const order: number[] = [];
  const release = (before: number, after: number): void => {
    const waits = pending[after];
    if (waits?.delete(before) === true && waits.size === 0) insertDescending(ready, after);
  };
  while (left.size > 0) {
    const next = ready.pop();
    if (next === undefined) {
      const { before, after } = weakestOnCycle(left, pending);
      waitsFor[after]?.delete(before);
      release(before, after);
      continue;
    }
    left.delete(next);
    order.push(next);
    for (const after of successors[next] ?? []) release(next, after);
  }
  return {
    order,
    predecessors: waitsFor.map((waits) => [...waits.keys()].sort((a, b) => a - b)),
  };
}

function insertDescending(list: number[], item: number): void {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] ?? 0) > item) low = middle + 1;
    else high = middle;
  }
  list.splice(low, 0, item);
}

/** Every remaining step waits for another remaining one, so following the edges must lead to a cycle. */
function weakestOnCycle(
  left: ReadonlySet<number>,
  pending: readonly ReadonlyMap<number, number>[],
): OrderEdge {
  const walk: OrderEdge[] = [];
  const metAt = new Map<number, number>();
  let [at] = left;
  while (at !== undefined) {
    const met = metAt.get(at);
    if (met !== undefined)
      return walk.slice(met).reduce((a, b) => (b.strength < a.strength ? b : a));
    metAt.set(at, walk.length);
    let strongest: OrderEdge | undefined;
    for (const [before, strength] of pending[at] ?? [])
      if (strongest === undefined || strength > strongest.strength)
        strongest = { before, after: at, strength };
    if (strongest === undefined) break;
    walk.push(strongest);
    at = strongest.before;
  }
  throw new Error("A ready step was not taken");
}

/** For each step, the number of its strongly connected component. */
export function componentsOf(count: number, edges: readonly OrderEdge[]): number[] {
  const successors = Array.from({ length: count }, (): number[] => []);
  for (const { before, after } of edges) successors[before]?.push(after);
  const found = Array.from({ length: count }, () => -1);
  const component = Array.from({ length: count }, () => -1);
  const stack: number[] = [];
  let counter = 0;
  let components = 0;
  const visit = (node: number): number => {
    found[node] = counter;
    let lowest = counter;
    counter += 1;
    stack.push(node);
    for (const next of successors[node] ?? []) {
      if (found[next] === -1) lowest = Math.min(lowest, visit(next));
      else if (component[next] === -1) lowest = Math.min(lowest, found[next] ?? lowest);
    }
    if (lowest === found[node]) {
      for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
        component[member] = components;
        if (member === node) break;
      }
      components += 1;
    }
    return lowest;
  };
  for (let node = 0; node < count; node += 1) if (found[node] === -1) visit(node);
  return component;
}
