/** A target without a stored credential: its runs identify themselves by tokens of this installation. */
import type { Bindings } from "#kernel/bindings.ts";
import { type RunIdentity, signRunToken } from "#kernel/identity/run-token.ts";
import { tokenIssuerWithKeys } from "#kernel/identity/token-issuer.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import type { Json, JsonMap } from "#platform/json.ts";
import type { Provider, ProviderContext } from "#providers/provider.ts";
import { tokenAudience } from "#providers/token-audience.ts";

/** The caller: the run, or the check of a target. `id`: unique for each. */
export type CalledFor = { id: string } & Omit<RunIdentity, "target" | "tenantId">;

interface IdentifiedTarget {
  id: string;
  tenantId: string;
  environment: string;
  config: JsonMap;
  credentialRef: string | null;
}

/**
 * The signer of the run's tokens; none for a target whose stored credential needs no tokens, or whose config names no
 * identity. It signs only for the audience of the target's own cloud. `ownerId`: the tenant of the run.
 */
export function identityFor(
  { env, now, newId }: Pick<RunnerParts, "env" | "now" | "newId">,
  of: {
    provider: Provider;
    target: IdentifiedTarget;
    /** The stored credential of `credentialRef`. */
    credential?: Json;
    calledFor: CalledFor;
    ownerId?: string;
  },
): Pick<ProviderContext, "identityToken" | "identityRun"> {
  const { provider, target, credential = null, calledFor, ownerId } = of;
  if (target.credentialRef !== null && !isCompleted(provider, credential)) return {};
  const wanted = tokenAudience(provider, target.config);
  if (wanted.kind !== "audience") return {};
  const { id: identityRun, ...claims } = calledFor;
  const identity: RunIdentity = { ...claims, target, tenantId: ownerId ?? target.tenantId };
  return {
    identityRun,
    identityToken: async (audience) => {
      if (audience !== wanted.audience)
        throw new Error(`${provider.name} asked for a token for another audience than its own`);
      return signRunToken(env, identity, { audience, nowMs: now(), tokenId: newId() });
    },
  };
}

/** Whether a target with this stored credential is still federated. */
export function isCompleted({ federation }: Provider, credential: Json): boolean {
  return credential !== null && federation?.completedBy?.(credential) === true;
}

/**
 * The reason why no token can be signed for a target without a stored credential; undefined: one can, or none is
 * needed.
 */
export async function identityProblem(
  { provider, target }: { provider: Provider; target: Pick<IdentifiedTarget, "config"> },
  env: Bindings,
): Promise<string | undefined> {
  const wanted = tokenAudience(provider, target.config);
  if (wanted.kind === "none") return undefined;
  if (wanted.kind === "refused") return wanted.problem;
  const issuer = await tokenIssuerWithKeys(env);
  return issuer.ok ? undefined : issuer.problem;
}
