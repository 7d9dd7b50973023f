import type { ValueMap } from "#engine/value.ts";
import type { Json } from "#platform/json.ts";

/** The drift of one object. */
export type Drift =
  /** The object no longer exists. */
  | { kind: "missing" }
  /** The inputs last applied, with observed values where they differ; secrets marked. */
  | { kind: "changed"; observed: ValueMap };

/** The attempts of a create that may have taken effect, in epoch milliseconds. */
export interface SentTimes {
  firstMs: number;
  lastMs: number;
}

/** One object of an instance, as last applied. */
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
  /** The object as the provider last returned it; secrets marked. */
  outputs: ValueMap;
  /** Names of the resources it depends on; deletes run in reverse order. */
  dependsOn: readonly string[];
  protect: boolean;
  retainOnDelete: boolean;
  /** How long a delete may take (`customTimeouts`); null or absent: as long as the provider's default. */
  deleteSeconds?: number | null;
  /** Created only in part: the next plan replaces it. */
  tainted: boolean;
  /** The last update may not have taken effect, or a delete have begun: the next plan updates again even if nothing differs. */
  unsure: boolean;
  /**
   * Its create was accepted and then given up before the object was usable, or nobody could read it, or was answered
   * only when it was repeated; or its delete was sent and not seen to end. It is read before anything else.
   */
  unready?: true;
  /**
   * The create ended without an answer, so the object may exist. `id` is then not valid; the object is looked for,
   * with this token or at the provider, and kept or deleted (`tainted` is also set).
   */
  lostToken?: string;
  /** When the lost create was first and last sent, in epoch milliseconds. */
  lostSent?: SentTimes;
  /**
   * What the lost create sent, which could not be decrypted when its run ended; `inputs` is empty then. Without it the
   * create cannot be repeated: the provider would get other properties with the same token.
   */
  lostSealed?: SealedInputs;
  /** Former names, newest last: a template that uses one of them again means this object. */
  formerNames?: readonly string[];
  /** Resources that listed this object's name as an alias when it was deployed with them: they mean an earlier object. */
  settledAliases?: readonly string[];
  /** What the last drift check found, until a deployment corrects it. */
  drift?: Drift;
}

/** Whether the last change of the object was not seen to end, so that it may not be as last applied. */
export function isOpen({ unsure, unready, lostToken }: StoredResource): boolean {
  return unsure || unready === true || lostToken !== undefined;
}

/** Properties as they are stored: the secrets apart, in one sealed text. */
export interface SealedInputs {
  plain: Json;
  sealed: string | null;
}

/** The objects of an instance. `serial` rises with every change; a plan is bound to the serial it was made from. */
export interface InstanceState {
  serial: number;
  /** By template name. */
  current: ReadonlyMap<string, StoredResource>;
  /** Replaced objects that still have to be deleted, oldest first. */
  pendingDeletes: readonly StoredResource[];
}
