import { sql } from "drizzle-orm";
import { users } from "#schema/users.ts";
import type { Call } from "./call.ts";

/** The signed-in user; no row for other callers. */
export function findMe(call: Call) {
  return call.db
    .select()
    .from(users)
    .where(sql`${users.id} = ${call.me()}`);
}
