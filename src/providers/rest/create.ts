import type { CreateCall, Outcome } from "#providers/provider.ts";
import { createBody } from "./body.ts";
import { lookUp } from "./look-up.ts";
import { changeOutcome, observe, stillPending } from "./observe.ts";
import { type Attempt, failure, sendRequest } from "./request.ts";

/** The outcome for the object that an earlier attempt of this step created; `undefined` when there is none. */
async function adoptExisting(attempt: Attempt, call: CreateCall): Promise<Outcome | undefined> {
  const { definition, context } = attempt;
  const found = await lookUp(attempt, call);
  if (found.kind === "none") return undefined;
  if (found.kind === "failed") return { ...found.failed, unknownOutcome: true };
  if (found.kind === "unproven") {
    const message = `${definition.types.name} already has ${found.ids.slice(0, 5).join(", ")} with this name, possibly not created by this step. Import it, delete it, or choose another name.`;
    return failure("already_exists", message, { unknownOutcome: call.repeated });
  }
  const handle = { sinceMs: context.now() };
  const outcome = await observe(attempt, found.id, handle);
  return outcome.kind === "gone" ? undefined : stillPending(attempt, outcome, handle, found.id);
}

/** Creates the object, or finds the one that an earlier attempt of the step created. */
export async function create(attempt: Attempt, call: CreateCall): Promise<Outcome> {
  const { definition, row, properties } = attempt;
  const repeatable = row.idempotency !== undefined || row.create === "PUT";
  if (call.repeated && !repeatable) {
    if (row.find === undefined) {
      const message = `An earlier attempt may have created ${call.name}, and ${definition.types.name} offers no way to check. Look for it at the provider; then import it or deploy again.`;
      return failure("cannot_tell", message, { unknownOutcome: true });
    }
    const earlier = await adoptExisting(attempt, call);
    if (earlier !== undefined) return earlier;
  }
  const token = row.idempotency;
  const result = await sendRequest(attempt, {
    method: row.create ?? "POST",
    path: row.createPath ?? row.path,
    body: createBody(row, properties, call.token),
    ...(token && "header" in token && { headers: { [token.header]: call.token } }),
    ...(token && "query" in token && { query: { [token.query]: call.token } }),
  });
  if (result.ok) return changeOutcome(attempt, "create", result.answer);
  if (result.status !== 409 || row.find === undefined) return result.failed;
  const existing = await adoptExisting(attempt, call);
  return existing ?? result.failed;
}
