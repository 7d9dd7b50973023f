import type { CreateCall, LookUpCall, Outcome } from "#providers/provider.ts";
import type { RequestSpec } from "#providers/rest/definition.ts";
import { changeOutcome } from "#providers/rest/observe.ts";
import { type Attempt, failure } from "#providers/rest/requests/attempt.ts";
import { sendRequest } from "#providers/rest/requests/request.ts";
import { adopt, adoptExisting } from "./adopt-existing.ts";
import { createBody, tokenOf } from "./body.ts";
import { guarded } from "./guard.ts";
import { lookUp } from "./look-up.ts";
import { markMistake } from "./mark.ts";
import { prepared } from "./prepared.ts";

/** Names in a message, at most. */
const MAX_NAMED = 5;

/**
 * Creates the object. If there is one already, it is adopted when it is provably this step's: by the row's guard, or by a
 * look-up where its name is taken.
 */
export async function create(attempt: Attempt, call: CreateCall): Promise<Outcome> {
  const { definition, row, properties } = attempt;
  const mistake = markMistake(row, properties);
  if (mistake !== undefined) return failure("reserved_value", mistake);
  const { method = "POST", guard, token: at } = row.create ?? {};
  if (guard === "read") {
    const there = await guarded(attempt, call);
    if (there !== undefined) return there;
  }
  const token = tokenOf(row, call.token);
  const headers = {
    ...(guard === "header" && { "if-none-match": "*" }),
    ...(at && "header" in at && { [at.header]: token }),
  };
  const request: RequestSpec = {
    method,
    path: row.paths?.create ?? row.path,
    body: createBody(row, properties, call.token),
    headers,
    ...(at && "query" in at && { query: { [at.query]: token } }),
  };
  const result = await sendRequest(attempt, prepared(attempt, "create", request));
  if (result.ok) return changeOutcome(attempt, "create", result.answer);
  const { means } = result.failed;
  if (guard !== undefined && (means === "exists" || means === "stale")) {
    const there = await guarded(attempt, call);
    if (there !== undefined) return there;
    // The object that `If-None-Match` found has gone by now.
    if (means === "stale") return { ...result.failed, retryable: true };
    if (definition.undelete?.(row, properties) === undefined)
      return { ...result.failed, retryable: false };
  }
  return means === "exists" ? adoptExisting(attempt, call, result.failed) : result.failed;
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
    case "failed": {
      const failed = { ...found.failed, unknownOutcome: true };
      if (failed.code !== "look_up_incomplete") return failed;
      const message = `${failed.message} Check at the provider whether ${call.name} exists.`;
      return { ...failed, code: "cannot_tell", message };
    }
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
