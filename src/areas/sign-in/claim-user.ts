/**
 * Finds or creates the user of an identity. A user is identified by issuer and subject only. If the address
 * is proved, the identity takes over the placeholder user for that address or, if it already has a user, the
 * placeholder's memberships. An address that changes hands belongs to whoever proved it last.
 */
import { and, eq } from "drizzle-orm";
import { takeOverRemovals } from "#areas/tenants/public.ts";
import { isAtLeast } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { PLATFORM } from "#platform/ids.ts";
import { members } from "#schema/tenants.ts";
import type { Identity } from "./oidc/identity.ts";
import { insertUser, type MembershipRow, removeExpectedUser, setUser, type User } from "./store.ts";

export interface ClaimedUser {
  user: User;
  /** The user's memberships after the writes. */
  memberships: readonly MembershipRow[];
  writes: readonly Write[];
}

export function claimUser(
  call: Call,
  identity: Identity,
  found: {
    known: User | undefined;
    expected: User | undefined;
    earlier: readonly User[];
    memberships: readonly MembershipRow[];
  },
): ClaimedUser {
  const { known, expected, memberships } = found;
  const before = known ?? expected;
  const user = userOf(call, identity, before);
  const writes: Write[] = [];
  if (before === undefined)
    writes.push(insertUser(call, user), audited("user.create", { after: user }));
  else if (user !== before)
    writes.push(...setUser(call, before, user), audited("user.update", { before, after: user }));
  for (const holder of found.earlier) {
    const times = { version: holder.version + 1, updatedAtMs: call.now };
    const after = { ...holder, ...times, emailTrusted: false };
    writes.push(...setUser(call, holder, after), audited("user.update", { before: holder, after }));
  }
  if (known === undefined || expected === undefined) return { user, memberships, writes };
  const own = new Map(
    memberships
      .filter(({ userId }) => userId === known.id)
      .map((membership) => [membership.tenantId, membership]),
  );
  for (const granted of memberships.filter(({ userId }) => userId === expected.id))
    writes.push(...takeOver(call, known.id, granted, own));
  // First, so that a membership added later in the commit deletes its removal.
  writes.unshift(...takeOverRemovals(call, expected.id, known.id));
  writes.push(...removeExpectedUser(call, expected), audited("user.delete", { before: expected }));
  return { user, memberships: [...own.values()], writes };
}

function userOf(call: Call, identity: Identity, before: User | undefined): User {
  const user: User = {
    id: before?.id ?? call.newId(),
    ...identity,
    version: (before?.version ?? 0) + 1,
    createdAtMs: before?.createdAtMs ?? call.now,
    updatedAtMs: call.now,
  };
  const fields = ["issuer", "subject", "email", "emailTrusted", "name"] as const;
  return before !== undefined && fields.every((field) => before[field] === user[field])
    ? before
    : user;
}

/** Of two memberships in a tenant, the higher role is kept: both were granted. */
function takeOver(
  call: Call,
  userId: string,
  granted: MembershipRow,
  own: Map<string, MembershipRow>,
): Write[] {
  const { tenantId, role } = granted;
  const present = own.get(tenantId);
  if (present === undefined) {
    own.set(tenantId, { ...granted, userId });
    return changeMember(call, granted, { userId });
  }
  const removed = [
    call.requireVersion(members, granted),
    call.write(
      tenantId,
      call.db
        .delete(members)
        .where(and(eq(members.id, granted.id), eq(members.tenantId, tenantId))),
    ),
    audit(
      "member.remove",
      { tenantId, type: "member", id: granted.id },
      { before: rowOf(granted) },
    ),
    event(
      "member.removed",
      { tenantId, id: granted.id, sequence: granted.version + 1 },
      { userId: granted.userId, role },
    ),
  ];
  if (isAtLeast(present.role, role)) return removed;
  own.set(tenantId, { ...present, role });
  return [...removed, ...changeMember(call, present, { role })];
}

function changeMember(
  call: Call,
  membership: MembershipRow,
  changes: Partial<Pick<MembershipRow, "userId" | "role">>,
): Write[] {
  const { id, tenantId, version } = membership;
  const before = rowOf(membership);
  const after = { ...before, ...changes, version: version + 1, updatedAtMs: call.now };
  const resource = { tenantId, type: "member", id };
  return [
    call.requireVersion(members, before),
    call.write(
      tenantId,
      call.db
        .update(members)
        .set(after)
        .where(and(eq(members.id, id), eq(members.tenantId, tenantId))),
    ),
    audit("member.claim", resource, { before, after }),
    ...(changes.role === undefined
      ? []
      : [
          event(
            "member.role_changed",
            { ...resource, sequence: after.version },
            { userId: after.userId, role: after.role, previousRole: before.role },
          ),
        ]),
  ];
}

export function rowOf(membership: MembershipRow): typeof members.$inferSelect {
  const { id, tenantId, userId, role, via, version, createdAtMs, updatedAtMs } = membership;
  return { id, tenantId, userId, role, via, version, createdAtMs, updatedAtMs };
}

function audited(action: string, rows: { before?: User; after?: User }) {
  const id = rows.after?.id ?? rows.before?.id ?? "";
  return audit(action, { tenantId: PLATFORM, type: "user", id }, rows);
}
