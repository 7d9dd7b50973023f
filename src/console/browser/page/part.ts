/** Parts of the page. A part that is missing or of another class means that page and script differ. */

type Class<Kind extends Element> = new () => Kind;

/** The first element below `root` that the selector matches. Throws if there is none, or none of this class. */
export function part<Kind extends Element>(
  root: ParentNode,
  selector: string,
  kind: Class<Kind>,
): Kind {
  const found = root.querySelector(selector);
  if (found === null) throw new TypeError(`The page has no ${selector}.`);
  return expectKind(found, selector, kind);
}

/** As `part`; null if there is none. Throws if it is of another class. */
export function optionalPart<Kind extends Element>(
  root: ParentNode,
  selector: string,
  kind: Class<Kind>,
): Kind | null {
  const found = root.querySelector(selector);
  return found === null ? null : expectKind(found, selector, kind);
}

/** All elements below `root` that the selector matches. Throws if one is of another class. */
export function parts<Kind extends Element>(
  root: ParentNode,
  selector: string,
  kind: Class<Kind>,
): Kind[] {
  return [...root.querySelectorAll(selector)].map((found) => expectKind(found, selector, kind));
}

function expectKind<Kind extends Element>(
  found: Element,
  selector: string,
  kind: Class<Kind>,
): Kind {
  if (found instanceof kind) return found;
  throw new TypeError(`${selector} is a ${found.tagName}, not a ${kind.name}.`);
}
