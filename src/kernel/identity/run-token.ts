/**
 * The token that identifies a run to a cloud that trusts this installation. Its subject is the target: the owner's
 * trust policy names it, and no other target of any tenant ever has the same. It consists only of ids that this service
 * chooses. A tenant could choose a name that is spelled like another's subject.
 */
import { type IssuerSettings, tokenIssuerWithKeys } from "./token-issuer.ts";

/** The identity of a run. */
export interface RunIdentity {
  /** `tenantId`: the target's owner. */
  target: { id: string; tenantId: string; environment: string };
  /** The tenant of the run; at a platform target, any tenant. */
  tenantId: string;
  operation: string;
  /** Absent: a check of the target. */
  deploymentId?: string;
  instanceId?: string;
}

/** From `nbf` to `exp`. */
const LIFE_SECONDS = 600;
/** The allowance for a cloud's clock that is behind. */
const EARLY_SECONDS = 30;

/** The claims of tokens besides the registered ones. */
export const ownClaims = [
  "tenant_id",
  "target_id",
  "environment",
  "operation",
  "deployment_id",
  "instance_id",
] as const;

/** `sub` of the tokens of this target: the owner's id and the target's. */
export function subjectOf({ id, tenantId }: { id: string; tenantId: string }): string {
  for (const one of [tenantId, id])
    if (!/^[A-Za-z0-9-]{1,64}$/.test(one))
      throw new Error(`${JSON.stringify(one)} is no id: it cannot be part of a subject`);
  return `tenant:${tenantId}:target:${id}`;
}

/** Signs a token for this audience that lives ten minutes. `tokenId`: unique for each token. Throws without keys. */
export async function signRunToken(
  env: IssuerSettings,
  { target, tenantId, operation, deploymentId, instanceId }: RunIdentity,
  { audience, nowMs, tokenId }: { audience: string; nowMs: number; tokenId: string },
): Promise<string> {
  const issuer = await tokenIssuerWithKeys(env);
  if (!issuer.ok) throw new Error(issuer.problem);
  const now = Math.floor(nowMs / 1000);
  const nbf = now - EARLY_SECONDS;
  return issuer.keys.sign({
    iss: issuer.url,
    sub: subjectOf(target),
    aud: audience,
    iat: now,
    nbf,
    exp: nbf + LIFE_SECONDS,
    jti: tokenId,
    tenant_id: tenantId,
    target_id: target.id,
    environment: target.environment,
    operation,
    ...(deploymentId === undefined ? {} : { deployment_id: deploymentId }),
    ...(instanceId === undefined ? {} : { instance_id: instanceId }),
  });
}
