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
 * The regions that a template fixes for its resources: literals, or defaults of config values that are not secret.
 * Omits regions that depend on the instance.
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
      // The template's diagnostics already report expressions that cannot be computed.
      if (error instanceof ResolveError) return [];
      throw error;
    }
  });
}
