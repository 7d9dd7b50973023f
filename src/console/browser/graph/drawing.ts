/** The parts of a graph as SVG elements. Text stays text. */
import { setData } from "#console/browser/page/data.ts";
import { part } from "#console/browser/page/part.ts";
import type { GraphNode, Tone } from "#console/shared/graph-node.ts";
import { shortType } from "./groups.ts";
import type { Box, Line, Place, Point, Size } from "./layout.ts";

const SVG = "http://www.w3.org/2000/svg";
/** The size of a resource, and of a closed group. */
export const SIZE: Size = { width: 184, height: 54 };
const NAME_CHARACTERS = 19;
const LINE_CHARACTERS = 24;
const TIP = 8;
/** The tones, the most urgent first: a group has the most urgent tone of its resources. */
const urgency: readonly Tone[] = ["bad", "busy", "wait", "good"];

/** A resource with its displayed name. */
export type NamedNode = GraphNode & { name: string };

export function element<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: readonly (Node | string)[]
): SVGElementTagNameMap[Tag] {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** `row`: the id of the row to which it leads. */
export function resourceDrawing(node: NamedNode, { x, y }: Place, row: string): SVGAElement {
  return element(
    "a",
    {
      class: "graph-node",
      href: `#${encodeURIComponent(row)}`,
      transform: `translate(${x},${y})`,
    },
    element("title"),
    element("rect", { class: "face", rx: 8, ...SIZE }),
    element("rect", { class: "side", width: 6, height: SIZE.height, rx: 3 }),
    element("text", { class: "name", x: 16, y: 23 }, cut(node.name, NAME_CHARACTERS)),
    element("text", { class: "words", x: 16, y: 43 }),
  );
}

/** Shows the mark of a resource in words and colour. The title is the link's name. */
export function showMark(drawing: SVGElement, node: NamedNode): void {
  const { words = "", tone = "" } = node.mark ?? {};
  const text = [words, shortType(node.type)].filter((one) => one !== "").join(" · ");
  setData(drawing, "tone", tone);
  part(drawing, ".words", SVGElement).textContent = cut(text, LINE_CHARACTERS);
  const others = node.dependsOn.length === 0 ? "" : `, depends on ${node.dependsOn.join(", ")}`;
  part(drawing, "title", SVGElement).textContent =
    `${node.name}, ${node.type}${words && `, ${words}`}${others}`;
}

/** A closed group looks like a stack of resources; an open one is a box around its resources. */
export function groupDrawing(
  name: string,
  { x, y, width, height }: Box,
  isOpen: boolean,
): SVGGElement {
  const title = cut(name, isOpen ? Math.floor(width / 9) - 4 : NAME_CHARACTERS);
  return element(
    "g",
    {
      class: isOpen ? "graph-group open" : "graph-group graph-node",
      role: "button",
      "aria-expanded": String(isOpen),
      transform: `translate(${x},${y})`,
    },
    element("title"),
    ...(isOpen
      ? [element("rect", { class: "box", rx: 10, width, height })]
      : [
          element("rect", { class: "face", x: 5, y: 5, rx: 8, ...SIZE }),
          element("rect", { class: "face", rx: 8, ...SIZE }),
        ]),
    element(
      "text",
      { class: "name", x: 16, y: isOpen ? 26 : 23 },
      `${isOpen ? "−" : "+"} ${title}`,
    ),
    ...(isOpen ? [] : [element("text", { class: "words", x: 16, y: 43 })]),
  );
}

/** Shows the number of a group's resources by their marks, the most urgent first. */
export function showGroupMarks(
  drawing: SVGElement,
  name: string,
  members: readonly GraphNode[],
): void {
  const counts = new Map<string, { count: number; tone: Tone | undefined }>();
  for (const { mark } of members) {
    if (mark === undefined) continue;
    const count = counts.get(mark.words) ?? { count: 0, tone: mark.tone };
    count.count += 1;
    counts.set(mark.words, count);
  }
  const tallies = [...counts].toSorted(([, a], [, b]) => rankOf(a.tone) - rankOf(b.tone));
  const tally = tallies.map(([words, { count }]) => `${count} ${words}`).join(", ");
  const size = members.length === 1 ? "1 resource" : `${members.length} resources`;
  setData(drawing, "tone", tallies[0]?.[1].tone ?? "");
  const words = drawing.querySelector(".words");
  if (words !== null) words.textContent = cut(tally === "" ? size : tally, LINE_CHARACTERS);
  part(drawing, "title", SVGElement).textContent = `${name}: ${size}${tally && `, ${tally}`}`;
}

function rankOf(tone: Tone | undefined): number {
  return tone === undefined ? urgency.length : urgency.indexOf(tone);
}

export function lineDrawing({ from, to, points, isOuter = false }: Line): SVGPathElement {
  const line = element("path", { class: "graph-line", d: curve(points) + tip(points) });
  setData(line, "from", from);
  setData(line, "to-node", to);
  setData(line, "outer", isOuter);
  return line;
}

/** Through the middles between the points, with each point as the handle of a bend. */
function curve(points: readonly Point[]): string {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (first === undefined || last === undefined) return "";
  const bends = rest.slice(0, -1).map((a, at) => {
    const b = rest[at + 1] ?? last;
    return `Q${a.x},${a.y} ${(a.x + b.x) / 2},${(a.y + b.y) / 2}`;
  });
  return `M${first.x},${first.y}${bends.join("")}L${last.x},${last.y}`;
}

/** The end of the line is an arrow. Hundreds of SVG markers would take a page long to paint. */
function tip(points: readonly Point[]): string {
  const [before, end] = points.slice(-2);
  if (before === undefined || end === undefined) return "";
  const angle = Math.atan2(end.y - before.y, end.x - before.x);
  const [left, right] = [angle + 2.7, angle - 2.7].map(
    (at) => `${end.x + TIP * Math.cos(at)},${end.y + TIP * Math.sin(at)}`,
  );
  return `M${left}L${end.x},${end.y}L${right}`;
}

/** Keeps the start and the end of a name, which tell it from others. */
function cut(text: string, most: number): string {
  const characters = Array.from(text);
  if (characters.length <= most) return text;
  const tail = Math.floor(most / 3);
  return `${characters.slice(0, most - tail - 1).join("")}…${characters.slice(-tail).join("")}`;
}
