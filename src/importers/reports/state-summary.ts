import type { JsonMap } from "#platform/json.ts";
import { mapAt } from "./json-parts.ts";
import type { Report } from "./report.ts";
import { stateResources } from "./state-resources.ts";

/** Counts the resources, data sources, outputs and modules of a state, or of a plan's result. */
export function summaryOfState(report: JsonMap): Report["summary"] {
  const modules = new Set<string>();
  const counts = { managed: 0, data: 0 };
  for (const { mode, module } of stateResources(report)) {
    counts[mode] += 1;
    if (module !== "") modules.add(module);
  }
  const { managed: resources, data } = counts;
  return { resources, data, outputs: outputNames(report).length, modules: modules.size };
}

/** The names of the root module's outputs. Their values may be secret. */
export function outputNames(report: JsonMap): readonly string[] {
  const holder =
    report["version"] === 4 ? report : (mapAt(report, "values") ?? mapAt(report, "planned_values"));
  return Object.keys(mapAt(holder, "outputs") ?? {});
}
