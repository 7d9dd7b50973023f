/** The resources and components of the typed source, as `SourceResources` (source-resources.tsx) writes them. */
import { drawGraphs } from "#console/browser/graph/graphs.ts";
import { setData } from "#console/browser/page/data.ts";
import { make } from "#console/browser/page/make.ts";
import type { GraphNode } from "#console/shared/graph-node.ts";
import { rowId } from "#console/shared/page-names.ts";
import {
  madeTitle,
  madeWords,
  resourcesLabel,
  type SourceResource,
  typeWords,
} from "#console/shared/source-words.ts";

export function showResources(place: Element, resources: readonly SourceResource[]): void {
  const nodes = resources.map((one): GraphNode => {
    const words = madeWords(one);
    return {
      id: one.name,
      type: typeWords(one),
      dependsOn: one.dependsOn,
      ...(words === undefined ? {} : { mark: { words } }),
    };
  });
  const graph = make("div", { className: "graph" });
  setData(graph, "graph", JSON.stringify(nodes));
  setData(graph, "label", resourcesLabel);
  place.replaceChildren(graph, tableOf(resources));
  drawGraphs(place);
}

function tableOf(resources: readonly SourceResource[]): HTMLTableElement {
  const hasMarks = resources.some((one) => madeWords(one) !== undefined);
  const columns = ["Resource", "Type", ...(hasMarks ? [madeTitle] : []), "Depends on"];
  const heads = columns.map((column) => make("th", { scope: "col" }, column));
  const rows = resources.map((one) => {
    const made = madeWords(one);
    const tag = made === undefined ? [] : [make("span", { className: "tag" }, made)];
    const cells = [
      [make("strong", { id: rowId(one.name) }, one.name)],
      [typeWords(one)],
      ...(hasMarks ? [tag] : []),
      linksTo(one.dependsOn),
    ];
    return make("tr", {}, ...cells.map((content, at) => cellOf(columns[at] ?? "", content)));
  });
  return make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...rows));
}

function cellOf(column: string, content: readonly (string | Node)[]): HTMLTableCellElement {
  const cell = make("td", {}, ...content);
  setData(cell, "column", column);
  return cell;
}

function linksTo(names: readonly string[]): (string | Node)[] {
  return names.flatMap((name, at) => {
    const link = make("a", { href: `#${encodeURIComponent(rowId(name))}` }, name);
    return at === 0 ? [link] : [", ", link];
  });
}
