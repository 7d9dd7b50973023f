import type { FailureMeaning } from "#providers/provider.ts";
import type { Answered } from "#providers/rest/definition.ts";

/** The object of the call is not there; a team, a scope or a user that is not there says nothing of it. */
const notThere = /^(?!.*(team|scope|user|account)).*not_?found$/i;
const taken = /already_?(exists|in_?use)|_in_use$|_taken$|^conflict$/i;
const takenWords = /already (exists|in use|assigned|being used)/i;
const limited = /limit|quota|_required$|plan|blocked/i;
const changing = /transfer|in progress|ongoing|being (updated|deleted)/i;

/** What an answer means; `undefined`: what its status says. */
export function meaningOf(
  status: number,
  code: string,
  message: string,
  { verb }: Answered,
): FailureMeaning | undefined {
  // Vercel answers 403 for what belongs to another team, and 404 without a code is of something in between.
  if (status === 404) return notThere.test(code) ? "gone" : "denied";
  if (status === 402 || status === 428) return "quota";
  if (status === 449) return "busy";
  if (![400, 403, 409].includes(status)) return undefined;
  const changes = verb === "create" || verb === "update";
  if (changing.test(message)) return "busy";
  if (changes && (taken.test(code) || takenWords.test(message))) return "exists";
  if (status === 403 && limited.test(code)) return "quota";
  return status === 409 && verb !== "create" ? "busy" : undefined;
}
