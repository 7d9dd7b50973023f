/** Events and audit entries tell the whole story of each deployment, in order. */
import { type EventOfDeployment, historyProblems } from "#test/invariants/histories.ts";
import type { DeploymentRow, Facts } from "./facts.ts";
import type { Sqlite } from "./sqlite.ts";
import { parsed } from "./stored.ts";

/** Checks the story of every deployment. */
export function checkHistories(facts: Facts): void {
  auditIsComplete(facts);
  for (const row of facts.rows) eventsAreComplete(facts, row);
}

function auditIsComplete(facts: Facts): void {
  const entries = facts.real.d1.rows(
    `SELECT resource_id AS id, action, count(*) AS times FROM audit_events
      WHERE tenant_id = ? AND resource_type = 'deployment' GROUP BY resource_id, action`,
    [facts.real.ground.tenantId],
  );
  const times = new Map(
    entries.map((row) => [`${String(row["id"])} ${String(row["action"])}`, Number(row["times"])]),
  );
  for (const row of facts.rows) {
    if (facts.isRestored(row)) continue;
    const { id, operation, timestamps } = row;
    const kinds = new Set(
      eventsOf(facts.real.d1, id).map(({ type }) => type.replace("deployment.", "")),
    );
    const expected: Record<string, boolean> = {
      [`instance.${operation}`]: true,
      "deployment.approve": kinds.has("approved"),
      "deployment.discard": kinds.has("discarded"),
      "deployment.abandon": row.isAbandoned,
      "deployment.cancel":
        kinds.has("canceling") || (kinds.has("canceled") && !("PLANNING" in timestamps)),
    };
    for (const [action, once] of Object.entries(expected)) {
      const found = times.get(`${id} ${action}`) ?? 0;
      facts.problem(found !== Number(once), `${id}: ${found} audit rows of ${action}`);
    }
  }
}

/** The events of the deployment in D1. */
export function eventsOf(d1: Sqlite, deploymentId: string): EventOfDeployment[] {
  return d1
    .rows(
      "SELECT id, type, payload FROM events WHERE resource_id = ? AND resource_type = 'deployment'",
      [deploymentId],
    )
    .map((row) => {
      const { sequence, data } = parsed(row["payload"]) as {
        sequence: number;
        data: { previousState?: string; state: string };
      };
      const { id, type } = row;
      return {
        id: String(id),
        type: String(type),
        sequence,
        from: data.previousState,
        to: data.state,
      };
    });
}

function eventsAreComplete(facts: Facts, row: DeploymentRow): void {
  const isRestored = facts.isRestored(row);
  facts.problems.push(
    ...historyProblems(
      { ...row, states: Object.keys(row.timestamps) },
      eventsOf(facts.real.d1, row.id),
      {
        isRestored,
        mayLack: () => isRestored,
      },
    ),
  );
}
