/** The model of the expected state: what was requested of the service, without engine, database or time. */
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
  /** Ids of objects deleted at the cloud, outside the service. */
  readonly deletedOutside = new Set<string>();
  /**
   * Ids of objects changed outside the service while a run was in progress. What the cloud returns right after a create
   * or update counts as its way to write what was sent, so a change before that is no drift.
   */
  readonly changedMeanwhile = new Set<string>();

  program(version: number): ProgramSpec {
    return this.programs[version - 1] as ProgramSpec;
  }

  /** The deployment requested `back` requests before the last. */
  recent(back: number): Asked | undefined {
    return this.asked.at(-1 - (back % Math.max(1, this.asked.length)));
  }
}

export const defaults: Variables = { image: "v0", size: "s" };
