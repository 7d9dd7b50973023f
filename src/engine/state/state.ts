import type { ValueMap } from "#engine/value.ts";

/** What a drift check finds of one object. */
export type Drift =
  /** There is no such object. */
  | { kind: "missing" }
  /** The inputs last applied, with what is really there in place of what differs; secrets marked. */
  | { kind: "changed"; observed: ValueMap };

/** One cloud object of an instance, as last applied. */
export interface StoredResource {
  /** The name in the template. */
  name: string;
  type: string;
  /** The provider's id. */
  id: string;
  /** The name the engine gave the object at the provider. */
  objectName: string;
  /** Properties as last sent; secrets marked. */
  inputs: ValueMap;
  /** The object as the provider showed it last; secrets marked. */
  outputs: ValueMap;
  /** Names of the resources it was built on: deletes go in reverse of these. */
  dependsOn: readonly string[];
  protect: boolean;
  retainOnDelete: boolean;
  /** Made, but not to the end: the next plan replaces it. */
  tainted: boolean;
  /** The last update may or may not have taken effect: the next plan updates again, whatever the inputs say. */
  unsure: boolean;
  /**
   * The create was given up without an answer: the object may exist. `id` is then no id; the create is
   * repeated with this token to learn it, and the object deleted (`tainted` is set too).
   */
  lostToken?: string;
  /** Names that it had before, the newest last: a template that has one of them again means this object. */
  formerNames?: readonly string[];
  /** What the last drift check found, until a deployment mends it. */
  drift?: Drift;
}

/** What an instance holds. `serial` rises with every change: a plan is bound to the serial it was made of. */
export interface InstanceState {
  serial: number;
  /** By template name. */
  current: ReadonlyMap<string, StoredResource>;
  /** Replaced objects whose delete is still owed, oldest first. */
  pendingDeletes: readonly StoredResource[];
}
