import type { DeleteCall, Outcome } from "#providers/provider.ts";
import { readObject } from "#providers/rest/read-object.ts";
import type { Attempt } from "#providers/rest/requests/attempt.ts";
import { sendRequest } from "#providers/rest/requests/request.ts";

/**
 * Deletes an object by `act`, and then what the cloud would keep for ever without it. What happens to that changes
 * nothing of the outcome: a leftover that stays is only untidy.
 */
export async function withoutLeftovers(
  attempt: Attempt,
  { id }: DeleteCall,
  act: () => Promise<Outcome>,
): Promise<Outcome> {
  const leftovers = attempt.definition.leftovers?.(attempt.row);
  if (leftovers === undefined) return act();
  const read = await readObject(attempt, id);
  const requests = read.ok ? leftovers(read.object) : [];
  const outcome = await act();
  // Until the delete is accepted, the object has to be found again.
  if (outcome.kind === "failed") return outcome;
  for (const request of requests) await sendRequest(attempt, request);
  return outcome;
}
