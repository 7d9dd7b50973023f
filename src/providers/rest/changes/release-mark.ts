import type { DeleteCall, Outcome } from "#providers/provider.ts";
import { readObject } from "#providers/rest/read-object.ts";
import type { Attempt } from "#providers/rest/requests/attempt.ts";
import { sendRequest } from "#providers/rest/requests/request.ts";
import { marksOn } from "./mark.ts";

/**
 * Deletes an object by `act`, and then its mark, where the cloud would keep that for ever. What happens to the mark
 * changes nothing of the outcome: one that stays is only untidy.
 */
export async function withMarkReleased(
  attempt: Attempt,
  { id }: DeleteCall,
  act: () => Promise<Outcome>,
): Promise<Outcome> {
  const { row } = attempt;
  const path = row.find?.by === "tag" ? row.find.release : undefined;
  if (path === undefined) return act();
  const read = await readObject(attempt, id);
  const marks = read.ok ? marksOn(row, read.object) : [];
  const outcome = await act();
  // Until the delete is accepted, the object has to be found again.
  if (outcome.kind === "failed") return outcome;
  for (const mark of marks)
    await sendRequest(
      { ...attempt, properties: { ...attempt.properties, mark } },
      { method: "DELETE", path },
    );
  return outcome;
}
