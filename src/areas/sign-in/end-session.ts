import { sessionOf } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { notFound } from "#kernel/errors.ts";
import { PLATFORM } from "#platform/ids.ts";
import { findSession, removeSession, type Session } from "./session-store.ts";

/** Signs out: ends the session of the request. */
export async function endSession(call: Call): Promise<void> {
  await call.prove();
  const id = sessionOf(call.actor)?.id ?? "";
  await call.commit(undefined, [removeSession(call, id), audited(id)]);
}

/** Ends one of the caller's sessions. */
export async function revokeSession(call: Call, id: string): Promise<void> {
  const [[before]] = await call.read(findSession(call, id));
  if (before === undefined) throw notFound("session");
  await call.commit(undefined, [removeSession(call, id), audited(id, before)]);
}

function audited(id: string, before?: Session) {
  const rows = before === undefined ? {} : { before };
  return audit("session.delete", { tenantId: PLATFORM, type: "session", id }, rows);
}
