import type { Read } from "#engine/template/expressions-in.ts";
import { componentOf, pinName } from "#engine/template/levels/level.ts";
import { own } from "#engine/template/own.ts";
import { didYouMean, quoted, type Report } from "#engine/template/report.ts";
import type {
  ComponentUse,
  ComponentVersion,
  Library,
  Pins,
  Template,
} from "#engine/template/template.ts";

/** The components of a template, as resolved when a version is added. */
export interface ResolvedComponents {
  pins: Pins;
  library: Library;
  /** Why a component cannot be used, by `pinName`. */
  problems: { readonly [use: string]: ComponentProblem };
}

export interface ComponentProblem {
  code: string;
  message: string;
  hint?: string;
}

export const noneResolved: ResolvedComponents = { pins: {}, library: {}, problems: {} };

type Nearest = (name: string, candidates: readonly string[]) => string | undefined;

/** Reports components that cannot be used, and properties that they do not take or lack. */
export function checkComponents(
  { components }: Template,
  resolved: ResolvedComponents,
  report: Report,
  nearest: Nearest,
): void {
  for (const [name, use] of Object.entries(components)) {
    if (use.component === "") continue;
    const problem = own(resolved.problems, pinName(use));
    const version = componentOf(use, resolved.pins, resolved.library);
    if (version === undefined) {
      const { code, message, hint } = problem ?? notAvailable(use);
      report.error(code, message, use.places?.get("/component") ?? use.place, hint);
    } else checkProperties(name, use, version.template, report, nearest);
  }
}

function notAvailable({ component }: ComponentUse): ComponentProblem {
  return {
    code: "unknown_component",
    message: `There is no template ${quoted(component)} to use as a component.`,
    hint: "A component is a template of the tenant, or one that was published to it, by name or id.",
  };
}

function checkProperties(
  name: string,
  use: ComponentUse,
  { config }: ComponentVersion["template"],
  report: Report,
  nearest: Nearest,
): void {
  const names = Object.keys(config);
  for (const [property, { place }] of Object.entries(use.properties))
    if (!names.includes(property))
      report.error(
        "unknown_property",
        `The component ${quoted(use.component)} has no property ${quoted(property)}.`,
        place,
        didYouMean(nearest(property, names)) ??
          (names.length === 0 ? "It has none." : `Its properties are ${names.join(", ")}.`),
      );
  for (const [property, declared] of Object.entries(config))
    if (declared.default === undefined && own(use.properties, property) === undefined)
      report.error(
        "missing_property",
        `${quoted(name)} requires the property ${quoted(property)} of the component ${quoted(use.component)}.`,
        use.place,
        `Add \`${property}\` under \`properties\`.`,
      );
}

/** Reports a reference to an output that the component does not have. Returns whether it did. */
export function checkComponentOutput(
  { root, path, place }: Read,
  use: ComponentUse,
  { pins, library }: ResolvedComponents,
  report: Report,
  nearest: Nearest,
): boolean {
  const version = componentOf(use, pins, library);
  const [output] = path;
  if (version === undefined || output === undefined) return false;
  const names = Object.keys(version.template.outputs);
  if (names.includes(String(output))) return false;
  report.error(
    "unknown_output",
    `\`${root}.${output}\` does not exist: the component ${quoted(use.component)} has no output ${quoted(String(output))}.`,
    place,
    didYouMean(nearest(String(output), names)) ??
      (names.length === 0 ? "It has none." : `Its outputs are ${names.join(", ")}.`),
  );
  return true;
}
