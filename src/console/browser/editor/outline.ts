/** Places and names in a template that is being typed, by its lines and their indentation: it is not YAML yet. Pure. */

/** A place in a template: the keys above it, with `[]` for an item of a list, and the typed text. */
export interface Place {
  path: readonly string[];
  /** Undefined: a key is typed there; otherwise its value. */
  key?: string | undefined;
  text: string;
  /** The column of the text, outside of braces. */
  column: number;
  /** The keys in the same braces. */
  beside?: readonly string[];
}

/** A resource or component, as far as its lines say. */
interface OutlinePart {
  type?: string | undefined;
  component?: string | undefined;
  isLoop: boolean;
}

/** The names that `${…}` may refer to. */
export interface SourceNames {
  config: string[];
  variables: string[];
  resources: Map<string, OutlinePart>;
}

/** The start of a line: the columns of its dashes, and the content after them. */
interface LineParts {
  dashes: readonly number[];
  column: number;
  content: string;
}

/** The place at the end of `before`, the start of the line `at`. Undefined: in a comment. */
export function placeAt(lines: readonly string[], at: number, before: string): Place | undefined {
  if (withoutComment(before) !== before) return undefined;
  const { dashes, column, content } = partsOf(before);
  const above = pathAbove(lines, at, dashes[0] ?? column, dashes.length > 0);
  const path = [...above, ...dashes.map(() => "[]")];
  const { key, value } = entryOf(content);
  if (key === undefined) return placeIn(content, path, column) ?? { path, text: content, column };
  return placeIn(value, [...path, key], column) ?? { path, key, text: value, column };
}

export function namesIn(lines: readonly string[]): SourceNames {
  const names: SourceNames = { config: [], variables: [], resources: new Map() };
  let section: string | undefined;
  /** The columns of the names in the section, and of the members of a resource. */
  let column: number | undefined;
  let memberColumn: number | undefined;
  let part: OutlinePart | undefined;
  for (const line of lines) {
    const { dashes, column: here, content } = partsOf(line);
    const { key, value } = entryOf(content);
    if (key === undefined || dashes.length > 0) continue;
    if (here === 0) {
      section = key === "configuration" ? "config" : key;
      column = undefined;
    } else if (section !== "config" && section !== "variables" && section !== "resources") continue;
    else if (here <= (column ??= here)) {
      memberColumn = undefined;
      if (section !== "resources") names[section].push(key);
      else names.resources.set(key, (part = partIn(value)));
    } else if (section === "resources" && part && here <= (memberColumn ??= here)) {
      if (key === "type" || key === "component") part[key] = plain(value);
      if (key === "forEach") part.isLoop = true;
    }
  }
  return names;
}

/** The expression of `${…}` that is still open at the end of the text. `isQuoted`: a string in it is open too. */
export function openExpression(text: string): { text: string; isQuoted: boolean } | undefined {
  let open = -1;
  let depth = 0;
  let quote: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (open === -1) {
      if (text.startsWith("$${", at)) at += 2;
      else if (text.startsWith("${", at)) {
        at += 1;
        open = at + 1;
        depth = 1;
      }
    } else if (character === "\\" && quote !== undefined && text[at + 1] !== quote) at += 1;
    else if (quote !== undefined) quote = character === quote ? undefined : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === "{") depth += 1;
    else if (character === "}" && --depth === 0) open = -1;
  }
  return open === -1 ? undefined : { text: text.slice(open), isQuoted: quote !== undefined };
}

/** The keys beside the one at this column of this line, in the same map. */
export function siblingsOf(lines: readonly string[], at: number, column: number): Set<string> {
  return new Set([...keysFrom(lines, at, -1, column), ...keysFrom(lines, at, 1, column)]);
}

function* keysFrom(
  lines: readonly string[],
  at: number,
  step: 1 | -1,
  column: number,
): Generator<string> {
  for (let line = at + step; line >= 0 && line < lines.length; line += step) {
    const { dashes, column: here, content } = partsOf(lines[line] ?? "");
    if (content === "" && dashes.length === 0) continue;
    const first = dashes[0] ?? here;
    // The next item of a list is another map.
    if (step > 0 && first < column) return;
    const { key } = entryOf(content);
    if (key !== undefined && here === column) yield key;
    if (step < 0 && first < column) return;
  }
}

function pathAbove(
  lines: readonly string[],
  at: number,
  column: number,
  isItem: boolean,
): string[] {
  const path: string[] = [];
  let limit = column;
  let item = isItem;
  for (let line = at - 1; line >= 0 && (limit > 0 || item); line -= 1) {
    const { dashes, column: here, content } = partsOf(lines[line] ?? "");
    const { key } = entryOf(content);
    if (key === undefined) continue;
    const isOwner = item ? here <= limit : here < limit;
    const isFirstOfItem = !item && here === limit && dashes.length > 0;
    if (!isOwner && !isFirstOfItem) continue;
    if (isOwner) path.unshift(key);
    item = dashes.length > 0;
    limit = dashes[0] ?? here;
    path.unshift(...dashes.map(() => "[]"));
  }
  return path;
}

function partsOf(line: string): LineParts {
  const dashes: number[] = [];
  let column = 0;
  for (; column < line.length; column += 1) {
    const character = line[column] ?? "";
    if (character === "-" && /^(\s|$)/.test(line.slice(column + 1, column + 2)))
      dashes.push(column);
    else if (character !== " ") break;
  }
  const content = line.slice(column);
  return { dashes, column, content: content.startsWith("#") ? "" : content };
}

/** The key of a line's content and the text after its colon. */
function entryOf(content: string): { key?: string; value: string } {
  const quote = /^["']/.exec(content)?.[0];
  const from = quote === undefined ? 0 : content.indexOf(quote, 1) + 1;
  if (/^[{[#&*!|>%@`]/.test(content) || (quote !== undefined && from === 0)) return { value: "" };
  for (
    let colon = content.indexOf(":", from);
    colon !== -1;
    colon = content.indexOf(":", colon + 1)
  )
    if (/^(\s|$)/.test(content.slice(colon + 1, colon + 2)))
      return { key: plain(content.slice(0, colon)), value: content.slice(colon + 1).trimStart() };
  return { value: "" };
}

interface Frame {
  isMap: boolean;
  key: string | undefined;
  keys: string[];
}

/** The place in the braces or brackets that this text leaves open. Undefined: it leaves none open. */
function placeIn(text: string, above: readonly string[], column: number): Place | undefined {
  const frames: Frame[] = [];
  let quote: string | undefined;
  let isReference = false;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? "";
    const frame = frames.at(-1);
    if (quote !== undefined) quote = character === quote ? undefined : quote;
    else if (isReference) isReference = character !== "}";
    else if (character === '"' || character === "'") quote = character;
    else if (character === "{" && text[at - 1] === "$") isReference = true;
    else if (character === "{" || character === "[") {
      frames.push({ isMap: character === "{", key: undefined, keys: [] });
      start = at + 1;
    } else if (frame === undefined) return undefined;
    else if (character === "}" || character === "]") frames.pop();
    else if (character === ",") {
      frame.key = undefined;
      start = at + 1;
    } else if (character === ":" && frame.isMap && /^(\s|$)/.test(text.slice(at + 1, at + 2))) {
      frame.key = plain(text.slice(start, at));
      frame.keys.push(frame.key);
      start = at + 1;
    }
  }
  const last = frames.pop();
  if (last === undefined) return undefined;
  const path = [...above, ...frames.map(({ isMap, key = "" }) => (isMap ? key : "[]"))];
  const typed = text.slice(start).trimStart();
  if (!last.isMap) return { path, key: "[]", text: typed, column };
  if (last.key === undefined) return { path, text: typed, column, beside: last.keys };
  return { path, key: last.key, text: typed, column };
}

/** The text up to a `#` that starts a comment. */
function withoutComment(text: string): string {
  let quote: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? "";
    const isAtStart = at === 0 || /\s/.test(text[at - 1] ?? "");
    if (quote !== undefined) quote = character === quote ? undefined : quote;
    else if (character === "#" && isAtStart) return text.slice(0, at);
    else if (/["']/.test(character) && /^$|[\s[{,:-]/.test(text[at - 1] ?? "")) quote = character;
  }
  return text;
}

/** A resource or component in braces. */
function partIn(flow: string): OutlinePart {
  const valueOf = (key: string) =>
    new RegExp(`[{,]\\s*${key}\\s*:\\s*["']?([^\\s"',}]+)`).exec(flow)?.[1];
  return {
    type: valueOf("type"),
    component: valueOf("component"),
    isLoop: /[{,]\s*forEach\s*:/.test(flow),
  };
}

function plain(value: string): string {
  const text = withoutComment(value).trim();
  return /^(".*"|'.*')$/.test(text) ? text.slice(1, -1) : text;
}
