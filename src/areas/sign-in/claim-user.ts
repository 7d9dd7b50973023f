/**
 * Finds or creates the user of an identity. Only issuer and subject identify a user. An address that changes hands
 * belongs to the last person who verified it.
 */
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { PLATFORM } from "#platform/ids.ts";
import type { Identity } from "./oidc/identity.ts";
import { insertUser, setUser, type User } from "./store.ts";

/** `earlier`: other users with the same verified address at the same provider. */
export function claimUser(
  call: Call,
  identity: Identity,
  { known, earlier }: { known: User | undefined; earlier: readonly User[] },
): { user: User; writes: readonly Write[] } {
  const user = userOf(call, identity, known);
  const writes: Write[] = [];
  if (known === undefined)
    writes.push(insertUser(call, user), audited("user.create", { after: user }));
  else if (user !== known)
    writes.push(
      ...setUser(call, known, user),
      audited("user.update", { before: known, after: user }),
    );
  for (const holder of earlier) {
    const times = { version: holder.version + 1, updatedAtMs: call.now };
    const after = { ...holder, ...times, emailTrusted: false };
    writes.push(...setUser(call, holder, after), audited("user.update", { before: holder, after }));
  }
  return { user, writes };
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

function audited(action: string, rows: { before?: User; after?: User }) {
  const id = rows.after?.id ?? rows.before?.id ?? "";
  return audit(action, { tenantId: PLATFORM, type: "user", id }, rows);
}
