import type { ComponentUse, Level, Library } from "#engine/template/template.ts";

export const noComponents: Library = {};

/** The name under which a template version stores the version of a component that it uses. */
export function pinName({
  component,
  version,
}: Pick<ComponentUse, "component" | "version">): string {
  return `${component} ${version}`;
}

/** The components that an expression is in, from the outermost: their uses' addresses. */
export function callersOf(level: Level): string[] {
  const callers: string[] = [];
  for (let at: Level | undefined = level; at?.use !== undefined; at = at.use.within.level)
    callers.unshift(at.address);
  return callers;
}
