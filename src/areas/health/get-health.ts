import { sql } from "drizzle-orm";
import { signInProblems } from "#areas/sign-in/public.ts";
import { actsAsOperator } from "#kernel/access/claim.ts";
import type { Bindings } from "#kernel/bindings.ts";
import type { Call } from "#kernel/call/call.ts";
import { ApiError } from "#kernel/errors.ts";
import { issuerProblems } from "#kernel/identity/token-issuer.ts";
import { databaseBehind, notReady, problemBehind } from "#kernel/readiness.ts";
import { settingProblems } from "#kernel/required-settings.ts";
import { describeError, log } from "#platform/log.ts";
import { latestMigration } from "#schema/latest-migration.ts";
import { sweepWatch } from "#schema/sweeps.ts";

/** The facts about a working service, for operators. */
export interface OperatorHealth {
  version: string | null;
  /** Null: the cron trigger has never fired. */
  sweptAtMs: number | null;
  /** Faults to fix although the service works. */
  problems: readonly string[];
}

/**
 * Undefined: the caller is no operator. Throws `unavailable` if the service cannot work: the database does not answer
 * or lacks migrations, nothing can be sealed, or a variable is invalid.
 */
export async function getHealth(call: Call): Promise<OperatorHealth | undefined> {
  const database = await readDatabase(call);
  const problems = [database.problem, ...toldSettingProblems(call.env)].filter(
    (problem) => problem !== undefined,
  );
  const actor = call.actorIfKnown;
  if (problems.length > 0) {
    log("error", "The service is not ready", { problems: problems.join(" ") });
    throw notReady(problems, actor);
  }
  if (!actsAsOperator(actor)) return undefined;
  return {
    version: call.env.VERSION.tag || null,
    sweptAtMs: database.sweptAtMs ?? null,
    problems: [...signInProblems(call.env), ...(await issuerProblems(call.env))],
  };
}

async function readDatabase(
  call: Call,
): Promise<{ problem?: string | undefined; sweptAtMs?: number | null }> {
  try {
    const [rows] = await call.read(
      call.db.all<{ sweptAtMs: number | null }>(
        sql`SELECT (SELECT ${sweepWatch.sweptAtMs} FROM ${sweepWatch}) AS sweptAtMs FROM d1_migrations WHERE name = ${latestMigration}`,
      ),
    );
    return rows[0] ?? { problem: databaseBehind };
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    const problem = problemBehind(cause);
    if (problem !== undefined) return { problem };
    log("error", "The database does not answer", { error: describeError(cause) });
    throw new ApiError("unavailable", "The database does not answer. Try again soon.", {
      headers: { "retry-after": "5" },
      cause,
    });
  }
}

const whereToCorrect =
  "Correct it in `vars` of installation.jsonc, then run `npm run deploy`; with `npm start`, correct it in the environment or in .dev.vars if it is set there, then start again.";

/** With the way to correct each, which that of the secret says itself. */
function toldSettingProblems({
  SEALING_KEYS,
  STALL_SECONDS,
  PROVIDER_ENDPOINTS,
}: Bindings): string[] {
  const { SEALING_KEYS: sealing, ...others } = settingProblems({
    SEALING_KEYS,
    STALL_SECONDS,
    PROVIDER_ENDPOINTS,
  });
  return [
    ...(sealing === undefined ? [] : [sealing]),
    ...Object.values(others).map((problem) => `${problem} ${whereToCorrect}`),
  ];
}
