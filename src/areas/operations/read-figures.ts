import { type SQL, sql } from "drizzle-orm";
import type { Call } from "#kernel/call/call.ts";
import { deadLetterAction } from "#kernel/dead-letters/dead-letters.ts";
import { createdAtMs, firstIdAt, PLATFORM } from "#platform/ids.ts";
import { auditEvents } from "#schema/audit.ts";
import { activeStatesSql, deployments } from "#schema/deployments.ts";
import type { DeploymentState } from "#schema/lists/deployment-states.ts";
import { type SweepRun, sweepRuns } from "#schema/sweeps.ts";
import { triggers } from "#schema/triggers.ts";
import { webhookDeliveries, webhooks } from "#schema/webhooks.ts";

/** The most rows that one figure counts, so that a backlog does not make the metrics expensive. */
export const MAX_COUNTED = 10_000;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

export const deliveryStates = ["due", "under_way", "lane_limit", "scheduled", "held"] as const;
export type DeliveryStanding = (typeof deliveryStates)[number];

/** The present state of the installation in D1. Ages are in milliseconds. */
export interface Figures {
  /** By open state; absent: none. */
  open: ReadonlyMap<DeploymentState, { count: number; oldestMs: number; idleMs: number }>;
  /** Deployments requested within the last hour, by their present state, and failed ones by fault. */
  requested: ReadonlyMap<DeploymentState, number>;
  failed: ReadonlyMap<string, number>;
  deliveries: ReadonlyMap<DeliveryStanding, number>;
  /** Deliveries that failed before and are sent again. */
  retrying: number;
  /** The time for which the oldest unsent delivery has been due; 0: none is. */
  deliveryLagMs: number;
  /** Deliveries given up within the last hour. */
  exhausted: number;
  circuits: { open: number; longestMs: number };
  triggers: { due: number; lagMs: number };
  sweeps: Readonly<Record<string, SweepRun>>;
  /** Lost messages that were recorded within the last day. */
  deadLetters: number;
  migrations: number;
}

/**
 * Reads all figures in one round trip. Each statement follows an index of the counted rows, and counts at most
 * `MAX_COUNTED` of them, the longest due or idle first (decision 0091).
 */
export async function readFigures(call: Call): Promise<Figures> {
  const { now } = call;
  const [
    active,
    parked,
    recent,
    due,
    [late],
    [held],
    [exhausted],
    [circuit],
    [trigger],
    [sweep],
    [lost],
    [schema],
  ] = await call.read(...figureStatements(call));
  const since = (atMs: number | null | undefined) => (atMs == null ? 0 : Math.max(0, now - atMs));
  const add = (counts: { state: string; count: number }[]) => {
    const sums = new Map<string, number>();
    for (const { state, count } of counts) sums.set(state, (sums.get(state) ?? 0) + count);
    return sums;
  };
  return {
    open: new Map(
      [...active, ...parked].map(({ state, count, firstId, idleSinceMs }) => [
        state,
        { count, oldestMs: since(createdAtMs(firstId)), idleMs: since(idleSinceMs) },
      ]),
    ),
    requested: add(recent) as Map<DeploymentState, number>,
    failed: add(
      recent.flatMap(({ fault, count }) => (fault === null ? [] : [{ state: fault, count }])),
    ),
    deliveries: new Map([
      ...due.map(({ standing, count }) => [standing, count] as const),
      ["held", held?.count ?? 0],
    ]),
    retrying: due.reduce((sum, { retrying }) => sum + retrying, 0),
    deliveryLagMs: since(late?.dueAtMs),
    exhausted: exhausted?.count ?? 0,
    circuits: { open: circuit?.count ?? 0, longestMs: since(circuit?.sinceMs) },
    triggers: { due: trigger?.count ?? 0, lagMs: since(trigger?.dueAtMs) },
    sweeps: JSON.parse(sweep?.runs ?? "{}") as Figures["sweeps"],
    deadLetters: lost?.count ?? 0,
    migrations: schema?.count ?? 0,
  };
}

interface Counted {
  count: number;
}

export function figureStatements({ db, now }: Pick<Call, "db" | "now">) {
  const d = webhookDeliveries;
  const hourAgoMs = now - HOUR_MS;
  const upTo = sql.raw(`LIMIT ${MAX_COUNTED}`);
  // The conditions of the partial indexes, word for word.
  const openIn = (states: SQL) =>
    db.all<Counted & { state: DeploymentState; firstId: string; idleSinceMs: number }>(
      sql`SELECT state, count(*) AS count, min(id) AS firstId, min(updated_at_ms) AS idleSinceMs
        FROM (SELECT state, id, updated_at_ms FROM ${deployments}
          WHERE state IN ${states} AND tenant_id IS NOT NULL ORDER BY updated_at_ms ${upTo})
        GROUP BY state`,
    );
  return [
    openIn(activeStatesSql),
    openIn(sql`('AWAITING_APPROVAL')`),
    db.all<Counted & { state: DeploymentState; fault: string | null }>(
      sql`SELECT state, CASE WHEN state = 'FAILED' THEN coalesce(error ->> '$.fault', 'service') END AS fault, count(*) AS count
        FROM (SELECT state, error FROM ${deployments}
          WHERE id >= ${firstIdAt(hourAgoMs)} AND tenant_id IS NOT NULL ORDER BY id DESC ${upTo})
        GROUP BY state, fault`,
    ),
    db.all<Counted & { standing: DeliveryStanding; retrying: number }>(
      sql`SELECT CASE WHEN lease_until_ms > ${now} THEN 'under_way' WHEN due_at_ms > ${now} THEN 'scheduled'
            WHEN waits_in IS NOT NULL THEN 'lane_limit' ELSE 'due' END AS standing,
          count(*) AS count, sum(state = 'RETRYING') AS retrying
        FROM (SELECT * FROM (SELECT lease_until_ms, due_at_ms, waits_in, state FROM ${d}
            WHERE due_at_ms IS NOT NULL AND waits_in IS NULL AND tenant_id IS NOT NULL ORDER BY due_at_ms ${upTo})
          UNION ALL SELECT * FROM (SELECT lease_until_ms, due_at_ms, waits_in, state FROM ${d}
            WHERE waits_in IS NOT NULL AND due_at_ms IS NOT NULL AND tenant_id IS NOT NULL ${upTo}))
        GROUP BY standing`,
    ),
    // Not among the counted rows: the backlog of one tenant, which waits for the lane limit, would hide the lag of
    // others.
    db.all<{ dueAtMs: number }>(
      sql`SELECT due_at_ms AS dueAtMs FROM ${d}
        WHERE due_at_ms <= ${now} AND lease_until_ms <= ${now} AND waits_in IS NULL AND tenant_id IS NOT NULL
        ORDER BY due_at_ms LIMIT 1`,
    ),
    db.all<Counted>(
      sql`SELECT count(*) AS count FROM (SELECT 1 FROM ${d}
        WHERE held_at_ms IS NOT NULL AND tenant_id IS NOT NULL ${upTo})`,
    ),
    db.all<Counted>(
      sql`SELECT count(*) AS count FROM (SELECT 1 FROM ${d}
        WHERE state = 'EXHAUSTED' AND updated_at_ms >= ${hourAgoMs} AND tenant_id IS NOT NULL ${upTo})`,
    ),
    db.all<Counted & { sinceMs: number | null }>(
      sql`SELECT count(*) AS count, min(circuit_open_since_ms) AS sinceMs
        FROM (SELECT circuit_open_since_ms FROM ${webhooks}
          WHERE circuit_open_since_ms IS NOT NULL AND tenant_id IS NOT NULL ORDER BY circuit_open_since_ms ${upTo})`,
    ),
    db.all<Counted & { dueAtMs: number | null }>(
      sql`SELECT count(*) AS count, min(next_fire_at_ms) AS dueAtMs
        FROM (SELECT next_fire_at_ms FROM ${triggers}
          WHERE next_fire_at_ms IS NOT NULL AND next_fire_at_ms <= ${now} AND tenant_id IS NOT NULL
          ORDER BY next_fire_at_ms ${upTo})`,
    ),
    db.all<{ runs: string }>(sql`SELECT runs FROM ${sweepRuns} WHERE id = 1`),
    db.all<Counted>(
      sql`SELECT count(*) AS count FROM (SELECT action FROM ${auditEvents}
          WHERE tenant_id = ${PLATFORM} AND id >= ${firstIdAt(now - DAY_MS)} ORDER BY id DESC ${upTo})
        WHERE action = ${deadLetterAction}`,
    ),
    db.all<Counted>(sql`SELECT count(*) AS count FROM d1_migrations`),
  ] as const;
}
