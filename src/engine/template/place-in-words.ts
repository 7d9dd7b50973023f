import type { Place } from "./template.ts";

/** The place of a mistake, for a log without an editor: `line 4 of the template`. */
export function inWords({ line, component }: Place): string {
  const whole = component === undefined ? "the template" : `the component ${component}`;
  return `line ${line} of ${whole}`;
}
