/**
 * Where something stands in a template that is being typed, by its lines and their indentation: what is unfinished is no
 * YAML yet. Pure.
 */

/**
 * The place at the end of `before`, the part of a line before the cursor. `path`: the keys above it, with `[]` for an
 * item of a list. `key` undefined: a key is typed there; else its value is. `text`: what is typed of it so far.
 * `beside`: the keys in the same braces. Undefined: in a comment.
 */
export function placeAt(lines, at, before) {
  if (withoutComment(before) !== before) return undefined;
  const { dashes, column, content } = partsOf(before);
  const above = pathAbove(lines, at, dashes[0] ?? column, dashes.length > 0);
  const path = [...above, ...dashes.map(() => "[]")];
  const { key, value } = entryOf(content);
  if (key === undefined) return placeIn(content, path) ?? { path, text: content, column };
  return placeIn(value, [...path, key]) ?? { path, key, text: value, column };
}

/**
 * The names that `${…}` may refer to, and of each resource or component what is known of it: `type`, `component` and
 * whether it has a loop, `isLoop`.
 */
export function namesIn(lines) {
  const names = { config: [], variables: [], resources: new Map() };
  let section = "";
  let column;
  let memberColumn;
  let resource;
  for (const line of lines) {
    const { dashes, column: here, content } = partsOf(line);
    const { key, value } = entryOf(content);
    if (key === undefined || dashes.length > 0) continue;
    if (here === 0) {
      section = key === "configuration" ? "config" : key;
      column = undefined;
    } else if (!Object.hasOwn(names, section)) continue;
    else if (here <= (column ??= here)) {
      resource = key;
      memberColumn = undefined;
      if (section === "resources") names.resources.set(key, partIn(value));
      else names[section].push(key);
    } else if (section === "resources" && here <= (memberColumn ??= here)) {
      const part = names.resources.get(resource);
      if (key === "type" || key === "component") part[key] = plain(value);
      if (key === "forEach") part.isLoop = true;
    }
  }
  return names;
}

/** The expression of `${…}` that is still open at the end of the text. `isQuoted`: a string in it is open too. */
export function openExpression(text) {
  let open = -1;
  let depth = 0;
  let quote;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
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
export function siblingsOf(lines, at, column) {
  return new Set([...keysFrom(lines, at, -1, column), ...keysFrom(lines, at, 1, column)]);
}

function* keysFrom(lines, at, step, column) {
  for (let line = at + step; line >= 0 && line < lines.length; line += step) {
    const { dashes, column: here, content } = partsOf(lines[line]);
    if (content === "" && dashes.length === 0) continue;
    const first = dashes[0] ?? here;
    // The next item of a list is another map.
    if (step > 0 && first < column) return;
    const { key } = entryOf(content);
    if (key !== undefined && here === column) yield key;
    if (step < 0 && first < column) return;
  }
}

function pathAbove(lines, at, column, isItem) {
  const path = [];
  let limit = column;
  let item = isItem;
  for (let line = at - 1; line >= 0 && (limit > 0 || item); line -= 1) {
    const { dashes, column: here, content } = partsOf(lines[line]);
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

/** The columns of the dashes with which a line starts, and what follows them. */
function partsOf(line) {
  const dashes = [];
  let column = 0;
  for (; column < line.length; column += 1) {
    const character = line[column];
    if (character === "-" && /^(\s|$)/.test(line.slice(column + 1, column + 2)))
      dashes.push(column);
    else if (character !== " ") break;
  }
  const content = line.slice(column);
  return { dashes, column, content: content.startsWith("#") ? "" : content };
}

/** The key of a line's content and what follows its colon; without a key: nothing. */
function entryOf(content) {
  const quote = /^["']/.exec(content)?.[0];
  const from = quote === undefined ? 0 : content.indexOf(quote, 1) + 1;
  if (/^[{[#&*!|>%@`]/.test(content) || (quote !== undefined && from === 0)) return {};
  for (
    let colon = content.indexOf(":", from);
    colon !== -1;
    colon = content.indexOf(":", colon + 1)
  )
    if (/^(\s|$)/.test(content.slice(colon + 1, colon + 2)))
      return { key: plain(content.slice(0, colon)), value: content.slice(colon + 1).trimStart() };
  return {};
}

/** The place in a map or a list in braces or brackets that this text opens; undefined: it opens none, or ends it. */
function placeIn(text, above) {
  const frames = [];
  let quote;
  let isReference = false;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
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
  const path = [...above, ...frames.map(({ isMap, key }) => (isMap ? key : "[]"))];
  const typed = text.slice(start).trimStart();
  if (!last.isMap) return { path, key: "[]", text: typed };
  if (last.key === undefined) return { path, text: typed, beside: last.keys };
  return { path, key: last.key, text: typed };
}

/** The text up to a `#` that starts a comment. */
function withoutComment(text) {
  let quote;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    const isAtStart = at === 0 || /\s/.test(text[at - 1]);
    if (quote !== undefined) quote = character === quote ? undefined : quote;
    else if (character === "#" && isAtStart) return text.slice(0, at);
    else if (/["']/.test(character) && /^$|[\s[{,:-]/.test(text[at - 1] ?? "")) quote = character;
  }
  return text;
}

/** What braces say of a resource or a component. */
function partIn(flow) {
  const valueOf = (key) => new RegExp(`[{,]\\s*${key}\\s*:\\s*["']?([^\\s"',}]+)`).exec(flow)?.[1];
  return {
    type: valueOf("type"),
    component: valueOf("component"),
    isLoop: /[{,]\s*forEach\s*:/.test(flow),
  };
}

function plain(value) {
  const text = withoutComment(value).trim();
  return /^(".*"|'.*')$/.test(text) ? text.slice(1, -1) : text;
}
