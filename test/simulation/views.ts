/** What the API says of deployments at rest: the words that people read, against the rows. */
import type { Model } from "./model.ts";
import type { Simulation } from "./simulation.ts";

/** All of a run's deployments would take as long as the run. */
const ASKED = 4;

/** Why each of the newest deployments that rests waits, and what may be done about it. */
export async function checkViews(model: Model, real: Simulation): Promise<void> {
  for (const { id } of model.asked.slice(-ASKED)) {
    const [row] = real.d1.rows("SELECT state FROM deployments WHERE id = ?", [id]);
    if (row === undefined) continue;
    const { body } = await real.ask("GET", `/deployments/${id}`);
    const view = body as { state: string; blockedBy: { kind: string } | null; actions: string[] };
    const waits = row["state"] === "AWAITING_APPROVAL";
    const isEnded = !waits && view.actions.every((action) => action === "rollback");
    if (
      view.state !== row["state"] ||
      (view.blockedBy?.kind ?? null) !== (waits ? "approval" : null) ||
      !(waits ? view.actions.includes("discard") : isEnded)
    )
      real.watches.report(
        `${id} is ${String(row["state"])} and is shown as ${view.state}, blocked by ${JSON.stringify(view.blockedBy)}, with ${view.actions.join()}`,
      );
  }
}
