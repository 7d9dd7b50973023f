/** The graphs of a page, drawn from the data that `ResourceGraph` (resource-graph.tsx) writes. */
import { jsonData } from "#console/browser/page/data.ts";
import { parts } from "#console/browser/page/part.ts";
import type { GraphMark } from "#console/shared/graph-node.ts";
import { withData } from "#console/shared/page-names.ts";
import { Graph } from "./graph.ts";

const graphs = new Map<HTMLElement, Graph>();

/** Draws the graphs in this part of the page that are not drawn yet. One resource is no graph. */
export function drawGraphs(root: ParentNode): void {
  for (const place of parts(root, withData("graph"), HTMLElement)) {
    const nodes = jsonData(place, "graph") ?? [];
    if (nodes.length > 1 && !graphs.has(place)) graphs.set(place, new Graph(place, nodes));
  }
}

/** Shows the mark of a resource in each graph that has it. */
export function markResource(id: string, mark: GraphMark): void {
  for (const [place, graph] of graphs)
    if (place.isConnected) graph.mark(id, mark);
    else graphs.delete(place);
}
