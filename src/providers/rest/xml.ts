/**
 * The little XML that Route 53 and S3 speak. Read: elements, text and the predefined entities; anything else (a document
 * type, a comment, CDATA) is refused as a whole, since neither sends any. Attributes are namespaces and types there, and
 * are ignored.
 */
export interface XmlElement {
  name: string;
  /** Its own text, trimmed. */
  text: string;
  find: (name: string) => XmlElement | undefined;
  all: (name: string) => XmlElement[];
}

const MAX_DEPTH = 20;
const TOKEN =
  /<(\/?)([A-Za-z_][\w.-]*)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y;

/** The root element; undefined: the text is no XML of this kind. */
export function parseXml(source: string): XmlElement | undefined {
  const text = source.replace(/^\uFEFF?\s*<\?xml[^<>]*\?>/, "").trim();
  const top: Open = { name: "", text: "", children: [] };
  const open: Open[] = [top];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const [token, slash, name = "", , empty, words] = TOKEN.exec(text) ?? [];
    const current = open.at(-1);
    if (token === undefined || current === undefined) return undefined;
    if (words !== undefined) {
      const plain = decoded(words);
      if (plain === undefined || (current === top && plain.trim() !== "")) return undefined;
      current.text += plain;
    } else if (slash === "/") {
      if (current === top || current.name !== name) return undefined;
      open.pop();
    } else {
      const child: Open = { name, text: "", children: [] };
      current.children.push(child);
      if (empty !== "/") open.push(child);
      if (open.length > MAX_DEPTH) return undefined;
    }
  }
  const [root, ...others] = top.children;
  return open.length === 1 && others.length === 0 && root !== undefined
    ? elementOf(root)
    : undefined;
}

interface Open {
  name: string;
  text: string;
  children: Open[];
}

function elementOf({ name, text, children }: Open): XmlElement {
  const all = (wanted: string) => children.filter((one) => one.name === wanted).map(elementOf);
  return { name, text: text.trim(), all, find: (wanted) => all(wanted)[0] };
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

function decoded(text: string): string | undefined {
  let isValid = true;
  const plain = text.replaceAll(/&([^;&]{0,10});?/g, (_, name: string) => {
    const [, hex, decimal] = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name) ?? [];
    const point = hex === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hex, 16);
    const known = Object.hasOwn(entities, name) ? entities[name] : undefined;
    if (known !== undefined) return known;
    if (Number.isInteger(point) && point > 0 && point <= 0x10ffff)
      return String.fromCodePoint(point);
    isValid = false;
    return "";
  });
  return isValid ? plain : undefined;
}

export type XmlValue = string | number | boolean | XmlElements | readonly XmlValue[] | undefined;
export interface XmlElements {
  readonly [name: string]: XmlValue;
}

/** Elements in their order; a list repeats its element, and what is undefined is left out. */
export function toXml(elements: XmlElements): string {
  return Object.entries(elements)
    .flatMap(([name, value]) =>
      isList(value) ? value.map((one) => [name, one] as const) : [[name, value] as const],
    )
    .map(([name, value]) => {
      if (value === undefined) return "";
      const inner =
        typeof value === "object" ? toXml(value as XmlElements) : escaped(String(value));
      return `<${name}>${inner}</${name}>`;
    })
    .join("");
}

function isList(value: XmlValue): value is readonly XmlValue[] {
  return Array.isArray(value);
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "");
}
