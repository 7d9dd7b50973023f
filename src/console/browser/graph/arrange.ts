/**
 * Says where the resources and groups of a graph stand.
 *
 * Each open group is laid out by itself; then the groups are laid out as boxes. So no layout is larger than the largest
 * group, and the resources of a group stand together.
 */
import { graphlib, layout } from "@dagrejs/dagre";
import type {
  ArrangedGroup,
  Arrangement,
  Box,
  Edge,
  Line,
  Place,
  Point,
  Question,
  Size,
} from "./layout.ts";

const GAP = 14;
const RANK_GAP = 40;
/** Around the resources in a box, and for its title above them. */
const PADDING = 16;
const TITLE = 40;
/** Beyond this, the ranks are found in a way that is faster and a little wider. */
const MANY = 150;
/** The approximate width to height of a grid of resources without dependencies in their group. */
const ASPECT = 1.6;

type Places = Map<string, Point>;

interface Laid extends Size {
  places: Places;
  lines: Line[];
}

interface Part extends Laid {
  key: string;
  isBox: boolean;
}

/** The labels of the library, with its results. */
interface GraphLabel {
  rankdir: string;
  nodesep: number;
  edgesep: number;
  ranksep: number;
  ranker: string;
  width?: number;
  height?: number;
}
interface NodeLabel extends Size {
  x?: number;
  y?: number;
}
interface EdgeLabel {
  points?: Point[];
}

interface Sized extends Size {
  id: string;
}

export function arrange({ groups, edges, size, isWide }: Question): Arrangement {
  const groupOf = new Map(groups.flatMap(({ key, members }) => members.map((id) => [id, key])));
  const inner = new Map<string, Edge[]>(groups.map(({ key }) => [key, []]));
  const outer = new Map<string, Edge>();
  for (const edge of edges) {
    const [from, to] = edge.map((id) => groupOf.get(id));
    if (from === undefined || to === undefined) continue;
    if (from === to) inner.get(from)?.push(edge);
    else outer.set(JSON.stringify([from, to]), [from, to]);
  }
  const parts = groups.map((group) => partOf(group, inner.get(group.key) ?? [], size, isWide));
  const whole = placed(
    parts.map(({ key, width, height }) => ({ id: key, width, height })),
    [...outer.values()],
    isWide,
  );
  const places: Place[] = [];
  const boxes: Box[] = [];
  const lines = whole.lines.map((line) => Object.assign(line, { isOuter: true }));
  for (const part of parts) {
    const { x, y } = whole.places.get(part.key) ?? { x: 0, y: 0 };
    if (part.isBox) boxes.push({ key: part.key, x, y, width: part.width, height: part.height });
    for (const [id, at] of part.places) places.push({ id, x: x + at.x, y: y + at.y });
    for (const { from, to, points } of part.lines)
      lines.push({
        from,
        to,
        points: points.map((at) => ({ x: x + at.x, y: y + at.y })),
        isOuter: false,
      });
  }
  return { width: whole.width, height: whole.height, boxes, places, lines };
}

/** A group as a box with its resources at places in it. A closed one has the size of a resource. */
function partOf(
  { key, members, isOpen, isBox }: ArrangedGroup,
  edges: readonly Edge[],
  size: Size,
  isWide: boolean,
): Part {
  if (!isOpen) return { key, isBox, ...size, places: new Map(), lines: [] };
  const linked = new Set(edges.flat());
  const tied = placed(
    members.filter((id) => linked.has(id)).map((id) => ({ id, ...size })),
    edges,
    isWide,
  );
  const left = isBox ? PADDING : 0;
  const top = isBox ? TITLE : 0;
  const moved = ({ x, y }: Point): Point => ({ x: x + left, y: y + top });
  const places: Places = new Map([...tied.places].map(([id, at]) => [id, moved(at)]));
  const single = members.filter((id) => !linked.has(id));
  const grid = gridOf(single, size, tied.width, isWide);
  const below = top + tied.height + (tied.height > 0 && single.length > 0 ? RANK_GAP : 0);
  for (const [id, at] of grid.places) places.set(id, { x: left + at.x, y: below + at.y });
  return {
    key,
    isBox,
    width: Math.max(tied.width, grid.width, size.width) + 2 * left,
    height: below + grid.height + left,
    places,
    lines: tied.lines.map((line) => ({ ...line, points: line.points.map(moved) })),
  };
}

/** Resources without dependencies, in rows at least as wide as `least`. */
function gridOf(
  ids: readonly string[],
  { width, height }: Size,
  least: number,
  isWide: boolean,
): Size & { places: Places } {
  const step = { x: width + GAP, y: height + GAP };
  const square = Math.round(Math.sqrt((ids.length * ASPECT * step.y) / step.x));
  const columns = Math.max(1, isWide ? square : 1, Math.floor((least + GAP) / step.x));
  const rows = Math.ceil(ids.length / columns);
  return {
    places: new Map(
      ids.map((id, at) => [
        id,
        { x: (at % columns) * step.x, y: Math.floor(at / columns) * step.y },
      ]),
    ),
    width: rows === 0 ? 0 : Math.min(columns, ids.length) * step.x - GAP,
    height: rows === 0 ? 0 : rows * step.y - GAP,
  };
}

function placed(nodes: readonly Sized[], edges: readonly Edge[], isWide: boolean): Laid {
  if (nodes.length === 0) return { width: 0, height: 0, places: new Map(), lines: [] };
  const graph = new graphlib.Graph<GraphLabel, NodeLabel, EdgeLabel>().setGraph({
    rankdir: isWide ? "LR" : "TB",
    nodesep: GAP,
    edgesep: GAP,
    ranksep: RANK_GAP,
    ranker: nodes.length > MANY ? "longest-path" : "network-simplex",
  });
  for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
  for (const [from, to] of edges) graph.setEdge(from, to, {});
  layout(graph);
  const places: Places = new Map(
    nodes.map(({ id }) => {
      const { x = 0, y = 0, width, height } = graph.node(id);
      return [id, { x: x - width / 2, y: y - height / 2 }];
    }),
  );
  const lines = graph.edges().map((edge): Line => {
    const points = graph.edge(edge).points ?? [];
    return { from: edge.v, to: edge.w, points: points.map(({ x, y }) => ({ x, y })) };
  });
  const { width = 0, height = 0 } = graph.graph();
  return { width, height, places, lines };
}
