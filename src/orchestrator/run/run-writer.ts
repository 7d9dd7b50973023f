import type { Plan } from "#engine/plan/steps.ts";
import { deploymentEventData, deploymentLinks } from "#kernel/outbox/deployment-event.ts";
import type { Move, Projection } from "#orchestrator/projection/projection.ts";
import { emptySnapshot, withProjection } from "#orchestrator/projection/snapshot.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import type { Entry } from "#orchestrator/storage/journal.ts";
import { type Run, specOf } from "#orchestrator/storage/run.ts";
import type { JsonMap } from "#platform/json.ts";
import type { DeploymentState } from "#schema/lists/deployment-states.ts";
import type { EventType } from "#schema/lists/event-kinds.ts";

/** Writes a run's own data: notes in the journal, the run itself, and projections to D1. */
export class RunWriter {
  readonly #parts: Pick<RunnerParts, "commit" | "append" | "store" | "now" | "newId">;
  readonly #run: Run;

  constructor(parts: RunnerParts, run: Run) {
    this.#parts = parts;
    this.#run = run;
  }

  /** Writes the lines, the change and then the run in one transaction. */
  async commit(lines: readonly Entry[], change: () => void): Promise<void> {
    await this.#parts.commit(() => {
      for (const line of lines) this.#parts.append(this.#run.deploymentId, null, line);
      change();
      this.#parts.store.runs.save(this.#run);
    });
  }

  /** Stores the next projection. Inside `commit` only. `slot`: to be released once D1 has the projection. */
  project(moves: Move[], more: { plan?: Plan | undefined; slot?: Projection["slot"] } = {}): void {
    const { plan, slot } = more;
    const { snapshots, facts } = this.#parts.store;
    const { spec } = this.#run;
    const before =
      snapshots.get(this.#run.deploymentId) ?? emptySnapshot(this.#run, this.#run.projected);
    this.#run.projected = before.number + 1;
    const { trace, hops } = spec?.inputs ?? {};
    const { snapshot, instance } = withProjection(before, {
      deploymentId: this.#run.deploymentId,
      tenantId: this.#run.tenantId,
      instanceId: this.#run.instanceId,
      number: this.#run.projected,
      atMs: this.#parts.now(),
      moves,
      ...(plan === undefined ? {} : { plan: plan.changes }),
      ...(slot === undefined ? {} : { slot }),
      ...(trace === undefined ? {} : { trace }),
      ...(hops === undefined ? {} : { hops }),
    });
    const origin = spec?.requested && { ...spec.requested, inputs: spec.inputs };
    const previous = facts.instance().lastDeploymentId;
    if (instance.lastDeploymentId !== undefined && previous !== undefined)
      snapshot.previousDeploymentId = previous;
    snapshots.put(snapshot, {
      ...(plan === undefined ? {} : { plan: plan.changes }),
      ...(origin === undefined || before.number > 0 ? {} : { origin }),
    });
    facts.setInstance(instance);
  }

  event(
    verb: string,
    previousState: DeploymentState,
    state: DeploymentState,
    data: JsonMap = {},
  ): NonNullable<Move["event"]> {
    const { deploymentId: id, instanceId } = this.#run;
    const deployment = { id, instanceId, operation: specOf(this.#run).operation };
    return {
      id: this.#parts.newId(),
      type: `deployment.${verb}` as EventType,
      data: deploymentEventData(deployment, { from: previousState, to: state }, data),
    };
  }

  instanceEvent(type: EventType, data: JsonMap = {}): NonNullable<Move["instanceEvent"]> {
    const { deploymentId, instanceId } = this.#run;
    const links = deploymentLinks(deploymentId, instanceId);
    return { id: this.#parts.newId(), type, data: { ...data, ...links } };
  }
}
