import type { Json } from "#platform/json.ts";

const hole = /\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The names of a path's holes, in order, each once. */
export function holesIn(path: string): string[] {
  return [...new Set([...path.matchAll(hole)].map((match) => match[1] ?? ""))];
}

export type FilledPath = { ok: true; path: string } | { ok: false; code: string; message: string };

/**
 * A path with its holes filled from the first source that has them, URI-encoded. A value that is missing,
 * empty, not a string or number, or that would climb out of its place (`.`, `..`) is refused.
 */
export function fillPath(
  path: string,
  sources: readonly Readonly<Record<string, Json>>[],
): FilledPath {
  const problems: { code: string; message: string }[] = [];
  const filled = path.replace(hole, (_, name: string) => {
    const value = sources.find((source) => Object.hasOwn(source, name))?.[name];
    if (value === undefined || value === null || value === "") {
      const message = `"${name}" is needed to address this resource and is not set. Set it in the resource's properties or in the target's config.`;
      problems.push({ code: "missing_path_value", message });
      return "";
    }
    const text = typeof value === "number" ? String(value) : value;
    if (typeof text !== "string" || text === "." || text === ".." || !text.isWellFormed()) {
      const message = `"${name}" addresses this resource and must be a string or a number that can be part of a URL.`;
      problems.push({ code: "invalid_path_value", message });
      return "";
    }
    return encodeURIComponent(text);
  });
  const problem = problems[0];
  return problem ? { ok: false, ...problem } : { ok: true, path: filled };
}
