import { ApiError, type ErrorCode } from "#kernel/errors.ts";
import { failedGuard, violatedUnique } from "#platform/db/client.ts";

/** The codes with which a use case's guard can refuse a commit. */
export type GuardCode = keyof typeof details;

/** The messages of guards that failed although the use case had found no fault: the rows changed in between. */
const details = {
  conflict: "The object was changed at the same time. Read it again and repeat the change.",
  in_use:
    "Something uses the object, or began to use it at the same time. Repeat the request to learn what it is.",
  invalid_state:
    "The object's state changed at the same time and does not allow this now. Read it again.",
  last_owner: "This is the tenant's last owner. Make another member an owner first.",
  url_not_allowed: "The host is this service itself. Choose another receiver.",
  not_found:
    "Something that the request refers to was deleted at the same time. Read it again and correct the request.",
  /** `limitReached` names the limit. */
  quota_exceeded: "",
} as const satisfies Partial<Record<ErrorCode, string>>;

/** A cached caller's rights have changed, so the use case must run again. */
export class CallerChanged extends ApiError {
  constructor() {
    super("conflict", "What the caller may do was changed at the same time.");
  }
}

/** The meaning of a failed commit. */
export type CommitFailure =
  /** The guard on a cached caller failed. */
  | { kind: "caller_changed"; error: unknown }
  /** A guard of the use case failed, or a UNIQUE of its rows. */
  | { kind: "refused"; error: unknown; by: "guard" | "unique" }
  /** An answer with the same Idempotency-Key exists. */
  | { kind: "answered_before"; error: unknown }
  | { kind: "unknown"; error: unknown };

/** `unique`: the errors for violations of UNIQUE that the use case expects, by `table.column`. */
export function failureOf(
  cause: unknown,
  unique: Readonly<Record<string, ApiError>>,
): CommitFailure {
  const refused = guardError(cause);
  if (refused instanceof CallerChanged) return { kind: "caller_changed", error: refused };
  if (refused !== undefined) return { kind: "refused", error: refused, by: "guard" };
  const column = violatedUnique(cause);
  if (column === undefined) return { kind: "unknown", error: cause };
  const error = (Object.hasOwn(unique, column) ? unique[column] : undefined) ?? cause;
  // A use case may insert such a row itself. Then `unique` has the error.
  return column.startsWith("idempotency_keys.")
    ? { kind: "answered_before", error }
    : { kind: "refused", error, by: "unique" };
}

/** The error of the failed guard; undefined: no guard failed. */
function guardError(cause: unknown): ApiError | undefined {
  const { code, about } = failedGuard(cause) ?? {};
  if (code === "unauthenticated") return new CallerChanged();
  if (code === undefined || !isGuardCode(code)) return undefined;
  return new ApiError(code, code === "quota_exceeded" ? limitReached(about) : details[code], {
    cause,
  });
}

function isGuardCode(code: string): code is GuardCode {
  return Object.hasOwn(details, code);
}

/** `about`: the limit's name and value. */
function limitReached(about: string | undefined): string {
  const [name, allowed, used] = about?.split(":") ?? [];
  const which = name === undefined ? "limit" : `limit \`${name}\``;
  const use = allowed === undefined ? "" : ` (${used ?? allowed} of ${allowed} used)`;
  return `The tenant's ${which} is reached${use}. ${wayOut(name)}, or ask an operator to raise it; GET /tenants/{tenantId}/usage shows how much of each is used.`;
}

function wayOut(limit: string | undefined): string {
  if (limit === "deploymentsPerMonth") return "Wait for the next month";
  if (limit === "imports")
    return "Wait until older imports are deleted, 30 days after they were made";
  if (limit === "importBytes") return "Delete imports that are not needed";
  if (limit === "deploymentBytes")
    return "Delete instances that are not needed, or use smaller variables: of an instance, 50 deployments keep theirs for 30 days";
  if (limit === "definitionBytes")
    return "Delete templates, instances, profiles or triggers that are not needed";
  if (limit === "changesPerDay") return "Wait: each change counts for 24 hours";
  if (limit === "auditEntries") return "The audit log is kept for ever: export it";
  // A version cannot be deleted alone.
  if (limit === "templateVersions") return "Delete templates that are not needed";
  if (limit === "incidents") return "Post updates to an incident that exists";
  return "Delete what is not needed";
}
