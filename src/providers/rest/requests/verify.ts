/** Checks the credential and config of a target with requests that change nothing, and says what to do. */
import { shortened, withinLimits } from "#providers/message-limits.ts";
import type { AccountNeeds, FailureMeaning, Verified } from "#providers/provider.ts";
import type { Failed, RequestResult, RequestSpec } from "#providers/rest/definition.ts";
import { type Attempt, failure } from "./attempt.ts";
import { sendRequest } from "./request.ts";

/** Requests of one check, and of one look at what an account lacks. */
const MAX_REQUESTS = 5;
const MAX_NEEDS_REQUESTS = 30;
/** The caller waits. Beyond it nothing more is asked. */
const MAX_NEEDS_MS = 20_000;

type Refused = Extract<Verified, { ok: false }>;

/** Sends the definition's own check, or a GET to its `verifyPath`. */
export async function verifyTarget(attempt: Attempt): Promise<Verified> {
  const { definition, context } = attempt;
  const request = requestsOf(attempt, MAX_REQUESTS);
  if (definition.verify !== undefined)
    return definition.verify(context, request, (result) => refusedBy(attempt, result));
  const result = await request({ method: "GET", path: definition.verifyPath });
  return result.ok ? { ok: true } : refusedBy(attempt, result);
}

/** What the account lacks for these types; undefined: the definition does not look. */
export async function accountNeeds(
  attempt: Attempt,
  types: ReadonlyMap<string, number>,
): Promise<AccountNeeds | undefined> {
  const { definition, context } = attempt;
  const untilMs = context.now() + MAX_NEEDS_MS;
  const send = requestsOf(attempt, MAX_NEEDS_REQUESTS);
  let over: Extract<RequestResult, { ok: false }> | undefined;
  // After an answer that says nothing of the account, no other is asked for: a throttled cloud is left alone.
  const request = async (spec: RequestSpec): Promise<RequestResult> => {
    if (over !== undefined) return over;
    if (context.now() > untilMs) return (over = tooSlow);
    const result = await send(spec);
    if (!result.ok && (result.failed.retryable || result.failed.means === "throttled"))
      over = result;
    return result;
  };
  const needs = await definition.needs?.(context, types, request);
  if (needs === undefined) return undefined;
  const unread = new Set(needs.unread.map(shortened));
  if (over === undefined) return { lacks: needs.lacks, unread: [...unread] };
  const { means, afterMs } = over.failed;
  const provider = definition.types.name;
  const throttled = means === "throttled";
  const why = throttled ? takesNoCalls(provider) : `${provider} did not answer every question`;
  return {
    lacks: needs.lacks,
    unread: [...unread, `${why}. Try again ${soon(afterMs)}.`],
    ...(throttled ? { throttledMs: afterMs ?? null } : {}),
  };
}

function takesNoCalls(provider: string): string {
  return `${provider} takes no more calls from this account now`;
}

/** The time of the next try. */
function soon(afterMs: number | undefined): string {
  return afterMs === undefined ? "in a minute" : `in ${Math.max(1, Math.ceil(afterMs / 1000))} s`;
}

const tooSlow = {
  ok: false as const,
  failed: failure("timeout", "The cloud takes too long to answer.", { retryable: true }),
};

function requestsOf(attempt: Attempt, most: number) {
  let sent = 0;
  return async (spec: RequestSpec): Promise<RequestResult> => {
    sent += 1;
    if (sent <= most) return sendRequest(attempt, spec);
    const message = `The check of ${attempt.definition.types.name} would need more than ${most} requests.`;
    return { ok: false, failed: failure("internal", message) };
  };
}

/** What a failed request says of the target: whether the cause is known, and what to do about it. */
export function refusedBy(
  { definition, context }: Attempt,
  { failed: refusal, status }: Extract<RequestResult, { ok: false }>,
): Refused {
  const failed = withinLimits(refusal);
  const { code, message, retryable, afterMs, permission } = failed;
  const means = failed.means ?? meaningOf(status);
  const throttled = means === "throttled";
  const provider = definition.types.name;
  const federated = context.identityToken !== undefined;
  const hint = hintFor({ provider, federated, region: context.region, failed, means, status });
  return {
    ok: false,
    code,
    message,
    retryable: retryable || throttled,
    ...(means === undefined ? {} : { means }),
    ...(hint === undefined ? {} : { hint }),
    ...(permission === undefined ? {} : { permission }),
    ...(afterMs === undefined ? {} : { afterMs }),
  };
}

function meaningOf(status: number | undefined): FailureMeaning | undefined {
  if (status === 401 || status === 403) return "denied";
  if (status === 404 || status === 410) return "gone";
  if (status === 400 || status === 422) return "invalid";
  return status === 429 ? "throttled" : undefined;
}

function hintFor({
  provider,
  federated,
  region,
  failed: { permission, retryable, afterMs },
  means,
  status,
}: {
  provider: string;
  federated: boolean;
  region: string;
  failed: Failed;
  means: FailureMeaning | undefined;
  status: number | undefined;
}): string | undefined {
  if (means === "denied" && permission !== undefined)
    return `${provider} accepts the credential, but it lacks the permission ${permission}. Grant it, then verify again.`;
  if (means === "denied" && federated)
    return `${provider} does not take this installation's token, or the identity may not do this. Compare the trust policy there with the target's, and grant the identity what your templates use, then verify again.`;
  if (means === "denied")
    return status === 401
      ? `${provider} does not accept the credential: it is wrong, revoked or expired. Store a current one where \`credentialRef\` points, then verify again.`
      : `${provider} accepts the credential, but it may not do this. Grant it the right to read and change what your templates use, then verify again.`;
  if (means === "throttled")
    return `${takesNoCalls(provider)}, which says nothing about the credential. Verify again ${soon(afterMs)}.`;
  if (means === "gone")
    return `${provider} does not know what the target names. Correct the account, project or region (${region}) of the target, then verify again.`;
  if (means === "invalid")
    return `${provider} refuses the request that the target's config and region (${region}) lead to. Correct them, then verify again.`;
  if (means === "quota")
    return `The account at ${provider} has reached a limit or is suspended. Resolve that with ${provider}, then verify again.`;
  return retryable && status === undefined
    ? `${provider} could not be reached, which says nothing about the credential. Verify again in a minute.`
    : undefined;
}
