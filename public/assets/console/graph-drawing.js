/** The parts of a graph as elements. Every text is set as text. */
import { shortType } from "./graph-groups.js";

const SVG = "http://www.w3.org/2000/svg";
/** Of a resource, and of a group that is closed. */
export const SIZE = { width: 184, height: 54 };
const NAME_CHARACTERS = 19;
const LINE_CHARACTERS = 24;
const TIP = 8;
/** How bad what is said of a resource is: of a group, the worst is seen. */
const worst = ["bad", "busy", "wait", "good"];

export function element(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** `rowAt`: the id of the row to which it leads. */
export function resourceDrawing(node, { x, y }, rowAt) {
  return element(
    "a",
    {
      class: "graph-node",
      href: `#${encodeURIComponent(rowAt)}`,
      transform: `translate(${x},${y})`,
    },
    element("title"),
    element("rect", { class: "face", rx: 8, ...SIZE }),
    element("rect", { class: "side", width: 6, height: SIZE.height, rx: 3 }),
    element("text", { class: "name", x: 16, y: 23 }, cut(node.name, NAME_CHARACTERS)),
    element("text", { class: "words", x: 16, y: 43 }),
  );
}

/** Says in words and colour how a resource stands. The title is what the link is called. */
export function tellMark(drawing, node) {
  const { words = "", tone = "" } = node.mark ?? {};
  const text = [words, shortType(node.type)].filter((part) => part !== "").join(" · ");
  drawing.dataset.tone = tone;
  drawing.querySelector(".words").textContent = cut(text, LINE_CHARACTERS);
  const others = node.dependsOn.length === 0 ? "" : `, depends on ${node.dependsOn.join(", ")}`;
  drawing.querySelector("title").textContent =
    `${node.name}, ${node.type}${words && `, ${words}`}${others}`;
}

/** A group: closed, it is as large as a resource and stands for those in it; open, it is a box around them. */
export function groupDrawing(name, members, { x, y, width, height }, isOpen) {
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

/** Says of a group how many resources stand how, the worst first. */
export function tellGroup(drawing, name, members) {
  const counts = new Map();
  for (const { mark } of members) {
    if (mark === undefined) continue;
    const count = counts.get(mark.words) ?? { count: 0, tone: mark.tone ?? "" };
    count.count += 1;
    counts.set(mark.words, count);
  }
  const tallies = [...counts].toSorted(([, a], [, b]) => rankOf(a.tone) - rankOf(b.tone));
  const tally = tallies.map(([words, { count }]) => `${count} ${words}`).join(", ");
  const size = members.length === 1 ? "1 resource" : `${members.length} resources`;
  drawing.dataset.tone = tallies[0]?.[1].tone ?? "";
  const words = drawing.querySelector(".words");
  if (words !== null) words.textContent = cut(tally === "" ? size : tally, LINE_CHARACTERS);
  drawing.querySelector("title").textContent = `${name}: ${size}${tally && `, ${tally}`}`;
}

function rankOf(tone) {
  const rank = worst.indexOf(tone);
  return rank === -1 ? worst.length : rank;
}

export function lineDrawing({ from, to, points, isOuter = false }) {
  const line = element("path", { class: "graph-line", d: curve(points) + tip(points) });
  line.dataset.from = from;
  line.dataset.to = to;
  line.dataset.outer = isOuter;
  return line;
}

/** Through the middles between the points, with each point as the handle of a bend. */
function curve(points) {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  let path = `M${first.x},${first.y}`;
  for (let at = 0; at < rest.length - 1; at += 1) {
    const [a, b] = [rest[at], rest[at + 1]];
    path += `Q${a.x},${a.y} ${(a.x + b.x) / 2},${(a.y + b.y) / 2}`;
  }
  return `${path}L${last.x},${last.y}`;
}

/** The end of the line is an arrow. A marker would do the same, and hundreds of them take a page long to paint. */
function tip(points) {
  const [before, end] = points.slice(-2);
  const angle = Math.atan2(end.y - before.y, end.x - before.x);
  const [left, right] = [angle + 2.7, angle - 2.7].map(
    (at) => `${end.x + TIP * Math.cos(at)},${end.y + TIP * Math.sin(at)}`,
  );
  return `M${left}L${end.x},${end.y}L${right}`;
}

/** The start and the end of a name tell it from others. */
function cut(text, most) {
  const characters = [...text];
  if (characters.length <= most) return text;
  const tail = Math.floor(most / 3);
  return `${characters.slice(0, most - tail - 1).join("")}…${characters.slice(-tail).join("")}`;
}
