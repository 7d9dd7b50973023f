import type { ComponentUse, Library } from "#engine/template/template.ts";

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
