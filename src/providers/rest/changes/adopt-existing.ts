/** A create whose name is taken: by what an earlier attempt made, by a stranger's object, or by a deleted one. */
import type { CreateCall, Outcome } from "#providers/provider.ts";
import type { Failed } from "#providers/rest/definition.ts";
import { observe, stillPending, withoutReadiness } from "#providers/rest/observe.ts";
import { type Attempt, failure, knownIdOf } from "#providers/rest/requests/attempt.ts";
import { sendRequest } from "#providers/rest/requests/request.ts";
import { update } from "./change.ts";
import { lookUp } from "./look-up.ts";

/** Names in a message, at most. */
const MAX_NAMED = 5;

/** Adopts the object that has the name if it is provably this step's; else `refused`, or what to do about it. */
export async function adoptExisting(
  attempt: Attempt,
  call: CreateCall,
  refused: Failed,
): Promise<Outcome> {
  const found = await lookUp(attempt, call);
  switch (found.kind) {
    case "impossible":
    case "none":
      return undelete(attempt, call, refused);
    case "failed":
      return { ...found.failed, unknownOutcome: true };
    case "unproven": {
      const message = `${attempt.definition.types.name} already has ${found.ids.slice(0, MAX_NAMED).join(", ")} with this name, possibly not created by this step. Import it, delete it, or choose another name.`;
      return failure("already_exists", message, { means: "exists" });
    }
    case "ours": {
      const outcome = await adopt(attempt, found.id);
      return outcome.kind === "gone" ? refused : outcome;
    }
  }
}

/** Waits for an object that an earlier attempt made. */
export async function adopt(attempt: Attempt, id: string): Promise<Outcome> {
  const handle = { sinceMs: attempt.context.now() };
  return stillPending(attempt, await observe(attempt, id, handle), handle, id);
}

/**
 * Brings a deleted object back, where the cloud keeps it, and makes it what the create asks for. In an account that tenants share, the deleted
 * object may be another tenant's, with what it holds: there it stays deleted. One that is not deleted is left alone.
 */
async function undelete(attempt: Attempt, call: CreateCall, refused: Failed): Promise<Outcome> {
  const { definition, row, context, properties } = attempt;
  const request = definition.undelete?.(row, properties);
  if (request === undefined) return refused;
  if (context.ownAccount !== true) {
    const message = `${definition.types.name} already has this name, or keeps it for a deleted object, which may be another tenant's. Choose another name.`;
    return failure("already_exists", message, { means: "exists" });
  }
  const id = knownIdOf(attempt);
  if (id === undefined) return refused;
  const handle = { sinceMs: context.now() };
  const live = await observe({ ...attempt, row: withoutReadiness(row) }, id, handle);
  if (live.kind !== "gone") return live.kind === "failed" ? live : refused;
  const changing: Attempt = { ...attempt, verb: "update" };
  const result = await sendRequest(changing, { ...request, id });
  if (!result.ok) return result.failed.means === "gone" ? refused : result.failed;
  const changed = await update(changing, { ...call, id, before: {} });
  return changed.kind === "failed" ? { ...changed, id } : changed;
}
