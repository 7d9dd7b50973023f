import { sql } from "drizzle-orm";
import type * as z from "zod";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { ApiError } from "#kernel/errors.ts";
import { limitSql } from "#kernel/limits/limits.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { members, removedMembers } from "#schema/tenants.ts";
import { users } from "#schema/users.ts";
import type { AddMemberBody } from "./contract.ts";
import {
  requireAuthority,
  type Member,
  membershipOf,
  tagged,
  type TaggedMember,
} from "./member.ts";
import { requireRoomWhere } from "./room.ts";
import {
  addressIsNew,
  findMemberByEmail,
  findUserByEmail,
  seatsTaken,
  oneTenant,
} from "./store.ts";

/**
 * The member is the user who has proved the address, or a new placeholder user. A sign-in binds the
 * placeholder to the first identity that proves the address at a provider trusted for addresses.
 */
export async function addMember(
  call: Call,
  tenantId: string,
  { email, role }: z.output<typeof AddMemberBody>,
): Promise<TaggedMember> {
  const [, [present], [known]] = await call.read(
    oneTenant(call, tenantId),
    findMemberByEmail(call, tenantId, email),
    findUserByEmail(call, email),
  );
  requireAuthority(call.actor, tenantId, role);
  if (present !== undefined) throw alreadyMember();
  const user = known ?? { id: call.newId(), email, name: null, issuer: null, version: 1 };
  const member: Member = {
    id: call.newId(),
    tenantId,
    userId: user.id,
    email,
    name: user.name,
    issuer: user.issuer,
    userVersion: user.version,
    role,
    via: null,
    version: 1,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
  const membership = membershipOf(member);
  const resource = { tenantId, type: "member", id: member.id };
  return call.commit(
    tagged(member),
    [
      ...(await requireSeat(call, tenantId)),
      ...(known === undefined ? newUser(call, user) : []),
      call.write(membership.tenantId, call.db.insert(members).values(membership)),
      call.write(
        tenantId,
        call.db
          .delete(removedMembers)
          .where(
            sql`${removedMembers.tenantId} = ${tenantId} AND ${removedMembers.userId} = ${user.id}`,
          ),
      ),
      audit("member.add", resource, { after: membership }),
      event("member.added", { ...resource, sequence: 1 }, { userId: user.id, role }),
    ],
    { "members.tenant_id": alreadyMember() },
  );
}

export function requireSeat(call: Call, tenantId: string) {
  return requireRoomWhere(call, "members", tenantId, (place) =>
    seatsTaken(tenantId, call.now, limitSql(place)),
  );
}

export function alreadyMember(): ApiError {
  return new ApiError(
    "invalid_state",
    "The person with this address is already a member. Change the member's role instead.",
  );
}

function newUser(call: Call, { id, email }: { id: string; email: string }): Write[] {
  return [
    call.require("conflict", addressIsNew(email)),
    call.write(
      null,
      call.db.insert(users).values({
        id,
        email,
        emailTrusted: false,
        name: null,
        issuer: null,
        subject: null,
        version: 1,
        createdAtMs: call.now,
        updatedAtMs: call.now,
      }),
    ),
  ];
}
