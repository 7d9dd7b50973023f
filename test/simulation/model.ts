/** What was asked of the service, and so what has to be: no engine, no database, no time. */
import { firstProgram, type ProgramSpec, type Variables } from "./programs.ts";

export type Operation = "deploy" | "plan" | "destroy" | "drift_check" | "rollback";

export interface Asked {
  id: string;
  instance: number;
  operation: Operation;
  /** Null for a destroy. */
  version: number | null;
  variables: Partial<Variables>;
}

export interface ModelInstance {
  version: number;
  variables: Partial<Variables>;
}

export class Model {
  /** By version, from 1. */
  readonly programs: ProgramSpec[] = [firstProgram];
  readonly instances: ModelInstance[] = [
    { version: 1, variables: {} },
    { version: 1, variables: {} },
  ];
  readonly asked: Asked[] = [];
  /** Objects that somebody deleted at the cloud, by id. */
  readonly deletedOutside = new Set<string>();
  /**
   * Objects that somebody changed while a run was at work. What the cloud showed when the run had made an object counts
   * as how the cloud puts what was sent: a change that came before is no drift.
   */
  readonly changedMeanwhile = new Set<string>();

  program(version: number): ProgramSpec {
    return this.programs[version - 1] as ProgramSpec;
  }

  /** The deployment that was asked for so many ago. */
  recent(back: number): Asked | undefined {
    return this.asked.at(-1 - (back % Math.max(1, this.asked.length)));
  }
}

export const defaults: Variables = { image: "v0", size: "s" };
