import type { Impact } from "#schema/incidents.ts";

/** The words for each impact, for people. */
export const impactWords: Readonly<Record<Impact, string>> = {
  OPERATIONAL: "Operational",
  DEGRADED: "Degraded",
  PARTIAL_OUTAGE: "Partial outage",
  MAJOR_OUTAGE: "Major outage",
  MAINTENANCE: "Maintenance",
  UNKNOWN: "No data",
};
