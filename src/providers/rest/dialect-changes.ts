/** Creates, updates and deletes of a cloud whose calls are not REST. */
import type { PollHandle } from "#providers/polling.ts";
import type { CreateCall, DeleteCall, Outcome, UpdateCall } from "#providers/provider.ts";
import { adoptExisting } from "./changes/adopt-existing.ts";
import { type AskedDialect, askDialect, unfitAnswer } from "./dialect.ts";
import { notFoundToDelete } from "./look-at-deleted.ts";
import { objectOutcome, observe, observeCreated } from "./observe.ts";
import { type ChangeVerb, operationOutcome } from "./operation.ts";
import type { Attempt } from "./requests/attempt.ts";

export async function createByDialect(attempt: Attempt, call: CreateCall): Promise<Outcome> {
  const asked = await askDialect(attempt, "create", { token: call.token });
  const outcome = await outcomeOf(attempt, "create", asked, undefined);
  const exists = outcome.kind === "failed" && outcome.means === "exists";
  return exists ? adoptExisting(attempt, call, outcome) : outcome;
}

export async function updateByDialect(attempt: Attempt, call: UpdateCall): Promise<Outcome> {
  const { id, before, token } = call;
  return outcomeOf(
    attempt,
    "update",
    await askDialect(attempt, "update", { id, before, token }),
    id,
  );
}

export async function removeByDialect(attempt: Attempt, call: DeleteCall): Promise<Outcome> {
  const { id, token } = call;
  if (attempt.row.delete === "none") return { kind: "gone" };
  return outcomeOf(attempt, "delete", await askDialect(attempt, "delete", { id, token }), id);
}

async function outcomeOf(
  attempt: Attempt,
  verb: ChangeVerb,
  asked: AskedDialect,
  id: string | undefined,
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
      return operationOutcome(attempt, verb, working, said.state, { ...of, id });
    }
    case "object": {
      if (verb === "delete" || (id !== undefined && said.id !== id))
        return unfitAnswer(attempt, said.kind);
      if (attempt.row.readBack !== true)
        return objectOutcome(attempt, said.object, said.id, handle, requestId);
      return verb === "create"
        ? observeCreated(attempt, said.id, handle)
        : observe(attempt, said.id, handle);
    }
    case "list":
      return unfitAnswer(attempt, said.kind);
  }
}
