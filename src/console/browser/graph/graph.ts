/**
 * One graph on a page. A Worker arranges it. It scrolls like a part of the page, so fingers, keys and screen readers
 * move it as they move the rest.
 */
import { dataOf, setData } from "#console/browser/page/data.ts";
import { make } from "#console/browser/page/make.ts";
import type { GraphMark, GraphNode } from "#console/shared/graph-node.ts";
import { rowId, withData } from "#console/shared/page-names.ts";
import { askArranger } from "./ask-arranger.ts";
import { dragByMouse } from "./drag.ts";
import {
  element,
  groupDrawing,
  lineDrawing,
  type NamedNode,
  resourceDrawing,
  showGroupMarks,
  showMark,
  SIZE,
} from "./drawing.ts";
import { firstWay, type Group, groupsOf, type Way, waysOf } from "./groups.ts";
import type { Arrangement, Edge, Place, Size } from "./layout.ts";
import { arrows, middleOf, nearest } from "./neighbours.ts";
import { type Tools, toolsOf } from "./tools.ts";

/** A smaller zoom makes texts too small to read. Only a press makes them smaller. */
const LEAST_FIRST_ZOOM = 0.93;
const zooms = { least: 0.1, most: 2 };
const MARGIN = 10;
/** From this width on, dependencies stand on the left of what needs them. */
const WIDE = 640;

export class Graph {
  readonly #place: HTMLElement;
  readonly #nodes: ReadonlyMap<string, NamedNode>;
  readonly #edges: readonly Edge[];
  readonly #tools: Tools;
  readonly #view = make("div", { className: "graph-view" });
  readonly #svg = element("svg", { role: "group" });
  #way: Way;
  /** The names of the open groups. */
  #open = new Set<string>();
  #groups: readonly Group<NamedNode>[] = [];
  /** The drawings by resource id or `groupKey`. */
  #drawn = new Map<string, SVGGraphicsElement>();
  #size: Size = { width: 0, height: 0 };
  #zoom = 1;
  #search = "";
  #drawing = 0;

  constructor(place: HTMLElement, given: readonly GraphNode[]) {
    this.#place = place;
    const nodes = given.map((node): NamedNode => ({ ...node, name: node.name ?? node.id }));
    this.#nodes = new Map(nodes.map((node) => [node.id, node]));
    this.#edges = nodes.flatMap(({ id, dependsOn }) =>
      dependsOn.filter((other) => this.#nodes.has(other)).map((other): Edge => [other, id]),
    );
    this.#way = firstWay(nodes);
    this.#svg.setAttribute("aria-label", dataOf(place, "label") ?? "");
    this.#view.append(this.#svg);
    this.#tools = toolsOf({ ways: waysOf(nodes), way: this.#way }, this);
    place.append(this.#tools.element, this.#view);
    this.#listen();
    void this.#draw();
  }

  mark(id: string, mark: GraphMark): void {
    const node = this.#nodes.get(id);
    if (node === undefined || node.mark?.words === mark.words) return;
    node.mark = mark;
    this.#showMark(node);
    for (const [name, members] of this.#groups)
      if (members.includes(node)) this.#showGroupMarks(name, members);
  }

  groupBy(way: Way): void {
    this.#way = way;
    this.#open.clear();
    void this.#draw();
  }

  openAll(isOpen: boolean): void {
    this.#open = new Set(isOpen ? this.#groups.map(([name]) => name) : []);
    void this.#draw();
  }

  zoomBy(factor: number): void {
    const { clientWidth, clientHeight } = this.#view;
    this.#zoomTo(this.#zoom * factor, clientWidth / 2, clientHeight / 2);
  }

  fit(): void {
    const { clientWidth, clientHeight } = this.#view;
    const { width, height } = this.#size;
    this.#zoomTo(Math.min(1, clientWidth / width, clientHeight / height), 0, 0);
  }

  /** Returns the number of resources with this text; undefined without a text. */
  find(text: string): number | undefined {
    this.#search = text.trim().toLowerCase();
    this.#dim();
    return this.#search === "" ? undefined : this.#found().length;
  }

  /** Moves the focus to the next found resource and opens its group. */
  async next(): Promise<void> {
    const found = this.#found();
    const at = found.findIndex(({ id }) => this.#drawn.get(id) === document.activeElement);
    const node = found[(at + 1) % found.length];
    if (node === undefined) return;
    const group = this.#groupNameOf(node.id);
    if (!this.#isOpen(group)) {
      this.#open.add(group);
      await this.#draw();
    }
    this.#focus(this.#drawn.get(node.id));
  }

  #found(): NamedNode[] {
    return [...this.#nodes.values()].filter((node) => this.#isFound(node));
  }

  #isFound({ name, type, group = "", mark }: NamedNode): boolean {
    const text = `${name} ${type} ${group} ${mark?.words ?? ""}`.toLowerCase();
    return text.includes(this.#search);
  }

  #isOpen(name: string): boolean {
    return name === "" || this.#open.has(name);
  }

  /** `focused`: the name of the group that has the focus afterwards. */
  async #draw(focused?: string): Promise<void> {
    this.#drawing += 1;
    const number = this.#drawing;
    this.#groups = groupsOf([...this.#nodes.values()], this.#way);
    const arranged = await askArranger({
      groups: this.#groups.map(([name, members]) => ({
        key: name === "" ? (members[0]?.id ?? "") : groupKey(name),
        members: members.map(({ id }) => id),
        isOpen: this.#isOpen(name),
        isBox: name !== "",
      })),
      edges: this.#edges,
      size: SIZE,
      isWide: this.#place.clientWidth >= WIDE,
    });
    // The reader may have changed the graph meanwhile.
    if (number !== this.#drawing) return;
    this.#show(arranged);
    if (focused !== undefined) this.#focus(this.#drawn.get(groupKey(focused)));
    setData(this.#place, "drawn", true);
  }

  #show({ width, height, boxes, places, lines }: Arrangement): void {
    this.#size = { width: width + 2 * MARGIN, height: height + 2 * MARGIN };
    this.#svg.setAttribute(
      "viewBox",
      `${-MARGIN} ${-MARGIN} ${this.#size.width} ${this.#size.height}`,
    );
    this.#drawn = new Map();
    const frames = this.#drawGroups(boxes);
    const resources = places.flatMap((place) => this.#drawResource(place));
    const isOpen = ({ classList }: SVGElement): boolean => classList.contains("open");
    this.#svg.replaceChildren(
      ...frames.filter(isOpen),
      ...lines.map(lineDrawing),
      ...frames.filter((frame) => !isOpen(frame)),
      ...resources,
    );
    const focusable = [...this.#drawn.values()];
    for (const [at, drawing] of focusable.entries())
      drawing.setAttribute("tabindex", at === 0 ? "0" : "-1");
    this.#dim();
    this.#tools.show({ hasGroups: frames.length > 0, isAnyOpen: this.#open.size > 0 });
    const fit = this.#view.clientWidth / this.#size.width;
    this.#zoomTo(Math.min(1, Math.max(LEAST_FIRST_ZOOM, fit)), 0, 0);
  }

  #drawGroups(boxes: Arrangement["boxes"]): SVGElement[] {
    const byKey = new Map(boxes.map((box) => [box.key, box]));
    return this.#groups.flatMap(([name, members]) => {
      const box = byKey.get(groupKey(name));
      if (name === "" || box === undefined) return [];
      const drawing = groupDrawing(name, box, this.#isOpen(name));
      setData(drawing, "group", name);
      this.#drawn.set(groupKey(name), drawing);
      this.#showGroupMarks(name, members);
      return [drawing];
    });
  }

  #drawResource(place: Place): SVGElement[] {
    const node = this.#nodes.get(place.id);
    if (node === undefined) return [];
    const drawing = resourceDrawing(node, place, rowId(place.id));
    setData(drawing, "node", place.id);
    this.#drawn.set(place.id, drawing);
    this.#showMark(node);
    return [drawing];
  }

  #showMark(node: NamedNode): void {
    const drawing = this.#drawn.get(node.id);
    if (drawing !== undefined) showMark(drawing, node);
  }

  #showGroupMarks(name: string, members: readonly NamedNode[]): void {
    const drawing = this.#drawn.get(groupKey(name));
    if (drawing !== undefined) showGroupMarks(drawing, name, members);
  }

  /** Fades the resources without the searched text. */
  #dim(): void {
    for (const [name, members] of this.#groups) {
      const found = new Set(members.filter((node) => this.#isFound(node)));
      this.#drawn.get(groupKey(name))?.classList.toggle("dim", found.size === 0);
      for (const node of members)
        this.#drawn.get(node.id)?.classList.toggle("dim", !found.has(node));
    }
  }

  /** `x`, `y`: the point of the view that stays in its place. */
  #zoomTo(zoom: number, x: number, y: number): void {
    const view = this.#view;
    const next = Math.min(zooms.most, Math.max(zooms.least, zoom));
    const from = { x: (view.scrollLeft + x) / this.#zoom, y: (view.scrollTop + y) / this.#zoom };
    this.#zoom = next;
    this.#svg.setAttribute("width", String(this.#size.width * next));
    this.#svg.setAttribute("height", String(this.#size.height * next));
    view.scrollTo(from.x * next - x, from.y * next - y);
  }

  #focus(drawing: SVGGraphicsElement | undefined): void {
    if (drawing === undefined) return;
    for (const other of this.#drawn.values()) other.setAttribute("tabindex", "-1");
    drawing.setAttribute("tabindex", "0");
    drawing.focus();
    drawing.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  #listen(): void {
    const view = this.#view;
    view.addEventListener("keydown", (event) => this.#pressKey(event));
    view.addEventListener("click", ({ target }) => this.#press(drawingAt(target)));
    for (const [event, isLit] of [
      ["pointerover", true],
      ["pointerout", false],
      ["focusin", true],
      ["focusout", false],
    ] as const)
      view.addEventListener(event, ({ target }) => this.#light(drawingAt(target), isLit));
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
    dragByMouse(view);
  }

  #press(drawing: SVGGraphicsElement | null): void {
    if (drawing === null) return;
    const node = dataOf(drawing, "node");
    if (node !== undefined) return openRow(node);
    const group = dataOf(drawing, "group") ?? "";
    if (!this.#open.delete(group)) this.#open.add(group);
    void this.#draw(group);
  }

  #pressKey(event: KeyboardEvent): void {
    const drawing = drawingAt(event.target);
    if (drawing === null) return;
    if (dataOf(drawing, "group") !== undefined && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      this.#press(drawing);
    }
    const direction = arrows.get(event.key);
    if (direction === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#focus(nearest(drawing, this.#drawn.values(), direction));
  }

  /** Highlights the dependencies of a resource in both directions, also between groups. */
  #light(drawing: SVGGraphicsElement | null, isLit: boolean): void {
    if (drawing === null) return;
    for (const line of this.#svg.querySelectorAll(".across")) line.remove();
    const node = dataOf(drawing, "node");
    const key = node ?? groupKey(dataOf(drawing, "group") ?? "");
    for (const line of this.#svg.querySelectorAll(".graph-line"))
      line.classList.toggle(
        "lit",
        isLit && [dataOf(line, "from"), dataOf(line, "to-node")].includes(key),
      );
    if (node === undefined || !isLit || this.#way === "") return;
    for (const edge of this.#edges) if (edge.includes(node)) this.#lightAcross(edge);
  }

  /** Draws a dependency between groups for as long as it is highlighted. */
  #lightAcross([first, second]: Edge): void {
    const groups = [first, second].map((id) => this.#drawn.get(groupKey(this.#groupNameOf(id))));
    const from = this.#drawn.get(first) ?? groups[0];
    const to = this.#drawn.get(second) ?? groups[1];
    if (from === undefined || to === undefined) return;
    if (from === to || groups[0] === groups[1]) return;
    const points = [middleOf(from), middleOf(to)];
    const line = lineDrawing({ from: first, to: second, points });
    line.classList.add("lit", "across");
    this.#svg.append(line);
  }

  /** Empty for a resource outside of groups. */
  #groupNameOf(id: string): string {
    const group = this.#groups.find(([, members]) => members.some((node) => node.id === id));
    return group?.[0] ?? "";
  }
}

function groupKey(name: string): string {
  return `group ${name}`;
}

/** The drawing of a resource or group at the target of an event. */
function drawingAt(target: EventTarget | null): SVGGraphicsElement | null {
  if (!(target instanceof Element)) return null;
  const found = target.closest(`${withData("node")}, ${withData("group")}`);
  return found instanceof SVGGraphicsElement ? found : null;
}

/** Opens all around the row to which the link of a resource leads, so that it can take the focus. */
function openRow(node: string): void {
  const row = document.getElementById(rowId(node));
  if (row === null) return;
  for (let at = row.closest("details"); at !== null; at = parentDetails(at)) at.open = true;
  row.tabIndex = -1;
}

function parentDetails(details: HTMLDetailsElement): HTMLDetailsElement | null {
  return details.parentElement?.closest("details") ?? null;
}
