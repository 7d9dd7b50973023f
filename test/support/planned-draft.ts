/** The objects that a draft means for given values of its config, as a plan computes them. */
import { writeOut } from "#engine/template/levels/write-out.ts";
import { readTemplate } from "#engine/template/parse.ts";
import { Report } from "#engine/template/report.ts";
import { configValues, createResolver, layOut } from "#engine/template/resolve.ts";
import type { Library, Pins } from "#engine/template/template.ts";
import type { Value, ValueMap } from "#engine/value.ts";
import type { JsonMap } from "#platform/json.ts";

export interface PlannedDraft {
  /** By address. */
  resources: { [address: string]: ValueMap };
  outputs: ValueMap;
}

const control = {
  instance: { id: "instance-id", name: "shop" },
  tenant: { id: "tenant-id", slug: "acme" },
  target: { name: "target", region: "eu-west-1", environment: "dev" },
};

/** `outputsOf`: the outputs of each object. */
export function plannedDraft(
  source: string,
  given: JsonMap,
  outputsOf: (address: string) => Value,
  components: { pins?: Pins; library?: Library } = {},
): PlannedDraft {
  const report = new Report();
  const template = readTemplate(source, report);
  if (template === undefined || report.failed) throw new Error(JSON.stringify(report.diagnostics));
  const { values, problems } = configValues(template, given);
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  const scope = { config: values, control, outputsOf };
  const levels = layOut(template, scope, components);
  const written = writeOut(levels.root, levels.layout);
  const resolver = createResolver(written.template, scope, levels);
  const addresses = Object.keys(written.template.resources);
  return {
    resources: Object.fromEntries(addresses.map((one) => [one, resolver.properties(one)])),
    outputs: resolver.outputs(),
  };
}
