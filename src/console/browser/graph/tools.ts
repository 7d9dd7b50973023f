/** The tools above a graph: search, grouping and zoom. */
import { make, makeButton } from "#console/browser/page/make.ts";
import { isWay, type Way } from "./groups.ts";

/** The actions of the tools. */
export interface GraphActions {
  openAll: (isOpen: boolean) => void;
  groupBy: (way: Way) => void;
  /** Returns the number of found resources; undefined without a text. */
  find: (text: string) => number | undefined;
  next: () => Promise<void>;
  zoomBy: (factor: number) => void;
  fit: () => void;
}

export interface Tools {
  element: HTMLElement;
  show: (state: { hasGroups: boolean; isAnyOpen: boolean }) => void;
}

/** `ways`: the ways to group, with their words. */
export function toolsOf(
  { ways, way }: { ways: readonly (readonly [Way, string])[]; way: Way },
  graph: GraphActions,
): Tools {
  let isAnyGroupOpen = false;
  const status = make("span", { className: "soft", role: "status" });
  const all = makeButton("Open all groups", () => graph.openAll(!isAnyGroupOpen));
  const tools = make("div", { className: "acts graph-tools" });
  tools.append(labelled("Search the graph", searchOf(graph, status)));
  if (ways.length > 1) tools.append(labelled("Group by", selectOf(ways, way, graph)));
  tools.append(
    all,
    labelledButton("−", "Smaller", () => graph.zoomBy(1 / 1.25)),
    labelledButton("+", "Larger", () => graph.zoomBy(1.25)),
    labelledButton("Fit", "Fit the whole graph", () => graph.fit()),
    status,
  );
  return {
    element: tools,
    show({ hasGroups, isAnyOpen }) {
      isAnyGroupOpen = isAnyOpen;
      all.hidden = !hasGroups;
      all.textContent = isAnyOpen ? "Close all groups" : "Open all groups";
    },
  };
}

function searchOf(graph: GraphActions, status: HTMLElement): HTMLInputElement {
  const search = make("input", { type: "search", autocomplete: "off" });
  search.addEventListener("input", () => {
    const found = graph.find(search.value);
    status.textContent = found === undefined ? "" : `${found} found`;
  });
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    void graph.next();
  });
  return search;
}

function selectOf(
  ways: readonly (readonly [Way, string])[],
  chosen: Way,
  graph: GraphActions,
): HTMLSelectElement {
  const options = ways.map(([way, words]) => new Option(words, way, false, way === chosen));
  const select = make("select", {}, ...options);
  select.addEventListener("change", () => {
    if (isWay(select.value)) graph.groupBy(select.value);
  });
  return select;
}

function labelledButton(words: string, label: string, act: () => void): HTMLButtonElement {
  const button = makeButton(words, act);
  button.ariaLabel = label;
  return button;
}

function labelled(words: string, input: HTMLElement): HTMLLabelElement {
  return make("label", {}, words, input);
}
