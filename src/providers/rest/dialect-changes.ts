/** Creates, updates and deletes of a cloud whose calls are not REST. */
import type { JsonMap } from "#platform/json.ts";
import type { PollHandle } from "#providers/polling.ts";
import type { CreateCall, DeleteCall, Outcome, UpdateCall } from "#providers/provider.ts";
import { adoptExisting } from "./changes/adopt-existing.ts";
import { createBody, sentChange, type UpdateFrom, updateBody, withName } from "./changes/body.ts";
import { guarded } from "./changes/guard.ts";
import { withLeftObject } from "./changes/left-object.ts";
import { markMistake, markOf, marksOn } from "./changes/mark.ts";
import { type AskedDialect, askDialect, unfitAnswer } from "./dialect.ts";
import { notFoundToDelete } from "./look-at-deleted.ts";
import { objectOutcome, observe, observeCreated } from "./observe.ts";
import { type ChangeVerb, operationOutcome } from "./operation.ts";
import { readObject } from "./read-object.ts";
import { type Attempt, failure } from "./requests/attempt.ts";

export async function createByDialect(attempt: Attempt, call: CreateCall): Promise<Outcome> {
  const { row, properties } = attempt;
  const mistake = markMistake(row, properties);
  if (mistake !== undefined) return failure("reserved_value", mistake);
  if (row.create?.guard === "read") {
    const there = await guarded(attempt, call);
    if (there !== undefined) return there;
  }
  const body = createBody(row, properties, call.token);
  const asked = await askDialect(attempt, "create", { token: call.token, body });
  const outcome = await outcomeOf(attempt, "create", asked, undefined, markOf(row, call.token));
  const made = await afterCreate(attempt, call, outcome, placeIn(asked));
  return withLeftObject(attempt, call, made, { sinceMs: attempt.context.now() });
}

/** The object at `place` counts as what a create makes, or left there when it failed, only with this create's mark. */
export async function afterCreate(
  attempt: Attempt,
  call: CreateCall,
  outcome: Outcome,
  place: string | undefined,
): Promise<Outcome> {
  if (outcome.kind !== "failed" && outcome.kind !== "pending") return outcome;
  if (outcome.kind === "failed" && outcome.means === "exists")
    return adoptExisting(attempt, call, outcome);
  const mark = markOf(attempt.row, call.token);
  if (place === undefined || mark === undefined || outcome.id !== undefined) return outcome;
  const read = await readObject(attempt, place);
  const isOurs = read.ok && marksOn(attempt.row, read.object).includes(mark);
  return isOurs ? { ...outcome, id: place } : outcome;
}

function placeIn(asked: AskedDialect): string | undefined {
  if (!asked.ok || asked.said.kind !== "operation") return undefined;
  const { state } = asked.said;
  return state.state === "done" ? undefined : state.place;
}

export async function updateByDialect(attempt: Attempt, call: UpdateCall): Promise<Outcome> {
  const { definition, row, context, properties } = attempt;
  const { id, before, token } = call;
  const mistake = markMistake(row, properties);
  if (mistake !== undefined) return failure("reserved_value", mistake);
  if (row.update === "none") {
    const message = `${call.type} cannot be updated at ${definition.types.name}: this change replaces the object.`;
    return failure("not_updatable", message);
  }
  const from: UpdateFrom = {
    before: withName(row, before, call.name),
    after: properties,
    unsure: call.unsure ?? false,
  };
  const read = await currentOf(attempt, "update", id);
  if ("kind" in read) return read;
  if (read.current !== undefined) {
    from.current = read.current;
    from.marks = marksOn(row, read.current);
  }
  const body =
    row.update === "DIALECT"
      ? definition.dialect?.patch?.(sentChange(row, from), { row, current: from.current ?? {} })
      : updateBody(row, from)?.body;
  if (body === undefined) return observe(attempt, id, { sinceMs: context.now() });
  const asked = await askDialect(attempt, "update", { id, before, token, body, ...read });
  return outcomeOf(attempt, "update", asked, id);
}

export async function removeByDialect(attempt: Attempt, call: DeleteCall): Promise<Outcome> {
  const { id, token } = call;
  if (attempt.row.delete === "none") return { kind: "gone" };
  const read = await currentOf(attempt, "delete", id);
  if ("kind" in read) return read;
  const asked = await askDialect(attempt, "delete", { id, token, ...read });
  return outcomeOf(attempt, "delete", asked, id);
}

/** The object as it is, if it has to be read before the change; or why there is none. */
async function currentOf(
  attempt: Attempt,
  verb: "update" | "delete",
  id: string,
): Promise<{ current?: JsonMap } | Outcome> {
  const { definition, row } = attempt;
  const patches = verb === "update" && row.update === "DIALECT";
  if (!patches && definition.readsFirst?.(verb, row) !== true) return {};
  const read = await readObject(attempt, id);
  return read.ok ? { current: read.object } : read.outcome;
}

async function outcomeOf(
  attempt: Attempt,
  verb: ChangeVerb,
  asked: AskedDialect,
  id: string | undefined,
  mark?: string,
): Promise<Outcome> {
  if (!asked.ok) return asked.failed;
  const { said, ...of } = asked;
  const { requestId } = of;
  const handle: PollHandle = { sinceMs: attempt.context.now() };
  switch (said.kind) {
    case "gone":
      if (verb === "delete" && id !== undefined) return notFoundToDelete(attempt, id, handle);
      return { kind: "gone", ...(requestId !== undefined && { requestId }) };
    case "operation": {
      const working = { ...handle, operation: said.operation };
      return operationOutcome(attempt, verb, working, said.state, { ...of, id, mark });
    }
    case "object": {
      if (verb === "delete" || (id !== undefined && said.id !== id))
        return unfitAnswer(attempt, said.kind);
      if (attempt.row.read?.back !== true)
        return objectOutcome(attempt, said.object, said.id, handle, requestId);
      return verb === "create"
        ? observeCreated(attempt, said.id, handle)
        : observe(attempt, said.id, handle);
    }
    case "list":
      return unfitAnswer(attempt, said.kind);
  }
}
