/** What a cloud's refusal means for the call: whether it had an effect, and whether to send it again. */
import { isJsonMap, type Json } from "#platform/json.ts";
import { quotable } from "#providers/message-limits.ts";
import type { FailureMeaning } from "#providers/provider.ts";
import { redactSecrets, secretsIn } from "#providers/redact-secrets.ts";
import type { Answered, Failed, ProviderError } from "#providers/rest/definition.ts";
import type { Answer, TransportRequest } from "#providers/transport.ts";
import { type Attempt, failure } from "./attempt.ts";

/** Those from 520 on are Cloudflare's, for a cloud behind it that gives no answer in time. */
const retryableStatuses: ReadonlySet<number> = new Set([
  408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524,
]);
const retryableMeanings: ReadonlySet<FailureMeaning> = new Set(["busy", "stale", "throttled"]);
/** What the owner of the target or template mends. */
const usersMeanings: ReadonlySet<FailureMeaning> = new Set([
  "exists",
  "denied",
  "quota",
  "invalid",
]);

/** Whether a request of this call changes something at the cloud, whatever its method is. */
export function changes(verb: Answered["verb"]): boolean {
  return verb === "create" || verb === "update" || verb === "delete";
}

/** Whether a failure with this meaning passes by itself. */
export function passes(means: FailureMeaning): boolean {
  return retryableMeanings.has(means);
}

/**
 * The failure that an answer other than 2xx tells of. `secrets`: texts that its message must not have. The message is
 * not cut: who knows further secrets redacts them first.
 */
export function failedAnswer(
  attempt: Attempt,
  request: TransportRequest,
  answer: Answer,
  secrets: Json,
): Failed {
  const { definition, type, verb } = attempt;
  const redirected = answer.status < 400;
  const error: ProviderError = redirected
    ? { code: "redirected", message: "redirects are not followed", retryable: false }
    : definition.readError(answer, { verb, ...(type !== undefined && { type }) });
  const means = redirected ? undefined : meaningOf(attempt, error, answer.status);
  const afterMs = error.afterMs ?? answer.afterMs;
  const retryable =
    error.retryable ??
    (means === undefined ? retryableStatuses.has(answer.status) : retryableMeanings.has(means));
  const refused = answer.status >= 400 && answer.status < 500 && !retryable;
  const where = `${request.method} ${new URL(request.url).pathname}`;
  const message = `${definition.types.name} answered ${answer.status} to ${where}: ${quotable(error.message)}`;
  return {
    kind: "failed",
    code: error.code,
    message: redactSecrets(message, secrets, request.headers),
    fault: refused || (means !== undefined && usersMeanings.has(means)) ? "user" : "provider",
    ...(means !== undefined && { means }),
    ...(error.spreads !== undefined && changes(verb) && { spreads: error.spreads }),
    ...(error.permission !== undefined && { permission: error.permission }),
    retryable,
    unknownOutcome:
      changes(verb) &&
      means === undefined &&
      (redirected || answer.status === 408 || answer.status >= 500),
    ...(afterMs !== undefined && { afterMs }),
    ...(answer.requestId !== undefined && { requestId: answer.requestId }),
  };
}

/** The failure that an answer to a create or update tells of inside, although its status says that it succeeded. */
export function refusalInside(
  { definition, context, type, verb }: Attempt,
  answer: Answer,
  body: Json | undefined,
): Failed | undefined {
  if (!isJsonMap(body)) return undefined;
  const of = { verb, ...(type !== undefined && { type }) };
  const { code, message, means } = definition.readError({ ...answer, status: 400, json: body }, of);
  const did = verb === "update" ? "changed" : "made";
  const told = `${definition.types.name} ${did} nothing: ${quotable(message)}`;
  return failure(code, redactSecrets(told, secretsIn(context.credential, context.config)), {
    fault: "user",
    means: means ?? "invalid",
    ...(means !== undefined && passes(means) && { retryable: true }),
    ...(answer.requestId !== undefined && { requestId: answer.requestId }),
  });
}

function meaningOf(
  { verb }: Attempt,
  { means }: ProviderError,
  status: number,
): FailureMeaning | undefined {
  if (means !== undefined) return means;
  switch (status) {
    case 404:
    case 410:
      return "gone";
    case 409:
      return verb === "create" ? "exists" : undefined;
    case 401:
    case 403:
      return "denied";
    case 412:
      return "stale";
    case 429:
      return "throttled";
    case 400:
    case 422:
      return "invalid";
    default:
      return undefined;
  }
}
