/**
 * Whether the object of a delete is gone. Clouds are eventually consistent, and a delete can be answered by something
 * that never asked the cloud, so it takes two signs: the answer to the delete and a read, or two reads apart in time.
 */
import type { Deletion, PollHandle } from "#providers/polling.ts";
import type { Outcome } from "#providers/provider.ts";
import {
  observe,
  pending,
  stillPending,
  withoutFurtherReads,
  withoutReadiness,
} from "./observe.ts";
import { type Attempt, failure } from "./requests/attempt.ts";

const SIGNS = 2;

/** Reads the object once; `pending` while it is there, or while only one sign says that it is gone. */
export async function lookAtDeleted(
  attempt: Attempt,
  id: string,
  handle: PollHandle,
): Promise<Outcome> {
  const { definition } = attempt;
  if (isNeverGone(attempt)) return { kind: "gone" };
  const { signs, untaken }: Deletion = handle.deletion ?? { signs: 0 };
  const row = withoutFurtherReads(withoutReadiness(attempt.row));
  const seen = await observe({ ...attempt, row }, id, handle);
  if (seen.kind === "gone")
    return signs + 1 >= SIGNS ? seen : waitToLook(attempt, id, handle, signs + 1);
  if (seen.kind === "failed") {
    // Nobody may read it, which makes the answer to the delete the only sign.
    const believed = !seen.retryable && signs > 0 && untaken !== true;
    return believed ? { kind: "gone" } : stillPending(attempt, seen, handle, id);
  }
  if (untaken !== true) {
    const { deletion: _, ...rest } = handle;
    return pending(attempt, rest, { id, note: "still exists" });
  }
  const message = `${definition.types.name} did not take the delete of ${id}: a read still finds it.`;
  // One read may be late, and whatever answered may have asked the cloud.
  return failure("not_deleted", message, { retryable: true, ended: true, unknownOutcome: true });
}

/** The outcome of a delete that found no object: it is looked at once more, and deleted again if it is there. */
export function notFoundToDelete(attempt: Attempt, id: string, handle: PollHandle): Outcome {
  if (isNeverGone(attempt)) return { kind: "gone" };
  return waitToLook(attempt, id, { ...handle, deletion: { signs: 1, untaken: true } }, 1);
}

function waitToLook(attempt: Attempt, id: string, handle: PollHandle, signs: number): Outcome {
  const { operation: _, ...rest } = handle;
  const deletion = { ...handle.deletion, signs };
  return pending(attempt, { ...rest, deletion }, { id, note: "looking again whether it is gone" });
}

/** The object always exists: its delete sets it back. */
function isNeverGone({ row }: Attempt): boolean {
  return row.singleton !== undefined;
}
