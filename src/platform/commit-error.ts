import { failedGuard } from "./db/client.ts";
import { ApiError, type ErrorCode, isErrorCode } from "./errors.ts";

/** What a failed guard tells the caller. */
const details: Partial<Record<ErrorCode, string>> = {
  conflict: "The object was changed at the same time. Read it again and repeat the change.",
  quota_exceeded:
    "The tenant's limit is reached. Delete what is not needed, or ask an operator to raise it; GET /tenants/{tenantId}/usage shows every limit.",
  in_use: "Something else still uses the object. Remove that first.",
  last_owner: "This is the tenant's last owner. Make another member an owner first.",
  not_found: "A part of the change refers to something that does not exist any more.",
};

/** The error that a guard of the failed commit stands for; undefined: no guard failed. */
export function guardError(cause: unknown): ApiError | undefined {
  const code = failedGuard(cause);
  if (code === undefined || !isErrorCode(code)) return undefined;
  return new ApiError(code, details[code] ?? "The change was refused.", { cause });
}
