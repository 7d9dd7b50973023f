import { isJsonMap } from "#platform/json.ts";
import type { CreateCall, LookUpCall, Outcome } from "#providers/provider.ts";
import { adopt, adoptExisting } from "./adopt-existing.ts";
import { type Attempt, failure } from "./attempt.ts";
import { createBody, tokenOf, valueAt } from "./body.ts";
import { idOf } from "./list.ts";
import { lookUp } from "./look-up.ts";
import { markMistake, markOf, marksOn } from "./mark.ts";
import { changeOutcome, isGone } from "./observe.ts";
import { sendRequest } from "./request.ts";

/** Names in a message, at most. */
const MAX_NAMED = 5;

/**
 * Creates the object. If there is one already, it is adopted when it is provably this step's: by the row's guard, or by a
 * look-up where its name is taken.
 */
export async function create(attempt: Attempt, call: CreateCall): Promise<Outcome> {
  const { row, properties } = attempt;
  const mistake = markMistake(row, properties);
  if (mistake !== undefined) return failure("reserved_value", mistake);
  if (row.guard?.absent === "read") {
    const there = await guarded(attempt, call);
    if (there !== undefined) return there;
  }
  const at = row.idempotency;
  const token = tokenOf(row, call.token);
  const headers = {
    ...(row.guard?.absent === "header" && { "if-none-match": "*" }),
    ...(at && "header" in at && { [at.header]: token }),
  };
  const result = await sendRequest(attempt, {
    method: row.create ?? "POST",
    path: row.createPath ?? row.path,
    body: createBody(row, properties, call.token),
    headers,
    ...(at && "query" in at && { query: { [at.query]: token } }),
  });
  if (result.ok) return changeOutcome(attempt, "create", result.answer);
  const { means } = result.failed;
  if (row.guard !== undefined && (means === "exists" || means === "stale")) {
    const there = await guarded(attempt, call);
    // What stood in the way of `If-None-Match` has gone by now.
    return there ?? { ...result.failed, retryable: means === "stale" };
  }
  return means === "exists" ? adoptExisting(attempt, call, result.failed) : result.failed;
}

/**
 * What is at the place of a create: `undefined` for nothing; else the outcome for it, ours if it has this step's mark.
 * The place is the URL that the create PUTs to.
 */
async function guarded(attempt: Attempt, call: CreateCall): Promise<Outcome | undefined> {
  const { definition, row } = attempt;
  const path = row.createPath ?? row.path;
  const result = await sendRequest({ ...attempt, verb: "read" }, { method: "GET", path });
  if (!result.ok) return result.failed.means === "gone" ? undefined : result.failed;
  const object = valueAt(result.answer.json, row.envelope?.read);
  const mark = markOf(row, call.token);
  if (!isJsonMap(object)) {
    const message = `${definition.types.name} answered a read of ${call.name} with something that is not an object.`;
    return failure("invalid_answer", message, { retryable: true });
  }
  if (isGone(row, object)) return undefined;
  const id = idOf(attempt, object);
  if (id !== undefined && mark !== undefined && marksOn(row, object).includes(mark))
    return adopt(attempt, id);
  const message = `${definition.types.name} already has ${id ?? call.name}, not created by this step, and a create would take it over. Import it, delete it, or choose another name.`;
  return failure("already_exists", message);
}

/** Looks for the object of a create that was sent before; `gone`: there is none now. */
export async function lookUpCreated(attempt: Attempt, call: LookUpCall): Promise<Outcome> {
  const { definition } = attempt;
  const found = await lookUp(attempt, call, call.known);
  const provider = definition.types.name;
  switch (found.kind) {
    case "none":
      return { kind: "gone" };
    case "ours":
      return adopt(attempt, found.id);
    case "failed":
      return { ...found.failed, unknownOutcome: true };
    case "impossible": {
      const message = `${provider} cannot be searched for ${call.name}. Check at the provider whether it exists.`;
      return failure("cannot_tell", message, { unknownOutcome: true });
    }
    case "unproven": {
      const message = `${provider} has ${found.ids.slice(0, MAX_NAMED).join(", ")} with this name or these properties, and nothing shows whether an earlier request of this step created it. If it did, delete the object at the provider.`;
      return failure("cannot_tell", message, { unknownOutcome: true });
    }
  }
}
