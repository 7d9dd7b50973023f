/** Claims the objects of a step, so that the step never adopts, changes or deletes another instance's objects. */
import { factPath } from "#engine/path-set.ts";
import type { Step } from "#engine/plan/steps.ts";
import { knownObject } from "#engine/state/state.ts";
import { valueAt } from "#engine/value-paths.ts";
import { hasSealed, hasUnknown, reveal, type Value } from "#engine/value.ts";
import type { NamedValues } from "#orchestrator/claims/named-values.ts";
import type { ObjectClaims } from "#orchestrator/claims/object-claims.ts";
import type { JsonMap } from "#platform/json.ts";
import type { NamedObject, Outcome, TypeFacts } from "#providers/provider.ts";
import type { StepResult } from "./conclude-failure.ts";
import { type DueCall, idOf, storedOf, verbOf } from "./decide-step.ts";

/** The call would touch another instance's object. */
export class ObjectClaimed extends Error {
  readonly code: "claimed" | "reference_not_allowed";
  constructor(message: string, code: ObjectClaimed["code"] = "claimed") {
    super(message);
    this.code = code;
  }
}

/** The facts about a call that its decision does not contain. */
export interface CallPlace {
  /** The id that the object of a create will have. */
  knownId?: string | undefined;
  /** Other objects that the properties name, at a target that tenants share. */
  refers?: TypeFacts["refers"];
  named?: readonly NamedObject[];
  /** All objects that the properties may name, at a provider whose rows cover every property. */
  all?: NamedValues;
  /** Values that the target itself sets, by property path. A property with such a value names no other object. */
  own?: JsonMap;
  provider: string;
  /** Tenants share the target, so an object that no instance has managed may be anybody's. */
  isShared: boolean;
  /** Whether another resource of the instance has the object, or imports it. */
  isAnothers: (id: string) => boolean;
}

/** Claims the objects of a call before it is journaled. Returns the reason against the call; undefined: none. */
export async function claimForCall(
  claims: ObjectClaims,
  step: Step,
  due: DueCall,
  place: CallPlace,
): Promise<ObjectClaimed | undefined> {
  if (step.kind === "read") return undefined;
  const { knownId, isShared, isAnothers } = place;
  const { type } = due;
  const id = idOf(due);
  const known = knownObject(storedOf(due));
  let refusal: string | undefined;
  if (known !== undefined) refusal = await claims.claim({ type: known.type, id: known.id });
  if (refusal === undefined && id !== undefined && id !== known?.id) {
    if (isShared && due.does === "import") refusal = await claims.importRefusal({ type, id });
    refusal ??= await claims.adopt({ type, id }, step.resource);
  }
  // A create at a known id would overwrite an existing object, so the claim is needed before the call, not after it.
  if (refusal === undefined && knownId !== undefined)
    refusal =
      isAnothers(knownId) || known?.id === knownId
        ? `This instance has the object ${knownId} already. If ${step.resource} is the new name of its resource, add an alias; to make it anew, remove the resource and deploy first`
        : await claims.adoptUnmade({ type, id: knownId }, step.resource);
  if (refusal !== undefined) return new ObjectClaimed(refusal);
  return step.kind === "apply" ? referenceOfOthers(claims, due, place) : undefined;
}

/**
 * The reason against a call whose properties name another tenant's object; undefined: the tenant owns all of them.
 * At a target that tenants share, such a property would place this object inside the other one, or change it.
 */
async function referenceOfOthers(
  claims: ObjectClaims,
  { resource, inputs }: DueCall,
  { provider, refers = {}, own = {}, named: told = [], all }: CallPlace,
): Promise<ObjectClaimed | undefined> {
  if (all?.unlisted !== undefined) return mayBeOthers(resource, all.unlisted);
  const named = [...told, ...(all?.named ?? [])];
  for (const [path, type] of Object.entries(refers)) {
    const value = valueAt(inputs, factPath(path));
    const all = textsIn(value);
    const ids = Object.hasOwn(own, path) ? all.filter((id) => id !== own[path]) : all;
    if (type === "any" && ids.length > 0) return mayBeOthers(resource, path);
    const kind = `${provider}:${type}`;
    const sealed = value !== undefined && hasSealed(value);
    const what = (id: string) => `the ${kind} ${sealed ? `in ${path}` : id}`;
    named.push(...ids.map((id) => ({ what: what(id), owners: [{ type: kind, id }] })));
  }
  const other = await claims.notOwnTenants(named);
  if (other === undefined) return undefined;
  const message =
    other.nearest === "free"
      ? `${resource} sets ${other.what} inside or around another one at this shared target. Use a domain that is in no other and has no other in it, or a target of your own`
      : `${resource} refers to ${other.what}, which no instance of this tenant manages. At a shared target only such objects can be referred to, by the id that the cloud shows. Check the id, or use a target of your own`;
  return new ObjectClaimed(message, "reference_not_allowed");
}

function mayBeOthers(resource: string, path: string): ObjectClaimed {
  return new ObjectClaimed(
    `${resource} sets ${path}, which can mean other tenants' objects at this shared target. Leave it out, or use a target of your own`,
    "reference_not_allowed",
  );
}

function textsIn(value: Value | undefined): string[] {
  if (value === undefined || hasUnknown(value)) return [];
  const plain = reveal(value);
  return (Array.isArray(plain) ? plain.flat(8) : [plain]).flatMap((one) =>
    one === null || one === "" ? [] : [typeof one === "string" ? one : JSON.stringify(one)],
  );
}

/**
 * Claims the object that the cloud named, before anything about it is journaled. A create, or a look-up after a lost
 * answer, may find another instance's object. Then the claim is refused, and the state does not get the object.
 * `isAnothers`: another resource of the instance has or imports the object, so it is not the lost one.
 */
export async function claimFound(
  claims: ObjectClaims,
  due: DueCall,
  outcome: Outcome,
  { elapsedMs, isAnothers }: { elapsedMs: number; isAnothers: (id: string) => boolean },
): Promise<StepResult | undefined> {
  const id = "id" in outcome ? outcome.id : undefined;
  if (id === undefined || due.does === "check" || due.does === "delete") return undefined;
  const { type } = due;
  const verb = verbOf[due.does];
  if (due.does === "find" && isAnothers(id))
    return {
      entry: {
        kind: "done",
        verb,
        elapsedMs,
        ...(due.declaration === undefined ? {} : { more: true }),
      },
      change: { forget: due.stored },
    };
  const message = await claims.adopt({ type, id }, due.resource);
  if (message === undefined) {
    if (outcome.kind === "done") claims.made({ type, id });
    return undefined;
  }
  const { requestId } = outcome;
  return {
    entry: {
      kind: "failed",
      verb,
      code: "claimed",
      message,
      elapsedMs,
      ...(requestId === undefined ? {} : { requestId }),
    },
    // The found object is not this instance's.
    ...(due.does === "find" ? { change: { forget: due.stored } } : {}),
  };
}
