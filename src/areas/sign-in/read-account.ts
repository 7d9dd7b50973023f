import type { Call } from "#kernel/call/call.ts";
import type { SignedIn } from "./read-sessions.ts";
import {
  findCurrentSession,
  findMe,
  findMyTenants,
  findSessions,
  type Session,
} from "./session-store.ts";

const MOST_SESSIONS = 50;

export interface Account extends SignedIn {
  /** Newest first. */
  sessions: readonly Session[];
}

/** The data of the account page. */
export async function readAccount(call: Call): Promise<Account> {
  const [[user], tenants, [session], sessions] = await call.read(
    findMe(call),
    findMyTenants(call),
    findCurrentSession(call),
    findSessions(call, { limit: MOST_SESSIONS - 1 }),
  );
  if (user === undefined || session === undefined)
    throw new Error("A verified session has no row in the same batch");
  return { user, operator: call.actor.kind === "operator", tenants, session, sessions };
}
