import { ApiError, type ErrorCode, isErrorCode } from "#kernel/errors.ts";
import { failedGuard } from "#platform/db/client.ts";

/** What a failed guard tells the caller. */
const details: Partial<Record<ErrorCode, string>> = {
  conflict: "The object was changed at the same time. Read it again and repeat the change.",
  in_use: "Something else still uses the object. Remove that first.",
  last_owner: "This is the tenant's last owner. Make another member an owner first.",
  not_found: "A part of the change refers to something that does not exist any more.",
};

/** The error that a guard of the failed commit stands for; undefined: no guard failed. */
export function guardError(cause: unknown): ApiError | undefined {
  const { code, about } = failedGuard(cause) ?? {};
  if (code === undefined || !isErrorCode(code)) return undefined;
  const detail = code === "quota_exceeded" ? limitReached(about) : details[code];
  return new ApiError(code, detail ?? "The change was refused.", { cause });
}

/** `about`: the limit's name. */
function limitReached(about: string | undefined): string {
  const which = about === undefined ? "limit" : `limit \`${about}\``;
  const way =
    about === "deploymentsPerMonth" ? "Wait for the next month" : "Delete what is not needed";
  return `The tenant's ${which} is reached. ${way}, or ask an operator to raise it; GET /tenants/{tenantId}/usage shows every limit.`;
}
