/** A target without a stored credential: its runs identify themselves by tokens of this installation. */
import type { Bindings } from "#kernel/bindings.ts";
import { type RunIdentity, signRunToken } from "#kernel/identity/run-token.ts";
import { tokenIssuerWithKeys } from "#kernel/identity/token-issuer.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import type { Json, JsonMap } from "#platform/json.ts";
import type { Provider, ProviderContext } from "#providers/provider.ts";
import { tokenAudience } from "#providers/token-audience.ts";

/** Who calls: the run, or the check of a target. `id`: another one for each. */
export type CalledFor = { id: string } & Omit<RunIdentity, "target" | "tenantId">;

interface IdentifiedTarget {
  id: string;
  tenantId: string;
  environment: string;
  config: JsonMap;
  credentialRef: string | null;
}

/**
 * What signs the tokens of this run; nothing for a target whose stored credential needs none, or when the config names no
 * identity. It signs for the audience of the target's own cloud alone. `ownerId`: the tenant whose run it is.
 */
export function identityFor(
  { env, now, newId }: Pick<RunnerParts, "env" | "now" | "newId">,
  of: {
    provider: Provider;
    target: IdentifiedTarget;
    /** What `credentialRef` leads to. */
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

/** Whether a target with this stored credential is federated all the same. */
export function isCompleted({ federation }: Provider, credential: Json): boolean {
  return credential !== null && federation?.completedBy?.(credential) === true;
}

/** Why no token can be signed for a target without a stored credential; undefined: one can, or none is needed. */
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
