/** A tenant's status: the worst of its open incidents, its targets and its recent deployments. Pure. */
import { type IncidentMoment, worstImpact } from "#areas/incidents/public.ts";
import type { Impact, Incident } from "#schema/incidents.ts";

const STATUS_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;
/** With fewer results, failures count as DEGRADED, never as an outage. */
const ENOUGH = 4;

/** A deployment that ended by itself. */
export interface FinishedRun {
  targetId: string;
  failed: boolean;
  createdAtMs: number;
}

export interface StatusEvidence {
  /** The open incidents, newest first. */
  incidents: readonly Incident[];
  /** All moments of the incidents that were open within the days shown. */
  moments: readonly IncidentMoment[];
  /** Recent deployments, newest first. */
  runs: readonly FinishedRun[];
  /** The days already counted by the sweep. */
  days: readonly { day: string; finished: number; failed: number }[];
  /** Recent deliveries with at least one attempt. */
  deliveries: readonly { failed: boolean }[];
}

export const componentNames = ["api", "deployments", "targets", "webhooks"] as const;

export interface ComponentStatus {
  name: (typeof componentNames)[number];
  status: Impact;
  measured: number;
  failing: number;
}

export interface TenantStatus {
  status: Impact;
  components: ComponentStatus[];
  incidents: readonly Incident[];
  /** Oldest first, today last. UTC. */
  days: { date: string; status: Impact }[];
  measuredAtMs: number;
}

/**
 * The health for a number of failures among a number of results: up to 1/4 OPERATIONAL, up to 1/2 DEGRADED,
 * above PARTIAL_OUTAGE, all MAJOR_OUTAGE. With fewer than four results, any failure is DEGRADED.
 */
export function healthOf(failing: number, measured: number): Impact {
  if (measured === 0) return "UNKNOWN";
  if (failing === 0) return "OPERATIONAL";
  if (measured < ENOUGH) return "DEGRADED";
  if (failing === measured) return "MAJOR_OUTAGE";
  const share = failing / measured;
  if (share <= 0.25) return "OPERATIONAL";
  return share <= 0.5 ? "DEGRADED" : "PARTIAL_OUTAGE";
}

/** The overall status: the worst of the open incidents, the deployments and the targets. */
export function overallStatus({
  incidents,
  runs,
}: Pick<StatusEvidence, "incidents" | "runs">): Impact {
  return worstImpact([
    ...incidents.map(shownImpact),
    component("deployments", runs).status,
    component("targets", lastOfEachTarget(runs)).status,
  ]);
}

/** The impact that counts and that the page shows: an open incident without an impact counts as DEGRADED. */
export function shownImpact({ impact }: Pick<Incident, "impact">): Impact {
  return impact === "UNKNOWN" ? "DEGRADED" : impact;
}

export function tenantStatus(evidence: StatusEvidence, nowMs: number): TenantStatus {
  const measured: ComponentStatus[] = [
    // The service is up: it has just read the evidence from the database.
    component("api", [{ failed: false }]),
    component("deployments", evidence.runs),
    component("targets", lastOfEachTarget(evidence.runs)),
    component("webhooks", evidence.deliveries),
  ];
  return {
    status: overallStatus(evidence),
    components: measured.map((one) => ({
      ...one,
      status: worstImpact([one.status, ...saidOf(one.name, evidence.incidents)]),
    })),
    incidents: evidence.incidents,
    days: dayMarks(evidence, nowMs),
    measuredAtMs: nowMs,
  };
}

/** The UTC date of a time, as `YYYY-MM-DD`. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The start of the first day shown, in epoch milliseconds. */
export function firstDayStartMs(nowMs: number): number {
  return startOfDay(nowMs) - (STATUS_DAYS - 1) * DAY_MS;
}

function startOfDay(ms: number): number {
  return ms - (ms % DAY_MS);
}

function component(
  name: ComponentStatus["name"],
  results: readonly { failed: boolean }[],
): ComponentStatus {
  const failing = results.filter(({ failed }) => failed).length;
  return { name, status: healthOf(failing, results.length), measured: results.length, failing };
}

function lastOfEachTarget(newestFirst: readonly FinishedRun[]): FinishedRun[] {
  const last = new Map<string, FinishedRun>();
  for (const run of newestFirst) if (!last.has(run.targetId)) last.set(run.targetId, run);
  return [...last.values()];
}

/** The impacts of the incidents that name the component. */
function saidOf(name: string, incidents: readonly Incident[]): Impact[] {
  return incidents
    .filter(({ components }) => components.some((one) => one.toLowerCase() === name))
    .map(shownImpact);
}

function dayMarks(evidence: StatusEvidence, nowMs: number): TenantStatus["days"] {
  const stretches = incidentStretches(evidence.moments, nowMs);
  const counts = countedDays(evidence);
  const firstMs = firstDayStartMs(nowMs);
  return Array.from({ length: STATUS_DAYS }, (_, at) => {
    const fromMs = firstMs + at * DAY_MS;
    const date = dayOf(fromMs);
    const { finished, failed } = counts.get(date) ?? { finished: 0, failed: 0 };
    const impacts = stretches
      .filter(
        (one) => one.fromMs < fromMs + DAY_MS && (one.untilMs > fromMs || one.fromMs >= fromMs),
      )
      .map(({ impact }) => impact);
    return { date, status: worstImpact([healthOf(failed, finished), ...impacts]) };
  });
}

/** Days that the sweep has not counted yet are counted from the recent runs. */
function countedDays(evidence: StatusEvidence): Map<string, { finished: number; failed: number }> {
  const counts = new Map<string, { finished: number; failed: number }>();
  for (const run of evidence.runs) {
    const day = dayOf(run.createdAtMs);
    const so = counts.get(day) ?? { finished: 0, failed: 0 };
    counts.set(day, { finished: so.finished + 1, failed: so.failed + (run.failed ? 1 : 0) });
  }
  for (const { day, finished, failed } of evidence.days) counts.set(day, { finished, failed });
  return counts;
}

interface Stretch {
  impact: Impact;
  fromMs: number;
  untilMs: number;
}

/** The period of each impact: from its moment to the incident's next moment, or to now. */
function incidentStretches(moments: readonly IncidentMoment[], nowMs: number): Stretch[] {
  const byIncident = Map.groupBy(moments, ({ incidentId }) => incidentId);
  return [...byIncident.values()].flatMap((unordered) => {
    const ordered = unordered.toSorted((a, b) => a.atMs - b.atMs);
    return ordered.flatMap((moment, at) =>
      moment.status === "RESOLVED"
        ? []
        : [
            {
              impact: shownImpact(moment),
              fromMs: moment.atMs,
              untilMs: ordered[at + 1]?.atMs ?? nowMs,
            },
          ],
    );
  });
}
