import type { ResolvedComponents } from "#engine/template/checks/check-components.ts";
import { addressIn } from "#engine/template/levels/address.ts";
import { componentOf } from "#engine/template/levels/level.ts";
import type {
  ComponentVersion,
  Pins,
  Place,
  ResourceDeclaration,
  Template,
} from "#engine/template/template.ts";

/** The resources in the components of a template, by address without keys, each at the place of the outermost use. */
export function resourcesInside(
  template: Template,
  { pins, library }: ResolvedComponents,
): Template["resources"] {
  const found: { [address: string]: ResourceDeclaration } = {};
  const seen = new Set<ComponentVersion>();
  const collect = (
    inside: Pick<Template, "components">,
    level: { pins: Pins; address: string },
    at?: Place,
  ): void => {
    for (const [name, use] of Object.entries(inside.components)) {
      const version = componentOf(use, level.pins, library);
      const place = at ?? use.places?.get("/component") ?? use.place;
      // A component that several parts of a template share is reported at the first.
      if (version === undefined || seen.has(version)) continue;
      seen.add(version);
      const address = addressIn(level, name);
      for (const [resource, declaration] of Object.entries(version.template.resources))
        found[addressIn({ address }, resource)] = {
          ...declaration,
          place,
          places: new Map([["/type", place]]),
        };
      collect(version.template, { pins: version.pins, address }, place);
    }
  };
  collect(template, { pins, address: "" });
  return found;
}
