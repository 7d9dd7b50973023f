import { readsIn } from "#engine/template/expressions-in.ts";
import { parseText } from "#engine/template/references.ts";
import { Report } from "#engine/template/report.ts";
import type { Json } from "#platform/json.ts";

const nowhere = { path: "", line: 0, column: 0 };

/** The names that the texts of a draft's value read, in references and in expressions. */
export function namesReadIn(made: Json): Set<string> {
  const found = new Set<string>();
  const waiting: Json[] = [made];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop())
    if (typeof at === "string") {
      if (!at.includes("${")) continue;
      for (const { root } of readsIn(parseText(at, nowhere, undefined, new Report())))
        found.add(root);
    } else if (typeof at === "object" && at !== null)
      for (const part of Object.values(at)) waiting.push(part);
  return found;
}
