/**
 * One graph on a page. Where each part stands is found in a Worker. It scrolls as a part of the page does, so that
 * fingers, keys and screen readers move it as they move all else.
 */
import {
  element,
  groupDrawing,
  lineDrawing,
  resourceDrawing,
  SIZE,
  tellGroup,
  tellMark,
} from "./graph-drawing.js";
import { firstWay, groupsOf, waysOf } from "./graph-groups.js";
import { toolsOf } from "./graph-tools.js";

/** Below this, texts would be smaller than people read. Only a press makes them smaller. */
const LEAST_FIRST_ZOOM = 0.93;
const zooms = { least: 0.1, most: 2 };
const MARGIN = 10;
/** As wide as this, dependencies stand on the left of what needs them. */
const WIDE = 640;
const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const waiting = new Map();
let asked = 0;
let arranger;

export class Graph {
  #place;
  #nodes;
  #edges;
  #way;
  #open = new Set();
  #groups = [];
  #drawn = new Map();
  #view = document.createElement("div");
  #svg = element("svg", { role: "group" });
  #size = { width: 0, height: 0 };
  #zoom = 1;
  #tools;
  #search = "";
  #drawing = 0;

  constructor(place, given) {
    this.#place = place;
    const nodes = given.map((node) => ({ name: node.id, ...node }));
    this.#nodes = new Map(nodes.map((node) => [node.id, node]));
    this.#edges = nodes.flatMap(({ id, dependsOn }) =>
      dependsOn.filter((other) => this.#nodes.has(other)).map((other) => [other, id]),
    );
    this.#way = firstWay(nodes);
    this.#svg.setAttribute("aria-label", place.dataset.label);
    this.#view.className = "graph-view";
    this.#view.append(this.#svg);
    this.#tools = toolsOf({ ways: waysOf(nodes), way: this.#way }, this);
    place.append(this.#tools.element, this.#view);
    this.#listen();
    void this.#draw();
  }

  mark(id, mark) {
    const node = this.#nodes.get(id);
    if (node === undefined || node.mark?.words === mark.words) return;
    node.mark = mark;
    this.#tell(id);
    for (const [key, members] of this.#groups)
      if (members.includes(node)) this.#tellGroup(key, members);
  }

  groupBy(way) {
    this.#way = way;
    this.#open.clear();
    void this.#draw();
  }

  openAll(isOpen) {
    this.#open = new Set(isOpen ? this.#groups.map(([key]) => key) : []);
    void this.#draw();
  }

  zoomBy(factor) {
    const { clientWidth, clientHeight } = this.#view;
    this.#zoomTo(this.#zoom * factor, clientWidth / 2, clientHeight / 2);
  }

  fit() {
    const { clientWidth, clientHeight } = this.#view;
    const { width, height } = this.#size;
    this.#zoomTo(Math.min(1, clientWidth / width, clientHeight / height), 0, 0);
  }

  /** Answers how many resources are like that. */
  find(text) {
    this.#search = text.trim().toLowerCase();
    this.#dim();
    return this.#search === "" ? undefined : this.#found().length;
  }

  /** To the next resource that was found, opening its group. */
  async next() {
    const found = this.#found();
    if (found.length === 0) return;
    const at = found.findIndex(({ id }) => this.#drawn.get(id) === document.activeElement);
    const { id } = found[(at + 1) % found.length];
    const group = this.#groups.find(([, members]) => members.some((node) => node.id === id));
    if (!this.#isOpen(group[0])) {
      this.#open.add(group[0]);
      await this.#draw();
    }
    this.#focus(this.#drawn.get(id));
  }

  #found() {
    return [...this.#nodes.values()].filter((node) => this.#isFound(node));
  }

  #isFound({ name, type, group = "", mark }) {
    const text = `${name} ${type} ${group} ${mark?.words ?? ""}`.toLowerCase();
    return text.includes(this.#search);
  }

  #isOpen(key) {
    return key === "" || this.#open.has(key);
  }

  /** `focused`: the group that has the focus afterwards. */
  async #draw(focused) {
    this.#drawing += 1;
    const number = this.#drawing;
    this.#groups = groupsOf([...this.#nodes.values()], this.#way);
    const arranged = await arrange({
      groups: this.#groups.map(([key, members]) => ({
        key: key === "" ? members[0].id : `group ${key}`,
        members: members.map(({ id }) => id),
        isOpen: this.#isOpen(key),
        isBox: key !== "",
      })),
      edges: this.#edges,
      size: SIZE,
      isWide: this.#place.clientWidth >= WIDE,
    });
    // Something else was asked for meanwhile.
    if (number !== this.#drawing) return;
    this.#show(arranged);
    if (focused !== undefined) this.#focus(this.#drawn.get(`group ${focused}`));
    this.#place.dataset.drawn = "true";
  }

  #show({ width, height, boxes, places, lines }) {
    this.#size = { width: width + 2 * MARGIN, height: height + 2 * MARGIN };
    this.#svg.setAttribute(
      "viewBox",
      `${-MARGIN} ${-MARGIN} ${this.#size.width} ${this.#size.height}`,
    );
    this.#drawn = new Map();
    const at = new Map(boxes.map((box) => [box.key, box]));
    const groups = this.#groups.filter(([key]) => key !== "");
    const frames = groups.map(([key, members]) => {
      const drawing = groupDrawing(key, members, at.get(`group ${key}`), this.#isOpen(key));
      drawing.dataset.group = key;
      this.#drawn.set(`group ${key}`, drawing);
      return drawing;
    });
    const resources = places.map((place) => {
      const drawing = resourceDrawing(this.#nodes.get(place.id), place, `resource-${place.id}`);
      drawing.dataset.node = place.id;
      this.#drawn.set(place.id, drawing);
      return drawing;
    });
    this.#svg.replaceChildren(
      ...frames.filter(({ classList }) => classList.contains("open")),
      ...lines.map(lineDrawing),
      ...frames.filter(({ classList }) => !classList.contains("open")),
      ...resources,
    );
    for (const id of places.map((place) => place.id)) this.#tell(id);
    for (const [key, members] of groups) this.#tellGroup(key, members);
    const focusable = [...this.#drawn.values()];
    for (const drawing of focusable) drawing.setAttribute("tabindex", -1);
    focusable[0]?.setAttribute("tabindex", 0);
    this.#dim();
    this.#tools.tell({ hasGroups: groups.length > 0, isAnyOpen: this.#open.size > 0 });
    const fit = this.#view.clientWidth / this.#size.width;
    this.#zoomTo(Math.min(1, Math.max(LEAST_FIRST_ZOOM, fit)), 0, 0);
  }

  #tell(id) {
    const drawing = this.#drawn.get(id);
    if (drawing !== undefined) tellMark(drawing, this.#nodes.get(id));
  }

  #tellGroup(key, members) {
    const drawing = this.#drawn.get(`group ${key}`);
    if (drawing !== undefined) tellGroup(drawing, key, members);
  }

  /** What was not looked for steps back. */
  #dim() {
    for (const [key, members] of this.#groups) {
      const found = members.filter((node) => this.#isFound(node));
      this.#drawn.get(`group ${key}`)?.classList.toggle("dim", found.length === 0);
      for (const node of members)
        this.#drawn.get(node.id)?.classList.toggle("dim", !found.includes(node));
    }
  }

  /** `x`, `y`: what stays where it is in the view. */
  #zoomTo(zoom, x, y) {
    const view = this.#view;
    const next = Math.min(zooms.most, Math.max(zooms.least, zoom));
    const from = { x: (view.scrollLeft + x) / this.#zoom, y: (view.scrollTop + y) / this.#zoom };
    this.#zoom = next;
    this.#svg.setAttribute("width", this.#size.width * next);
    this.#svg.setAttribute("height", this.#size.height * next);
    view.scrollTo(from.x * next - x, from.y * next - y);
  }

  #focus(drawing) {
    for (const other of this.#drawn.values()) other.setAttribute("tabindex", -1);
    drawing.setAttribute("tabindex", 0);
    drawing.focus();
    drawing.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  #listen() {
    const view = this.#view;
    view.addEventListener("keydown", (event) => this.#key(event));
    view.addEventListener("click", ({ target }) => this.#press(target));
    for (const [event, isLit] of [
      ["pointerover", true],
      ["pointerout", false],
      ["focusin", true],
      ["focusout", false],
    ])
      view.addEventListener(event, ({ target }) => this.#light(target, isLit));
    view.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        const { left, top } = view.getBoundingClientRect();
        const factor = Math.exp(-event.deltaY / 300);
        this.#zoomTo(this.#zoom * factor, event.clientX - left, event.clientY - top);
      },
      { passive: false },
    );
    this.#dragByMouse();
  }

  #press(target) {
    const drawing = target.closest("[data-node], [data-group]");
    if (drawing === null) return;
    const { node, group } = drawing.dataset;
    if (node !== undefined) {
      // The link leads to the row; what the row is folded into is opened, and it takes the focus.
      const row = document.getElementById(`resource-${node}`);
      for (let at = row?.closest("details"); at; at = at.parentElement.closest("details"))
        at.open = true;
      if (row !== null) row.tabIndex = -1;
      return;
    }
    if (!this.#open.delete(group)) this.#open.add(group);
    void this.#draw(group);
  }

  #key(event) {
    const drawing = event.target.closest("[data-node], [data-group]");
    if (drawing === null) return;
    if (drawing.dataset.group !== undefined && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      this.#press(drawing);
    }
    const way = arrows[event.key];
    if (way === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const next = this.#nearest(drawing, way);
    if (next !== undefined) this.#focus(next);
  }

  /** The next one that way: what is aside counts more than what is far. */
  #nearest(from, [right, down]) {
    const here = middleOf(from);
    let best;
    let least = Infinity;
    for (const other of this.#drawn.values()) {
      const there = middleOf(other);
      const ahead = (there.x - here.x) * right + (there.y - here.y) * down;
      const aside = Math.abs((there.x - here.x) * down) + Math.abs((there.y - here.y) * right);
      if (other === from || ahead < 1 || ahead + 3 * aside >= least) continue;
      least = ahead + 3 * aside;
      best = other;
    }
    return best;
  }

  /** Shows what a resource depends on and what depends on it, also between groups. */
  #light(target, isLit) {
    const drawing = target.closest?.("[data-node], [data-group]");
    if (!drawing) return;
    for (const line of this.#svg.querySelectorAll(".across")) line.remove();
    const { node, group } = drawing.dataset;
    const key = node ?? `group ${group}`;
    for (const line of this.#svg.querySelectorAll(".graph-line"))
      line.classList.toggle("lit", isLit && [line.dataset.from, line.dataset.to].includes(key));
    if (node === undefined || !isLit || this.#way === "") return;
    for (const edge of this.#edges) {
      if (!edge.includes(node)) continue;
      const [from, to] = edge.map((id) => this.#drawn.get(id) ?? this.#drawnGroupOf(id));
      if (from === to || this.#drawnGroupOf(edge[0]) === this.#drawnGroupOf(edge[1])) continue;
      const points = [middleOf(from), middleOf(to)];
      const line = lineDrawing({ from: edge[0], to: edge[1], points });
      line.classList.add("lit", "across");
      this.#svg.append(line);
    }
  }

  #drawnGroupOf(id) {
    const [key] = this.#groups.find(([, members]) => members.some((node) => node.id === id));
    return this.#drawn.get(`group ${key}`);
  }

  /** Fingers scroll by themselves; a mouse takes hold. */
  #dragByMouse() {
    const view = this.#view;
    let held;
    view.addEventListener("dragstart", (event) => event.preventDefault());
    view.addEventListener("pointerdown", ({ pointerType, button, clientX: x, clientY: y }) => {
      if (pointerType !== "mouse" || button !== 0) return;
      held = { x, y, left: view.scrollLeft, top: view.scrollTop, isMoved: false };
    });
    addEventListener("pointermove", ({ clientX: x, clientY: y }) => {
      if (held === undefined) return;
      held.isMoved ||= Math.hypot(x - held.x, y - held.y) > 4;
      if (held.isMoved) view.scrollTo(held.left + held.x - x, held.top + held.y - y);
    });
    // A drag ends with a click, which is none on what happens to be there.
    view.addEventListener(
      "click",
      (event) => {
        if (held?.isMoved) {
          event.preventDefault();
          event.stopPropagation();
        }
        held = undefined;
      },
      { capture: true },
    );
    addEventListener("pointerup", () => setTimeout(() => (held = undefined)));
  }
}

function middleOf(drawing) {
  const { e: x, f: y } = drawing.transform.baseVal.consolidate().matrix;
  return { x: x + SIZE.width / 2, y: y + SIZE.height / 2 };
}

function arrange(question) {
  if (arranger === undefined) {
    arranger = new Worker(new URL("graph-arrange.js", import.meta.url), { type: "module" });
    arranger.addEventListener("message", ({ data }) => {
      waiting.get(data.number)(data);
      waiting.delete(data.number);
    });
  }
  asked += 1;
  const number = asked;
  arranger.postMessage({ ...question, number }, []);
  return new Promise((resolve) => waiting.set(number, resolve));
}
