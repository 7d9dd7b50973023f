import type { FailureMeaning } from "#providers/provider.ts";
import type { Answered } from "#providers/rest/definition.ts";

/** What Render says in the text alone: its answers have no codes of their own. */
const says = {
  exists: /already (exists|in use|taken|been taken)|must be unique/i,
  quota: /\blimit (was |has been )?(reached|exceeded)|payment information|upgrade your plan/i,
  busy: /in progress|not (yet )?(available|ready)|still (attached|in use|has)|is (being|creating|updating)|has (resources|services)/i,
};

/** Nobody but a person ends this. */
const never = /suspended/i;

/** What an answer means where its status does not say it; `undefined`: what the status says. */
export function meaningOf(
  status: number,
  message: string,
  { verb }: Answered,
): FailureMeaning | undefined {
  if (status === 402) return "quota";
  if (![400, 403, 409, 422].includes(status)) return undefined;
  if (never.test(message)) return "invalid";
  if (says.quota.test(message)) return "quota";
  const changes = verb === "create" || verb === "update";
  if (changes && says.exists.test(message)) return "exists";
  if (says.busy.test(message)) return "busy";
  // A conflict that is with no name is with a change under way.
  return status === 409 && verb !== "create" ? "busy" : undefined;
}
