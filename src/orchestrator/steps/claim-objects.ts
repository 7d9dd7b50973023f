/** Claims the objects of a step, so that it never adopts, changes or deletes what another instance manages. */
import type { Step } from "#engine/plan/steps.ts";
import type { ObjectClaims } from "#orchestrator/claims/object-claims.ts";
import type { Outcome } from "#providers/provider.ts";
import type { StepResult } from "./conclude-failure.ts";
import type { DueCall } from "./decide-step.ts";

/** Another instance manages the object of the call. */
export class ObjectClaimed extends Error {
  readonly code = "claimed";
}

/** Claims the objects of a call before the call is journaled. The reason not to make it; undefined: there is none. */
export async function claimForCall(
  claims: ObjectClaims,
  step: Step,
  { type, id, stored }: DueCall,
): Promise<ObjectClaimed | undefined> {
  if (step.kind === "read") return undefined;
  let refusal: string | undefined;
  if (stored !== undefined && stored.lostToken === undefined)
    refusal = await claims.claim({ type: stored.type, id: stored.id });
  if (refusal === undefined && id !== undefined && id !== stored?.id)
    refusal = await claims.adopt({ type, id }, step.resource);
  return refusal === undefined ? undefined : new ObjectClaimed(refusal);
}

/**
 * Claims the object that the cloud named before anything about it is journaled. Refused: a create, or a look-up after
 * a lost answer, has found what another instance manages, and the state must not have it. `isAnothers`: another resource
 * of the instance has the object, or imports it, so that it is not the lost one.
 */
export async function claimFound(
  claims: ObjectClaims,
  step: Step,
  { verb, type, stored, lostToken }: DueCall,
  outcome: Outcome,
  { elapsedMs, isAnothers }: { elapsedMs: number; isAnothers: (id: string) => boolean },
): Promise<StepResult | undefined> {
  const id = "id" in outcome ? outcome.id : undefined;
  if (id === undefined || step.kind === "read" || verb === "delete") return undefined;
  if (lostToken !== undefined && stored !== undefined && isAnothers(id))
    return {
      entry: { kind: "done", verb, elapsedMs, ...(step.kind === "apply" ? { more: true } : {}) },
      change: { forget: stored },
    };
  const message = await claims.adopt({ type, id }, step.resource);
  if (message === undefined) return undefined;
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
    // What was looked for is not this instance's.
    ...(lostToken === undefined || stored === undefined ? {} : { change: { forget: stored } }),
  };
}
