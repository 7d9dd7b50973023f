import { version } from "#package.json";
import type { MetricFamily, Sample } from "#platform/openmetrics.ts";
import { expectedMigrations, latestMigration } from "#schema/latest-migration.ts";
import { faults } from "#schema/lists/deployment-faults.ts";
import { deploymentStates, openStates } from "#schema/lists/deployment-states.ts";
import type { SweepRun } from "#schema/sweeps.ts";
import { deliveryStates, type Figures, MAX_COUNTED } from "./read-figures.ts";

/** What this code is, and what it expects of the database. */
const build = {
  version,
  migration: latestMigration,
  migrations: expectedMigrations,
} as const;

const cut = `Counts stop at ${MAX_COUNTED.toLocaleString("en")}.`;

/**
 * The metrics of the installation. Label values are from closed lists in the code: never ids, names or paths. Counts of
 * requests are not here, because isolates come and go and know nothing of each other (decision 0091).
 */
export function metricsOf(figures: Figures): MetricFamily[] {
  return [
    {
      name: "control_api_build",
      type: "info",
      help: "The version of this code, and the newest migration that it expects.",
      samples: [{ labels: { version: build.version, migration: build.migration }, value: 1 }],
    },
    gauge("migrations_applied", "Migrations that the database has.", [
      { value: figures.migrations },
    ]),
    gauge("migrations_expected", "Migrations that this code expects.", [
      { value: build.migrations },
    ]),
    ...ofDeployments(figures),
    ...ofDeliveries(figures),
    gauge("triggers_due", `Triggers that are due and have not fired. ${cut}`, [
      { value: figures.triggers.due },
    ]),
    inSeconds(
      "trigger_lag_seconds",
      "How long the oldest trigger that is due has not fired. 0: none is due.",
      [{ value: seconds(figures.triggers.lagMs) }],
    ),
    ...ofSweeps(figures),
    gauge(
      "dead_letters_last_day",
      `Lost messages that were recorded within the last day; the same message once an hour. ${cut}`,
      [{ value: figures.deadLetters }],
    ),
  ];
}

function ofDeployments({ open, requested, failed }: Figures): MetricFamily[] {
  const ofOpen = (value: (of: { oldestMs: number; idleMs: number }) => number): Sample[] =>
    openStates.flatMap((state) => {
      const of = open.get(state);
      return of === undefined ? [] : [{ labels: { state }, value: seconds(value(of)) }];
    });
  return [
    gauge(
      "deployments_open",
      `Deployments that have not ended. ${cut}`,
      openStates.map((state) => ({ labels: { state }, value: open.get(state)?.count ?? 0 })),
    ),
    inSeconds(
      "deployment_oldest_age_seconds",
      "Time since the oldest open deployment was requested. Absent: there is none.",
      ofOpen(({ oldestMs }) => oldestMs),
    ),
    inSeconds(
      "deployment_max_idle_seconds",
      "Time since the last progress of the open deployment without progress for longest. Absent: there is none.",
      ofOpen(({ idleMs }) => idleMs),
    ),
    gauge(
      "deployments_last_hour",
      `Deployments requested within the last hour, by their state now. ${cut}`,
      deploymentStates.map((state) => ({ labels: { state }, value: requested.get(state) ?? 0 })),
    ),
    gauge(
      "deployments_failed_last_hour",
      `Of those, the failed ones, by whose fault it is: the template or its values, the cloud, this service. ${cut}`,
      faults.map((fault) => ({ labels: { fault }, value: failed.get(fault) ?? 0 })),
    ),
  ];
}

function ofDeliveries({ deliveries, circuits, ...figures }: Figures): MetricFamily[] {
  return [
    gauge(
      "deliveries",
      `Deliveries of webhooks that have not ended: due now, being sent, waiting for the lane limit, due later, held by an open circuit. ${cut}`,
      deliveryStates.map((state) => ({ labels: { state }, value: deliveries.get(state) ?? 0 })),
    ),
    gauge("deliveries_retrying", `Deliveries that failed before and are sent again. ${cut}`, [
      { value: figures.retrying },
    ]),
    inSeconds(
      "delivery_lag_seconds",
      "How long the oldest delivery that is due has not been sent. 0: none is due.",
      [{ value: seconds(figures.deliveryLagMs) }],
    ),
    gauge("deliveries_failed_last_hour", `Deliveries given up within the last hour. ${cut}`, [
      { value: figures.exhausted },
    ]),
    gauge(
      "circuits_open",
      `Webhooks whose deliveries are held because their receiver fails. ${cut}`,
      [{ value: circuits.open }],
    ),
    inSeconds(
      "circuit_longest_open_seconds",
      "Time since the circuit opened that is open for longest. 0: none is open.",
      [{ value: seconds(circuits.longestMs) }],
    ),
  ];
}

function ofSweeps({ sweeps }: Figures): MetricFamily[] {
  const samplesOf = (value: (run: SweepRun) => number | null): Sample[] =>
    Object.entries(sweeps).flatMap(([sweep, run]) => {
      const known = value(run);
      return known === null ? [] : [{ labels: { sweep }, value: known }];
    });
  return [
    inSeconds(
      "sweep_last_run_timestamp_seconds",
      "When the sweep last began, and ended since.",
      samplesOf(({ startedAtMs }) => seconds(startedAtMs)),
    ),
    inSeconds(
      "sweep_last_success_timestamp_seconds",
      "When the last run of the sweep that did not fail began. Absent: none yet.",
      samplesOf(({ succeededAtMs }) => (succeededAtMs === null ? null : seconds(succeededAtMs))),
    ),
    inSeconds(
      "sweep_last_duration_seconds",
      "How long the sweep last took.",
      samplesOf(({ durationMs }) => seconds(durationMs)),
    ),
    {
      name: "control_api_sweep_failures",
      type: "counter",
      help: "Runs of the sweep that failed.",
      samples: samplesOf(({ failures }) => failures),
    },
  ];
}

function gauge(name: string, help: string, samples: readonly Sample[]): MetricFamily {
  return { name: `control_api_${name}`, type: "gauge", help, samples };
}

function inSeconds(name: string, help: string, samples: readonly Sample[]): MetricFamily {
  return { ...gauge(name, help, samples), unit: "seconds" };
}

function seconds(ms: number): number {
  return ms / 1000;
}
