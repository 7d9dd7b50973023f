/** What a step's next call is to be, decided from the state as it is now. Pure: nothing is called here. */
import { decideChange } from "#engine/plan/decide-change.ts";
import type { StoredResource } from "#engine/state/state.ts";
import type { ResourceDeclaration } from "#engine/template/template.ts";
import type { ValueMap } from "#engine/value.ts";
import type { Verb } from "#orchestrator/storage/journal.ts";
import type { Provider } from "#providers/provider.ts";

export type Decision =
  /** Nothing to call. `forget`: the object leaves the state all the same. */
  { verb: "none"; forget?: StoredResource } | Due;

/** A call that is due. */
export interface Due {
  verb: Verb;
  resource: string;
  type: string;
  /** The object to update or delete, or to read when it is imported. */
  id?: string;
  /** What to send; for a delete what was sent. */
  inputs: ValueMap;
  /** The object the call is about; for a create the one it replaces. */
  stored?: StoredResource;
  /** Set for an apply. */
  declaration?: ResourceDeclaration;
  dependsOn: readonly string[];
  /** The token to repeat in place of a new one: a create that was given up without an answer. */
  lostToken?: string;
}

/** What the apply of a resource comes to, given its object (if any) and its properties as they are now known. */
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
      return stored === undefined
        ? { verb: "create", ...about }
        : { verb: "update", ...about, stored, id: stored.id };
    case "create":
      // A drift check did not find it: look once more before it is made anew.
      if (stored !== undefined) return { verb: "read", ...about, stored, id: stored.id };
      return declaration.options.import === undefined
        ? { verb: "create", ...about }
        : { verb: "read", ...about, id: declaration.options.import };
    case "replace":
      return { verb: "create", ...about, ...(stored === undefined ? {} : { stored }) };
  }
}

/** What a delete comes to. An object whose create was never answered is first looked for (`foundId`: and found). */
export function decideDelete(
  object: StoredResource | undefined,
  retain: boolean,
  foundId: string | undefined,
): Decision {
  if (object === undefined) return { verb: "none" };
  if (retain) return { verb: "none", forget: object };
  const about = {
    resource: object.name,
    type: object.type,
    inputs: object.inputs,
    stored: object,
    dependsOn: object.dependsOn,
  };
  return object.lostToken === undefined || foundId !== undefined
    ? { verb: "delete", ...about, id: foundId ?? object.id }
    : { verb: "create", ...about, lostToken: object.lostToken };
}

/** What the read of a drift check comes to. */
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
