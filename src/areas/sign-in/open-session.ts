/**
 * Signs an identity in: creates or updates the user and a new session in one commit, and ends memberships by a domain
 * that is no longer allowed. It creates no membership, which takes the person's own request (decision 0013). The
 * browser's previous session ends, whoever owned it, so that a planted session token does not survive a sign-in.
 */
import { eq } from "drizzle-orm";
import { leaveByDomain } from "#areas/tenants/public.ts";
import { audit } from "#kernel/audit/audit.ts";
import { newSessionToken } from "#kernel/authn/authenticate-session.ts";
import { isOperator } from "#kernel/authn/operators.ts";
import { LIFE } from "#kernel/authn/session-life.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { ApiError } from "#kernel/errors.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { PLATFORM } from "#platform/ids.ts";
import { sessions } from "#schema/users.ts";
import { claimUser } from "./claim-user.ts";
import { domainOf, type Identity } from "./oidc/identity.ts";
import { findEarlierHolders, findLapsedMemberships, findUser } from "./store.ts";

/** The commit can conflict with another sign-in of the same identity or a change of its memberships. */
const MAX_TRIES = 5;

export interface SessionRequest {
  identity: Identity;
  provider: string;
  /** The token of the browser's current session. */
  before: string | undefined;
  userAgent: string | undefined;
}

/** Returns the new session's token. */
export async function openSession(call: Call, asked: SessionRequest): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryToOpen(call, asked);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "conflict" || tries === MAX_TRIES)
        throw error;
    }
  }
}

async function tryToOpen(call: Call, asked: SessionRequest): Promise<string> {
  const { identity } = asked;
  const domain = identity.emailTrusted ? domainOf(identity.email) : "";
  const [[known], earlier, lapsed] = await call.read(
    findUser(call, identity),
    findEarlierHolders(call, identity),
    findLapsedMemberships(call, identity, domain),
  );
  const { user, writes } = claimUser(call, identity, { known, earlier });
  const operator = isOperator(call.env.OPERATORS, user);
  const token = newSessionToken(operator);
  const session: typeof sessions.$inferSelect = {
    id: call.newId(),
    digest: await digestHex(token),
    userId: user.id,
    operator,
    provider: asked.provider,
    userAgent: asked.userAgent?.replace(/\p{Cc}/gu, "").slice(0, 200) ?? null,
    lastSeenAtMs: call.now,
    expiresAtMs: call.now + LIFE.milliseconds(),
    createdAtMs: call.now,
  };
  call.actAs({
    kind: "member",
    name: user.id,
    session: { id: session.id, userId: user.id },
    scopes: ["*"],
    memberships: [],
  });
  const all: Write[] = [
    ...writes,
    ...lapsed.flatMap((membership) => leaveByDomain(call, membership)),
    ...(asked.before === undefined
      ? []
      : [
          call.write(
            null,
            call.db.delete(sessions).where(eq(sessions.digest, await digestHex(asked.before))),
          ),
        ]),
    call.write(null, call.db.insert(sessions).values(session)),
    audit(
      "session.create",
      { tenantId: PLATFORM, type: "session", id: session.id },
      { after: session },
    ),
  ];
  const meanwhile = new ApiError(
    "conflict",
    "The user changed at the same time. Start the sign-in again.",
  );
  await call.commit(undefined, all, { "users.issuer": meanwhile });
  return token;
}
