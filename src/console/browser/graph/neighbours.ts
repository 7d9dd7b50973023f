/** Places of drawings in a graph, and the way from one to the next by arrow keys. */
import { SIZE } from "./drawing.ts";
import type { Point } from "./layout.ts";

/** The direction of each arrow key. */
export const arrows: ReadonlyMap<string, Point> = new Map([
  ["ArrowLeft", { x: -1, y: 0 }],
  ["ArrowRight", { x: 1, y: 0 }],
  ["ArrowUp", { x: 0, y: -1 }],
  ["ArrowDown", { x: 0, y: 1 }],
]);

/** The nearest of the others in this direction. Distance aside counts more than distance ahead. */
export function nearest(
  from: SVGGraphicsElement,
  others: Iterable<SVGGraphicsElement>,
  direction: Point,
): SVGGraphicsElement | undefined {
  const here = middleOf(from);
  let best: SVGGraphicsElement | undefined;
  let least = Infinity;
  for (const other of others) {
    const there = middleOf(other);
    const [right, down] = [there.x - here.x, there.y - here.y];
    const ahead = right * direction.x + down * direction.y;
    const distance = ahead + 3 * Math.abs(right * direction.y + down * direction.x);
    if (other === from || ahead < 1 || distance >= least) continue;
    least = distance;
    best = other;
  }
  return best;
}

/** The middle of a drawing of the size of a resource. */
export function middleOf(drawing: SVGGraphicsElement): Point {
  const { e: x = 0, f: y = 0 } = drawing.transform.baseVal.consolidate()?.matrix ?? {};
  return { x: x + SIZE.width / 2, y: y + SIZE.height / 2 };
}
