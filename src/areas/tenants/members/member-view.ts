import type * as z from "zod";
import type { MemberView } from "#areas/tenants/contract.ts";
import { timestamp } from "#platform/timestamp.ts";
import type { Member, TaggedMember } from "./member.ts";

export function memberView(member: Member | TaggedMember): z.input<typeof MemberView> {
  return {
    id: member.id,
    tenantId: member.tenantId,
    userId: member.userId,
    email: member.email,
    name: member.name,
    role: member.role,
    createdAt: timestamp(member.createdAtMs),
    updatedAt: timestamp(member.updatedAtMs),
  };
}
