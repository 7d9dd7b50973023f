import type { Diagnostic } from "#engine/diagnostics.ts";
import type { TemplateDescription } from "#engine/template/describe.ts";
import { providerNames } from "#providers/provider.ts";

/** A warning for each provider the resources need and no target is at, in the order of the resources. */
export function missingTargets(
  resources: TemplateDescription["resources"],
  targetProviders: ReadonlySet<string>,
): Diagnostic[] {
  const warned = new Set<string>();
  return resources.flatMap(({ name, type }): Diagnostic[] => {
    const provider = providerNames.find((known) => type.startsWith(`${known}:`));
    if (provider === undefined || targetProviders.has(provider) || warned.has(provider)) return [];
    warned.add(provider);
    return [
      {
        severity: "warning",
        code: "no_target",
        message: `The tenant has no target at ${provider}, which ${JSON.stringify(name)} needs.`,
        path: `/resources/${name.replaceAll("~", "~0").replaceAll("/", "~1")}/type`,
        line: 0,
        column: 0,
        hint: `Register a cloud target with the provider ${provider}.`,
      },
    ];
  });
}
