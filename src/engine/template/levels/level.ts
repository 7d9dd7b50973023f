import { own } from "#engine/template/own.ts";
import type { ComponentUse, ComponentVersion, Library, Pins } from "#engine/template/template.ts";

export const noComponents: Library = {};

/**
 * The name under which a template version stores the version of a component that it uses. No range contains `@`, so no two
 * uses have the same name.
 */
export function pinName({
  component,
  version,
}: Pick<ComponentUse, "component" | "version">): string {
  return `${component}@${version}`;
}

/** The version of a component that a level pins; undefined: the library lacks it. */
export function componentOf(
  use: Pick<ComponentUse, "component" | "version">,
  pins: Pins,
  library: Library,
): ComponentVersion | undefined {
  const key = own(pins, pinName(use));
  return key === undefined ? undefined : own(library, key);
}

/**
 * Conditions and loops, or values of components, that depend on each other in a chain. Each takes up to 140 calls on the
 * stack, which has room for about 5,000.
 */
export const MAX_LINKS = 30;
