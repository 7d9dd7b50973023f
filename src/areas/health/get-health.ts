import { sql } from "drizzle-orm";
import { signInProblems } from "#areas/sign-in/public.ts";
import type { Call } from "#kernel/call/call.ts";
import { ApiError } from "#kernel/errors.ts";
import { describeError, log } from "#platform/log.ts";

/** Configuration errors for the operator to fix. Throws `unavailable` if the database does not answer. */
export async function getHealth(call: Call): Promise<readonly string[]> {
  try {
    await call.read(call.db.all(sql`SELECT 1`));
  } catch (cause) {
    log("error", "The database does not answer", { error: describeError(cause) });
    throw new ApiError("unavailable", "The database does not answer. Try again soon.", {
      headers: { "retry-after": "5" },
      cause,
    });
  }
  return signInProblems(call.env);
}
