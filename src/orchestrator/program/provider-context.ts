/** The context of a provider's calls to a target: the settings, the credential, and how requests are sent. */
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import type { RunSpec } from "#orchestrator/storage/run.ts";
import { isJsonMap, type Json } from "#platform/json.ts";
import { type Trace, traceparentOf } from "#platform/trace.ts";
import { resolveCredential } from "#providers/auth/resolve-credential.ts";
import type { Provider, ProviderContext } from "#providers/provider.ts";
import { CredentialUnreachable } from "./credential-unreachable.ts";
import { ProgramError } from "./program-error.ts";

/** The part of a target that a provider needs. */
export type ReachableTarget = Pick<
  RunSpec["inputs"]["target"],
  "id" | "tenantId" | "provider" | "region" | "config" | "credentialRef"
>;

/**
 * The context of a provider's calls to this target. Throws `ProgramError` if the credential is unavailable, and
 * `CredentialUnreachable` if the same may succeed later.
 */
export async function providerContext(
  parts: Pick<RunnerParts, "env" | "now">,
  of: { provider: Provider; target: ReachableTarget; trace?: Trace | undefined },
): Promise<ProviderContext> {
  const { credential, problem } = await credentialOf(of.target, parts);
  if (problem !== undefined) throw problem;
  return contextWith(parts, { ...of, credential });
}

/** As `providerContext`, with a given credential. */
export function contextWith(
  parts: Pick<RunnerParts, "env" | "now">,
  of: {
    provider: Provider;
    target: ReachableTarget;
    credential: Json;
    trace?: Trace | undefined;
  },
): ProviderContext {
  const { provider, target, credential, trace } = of;
  const endpoint = endpointOf(parts.env.PROVIDER_ENDPOINTS, target.provider);
  const connected = endpoint === undefined ? provider.connect?.(parts.env, target.id) : undefined;
  const send = connected ?? ((request: Request) => fetch(request));
  return {
    targetId: target.id,
    region: target.region,
    config: target.config,
    credential,
    ...(endpoint === undefined ? {} : { endpoint }),
    fetch: trace === undefined ? send : (request) => send(traced(request, trace)),
    now: parts.now,
  };
}

/** Called last, after signing: no provider signs the tracing header. */
function traced(request: Request, trace: Trace): Request {
  request.headers.set("traceparent", traceparentOf(trace));
  return request;
}

/**
 * The target's credential, or the reason why it is unavailable. Throws `CredentialUnreachable` if the same may succeed
 * later.
 */
export async function credentialOf(
  target: ReachableTarget,
  { env, now }: Pick<RunnerParts, "env" | "now">,
): Promise<{ credential: Json; problem?: ProgramError }> {
  if (target.credentialRef === null) return { credential: null };
  const endpoint = endpointOf(env.PROVIDER_ENDPOINTS, "aws-sm");
  const resolved = await resolveCredential(target.credentialRef, target.tenantId, {
    env: { ...env },
    fetch: (request) => fetch(request),
    now,
    ...(endpoint === undefined ? {} : { endpoint }),
  });
  if (resolved.ok) return { credential: resolved.credential };
  if (resolved.retryable) throw new CredentialUnreachable(resolved.problem);
  return {
    credential: null,
    problem: new ProgramError("credential_unavailable", resolved.problem),
  };
}

/** The operator's URL for a provider, or for where credentials are, for emulators and private endpoints. Tenants cannot set it. */
function endpointOf(setting: string | undefined, provider: string): string | undefined {
  let endpoints: unknown = {};
  try {
    if (setting !== undefined && setting !== "") endpoints = JSON.parse(setting);
  } catch {
    endpoints = undefined;
  }
  if (!isJsonMap(endpoints))
    throw new ProgramError(
      "unavailable",
      "The operator's setting PROVIDER_ENDPOINTS is not a JSON object: no provider can be called.",
    );
  if (!Object.hasOwn(endpoints, provider)) return undefined;
  const url = endpoints[provider];
  return typeof url === "string" ? url : undefined;
}
