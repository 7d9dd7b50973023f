import type { JsonMap } from "#platform/json.ts";
import { mapAt } from "./json-parts.ts";
import type { Report } from "./report.ts";
import { stateResources } from "./state-resources.ts";

/** How many resources, data sources, outputs and modules a state, or what a plan leads to, has. */
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

/** The names of the root module's outputs; their values may be secret. */
export function outputNames(report: JsonMap): readonly string[] {
  const holder =
    report["version"] === 4 ? report : (mapAt(report, "values") ?? mapAt(report, "planned_values"));
  return Object.keys(mapAt(holder, "outputs") ?? {});
}
