import type { JsonMap } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import { redactSecrets } from "#providers/redact-secrets.ts";
import { send, type Answer, type TransportRequest } from "#providers/transport.ts";
import type { Failed, RequestResult, RequestSpec, RestProviderDefinition } from "./definition.ts";
import { fillPath } from "./fill-path.ts";
import type { RestType } from "./rest-type.ts";

/** One call of the engine with everything its requests need. */
export interface Attempt {
  definition: RestProviderDefinition;
  context: ProviderContext;
  row: RestType;
  /** The properties, including the name; they fill the placeholders. */
  properties: JsonMap;
}

const retryableStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);
const MAX_MESSAGE_LENGTH = 2_000;

/** A failure; by default not retryable and without effect at the provider. */
export function failure(code: string, message: string, more: Partial<Failed> = {}): Failed {
  return { kind: "failed", code, message, retryable: false, unknownOutcome: false, ...more };
}

function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const present = new URLSearchParams(path.slice(path.indexOf("?") + 1));
  const missing = Object.entries(query).filter(
    ([name]) => !path.includes("?") || !present.has(name),
  );
  const text = new URLSearchParams(missing).toString();
  return text === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${text}`;
}

/** The URL of a request. It must be on the provider's origin, so that a link in an answer cannot lead elsewhere. */
function urlOf(
  attempt: Attempt,
  spec: RequestSpec,
): { ok: true; url: string } | { ok: false; failed: Failed } {
  const { definition, context, properties } = attempt;
  const base = (context.endpoint ?? definition.baseUrl(context)).replace(/\/+$/, "");
  const filled =
    spec.filled === true
      ? { ok: true as const, path: spec.path }
      : fillPath(spec.path, [
          spec.id === undefined ? {} : { id: spec.id },
          properties,
          context.config,
          { region: context.region },
        ]);
  if (!filled.ok) return { ok: false, failed: failure(filled.code, filled.message) };
  const path = withQuery(filled.path, { ...definition.query?.(context), ...spec.query });
  const text = path.startsWith("/") ? base + path : path;
  const url = URL.parse(text);
  if (url === null || url.origin !== URL.parse(base)?.origin)
    return {
      ok: false,
      failed: failure(
        "invalid_url",
        `The request to ${definition.types.name} would go to another origin. Check the target's config.`,
      ),
    };
  return { ok: true, url: text };
}

function failedOf(attempt: Attempt, request: TransportRequest, answer: Answer): Failed {
  const { definition, context } = attempt;
  const redirected = answer.status < 400;
  const error = redirected
    ? { code: "redirected", message: "redirects are not followed", retryable: false }
    : definition.readError(answer, { verb: "read" });
  const afterMs = error.afterMs ?? answer.afterMs;
  const retryable = error.retryable ?? retryableStatuses.has(answer.status);
  const where = `${request.method} ${new URL(request.url).pathname}`;
  const message = `${definition.types.name} answered ${answer.status} to ${where}: ${error.message}`;
  return {
    kind: "failed",
    code: error.code.slice(0, 100),
    message: redactSecrets(message, context.credential, request.headers).slice(
      0,
      MAX_MESSAGE_LENGTH,
    ),
    ...(error.permission !== undefined && { permission: error.permission.slice(0, 200) }),
    fault: answer.status >= 400 && answer.status < 500 && !retryable ? "user" : "provider",
    retryable,
    unknownOutcome:
      request.method !== "GET" && (redirected || answer.status === 408 || answer.status >= 500),
    ...(afterMs !== undefined && { afterMs }),
    ...(answer.requestId !== undefined && { requestId: answer.requestId }),
  };
}

/**
 * Signs and sends one request. Any 2xx is an answer; anything else is a failure that says whether a retry may succeed
 * and whether the change may have taken effect.
 */
export async function sendRequest(attempt: Attempt, spec: RequestSpec): Promise<RequestResult> {
  const { definition, context, row } = attempt;
  const target = urlOf(attempt, spec);
  if (!target.ok) return target;
  const unsigned: TransportRequest = {
    method: spec.method,
    url: target.url,
    headers: {
      accept: "application/json",
      ...(spec.body !== undefined && { "content-type": "application/json" }),
      ...definition.headers?.(context),
      ...row.headers,
      ...spec.headers,
    },
    ...(spec.body !== undefined && { body: JSON.stringify(spec.body) }),
  };
  let request: TransportRequest;
  try {
    const authorization = await definition.authorize(unsigned, context);
    request = { ...unsigned, headers: { ...unsigned.headers, ...authorization } };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "unknown reason";
    const message = `The credential could not sign a request to ${definition.types.name}: ${reason}`;
    return {
      ok: false,
      failed: failure("invalid_credential", redactSecrets(message, context.credential)),
    };
  }

  const answer = await send(context, request);
  if (answer.ok) {
    const budget = definition.readBudget?.(answer, context.now());
    if (budget !== undefined) context.budget?.(budget);
  }
  if (answer.ok && answer.status >= 200 && answer.status < 300) return { ok: true, answer };
  if (answer.ok)
    return { ok: false, status: answer.status, failed: failedOf(attempt, request, answer) };
  const where = `${spec.method} ${new URL(request.url).pathname}`;
  return {
    ok: false,
    failed: {
      kind: "failed",
      code: answer.kind === "invalid" && !answer.sent ? "invalid_request" : answer.kind,
      message: `${definition.types.name}, ${where}: ${answer.message}`,
      retryable: answer.sent && answer.kind !== "too_large",
      unknownOutcome: answer.sent && spec.method !== "GET",
      ...(answer.requestId !== undefined && { requestId: answer.requestId }),
    },
  };
}
