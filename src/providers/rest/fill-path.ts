import type { Json } from "#platform/json.ts";

const placeholder = /\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The names of a path's placeholders, in order, without duplicates. */
export function placeholdersIn(path: string): string[] {
  return [...new Set([...path.matchAll(placeholder)].map((match) => match[1] ?? ""))];
}

export type FilledPath = { ok: true; path: string } | { ok: false; code: string; message: string };

/**
 * Fills a path's placeholders, URI-encoded, from the first source that has each. Rejects a value that is missing,
 * empty, not a string or number, or a dot segment (`.`, `..`).
 */
export function fillPath(
  path: string,
  sources: readonly Readonly<Record<string, Json>>[],
): FilledPath {
  const problems: { code: string; message: string }[] = [];
  const filled = path.replace(placeholder, (_, name: string) => {
    const value = sources.find((source) => Object.hasOwn(source, name))?.[name];
    if (value === undefined || value === null || value === "") {
      const message = `"${name}" is part of this resource's URL but is not set. Set it in the resource's properties or in the target's config.`;
      problems.push({ code: "missing_path_value", message });
      return "";
    }
    const text = typeof value === "number" ? String(value) : value;
    if (typeof text !== "string" || text === "." || text === ".." || !text.isWellFormed()) {
      const message = `"${name}" is part of this resource's URL and must be a string or a number that is valid in a URL.`;
      problems.push({ code: "invalid_path_value", message });
      return "";
    }
    return encodeURIComponent(text);
  });
  const problem = problems[0];
  return problem ? { ok: false, ...problem } : { ok: true, path: filled };
}
