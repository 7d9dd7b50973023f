import type { CreateCall, LookUpCall, Outcome } from "#providers/provider.ts";
import { adopt, adoptExisting } from "./adopt-existing.ts";
import { type Attempt, failure } from "./attempt.ts";
import { createBody } from "./body.ts";
import { lookUp } from "./look-up.ts";
import { changeOutcome } from "./observe.ts";
import { sendRequest } from "./request.ts";

/** Names in a message, at most. */
const MAX_NAMED = 5;

/** Creates the object. If its name is taken, the object that has it is adopted when it is provably this step's. */
export async function create(attempt: Attempt, call: CreateCall): Promise<Outcome> {
  const { row, properties } = attempt;
  const token = row.idempotency;
  const result = await sendRequest(attempt, {
    method: row.create ?? "POST",
    path: row.createPath ?? row.path,
    body: createBody(row, properties, call.token),
    ...(token && "header" in token && { headers: { [token.header]: call.token } }),
    ...(token && "query" in token && { query: { [token.query]: call.token } }),
  });
  if (result.ok) return changeOutcome(attempt, "create", result.answer);
  return result.failed.means === "exists"
    ? adoptExisting(attempt, call, result.failed)
    : result.failed;
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
      const message = `${provider} has ${found.ids.slice(0, MAX_NAMED).join(", ")} with this name, and nothing shows whether an earlier request of this step created it. If it did, delete the object at the provider.`;
      return failure("cannot_tell", message, { unknownOutcome: true });
    }
  }
}
