import type { Place } from "./template.ts";

/**
 * The place of a mistake, for a log without an editor: `line 4 of the template`. `resource`: the address of the resource
 * whose value fails; it names the uses of the components around it.
 */
export function inWords({ line, component }: Place, resource?: string): string {
  if (component === undefined) return `line ${line} of the template`;
  const whole = `line ${line} of the component ${component}`;
  return resource === undefined ? whole : `${whole}, used for ${resource}`;
}
