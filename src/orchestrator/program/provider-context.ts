/** The context of a provider's calls to a target: the settings, the credential, and how requests are sent. */
import { readProviderEndpoints } from "#kernel/provider-endpoints.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import type { RunSpec } from "#orchestrator/storage/run.ts";
import { PLATFORM } from "#platform/ids.ts";
import type { Json } from "#platform/json.ts";
import { type Trace, traceHeaders, withoutState } from "#platform/trace.ts";
import { resolveCredential } from "#providers/auth/resolve-credential.ts";
import type { Provider, ProviderContext } from "#providers/provider.ts";
import { CredentialUnreachable } from "./credential-unreachable.ts";
import { ProgramError } from "./program-error.ts";
import { type CalledFor, identityFor, identityProblem, isCompleted } from "./target-identity.ts";

/** The part of a target that a provider needs. */
export type ReachableTarget = Pick<
  RunSpec["inputs"]["target"],
  "id" | "tenantId" | "provider" | "region" | "environment" | "config" | "credentialRef"
>;

type Needed = Pick<RunnerParts, "env" | "now" | "newId">;

/**
 * The context of a provider's calls to this target. Throws `ProgramError` if the credential is unavailable, and
 * `CredentialUnreachable` if a later attempt may succeed.
 */
export async function providerContext(
  parts: Needed,
  of: {
    provider: Provider;
    target: ReachableTarget;
    calledFor: CalledFor;
    trace?: Trace | undefined;
  },
): Promise<ProviderContext> {
  const { credential, problem } = await credentialOf(of, parts);
  if (problem !== undefined) throw problem;
  return contextWith(parts, { ...of, credential });
}

/** As `providerContext`, with a given credential. */
export function contextWith(
  parts: Needed,
  of: {
    provider: Provider;
    target: ReachableTarget;
    credential: Json;
    calledFor: CalledFor;
    /** The tenant whose objects the calls are for; absent: no tenant's. */
    ownerId?: string;
    trace?: Trace | undefined;
  },
): ProviderContext {
  const { provider, target, credential, ownerId, trace } = of;
  const redirection = redirectionOf(parts.env.PROVIDER_ENDPOINTS, provider);
  const redirected = Object.keys(redirection).length > 0;
  const connected = redirected ? undefined : provider.connect?.(parts.env, target.id);
  const send = connected ?? ((request: Request) => fetch(request));
  return {
    targetId: target.id,
    ...(ownerId === undefined ? {} : { tenantId: ownerId }),
    region: target.region,
    config: target.config,
    credential,
    ...identityFor(parts, of),
    ...(ownerId === target.tenantId && ownerId !== PLATFORM ? { ownAccount: true } : {}),
    ...redirection,
    fetch: trace === undefined ? send : (request) => send(traced(request, trace)),
    now: parts.now,
  };
}

/**
 * Called last, after signing, since no provider signs the tracing header. `tracestate` is not sent: no cloud reads it,
 * and a target's account may belong to another tenant.
 */
function traced(request: Request, trace: Trace): Request {
  const { traceparent } = traceHeaders(withoutState(trace));
  if (traceparent !== undefined) request.headers.set("traceparent", traceparent);
  return request;
}

/**
 * The target's credential, or the reason why it is unavailable. `null`: the target has none; its runs may identify
 * themselves. Throws `CredentialUnreachable` if a later attempt may succeed.
 */
export async function credentialOf(
  { provider, target }: { provider: Provider; target: ReachableTarget },
  { env, now }: Pick<RunnerParts, "env" | "now">,
): Promise<{ credential: Json; problem?: ProgramError }> {
  const identified = async (credential: Json) => {
    const problem = await identityProblem({ provider, target }, env);
    if (problem === undefined) return { credential };
    return { credential: null, problem: new ProgramError("credential_unavailable", problem) };
  };
  if (target.credentialRef === null) return identified(null);
  const { endpoint } = redirectionOf(env.PROVIDER_ENDPOINTS, { name: "aws-sm" });
  const resolved = await resolveCredential(target.credentialRef, target.tenantId, {
    env: { ...env },
    fetch: (request) => fetch(request),
    now,
    ...(endpoint === undefined ? {} : { endpoint }),
  });
  if (resolved.ok && isCompleted(provider, resolved.credential))
    return identified(resolved.credential);
  if (resolved.ok) return { credential: resolved.credential };
  if (resolved.retryable) throw new CredentialUnreachable(resolved.problem);
  return {
    credential: null,
    problem: new ProgramError("credential_unavailable", resolved.problem),
  };
}

/** The operator's redirection of the provider's calls. Throws `ProgramError` if the setting has a mistake. */
function redirectionOf(
  setting: string | undefined,
  { name, hosts = [] }: { name: string; hosts?: readonly string[] | undefined },
) {
  const read = readProviderEndpoints(setting);
  if (!read.ok)
    throw new ProgramError("unavailable", `The operator's setting is wrong. ${read.problem}`);
  const redirection = read.of(name);
  const unknown = Object.keys(redirection.endpoints ?? {}).find((host) => !hosts.includes(host));
  if (unknown === undefined) return redirection;
  const known = hosts.length === 0 ? "none" : hosts.join(", ");
  throw new ProgramError(
    "unavailable",
    `The operator's setting PROVIDER_ENDPOINTS names a host ${JSON.stringify(unknown)} of ${name}, which has no such host. Its hosts: ${known}.`,
  );
}
