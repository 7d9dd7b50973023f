import { factPath } from "#engine/path-set.ts";
import { allowsPlace, isElsewhere, placesOf } from "#engine/resource-region.ts";
import { defaultOf, type TargetDefaults } from "#engine/target-defaults.ts";
import { unknown, type Value, type ValueMap } from "#engine/value.ts";
import { escapePointer } from "#platform/json.ts";
import type { TypeFacts } from "#providers/provider.ts";
import type { TemplateCatalog } from "./check.ts";
import { own } from "./own.ts";
import { ResolveError } from "./resolve-error.ts";
import { Evaluator } from "./resolve.ts";
import type { Place, ResourceDeclaration, Template } from "./template.ts";

export interface ResourceRegion {
  resource: string;
  type: string;
  place: Place;
  shape: TypeFacts["regionShape"];
  /** The template's region, or the default that it leaves to the target. */
  region: string | NonNullable<TypeFacts["defaults"]>[string];
}

/** The allowed regions of a target, and its defaults for values that a template leaves out. */
export interface TargetRegions extends TargetDefaults {
  allowedRegions: readonly string[];
}

/** The region or zone of the resource at a target; undefined: the target has none either. */
export function regionAt({ region }: ResourceRegion, target: TargetDefaults): string | undefined {
  const value = typeof region === "string" ? region : defaultOf(region, target);
  return typeof value === "string" ? value : undefined;
}

/** True when the target allows the region of the resource there. */
export function allowsRegionOf(wanted: ResourceRegion, target: TargetRegions): boolean {
  const region = regionAt(wanted, target);
  return region === undefined || allowsPlace(target.allowedRegions, region, wanted.shape);
}

/**
 * The regions that a template fixes for its resources (literals, or defaults of config values that are not secret), and
 * those that it leaves to the target. Omits regions that depend on the instance.
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
  const evaluated = (expressions: ResourceDeclaration["properties"]): ValueMap =>
    Object.fromEntries(
      Object.entries(expressions).map(([name, one]) => [name, evaluator.evaluate(one)]),
    );
  return Object.entries(template.resources).flatMap(([resource, declaration]): ResourceRegion[] => {
    const { type, properties, place: start, places } = declaration;
    const facts = catalog.facts(type);
    const property = facts?.regionProperty;
    // A resource that is only read has its own place.
    if (facts === undefined || property === undefined || declaration.get !== undefined) return [];
    const about = { resource, type, shape: facts.regionShape };
    const top = String(factPath(property)[0]);
    const expression = own(properties, top);
    try {
      const value = expression === undefined ? undefined : evaluator.evaluate(expression);
      const found = placesOf(value === undefined ? {} : { [top]: value }, facts);
      const byTarget = own({ ...facts.defaults }, property);
      if (found.length === 0) {
        if (byTarget === undefined) return [];
        const elsewhere =
          facts.regionElsewhere !== undefined && isElsewhere(evaluated(properties), facts);
        return elsewhere ? [] : [{ ...about, region: byTarget, place: start }];
      }
      const place = expression?.place ?? places?.get(`/properties/${escapePointer(top)}`) ?? start;
      return found.flatMap((region) =>
        typeof region === "string" ? [{ ...about, region, place }] : [],
      );
    } catch (error) {
      // The template's diagnostics already report expressions that cannot be computed.
      if (error instanceof ResolveError) return [];
      throw error;
    }
  });
}
