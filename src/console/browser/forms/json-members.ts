/** JSON objects whose members people name. A member may be `constructor` or `__proto__`. */

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Undefined if the object has no such member of its own. */
export function memberOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Sets the member at a path, and makes the objects above it. */
export function setMember(object: JsonObject, path: readonly string[], value: unknown): void {
  const [name = "", ...rest] = path;
  if (rest.length === 0) {
    const isOwn = { configurable: true, enumerable: true, writable: true };
    Object.defineProperty(object, name, { value, ...isOwn });
    return;
  }
  const known = memberOf(object, name);
  const inner = isObject(known) ? known : {};
  if (inner !== known) setMember(object, [name], inner);
  setMember(inner, rest, value);
}

/** The merge patch (RFC 7396) that changes `before` to `after`: null removes a member. */
export function patchOf(before: unknown, after: unknown): unknown {
  if (!isObject(before) || !isObject(after)) return after;
  const patch: JsonObject = {};
  for (const name of Object.keys(before)) setMember(patch, [name], null);
  for (const [name, value] of Object.entries(after))
    setMember(patch, [name], patchOf(memberOf(before, name), value));
  return patch;
}

/** A value as text. Undefined: there is none. */
export function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A text with the names in braces replaced by members of an answer, encoded for a path. */
export function filled(text: string, answer: JsonObject): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    return encodeURIComponent(textOf(memberOf(answer, name)) ?? "");
  });
}
