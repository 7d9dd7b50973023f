import type * as z from "zod";
import type { ComponentsField } from "#areas/templates/contract.ts";
import type { PinnedComponents } from "#schema/templates.ts";
import { keyOf, type NewerReleases } from "./resolve-components.ts";

/** The components that a version uses itself. `newer`: the highest releases in their ranges. */
export function componentsView(
  { uses, versions }: PinnedComponents,
  newer: NewerReleases,
): z.input<typeof ComponentsField> {
  return Object.entries(uses).flatMap(([use, pin]) => {
    const version = versions[keyOf(pin)];
    if (version === undefined) return [];
    const { component, range, templateId, number } = pin;
    const { name, release, digest } = version;
    const newest = newer[use];
    return [
      {
        component,
        range,
        templateId,
        name,
        version: number,
        release,
        digest,
        newest: newest === undefined ? null : { version: newest.number, release: newest.release },
      },
    ];
  });
}
