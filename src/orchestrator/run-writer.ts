import type { DeploymentState } from "#areas/deployments/tables.ts";
import type { Plan } from "#engine/steps.ts";
import type { JsonMap } from "#platform/json.ts";
import type { EventType } from "#platform/outbox.ts";
import type { Entry } from "./journal.ts";
import type { Move, Projection } from "./projection.ts";
import { type Run, specOf } from "./run.ts";
import type { RunnerParts } from "./runner-parts.ts";

/** What a run as a whole writes down: lines of its journal, itself, and what D1 is to know of it. */
export class RunWriter {
  readonly #parts: Pick<RunnerParts, "commit" | "append" | "store" | "now" | "newId">;
  readonly #run: Run;

  constructor(parts: RunnerParts, run: Run) {
    this.#parts = parts;
    this.#run = run;
  }

  /** The lines, the change, and the run as the change leaves it: all of it on disk, or none. */
  async commit(lines: readonly Entry[], change: () => void): Promise<void> {
    await this.#parts.commit(() => {
      for (const line of lines) this.#parts.append(this.#run.deploymentId, null, line);
      change();
      this.#parts.store.runs.save(this.#run);
    });
  }

  /** What D1 is to know next. Inside `commit` only. `slot`: no longer needed when D1 has this. */
  project(moves: Move[], more: { plan?: Plan | undefined; slot?: Projection["slot"] } = {}): void {
    const { plan, slot } = more;
    this.#run.projected += 1;
    const trace = this.#run.spec?.inputs.trace;
    this.#parts.store.projections.add({
      deploymentId: this.#run.deploymentId,
      tenantId: this.#run.tenantId,
      instanceId: this.#run.instanceId,
      number: this.#run.projected,
      atMs: this.#parts.now(),
      moves,
      ...(plan === undefined ? {} : { plan: plan.changes }),
      ...(slot === undefined ? {} : { slot }),
      ...(trace === undefined ? {} : { trace }),
    });
  }

  event(
    verb: string,
    previousState: DeploymentState,
    state: DeploymentState,
    data: JsonMap = {},
  ): NonNullable<Move["event"]> {
    const { operation } = specOf(this.#run);
    return {
      id: this.#parts.newId(),
      type: `deployment.${verb}` as EventType,
      data: { operation, previousState, state, ...data, ...this.#links() },
    };
  }

  instanceEvent(type: EventType, data: JsonMap = {}): NonNullable<Move["instanceEvent"]> {
    return { id: this.#parts.newId(), type, data: { ...data, ...this.#links() } };
  }

  #links(): JsonMap {
    return {
      deploymentUrl: `/api/v1/deployments/${this.#run.deploymentId}`,
      instanceUrl: `/api/v1/instances/${this.#run.instanceId}`,
    };
  }
}
