/** Keeps a create by PUT from taking over what is there already. */
import type { CreateCall, Outcome } from "#providers/provider.ts";
import { RESOURCE_FAILED } from "#providers/rest/observe.ts";
import { type Attempt, failure } from "#providers/rest/requests/attempt.ts";
import { adopt } from "./adopt-existing.ts";
import { markOf, marksOn } from "./mark.ts";
import { readPlace } from "./read-place.ts";

/**
 * `undefined` for nothing at the place of a create, or for what an earlier attempt left failed, which a PUT mends; else
 * the outcome for it, ours if it has this step's mark.
 */
export async function guarded(attempt: Attempt, call: CreateCall): Promise<Outcome | undefined> {
  const { definition, row } = attempt;
  const there = await readPlace(attempt);
  if (there.kind === "none") return undefined;
  if (there.kind === "failed") return there.failed;
  const { id, object } = there;
  const mark = markOf(row, call.token);
  if (id !== "" && mark !== undefined && marksOn(row, object).includes(mark)) {
    const outcome = await adopt(attempt, id);
    return row.create?.guard === "read" && isBroken(outcome) ? undefined : outcome;
  }
  const message = `${definition.types.name} already has ${id || call.name}, not created by this step, and a create would take it over. Import it, delete it, or choose another name.`;
  return failure("already_exists", message, { means: "exists" });
}

function isBroken(outcome: Outcome): boolean {
  return outcome.kind === "failed" && outcome.code === RESOURCE_FAILED;
}
