/**
 * Draws the graphs of a page from what `ResourceGraph` (src/console/resource-graph.tsx) gives, and says to other scripts
 * how to tell what becomes of a resource.
 */
import { Graph } from "./graph-view.js";

const graphs = new Map();

drawGraphs(document);

/** Draws the graphs in this part of the page. One resource is no graph. */
export function drawGraphs(part) {
  for (const place of part.querySelectorAll("[data-graph]")) {
    const nodes = JSON.parse(place.dataset.graph);
    if (nodes.length > 1 && !graphs.has(place)) graphs.set(place, new Graph(place, nodes));
  }
}

/** Says of a resource how it stands now, in each graph that has it. `mark`: `{ words, tone }`. */
export function markResource(id, mark) {
  for (const [place, graph] of graphs)
    if (place.isConnected) graph.mark(id, mark);
    else graphs.delete(place);
}
