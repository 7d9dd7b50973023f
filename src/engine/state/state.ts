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

/** An object of an instance, as last applied. Its state tells how certain that is. */
export type StoredResource = KnownResource | LostResource;

interface AppliedResource {
  /** The name in the template. */
  name: string;
  type: string;
  /** The name the engine gave the object at the provider. */
  objectName: string;
  /** Properties as last sent; secrets marked. */
  inputs: ValueMap;
  /** Names of the resources it depends on; deletes run in reverse order. */
  dependsOn: readonly string[];
  protect: boolean;
  retainOnDelete: boolean;
  /** The time that a delete may take (`customTimeouts`); null: the provider's default. */
  deleteSeconds: number | null;
  /** Former names, newest last: a template that uses one of them again means this object. */
  formerNames?: readonly string[];
  /** Resources that listed this object's name as an alias at its deployment. Their aliases mean an earlier object. */
  spentAliases?: readonly string[];
}

/**
 * An object with an id.
 * - `ready`: as last applied.
 * - `unsure`: its last update may not have taken effect; the next plan updates it even if nothing differs.
 * - `unready`: its create was accepted and not seen to end, or only its repetition was answered; it is read before
 *   anything else.
 * - `deleting`: its delete was sent and not seen to end; it is read before anything else, and updated if it still
 *   exists.
 * - `tainted`: it was created only partly; the next plan replaces it.
 */
export interface KnownResource extends AppliedResource {
  state: "ready" | "unsure" | "unready" | "deleting" | "tainted";
  /** The provider's id. */
  id: string;
  /** The object as the provider last returned it; secrets marked. */
  outputs: ValueMap;
  /** The drift that the last check found, until a deployment corrects it. */
  drift?: Drift;
}

/**
 * An object whose create was never answered, so that it may exist. It is looked for, by its token or at the provider,
 * and kept or deleted.
 */
export interface LostResource extends AppliedResource {
  state: "lost";
  /** The token of the create; unique among the objects of the instance. */
  token: string;
  sent: SentTimes;
  /**
   * The properties of the create, if they could not be decrypted when its run ended; `inputs` is empty then. Without
   * them the create cannot be repeated: the provider would get other properties with the same token.
   */
  sealedInputs?: SealedInputs;
}

/** The key of an object among those of its name: its id, or the token of a lost object. */
export function objectKey(object: StoredResource): string {
  return object.state === "lost" ? object.token : object.id;
}

/** The object, unless it is lost. */
export function knownObject(object: StoredResource | undefined): KnownResource | undefined {
  return object?.state === "lost" ? undefined : object;
}

/** The object's drift; a lost object has none. */
export function driftOf(object: StoredResource): Drift | undefined {
  return knownObject(object)?.drift;
}

/** Whether the last change of the object was not seen to end, so that it may not be as last applied. */
export function isOpen({ state }: StoredResource): boolean {
  return state !== "ready" && state !== "tainted";
}

/** Properties as stored, with the secrets in one sealed text. */
export interface SealedInputs {
  plain: Json;
  sealed: string | null;
}

/**
 * The objects of an instance. `serial` rises with every change. A plan is bound to the serial from which it was made.
 */
export interface InstanceState {
  serial: number;
  /** By template name. */
  current: ReadonlyMap<string, StoredResource>;
  /** Replaced objects that still have to be deleted, oldest first. */
  pendingDeletes: readonly StoredResource[];
}
