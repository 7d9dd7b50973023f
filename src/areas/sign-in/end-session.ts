import { sessionOf } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { PLATFORM } from "#platform/ids.ts";
import { findSession, removeSession, type Session } from "./session-store.ts";

/** Signs out: ends the session of the request. */
export async function endSession(call: Call): Promise<void> {
  await call.authenticate();
  const id = sessionOf(call.actor)?.id ?? "";
  await call.commit(undefined, [removeSession(call, id), audited(id)]);
}

/** Ends one of the caller's sessions. */
export async function revokeSession(call: Call, id: string): Promise<void> {
  const [before] = await call.read(
    one(findSession(call, id), "session", { tenantOf: () => PLATFORM }),
  );
  await call.commit(undefined, [removeSession(call, id), audited(id, before)]);
}

function audited(id: string, before?: Session) {
  const rows = before === undefined ? {} : { before };
  return audit("session.delete", { tenantId: PLATFORM, type: "session", id }, rows);
}
