/** What is stored about the deployments when nothing moves: the rows of D1 and the journals of the runners. */
import type { Asked, Model } from "./model.ts";
import type { Simulation } from "./simulation.ts";
import { hasTable, parsed } from "./stored.ts";

export interface DeploymentRow {
  id: string;
  operation: string;
  trigger: string;
  state: string;
  version: number;
  planHash: string | null;
  stateSerial: number | null;
  isAbandoned: boolean;
  outputsError: string | null;
  inputs: {
    template: { version: number } | null;
    target: { region: string };
    variables: Record<string, unknown>;
  };
  timestamps: Record<string, number>;
}

export interface Step {
  deploymentId: string;
  seq: number;
  atMs: number;
  step: string;
  resource: string;
  entry: { kind: string; verb?: string; more?: boolean };
}

export class Facts {
  readonly model: Model;
  readonly real: Simulation;
  readonly rows: readonly DeploymentRow[];
  readonly steps: readonly (readonly Step[])[];
  readonly problems: string[] = [];

  constructor(model: Model, real: Simulation) {
    this.model = model;
    this.real = real;
    this.rows = real.d1
      .rows(
        `SELECT id, operation, state, version, plan_hash AS planHash, state_serial AS stateSerial, inputs, timestamps,
            "trigger", error ->> '$.code' AS code, outputs_error AS outputsError FROM deployments WHERE tenant_id = ? ORDER BY id`,
        [real.ground.tenantId],
      )
      .map((row) => ({
        ...(row as unknown as DeploymentRow),
        isAbandoned: row["code"] === "abandoned",
        inputs: parsed(row["inputs"]) as unknown as DeploymentRow["inputs"],
        timestamps: parsed(row["timestamps"]) as Record<string, number>,
      }));
    this.steps = real.instanceIds.map((_, instance) => this.#stepsOf(instance));
  }

  problem(condition: boolean, text: string): void {
    if (condition) this.problems.push(text);
  }

  asked(id: string): Asked | undefined {
    return this.model.asked.find((one) => one.id === id);
  }

  /** Whether D1 may have lost a part of the deployment's story, because it went back after the deployment was queued. */
  isRestored({ id }: DeploymentRow): boolean {
    return this.real.timeTravel.deployments.has(id);
  }

  #stepsOf(instance: number): Step[] {
    const runner = this.real.runner(instance);
    if (!hasTable(runner, "journal")) return [];
    return runner.storage
      .rows(
        `SELECT deployment_id AS deploymentId, seq, at_ms AS atMs, step, resource, entry FROM journal
          WHERE step IS NOT NULL ORDER BY at_ms, deployment_id, seq`,
      )
      .map((row) => ({
        ...(row as unknown as Step),
        entry: parsed(row["entry"]) as unknown as Step["entry"],
      }));
  }
}
