/** What stands above a graph: search, grouping and zoom. */

/** `ways`: value and words of each way to group; `graph`: what is done. */
export function toolsOf({ ways, way }, graph) {
  const tools = document.createElement("div");
  tools.className = "acts graph-tools";
  const status = document.createElement("span");
  status.className = "soft";
  status.setAttribute("role", "status");
  const all = button("Open all groups", () => graph.openAll(all.dataset.isOpen !== "true"));

  const search = document.createElement("input");
  search.type = "search";
  search.autocomplete = "off";
  search.addEventListener("input", () => {
    const found = graph.find(search.value);
    status.textContent = found === undefined ? "" : `${found} found`;
  });
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    void graph.next();
  });
  tools.append(labelled("Search the graph", search));
  if (ways.length > 1) {
    const select = document.createElement("select");
    for (const [value, words] of ways)
      select.append(new Option(words, value, false, value === way));
    select.addEventListener("change", () => graph.groupBy(select.value));
    tools.append(labelled("Group by", select));
  }
  tools.append(
    all,
    button("−", () => graph.zoomBy(1 / 1.25), "Smaller"),
    button("+", () => graph.zoomBy(1.25), "Larger"),
    button("Fit", () => graph.fit(), "Fit the whole graph"),
    status,
  );
  return {
    element: tools,
    tell({ hasGroups, isAnyOpen }) {
      all.hidden = !hasGroups;
      all.dataset.isOpen = isAnyOpen;
      all.textContent = isAnyOpen ? "Close all groups" : "Open all groups";
    },
  };
}

function button(words, act, label) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button";
  made.textContent = words;
  if (label !== undefined) made.setAttribute("aria-label", label);
  made.addEventListener("click", act);
  return made;
}

function labelled(words, input) {
  const label = document.createElement("label");
  label.append(words, input);
  return label;
}
