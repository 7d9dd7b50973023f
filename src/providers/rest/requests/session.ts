import { digestHex } from "#platform/crypto/digest.ts";
import { canonicalJson, type Json } from "#platform/json.ts";
import { redactSecrets } from "#providers/redact-secrets.ts";
import type { Failed, Session, SessionMaker, SessionRequest } from "#providers/rest/definition.ts";
import { type Attempt, failure } from "./attempt.ts";
import { SessionCache } from "./session-cache.ts";

const MAX_SESSIONS = 500;
/** Those of this isolate. */
export const sessions = new SessionCache(MAX_SESSIONS);

export type SignedIn =
  | { ok: true; attempt: Attempt; renew: () => Promise<SignedIn> }
  | { ok: false; failed: Failed };

/**
 * The attempt with a session, if the provider has sessions. `renew` obtains another one. A failure to obtain it says
 * nothing of the call, which was not sent.
 */
export async function signedIn(attempt: Attempt, ask: SessionRequest): Promise<SignedIn> {
  const { definition, context } = attempt;
  const maker = definition.session;
  if (maker === undefined || maker.needed?.(context) === false)
    return { ok: true, attempt, renew: () => signedIn(attempt, ask) };
  const key = await keyOf(maker, attempt);
  const session = await sessions.get(key, context.now, () => obtain(maker, attempt, ask));
  if (session.kind === "failed")
    return { ok: false, failed: { ...session, unknownOutcome: false } };
  return {
    ok: true,
    attempt: { ...attempt, context: { ...context, session: session.token } },
    renew: () => {
      sessions.drop(key, session);
      return signedIn(attempt, ask);
    },
  };
}

/**
 * The digest of all that the session depends on. The target is part of it: without a stored credential the session is
 * the target's identity, and another tenant's target with the same config must not get it. So is the run then: what the
 * cloud allows may depend on any claim of the run's token, and a check must see what the cloud says now.
 */
async function keyOf(maker: SessionMaker, { definition, context }: Attempt): Promise<string> {
  const { targetId, tenantId, credential, endpoint, endpoints } = context;
  const parts: Json = [
    definition.types.name,
    tenantId ?? null,
    targetId,
    credential,
    context.identityRun ?? null,
    maker.scope?.(context) ?? null,
    endpoint ?? null,
    { ...endpoints },
  ];
  return digestHex(canonicalJson(parts));
}

async function obtain(
  maker: SessionMaker,
  { definition, context }: Attempt,
  ask: SessionRequest,
): Promise<Session | Failed> {
  try {
    return await maker.obtain(context, ask);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "unknown reason";
    const message = `The credential could not sign a request for a session of ${definition.types.name}: ${reason}`;
    return failure("invalid_credential", redactSecrets(message, context.credential));
  }
}
