/** The graphs of a page, drawn from the data that `ResourceGraph` (resource-graph.tsx) writes. */
import { jsonData } from "#console/browser/page/data.ts";
import { parts } from "#console/browser/page/part.ts";
import type { GraphMark } from "#console/shared/graph-node.ts";
import { withData } from "#console/shared/page-names.ts";
import { Graph } from "./graph.ts";

const graphs = new Map<HTMLElement, Graph>();
/** The latest mark of each resource, also for graphs that are drawn later. */
const marks = new Map<string, GraphMark>();

/** Draws the graphs in this part of the page that are not drawn yet: a folded one when it is unfolded. */
export function drawGraphs(root: ParentNode): void {
  for (const place of parts(root, withData("graph"), HTMLElement)) {
    const fold = place.closest("details");
    if (fold?.open === false) fold.addEventListener("toggle", () => draw(place), { once: true });
    else draw(place);
  }
}

/** One resource is no graph. */
function draw(place: HTMLElement): void {
  const nodes = jsonData(place, "graph") ?? [];
  if (nodes.length < 2 || graphs.has(place) || !place.isConnected) return;
  const graph = new Graph(place, nodes);
  graphs.set(place, graph);
  for (const [id, mark] of marks) graph.mark(id, mark);
}

/** Shows the mark of a resource in each graph that has it. */
export function markResource(id: string, mark: GraphMark): void {
  marks.set(id, mark);
  for (const [place, graph] of graphs)
    if (place.isConnected) graph.mark(id, mark);
    else graphs.delete(place);
}
