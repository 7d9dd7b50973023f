/** Decides a step's next call from the current state. Pure. */
import { decideChange } from "#engine/plan/decide-change.ts";
import type { StoredResource } from "#engine/state/state.ts";
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
      return stored === undefined
        ? { verb: "create", ...about }
        : { verb: "update", ...about, stored, id: stored.id };
    case "create":
      // A drift check reported it missing: read it again before it is created again.
      if (stored !== undefined) return { verb: "read", ...about, stored, id: stored.id };
      return declaration.options.import === undefined
        ? { verb: "create", ...about }
        : { verb: "read", ...about, id: declaration.options.import };
    case "replace":
      return { verb: "create", ...about, ...(stored === undefined ? {} : { stored }) };
  }
}

/** Decides a delete. A lost object is first looked for by repeating its create; `foundId`: its id, once found. */
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
