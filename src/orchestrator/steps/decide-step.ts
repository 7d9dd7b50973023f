/** Decides a step's next call from the current state. Pure. */
import { decideChange } from "#engine/plan/decide-change.ts";
import type { SentTimes, StoredResource } from "#engine/state/state.ts";
import type { ResourceDeclaration } from "#engine/template/template.ts";
import type { ValueMap } from "#engine/value.ts";
import type { Verb } from "#orchestrator/storage/journal.ts";
import type { Provider } from "#providers/provider.ts";

export type Decision =
  /** No call is needed. `forget`: an object to remove from the state. */
  { verb: "none"; forget?: StoredResource } | DueCall;

/** A call that is due. */
export interface DueCall {
  verb: Verb;
  resource: string;
  type: string;
  /** The object to update or delete, or to read when it is imported. */
  id?: string;
  /** The properties to send; for a delete those last sent. */
  inputs: ValueMap;
  /** The object of the call; for a create the object it replaces. */
  stored?: StoredResource;
  /** Set for an apply, and for a read of a resource that the template still declares. */
  declaration?: ResourceDeclaration;
  dependsOn: readonly string[];
  /** The token of a create that was never answered, to be used again. */
  lostToken?: string;
  /** When that create was sent. */
  lostSent?: SentTimes;
  /** The read waits until an object that is not known to be usable is, or never will be. */
  settles?: true;
  /** The delete is of the resource's object, and not of one that was replaced. */
  isCurrent?: true;
  /** How long a delete may take; absent: as long as the provider's default. */
  deleteSeconds?: number;
}

/** Decides the apply of a resource from its object, if any, and its properties as now known. */
export function decideApply(
  resource: string,
  declaration: ResourceDeclaration,
  stored: StoredResource | undefined,
  properties: ValueMap,
  dependsOn: readonly string[],
  provider: Provider,
): Decision {
  const { type } = declaration;
  const decided = decideChange(declaration, stored, properties, provider.facts(type));
  const about = { resource, type, inputs: decided.inputs, declaration, dependsOn };
  switch (decided.action) {
    case "unchanged":
      return { verb: "none" };
    case "update":
      if (stored === undefined) return { verb: "create", ...about };
      if (stored.lostToken !== undefined)
        return { ...about, inputs: stored.inputs, ...lostCreate(stored, stored.lostToken) };
      return stored.unready === true
        ? { verb: "read", ...about, inputs: stored.inputs, stored, id: stored.id, settles: true }
        : { verb: "update", ...about, stored, id: stored.id };
    case "create":
      // A drift check reported it missing: read it again before it is created again.
      if (stored !== undefined && stored.lostToken === undefined)
        // As it was made: what is new may lead elsewhere, such as into a parent that was made again.
        return { verb: "read", ...about, inputs: stored.inputs, stored, id: stored.id };
      return declaration.options.import === undefined
        ? { verb: "create", ...about }
        : { verb: "read", ...about, id: declaration.options.import };
    case "replace":
      return { verb: "create", ...about, ...(stored === undefined ? {} : { stored }) };
  }
}

/** The call that looks for the object of a create that was never answered, or repeats the create. */
function lostCreate(stored: StoredResource, lostToken: string) {
  const { lostSent = { firstMs: 0, lastMs: 0 } } = stored;
  return { verb: "create", stored, lostToken, lostSent } as const;
}

/**
 * Decides a delete. A lost object is first looked for; `foundId`: its id, once found. `isAnothers`: the object of that id
 * is not to be deleted. `isCurrent`: it is the resource's own object. `deleteSeconds`: what the template says now;
 * absent: what it said last.
 */
export function decideDelete(
  object: StoredResource | undefined,
  retain: boolean,
  foundId: string | undefined,
  {
    deleteSeconds,
    isAnothers = false,
    isCurrent = false,
  }: { deleteSeconds?: number | undefined; isAnothers?: boolean; isCurrent?: boolean } = {},
): Decision {
  if (object === undefined) return { verb: "none" };
  if (retain || isAnothers) return { verb: "none", forget: object };
  const about = {
    resource: object.name,
    type: object.type,
    inputs: object.inputs,
    stored: object,
    dependsOn: object.dependsOn,
  };
  if (object.lostToken !== undefined && foundId === undefined)
    return { ...about, ...lostCreate(object, object.lostToken) };
  const seconds = deleteSeconds ?? object.deleteSeconds ?? undefined;
  return {
    verb: "delete",
    ...about,
    id: foundId ?? object.id,
    ...(isCurrent ? { isCurrent } : {}),
    ...(seconds === undefined ? {} : { deleteSeconds: seconds }),
  };
}

/** Decides the read of a drift check. */
export function decideRead(
  object: StoredResource | undefined,
  declaration: ResourceDeclaration | undefined,
): Decision {
  if (object === undefined) return { verb: "none" };
  const { name, type, id, inputs, dependsOn } = object;
  return {
    verb: "read",
    resource: name,
    type,
    id,
    inputs,
    dependsOn,
    stored: object,
    ...(declaration === undefined ? {} : { declaration }),
  };
}
