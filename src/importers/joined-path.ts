const MAX_LENGTH = 1_000;

/**
 * A relative path in a folder, from the root of the import. Undefined for a URL, an absolute path, a path with variables
 * and one out of the import.
 */
export function joinedPath(folder: string, path: string): string | undefined {
  if (path === "" || path.length > MAX_LENGTH || /[\n:$]|^\//.test(path)) return undefined;
  const steps = folder === "." ? [] : folder.split("/");
  for (const step of path.split("/")) {
    if (step === "" || step === ".") continue;
    if (step !== "..") steps.push(step);
    else if (steps.pop() === undefined) return undefined;
  }
  return steps.length === 0 ? "." : steps.join("/");
}
