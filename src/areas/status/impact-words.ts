import type { Impact } from "#schema/incidents.ts";

/** What a person calls each impact. */
export const impactWords: Readonly<Record<Impact, string>> = {
  OPERATIONAL: "Operational",
  DEGRADED: "Degraded",
  PARTIAL_OUTAGE: "Partial outage",
  MAJOR_OUTAGE: "Major outage",
  MAINTENANCE: "Maintenance",
  UNKNOWN: "No data",
};
