/** The statuses of an incident, and the order of impacts. Pure. */
import { ApiError } from "#kernel/errors.ts";
import type { Impact, Incident, IncidentStatus } from "#schema/incidents.ts";

/** The statuses that may follow each status. */
const moves: Readonly<Record<IncidentStatus, readonly IncidentStatus[]>> = {
  INVESTIGATING: ["INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED"],
  IDENTIFIED: ["INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED"],
  MONITORING: ["INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED"],
  RESOLVED: ["INVESTIGATING", "RESOLVED"],
};

/** From best to worst; every known impact outweighs UNKNOWN. */
const severity: Readonly<Record<Impact, number>> = {
  UNKNOWN: 0,
  OPERATIONAL: 1,
  MAINTENANCE: 2,
  DEGRADED: 3,
  PARTIAL_OUTAGE: 4,
  MAJOR_OUTAGE: 5,
};

/** The most severe impact; UNKNOWN for an empty list. */
export function worstImpact(impacts: Iterable<Impact>): Impact {
  let worst: Impact = "UNKNOWN";
  for (const impact of impacts) if (severity[impact] > severity[worst]) worst = impact;
  return worst;
}

/** The impact after an update to this status. `given`: undefined keeps the previous impact. */
export function impactIn(
  status: IncidentStatus,
  given: Impact | undefined,
  before: Impact,
): Impact {
  return status === "RESOLVED" ? "OPERATIONAL" : (given ?? before);
}

/** The incident after an update. Throws `invalid_state` for a status that may not follow. */
export function updated(
  before: Incident,
  update: { status: IncidentStatus; message: string; impact?: Impact | undefined },
  nowMs: number,
): Incident {
  const { status, message } = update;
  if (!moves[before.status].includes(status))
    throw new ApiError(
      "invalid_state",
      `The incident is ${before.status} and cannot become ${status}. Possible now: ${moves[before.status].join(", ")}.`,
    );
  return {
    ...before,
    status,
    message,
    impact: impactIn(status, update.impact, before.impact),
    resolvedAtMs: status === "RESOLVED" ? (before.resolvedAtMs ?? nowMs) : null,
    version: before.version + 1,
    updatedAtMs: nowMs,
  };
}
