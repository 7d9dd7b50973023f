import type { Json } from "#platform/json.ts";

const placeholder = /\{(\+?)([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The names of a path's placeholders, in order, without duplicates. */
export function placeholdersIn(path: string): string[] {
  return [...new Set([...path.matchAll(placeholder)].map((match) => match[2] ?? ""))];
}

export type FilledPath = { ok: true; path: string } | { ok: false; code: string; message: string };

type Sources = readonly Readonly<Record<string, Json>>[];

/**
 * Fills a path's placeholders, URI-encoded, from the first source that has each. `{+id}` keeps the slashes of its value,
 * of which the first may be left out, and encodes the segments between them; any other value is one segment, and has a
 * slash only in the query: clouds and what is before them read an encoded one as they like. Rejects a value that is
 * missing, empty, not a string or number (or, in the query, a flag), has control characters, or has a segment that is empty or a dot segment (`.`,
 * `..`).
 */
export function fillPath(path: string, sources: Sources): FilledPath {
  return fill(path, sources, encodeURIComponent);
}

/** Fills an id of placeholders as plain text, to be encoded where it becomes part of a path. */
export function fillId(template: string, sources: Sources): FilledPath {
  return fill(template, sources, (segment) => segment);
}

function fill(path: string, sources: Sources, encode: (segment: string) => string): FilledPath {
  const problems: { code: string; message: string }[] = [];
  const queryAt = path.includes("?") ? path.indexOf("?") : path.length;
  const filled = path.replace(placeholder, (_, plus: string, name: string, at: number) => {
    const value = sources.find((source) => Object.hasOwn(source, name))?.[name];
    if (value === undefined || value === null || value === "") {
      const message = `"${name}" is part of this resource's URL but is not set. Set it in the resource's properties or in the target's config.`;
      problems.push({ code: "missing_path_value", message });
      return "";
    }
    const mayHaveSlash = at > queryAt;
    const isFlag = mayHaveSlash && typeof value === "boolean";
    const segments = segmentsOf(isFlag ? String(value) : value, plus === "+");
    const valid = segments?.every((one) => isSegment(one, mayHaveSlash)) === true;
    if (segments !== undefined && valid) return segments.map(encode).join("/");
    const message = `"${name}" is part of this resource's URL and must be a string or a number that is valid in a URL${mayHaveSlash || plus === "+" ? "" : ", without a slash"}.`;
    problems.push({ code: "invalid_path_value", message });
    return "";
  });
  const problem = problems[0];
  return problem ? { ok: false, ...problem } : { ok: true, path: filled };
}

function segmentsOf(value: Json, keepsSlashes: boolean): string[] | undefined {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string") return undefined;
  return keepsSlashes ? text.replace(/^\//, "").split("/") : [text];
}

/** Whether the text can be one segment of a path. */
export function isSegment(text: string, mayHaveSlash = false): boolean {
  if (text === "" || text === "." || text === ".." || !text.isWellFormed()) return false;
  return !/\p{Cc}/u.test(text) && (mayHaveSlash || !text.includes("/"));
}
