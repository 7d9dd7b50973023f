import { unknown, type Value } from "#engine/value.ts";
import type { TemplateCatalog } from "./check.ts";
import { own } from "./own.ts";
import { ResolveError } from "./resolve-error.ts";
import { Evaluator } from "./resolve.ts";
import type { Place, Template } from "./template.ts";

export interface ResourceRegion {
  resource: string;
  type: string;
  region: string;
  place: Place;
}

/**
 * The regions that resources name by themselves: written out, or by the default of a config value that is not
 * secret. A region that only the instance decides is not among them.
 */
export function regionsOf(template: Template, catalog: TemplateCatalog): ResourceRegion[] {
  const defaults = Object.entries(template.config).map(
    ([name, { default: initial, secret }]): [string, Value] => [
      name,
      initial === undefined || secret ? unknown : initial,
    ],
  );
  const evaluator = new Evaluator(template, {
    config: Object.fromEntries(defaults),
    control: unknown,
    outputsOf: () => unknown,
  });
  return Object.entries(template.resources).flatMap(([resource, { type, properties }]) => {
    const property = catalog.facts(type)?.regionProperty;
    const expression = property === undefined ? undefined : own(properties, property);
    if (expression === undefined) return [];
    try {
      const region = evaluator.evaluate(expression);
      return typeof region === "string"
        ? [{ resource, type, region, place: expression.place }]
        : [];
    } catch (error) {
      // What cannot be computed at all is among the template's diagnostics.
      if (error instanceof ResolveError) return [];
      throw error;
    }
  });
}
