import { isJsonMap } from "#platform/json.ts";
import type { FailureMeaning } from "#providers/provider.ts";
import type { Answered, ProviderError } from "#providers/rest/definition.ts";
import { withAdvice } from "#providers/rest/with-advice.ts";
import type { Answer } from "#providers/transport.ts";

/** The patterns take time that grows with the square of a text's length. */
const MAX_READ = 2_000;

/** What Supabase says in the text alone. */
const says = {
  exists: /already (exists|in use|taken|has)|duplicate|must be unique/i,
  paused: /\bpaused\b|\binactive\b|not active/i,
  busy: /coming up|restoring|restarting|resizing|upgrading|pausing|in progress|not (yet )?ready|being (created|deleted)|could not obtain service/i,
  quota:
    /\blimit\b.*\b(reached|exceeded)|maximum (number|limit)|exceeds? .*\b(limit|plan)|upgrade (to|your)/i,
};

export const PAUSED = "project_paused";

export const restoreAdvice =
  "A paused project keeps what is in it: restore it in the dashboard, or by POST /v1/projects/{ref}/restore, then deploy again.";

function messageOf({ json }: Answer): string | undefined {
  if (!isJsonMap(json)) return undefined;
  const message = json["message"] ?? json["error"];
  const text = Array.isArray(message) ? message.map(String).join("; ") : message;
  return typeof text === "string" && text !== "" ? text : undefined;
}

function meaningOf(
  { status }: Answer,
  words: string | undefined,
  { verb }: Answered,
): FailureMeaning | undefined {
  const said = (words ?? "").slice(0, MAX_READ);
  if (status === 402) return "quota";
  if (status === 423) return "busy";
  if (![400, 403, 404, 406, 409, 410, 412, 422].includes(status)) return undefined;
  if (says.paused.test(said)) return "invalid";
  if (says.busy.test(said)) return "busy";
  if (status !== 404 && status !== 410) {
    if (status !== 403 && says.exists.test(said)) return "exists";
    if (says.quota.test(said)) return "quota";
    if (status === 409) return verb === "create" ? "exists" : "busy";
    return status === 412 ? "invalid" : undefined;
  }
  // A path that does not exist, and what stands before the API, say nothing of the object.
  if (words === undefined) return "busy";
  if (verb === "create" || /^cannot (get|post|put|patch|delete) \//i.test(said)) return "invalid";
  return /not (been )?enabled|not supported|disabled/i.test(said) ? "invalid" : "gone";
}

function adviceFor({ status }: Answer, words: string, { type, verb }: Answered): string {
  if (says.paused.test(words)) return restoreAdvice;
  if (status === 401)
    return "The token is wrong, has expired or was revoked: set the credential to a token that is valid.";
  if (status === 403) return "The token's owner needs a role in the organization that allows this.";
  if (type === "supabase:SigningKey" && verb === "delete")
    return "A key is deleted some time after its status was set to revoked.";
  return "";
}

export function readError(answer: Answer, of: Answered): ProviderError {
  const words = messageOf(answer);
  const means = meaningOf(answer, words, of);
  const isPaused = means === "invalid" && words !== undefined && says.paused.test(words);
  const text = words ?? "unknown reason";
  return {
    code: isPaused ? PAUSED : `http_${answer.status}`,
    message:
      means === "gone" || means === "busy" ? text : withAdvice(text, adviceFor(answer, text, of)),
    ...(means === undefined ? {} : { means }),
  };
}
