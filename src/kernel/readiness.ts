/** The problems that keep the installation from working until its operator corrects them, with the command to do so. */
import { SealingKeysError } from "#platform/crypto/seal.ts";
import { lacksSchema } from "#platform/db/client.ts";
import { latestMigration } from "#schema/latest-migration.ts";
import type { Actor } from "./access/access.ts";
import { actsAsOperator } from "./access/claim.ts";
import { ApiError } from "./errors.ts";
import { sealingKeysAdvice } from "./required-settings.ts";

export const databaseBehind = `The database lacks the migration ${latestMigration}. Run \`npm run deploy\`, or \`npx wrangler d1 migrations apply control-api --local\` for a service on this machine.`;

/** The installation's problem that caused a failure; undefined: the failure has another cause. */
export function problemBehind(error: unknown): string | undefined {
  if (error instanceof SealingKeysError) return sealingKeysAdvice(error);
  return lacksSchema(error) ? databaseBehind : undefined;
}

/** `problems` are shown only to operators. `actor`: undefined until the caller is authenticated. */
export function notReady(
  problems: readonly string[],
  actor: Actor | undefined,
  cause?: unknown,
): ApiError {
  const more = actsAsOperator(actor)
    ? problems.join(" ")
    : "Its operator has to finish the installation: GET /health says what is missing to an operator's key, and so does the log.";
  return new ApiError("unavailable", `The service is not ready. ${more}`, {
    headers: { "retry-after": "30" },
    cause,
  });
}
