/** What a provider is given to reach a target: its settings, its credential, and the way its requests take. */
import type { Bindings } from "#kernel/bindings.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import type { RunSpec } from "#orchestrator/storage/run.ts";
import { isJsonMap, type Json } from "#platform/json.ts";
import { type Trace, traceparentOf } from "#platform/trace.ts";
import { resolveCredential } from "#providers/auth/resolve-credential.ts";
import type { Provider, ProviderContext } from "#providers/provider.ts";
import { ProgramError } from "./program-error.ts";

/** What of a target a provider has to know. */
export type ReachableTarget = Pick<
  RunSpec["inputs"]["target"],
  "id" | "tenantId" | "provider" | "region" | "config" | "credentialRef"
>;

/** What a provider is given to reach this target. Throws `ProgramError` when its credential cannot be had. */
export function reach(
  parts: Pick<RunnerParts, "env" | "now">,
  of: { provider: Provider; target: ReachableTarget; trace?: Trace | undefined },
): ProviderContext {
  const { credential, problem } = credentialOf(of.target, parts.env);
  if (problem !== undefined) throw problem;
  return contextOf(parts, { ...of, credential });
}

/** As `reach`, with the credential at hand. */
export function contextOf(
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

/** Added last: no provider signs a header that is for tracing. */
function traced(request: Request, trace: Trace): Request {
  request.headers.set("traceparent", traceparentOf(trace));
  return request;
}

/** The target's credential, or why it cannot be had. */
export function credentialOf(
  target: ReachableTarget,
  env: Bindings,
): { credential: Json; problem?: ProgramError } {
  if (target.credentialRef === null) return { credential: null };
  const resolved = resolveCredential(target.credentialRef, target.tenantId, { ...env });
  if (resolved.ok) return { credential: resolved.credential };
  return {
    credential: null,
    problem: new ProgramError("credential_unavailable", resolved.problem),
  };
}

/** The operator's own URL for a provider: emulators and private endpoints. Never a tenant's. */
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
