import { findMyKeys, type MyKey } from "#areas/api-keys/public.ts";
import { findFirstInvitations, type MyInvitation } from "#areas/invitations/public.ts";
import type { SignedIn } from "#areas/sign-in/read-sessions.ts";
import {
  findCurrentSession,
  findMyTenants,
  findSessions,
  type Session,
} from "#areas/sign-in/session-store.ts";
import type { Call } from "#kernel/call/call.ts";
import { findMe } from "#kernel/call/find-me.ts";
import { digestHex } from "#platform/crypto/digest.ts";

const MOST_SHOWN = 50;

export interface Account extends SignedIn {
  /** Newest first. */
  sessions: readonly Session[];
  invitations: readonly MyInvitation[];
  keys: readonly MyKey[];
  /** The token of an invitation that the page was opened with. */
  token: string | undefined;
}

/** The data of the account page. */
export async function readAccount(call: Call, token: string | undefined): Promise<Account> {
  const digest = token === undefined ? undefined : await digestHex(token);
  const [[user], tenants, [session], sessions, invitations, keys] = await call.read(
    findMe(call),
    findMyTenants(call),
    findCurrentSession(call),
    findSessions(call, { limit: MOST_SHOWN - 1 }),
    findFirstInvitations(call, MOST_SHOWN, digest),
    findMyKeys(call, MOST_SHOWN),
  );
  if (user === undefined || session === undefined)
    throw new Error("A verified session has no row in the same batch");
  const operator = call.actor.kind === "operator";
  return { user, operator, tenants, session, sessions, invitations, keys, token };
}
