/** The model of the expected state: what was requested of the service, without engine, database or time. */
import { secrets } from "./canaries.ts";
import type { World } from "./kinds.ts";
import { firstProgram, type ProgramSpec, type Variables } from "./programs.ts";

export type Operation = "deploy" | "plan" | "destroy" | "drift_check" | "rollback";

export interface Asked {
  id: string;
  instance: number;
  operation: Operation;
  /** Null for a destroy. */
  version: number | null;
  /** What the version was when this was requested. */
  program: ProgramSpec | null;
  variables: Partial<Variables>;
  /** A trigger started it: what it should be is known only from its row. */
  triggered?: true;
}

export interface ModelInstance {
  version: number;
  variables: Partial<Variables>;
}

export class Model {
  readonly world: World;
  /** By version, from 1. */
  readonly programs: ProgramSpec[] = [firstProgram];
  readonly instances: ModelInstance[] = [
    { version: 1, variables: { password: secrets[0] } },
    { version: 1, variables: { password: secrets[0] } },
  ];
  asked: Asked[] = [];
  /** Ids of objects deleted at the cloud, outside the service. */
  readonly deletedOutside = new Set<string>();
  /**
   * Ids of objects changed outside the service while a run was in progress. What the cloud returns right after a create
   * or update counts as its way to write what was sent, so a change before that is no drift.
   */
  readonly changedMeanwhile = new Set<string>();
  /** Deployments that an operator has abandoned. */
  readonly abandoned = new Set<string>();
  /** Calls of the hook that may have been accepted; once more for each restored D1 that shows one as not yet answered. */
  hookCalls = 0;
  weeks = 0;
  /** What the target came to allow, and from when on; before: the region in which it was made. */
  readonly regions: { region: string; atMs: number }[] = [];

  constructor(world: World) {
    this.world = world;
  }

  program(version: number): ProgramSpec {
    return this.programs[version - 1] as ProgramSpec;
  }

  /** The deployment requested `back` requests before the last. */
  recent(back: number): Asked | undefined {
    return this.asked.at(-1 - (back % Math.max(1, this.asked.length)));
  }

  asks(made: Asked): void {
    this.asked.push(made);
    this.asked.sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}
