import { isDeepStrictEqual } from "node:util";
import { checkTemplate, type TemplateCatalog } from "#engine/template/check.ts";
import { readTemplate } from "#engine/template/parse.ts";
import { Report } from "#engine/template/report.ts";
import { readIndependently } from "./independent-reading.ts";
import { type Graph, graphOf } from "./template-graph.ts";

export interface EngineReading {
  graph: Graph | undefined;
  /** As `<code> <JSON Pointer>`, sorted. */
  errors: string[];
}

export type Verdict =
  | { kind: "same graph" }
  | { kind: "diagnostic"; errors: string[] }
  | { kind: "WRONG"; reason: string };

/** The programs use Pulumi's test providers, so any type is accepted except Pulumi's built-in ones. */
const anyType: TemplateCatalog = {
  facts: (type) =>
    type.startsWith("pulumi:")
      ? undefined
      : { immutable: [], writeOnly: [], required: [], deleteBeforeReplace: false },
  types: () => [],
  openProviders: new Set(),
};

export function readByEngine(source: string): EngineReading {
  const report = new Report();
  const template = readTemplate(source, report);
  if (template !== undefined)
    for (const diagnostic of checkTemplate(template, anyType)) report.add(diagnostic);
  const errors = report.diagnostics.filter(({ severity }) => severity === "error");
  return {
    graph: template === undefined ? undefined : graphOf(template),
    errors: [...new Set(errors.map(({ code, path }) => `${code} ${path}`))].toSorted(),
  };
}

/**
 * Checks the engine's reading of a program: it must give the same graph as an independent reading, or, for unsupported
 * features, exactly one error for each use at its place.
 */
export function verdictOn(source: string, read = readByEngine): Verdict {
  const expected = readIndependently(source);
  const { graph, errors } = read(source);
  const missing = expected.unsupported.filter((error) => !errors.includes(error));
  const surplus = errors.filter((error) => !expected.unsupported.includes(error));
  if (missing.length > 0)
    return { kind: "WRONG", reason: `missing diagnostic ${missing.join(", ")}` };
  if (surplus.length > 0)
    return { kind: "WRONG", reason: `unexpected diagnostic ${surplus.join(", ")}` };
  if (errors.length > 0) return { kind: "diagnostic", errors };
  if (graph === undefined) return { kind: "WRONG", reason: "neither a graph nor a diagnostic" };
  const place = difference(expected.graph, graph, "");
  return place === undefined
    ? { kind: "same graph" }
    : { kind: "WRONG", reason: `different graph at ${place}` };
}

/** The path of the first difference between two values. */
function difference(a: unknown, b: unknown, path: string): string | undefined {
  if (isDeepStrictEqual(a, b)) return undefined;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return path;
  const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const place = difference(left.get(key), right.get(key), `${path}/${key}`);
    if (place !== undefined) return place;
  }
  return path;
}
