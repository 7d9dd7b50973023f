/** Decides a step's next call from the current state. Pure. */
import { decideChange } from "#engine/plan/decide-change.ts";
import {
  knownObject,
  type KnownResource,
  type LostResource,
  type StoredResource,
} from "#engine/state/state.ts";
import type { ResourceDeclaration } from "#engine/template/template.ts";
import type { ValueMap } from "#engine/value.ts";
import type { Verb } from "#orchestrator/storage/journal.ts";
import type { Provider } from "#providers/provider.ts";

export type Decision =
  /** No call is needed. `forget`: an object to remove from the state. */
  { does: "nothing"; forget?: StoredResource } | DueCall;

/** A call that is due, by its purpose. */
export type DueCall = Create | Find | Update | Await | Confirm | Import | Check | Delete;

interface About {
  resource: string;
  type: string;
  /** The properties to send; for a delete, those last sent. */
  inputs: ValueMap;
  dependsOn: readonly string[];
}

interface Apply extends About {
  declaration: ResourceDeclaration;
}

/** Creates an object. `stored`: the object that it replaces. */
export interface Create extends Apply {
  does: "create";
  stored?: StoredResource;
}

/** Looks for the object of an unanswered create, or repeats the create. Without a declaration, a delete follows. */
export interface Find extends About {
  does: "find";
  stored: LostResource;
  declaration?: ResourceDeclaration;
}

export interface Update extends Apply {
  does: "update";
  stored: KnownResource;
}

/** Reads an object until it is usable, or the cloud says that it never will be. */
export interface Await extends Apply {
  does: "await";
  stored: KnownResource;
}

/** Reads an object that a drift check reported missing, before the object is created again. */
export interface Confirm extends Apply {
  does: "confirm";
  stored: KnownResource;
}

export interface Import extends Apply {
  does: "import";
  id: string;
}

/** The read of a drift check. `declaration`: present if the template still has the resource. */
export interface Check extends About {
  does: "check";
  stored: KnownResource;
  declaration?: ResourceDeclaration;
}

export interface Delete extends About {
  does: "delete";
  stored: StoredResource;
  /** The id of the object; for a lost object, the id that was found. */
  id: string;
  /** The object is the resource's present one, not a replaced one. */
  isCurrent: boolean;
  /** The time that the delete may take; absent: the provider's default. */
  deleteSeconds?: number;
}

/** The verb of each purpose at the provider. */
export const verbOf = {
  create: "create",
  find: "create",
  update: "update",
  await: "read",
  confirm: "read",
  import: "read",
  check: "read",
  delete: "delete",
} as const satisfies Record<DueCall["does"], Verb>;

/** The object that the call concerns or replaces. */
export function storedOf(due: DueCall): StoredResource | undefined {
  return due.does === "import" ? undefined : due.stored;
}

/** The template's declaration, if the call has one. */
export function declarationOf(due: DueCall): ResourceDeclaration | undefined {
  return due.does === "delete" ? undefined : due.declaration;
}

/** The id of the object that the call is for; undefined for a create. */
export function idOf(due: DueCall): string | undefined {
  if (due.does === "create" || due.does === "find") return undefined;
  return due.does === "import" || due.does === "delete" ? due.id : due.stored.id;
}

/** Decides the apply of a resource from its object, if any, and its currently known properties. */
export function decideApply(
  resource: string,
  declaration: ResourceDeclaration,
  stored: StoredResource | undefined,
  properties: ValueMap,
  dependsOn: readonly string[],
  provider: Provider,
): Decision {
  const { type, options } = declaration;
  const decided = decideChange(declaration, stored, properties, provider.facts(type));
  const about = { resource, type, inputs: decided.inputs, declaration, dependsOn };
  const known = knownObject(stored);
  switch (decided.action) {
    case "unchanged":
      return { does: "nothing" };
    case "update":
      if (stored === undefined) return { does: "create", ...about };
      if (stored.state === "lost") return { does: "find", ...about, inputs: stored.inputs, stored };
      return stored.state === "unready" || stored.state === "deleting"
        ? { does: "await", ...about, inputs: stored.inputs, stored }
        : { does: "update", ...about, stored };
    case "create":
      if (known !== undefined)
        // The read uses the old inputs. New ones may point to another place, such as a parent that was created again.
        return { does: "confirm", ...about, inputs: known.inputs, stored: known };
      return options.import === undefined
        ? { does: "create", ...about }
        : { does: "import", ...about, id: options.import };
    case "replace":
      return { does: "create", ...about, ...(stored === undefined ? {} : { stored }) };
  }
}

/**
 * Decides a delete. A lost object is first looked for; `foundId`: its id, once found. `isAnothers`: the object with
 * this id is not to be deleted. `isCurrent`: it is the resource's own object. `deleteSeconds`: from the template;
 * absent: from the object's last deployment.
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
  if (object === undefined) return { does: "nothing" };
  if (retain || isAnothers) return { does: "nothing", forget: object };
  const { name: resource, type, inputs, dependsOn } = object;
  const about = { resource, type, inputs, dependsOn };
  const id = foundId ?? knownObject(object)?.id;
  if (id === undefined)
    return object.state === "lost"
      ? { does: "find", ...about, stored: object }
      : { does: "nothing" };
  const seconds = deleteSeconds ?? object.deleteSeconds ?? undefined;
  return {
    does: "delete",
    ...about,
    stored: object,
    id,
    isCurrent,
    ...(seconds === undefined ? {} : { deleteSeconds: seconds }),
  };
}

/** Decides the read of a drift check. */
export function decideRead(
  object: StoredResource | undefined,
  declaration: ResourceDeclaration | undefined,
): Decision {
  const stored = knownObject(object);
  if (stored === undefined) return { does: "nothing" };
  const { name: resource, type, inputs, dependsOn } = stored;
  return {
    does: "check",
    resource,
    type,
    inputs,
    dependsOn,
    stored,
    ...(declaration === undefined ? {} : { declaration }),
  };
}
