/**
 * Signs an identity in: creates or updates the user, the memberships and a new session in one commit. The
 * browser's previous session ends, whoever owned it, so that a planted session token does not survive a
 * sign-in.
 */
import { eq } from "drizzle-orm";
import {
  acceptInvitation,
  findInvitationByDigest,
  findTenantsByDomain,
  joinByDomain,
  leaveByDomain,
} from "#areas/tenants/public.ts";
import { audit } from "#kernel/audit/audit.ts";
import { newSessionToken } from "#kernel/authn/authenticate-session.ts";
import { isOperator } from "#kernel/authn/operators.ts";
import { LIFE } from "#kernel/authn/session-life.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { ApiError } from "#kernel/errors.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { PLATFORM } from "#platform/ids.ts";
import { describeError, log } from "#platform/log.ts";
import { sessions } from "#schema/users.ts";
import { claimUser, rowOf } from "./claim-user.ts";
import { domainOf, type Identity } from "./oidc/identity.ts";
import { type Checked, failed, passed } from "./oidc/reason.ts";
import {
  findEarlierHolders,
  findExpectedUser,
  findMemberships,
  findUser,
  userIds,
} from "./store.ts";

/** The commit can conflict with another sign-in of the same identity or a change of its memberships. */
const MAX_TRIES = 5;

export interface SessionRequest {
  identity: Identity;
  provider: string;
  invitationDigest: string | null;
  /** The token of the session the browser has. */
  before: string | undefined;
  userAgent: string | undefined;
}

/** Returns the new session's token. */
export async function openSession(call: Call, asked: SessionRequest): Promise<Checked<string>> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryToOpen(call, asked);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.code === "quota_exceeded") return failed("tenant_full", "no seat");
      if (error.code === "not_found") return failed("invitation_invalid", "used meanwhile");
      if (error.code !== "conflict" || tries === MAX_TRIES) throw error;
    }
  }
}

async function tryToOpen(call: Call, asked: SessionRequest): Promise<Checked<string>> {
  const { identity, invitationDigest } = asked;
  const domain = identity.emailTrusted ? domainOf(identity.email) : "";
  const ids = userIds(identity);
  const [[known], [expected], earlier, found, openTenants, [invitation]] = await call.read(
    findUser(call, identity),
    findExpectedUser(call, identity),
    findEarlierHolders(call, identity),
    findMemberships(call, ids, domain),
    findTenantsByDomain(call, domain, [ids.known, ids.expected]),
    findInvitationByDigest(call, invitationDigest ?? ""),
  );
  if (invitationDigest !== null && invitation === undefined)
    return failed("invitation_invalid", "there is none");

  const { user, memberships, writes } = claimUser(call, identity, {
    known,
    expected,
    earlier,
    memberships: found,
  });
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
  // A membership by domain ends when the domain is removed from the tenant's list, unless somebody raised the
  // role.
  const left = memberships.filter(
    ({ via, role, domainAllowed }) =>
      via === "domain" && role === "CustomerViewer" && domainAllowed === 0,
  );
  const isMember = (tenantId: string) =>
    memberships.some((membership) => membership.tenantId === tenantId) &&
    !left.some((membership) => membership.tenantId === tenantId);
  const all: Write[] = [
    ...writes,
    ...left.flatMap((membership) => leaveByDomain(call, rowOf(membership))),
    ...(invitation === undefined
      ? []
      : await acceptInvitation(call, invitation, {
          id: user.id,
          isMember: isMember(invitation.tenantId),
        })),
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
  await call.commit(undefined, all, {
    "users.issuer": meanwhile,
    "users.email": meanwhile,
    "members.tenant_id": meanwhile,
  });
  for (const { tenantId } of openTenants)
    if (!isMember(tenantId) && tenantId !== invitation?.tenantId)
      await join(call, { tenantId, userId: user.id, domain });
  return passed(token);
}

/** A tenant without a free seat, or whose domain list just changed, does not prevent the sign-in. */
async function join(
  call: Call,
  at: { tenantId: string; userId: string; domain: string },
): Promise<void> {
  try {
    await joinByDomain(call, at);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    log("warn", "A tenant could not be joined by domain", {
      requestId: call.requestId,
      tenantId: at.tenantId,
      error: describeError(error),
    });
  }
}
