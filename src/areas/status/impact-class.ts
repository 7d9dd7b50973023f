import type { Impact } from "#schema/incidents.ts";

/** The class of an element that has the colour of an impact. */
export function impactClass(impact: Impact): string {
  return impact.toLowerCase();
}
