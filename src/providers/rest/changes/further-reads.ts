/** Reads beyond the object itself, whose answers become outputs: how to connect to it, its keys. */
import { changedAt } from "#platform/at-path.ts";
import type { JsonMap } from "#platform/json.ts";
import type { Failed } from "#providers/rest/definition.ts";
import type { Attempt } from "#providers/rest/requests/attempt.ts";
import { sendRequest } from "#providers/rest/requests/request.ts";
import { valueAt } from "#providers/rest/value-at.ts";

export type FurtherOutputs =
  | {
      ok: true;
      outputs: JsonMap;
      /** What could not be had, and why. */
      missing: string[];
      /** Some of it is not there, and may come. */
      isUnborn: boolean;
    }
  | { ok: false; failed: Failed };

/**
 * The outputs with those of the row's further reads. Fails only with what passes: whatever else cannot be had is missing,
 * for it must not fail what was done.
 */
export async function furtherOutputs(
  attempt: Attempt,
  id: string,
  outputs: JsonMap,
): Promise<FurtherOutputs> {
  const { definition, row } = attempt;
  const missing: string[] = [];
  let isUnborn = false;
  let all = outputs;
  for (const { path, method = "GET", from, to } of row.read?.further ?? []) {
    const result = await sendRequest({ ...attempt, verb: "read" }, { method, path, id });
    if (!result.ok) {
      const { failed } = result;
      // A read changes nothing, even by POST.
      if (failed.retryable) return { ok: false, failed: { ...failed, unknownOutcome: false } };
      if (failed.means === "gone") isUnborn = true;
      missing.push(`no ${to}: ${failed.message}`);
      continue;
    }
    const value = valueAt(result.answer.json, from);
    if (value !== undefined) all = changedAt(all, to, () => value);
    else missing.push(`no ${to}: ${definition.types.name} answered without ${from ?? "a body"}`);
  }
  return { ok: true, outputs: all, missing, isUnborn };
}
