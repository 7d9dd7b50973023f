import { sql } from "drizzle-orm";
import { signInProblems } from "#areas/sign-in/public.ts";
import { actsAsOperator } from "#kernel/access/claim.ts";
import type { Call } from "#kernel/call/call.ts";
import { ApiError } from "#kernel/errors.ts";
import { issuerProblems } from "#kernel/identity/token-issuer.ts";
import { databaseBehind, notReady, problemBehind, sealingProblem } from "#kernel/readiness.ts";
import { describeError, log } from "#platform/log.ts";
import { latestMigration } from "#schema/latest-migration.ts";
import { settingProblems } from "./setting-problems.ts";

/**
 * What an operator should mend although the service works; nothing for anyone else. Throws `unavailable` if the service
 * cannot work: the database does not answer or is behind the code, nothing can be sealed, or a variable makes no sense.
 */
export async function getHealth(call: Call): Promise<readonly string[]> {
  const problems = [
    await databaseProblem(call),
    sealingProblem(call.env.SEALING_KEYS),
    ...settingProblems(call.env),
  ].filter((problem) => problem !== undefined);
  const actor = call.actorIfKnown;
  if (problems.length > 0) {
    log("error", "The service is not ready", { problems: problems.join(" ") });
    throw notReady(problems, actor);
  }
  return actsAsOperator(actor)
    ? [...signInProblems(call.env), ...(await issuerProblems(call.env))]
    : [];
}

async function databaseProblem(call: Call): Promise<string | undefined> {
  try {
    const [rows] = await call.read(
      call.db.all(sql`SELECT 1 FROM d1_migrations WHERE name = ${latestMigration}`),
    );
    return rows.length > 0 ? undefined : databaseBehind;
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    const problem = problemBehind(cause);
    if (problem !== undefined) return problem;
    log("error", "The database does not answer", { error: describeError(cause) });
    throw new ApiError("unavailable", "The database does not answer. Try again soon.", {
      headers: { "retry-after": "5" },
      cause,
    });
  }
}
