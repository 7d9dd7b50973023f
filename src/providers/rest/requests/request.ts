import { isJsonMap, type Json } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import { redactSecrets, secretsIn } from "#providers/redact-secrets.ts";
import type { RequestResult, RequestSpec, SessionRequest } from "#providers/rest/definition.ts";
import { send, type TransportRequest } from "#providers/transport.ts";
import { type Attempt, failure } from "./attempt.ts";
import { changes, failedAnswer } from "./failed-answer.ts";
import { requestUrl } from "./request-url.ts";
import { signedIn } from "./session.ts";

/** Short, so that a change whose session has to be obtained twice is still sent within the lease of its run's slot. */
const SESSION_TIMEOUT_MS = 10_000;
/** Shorter values of a form are names of what is asked for. */
const MIN_EXCHANGED_LENGTH = 64;

/**
 * Signs and sends one request. Any 2xx is an answer; anything else is a failure that says what it means, whether a retry
 * may succeed and whether the change may have taken effect. An answer that no longer accepts the session (401) is asked
 * for once more with another one.
 */
export async function sendRequest(attempt: Attempt, spec: RequestSpec): Promise<RequestResult> {
  const verb =
    spec.verb ?? (spec.method === "GET" && changes(attempt.verb) ? "read" : attempt.verb);
  const signed = await signedIn({ ...attempt, verb }, askForSession(attempt));
  if (!signed.ok) return signed;
  const result = await exchange(signed.attempt, spec, true);
  const refused = !result.ok && result.sessionEnded === true && !result.failed.unknownOutcome;
  if (!refused || signed.attempt.context.session === undefined) return result;
  const renewed = await signed.renew();
  return renewed.ok ? exchange(renewed.attempt, spec, true) : renewed;
}

/** Requests for a session are those of the provider, whatever type the call is of. */
function askForSession(attempt: Attempt): SessionRequest {
  const { definition } = attempt;
  return async (spec) => {
    const { type: _, ...rest } = attempt;
    const asking: Attempt = { ...rest, verb: "session", row: { path: "", update: "none" } };
    const result = await exchange(asking, spec, false);
    if (!result.ok) return result;
    const { answer } = result;
    if (isJsonMap(answer.json)) return { ok: true, json: answer.json, answer };
    const message = `${definition.types.name} answered a request for a session with something that is not an object.`;
    return { ok: false, failed: failure("invalid_answer", message, { retryable: true }) };
  };
}

async function exchange(
  attempt: Attempt,
  spec: RequestSpec,
  authorizes: boolean,
): Promise<RequestResult> {
  const { definition, context, verb } = attempt;
  const target = requestUrl(attempt, spec);
  if (!target.ok) return target;
  const unsigned = unsignedRequest(attempt, spec, target.url);
  const secrets = secretsOf(context, spec);
  let request = unsigned;
  try {
    const signer = spec.authorize === undefined ? (authorizes ? definition : undefined) : spec;
    const authorization = (await signer?.authorize?.(unsigned, context)) ?? {};
    request = { ...unsigned, headers: { ...unsigned.headers, ...authorization } };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "unknown reason";
    const message = `The credential could not sign a request to ${definition.types.name}: ${reason}`;
    return { ok: false, failed: failure("invalid_credential", redactSecrets(message, secrets)) };
  }

  const answer = await send(
    context,
    request,
    verb === "session" ? { timeoutMs: SESSION_TIMEOUT_MS } : {},
  );
  if (answer.ok) {
    const budget = definition.readBudget?.(answer, context.now());
    if (budget !== undefined) context.budget?.(budget);
    if (answer.status >= 200 && answer.status < 300) return { ok: true, answer };
    const said = failedAnswer(attempt, request, answer, secrets);
    const failed = answer.status === 401 ? { ...said, unauthenticated: true as const } : said;
    const sessionEnded = answer.status === 401 || definition.session?.ended?.(answer) === true;
    return { ok: false, status: answer.status, failed, ...(sessionEnded && { sessionEnded }) };
  }
  const where = `${spec.method} ${new URL(request.url).pathname}`;
  return {
    ok: false,
    failed: {
      kind: "failed",
      code: answer.kind === "invalid" && !answer.sent ? "invalid_request" : answer.kind,
      message: `${definition.types.name}, ${where}: ${answer.message}`,
      retryable: answer.sent && answer.kind !== "too_large",
      unknownOutcome: answer.sent && changes(verb),
      ...(answer.requestId !== undefined && { requestId: answer.requestId }),
    },
  };
}

/** What no message may have: the credential, the session, and what a form exchanges for one. */
function secretsOf({ credential, config, session }: ProviderContext, { form }: RequestSpec): Json {
  const exchanged = Object.values(form ?? {}).filter((text) => text.length >= MIN_EXCHANGED_LENGTH);
  return [...secretsIn(credential, config), session ?? null, ...exchanged];
}

function unsignedRequest(
  { definition, context, row }: Attempt,
  { method, headers, ...spec }: RequestSpec,
  url: string,
): TransportRequest {
  const sent = bodyOf(spec);
  return {
    method,
    url,
    headers: {
      accept: "application/json",
      ...(sent !== undefined && { "content-type": sent.type }),
      ...definition.headers?.(context, row),
      ...headers,
    },
    ...(sent !== undefined && { body: sent.text }),
  };
}

function bodyOf({
  body,
  form,
  text,
}: Pick<RequestSpec, "body" | "form" | "text">): { type: string; text: string } | undefined {
  if (text !== undefined) return { type: "text/plain", text };
  if (form !== undefined)
    return {
      type: "application/x-www-form-urlencoded",
      text: new URLSearchParams(form).toString(),
    };
  return body === undefined ? undefined : { type: "application/json", text: JSON.stringify(body) };
}
