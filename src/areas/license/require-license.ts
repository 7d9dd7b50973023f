import { ApiError } from "#kernel/errors.ts";
import type { Standing } from "./license.ts";

/** The operations that need a valid license. Drift checks and destroys are always possible. */
const licensed: ReadonlySet<string> = new Set(["deploy", "plan", "rollback"]);

/** Throws `license_limit` unless the license allows a new deployment of this operation. */
export function requireLicense({ status }: Pick<Standing, "status">, operation: string): void {
  if (status !== "EXPIRED" || !licensed.has(operation)) return;
  throw new ApiError(
    "license_limit",
    "The license has expired and its grace period is over: new deployments are refused. Existing resources keep running and can be destroyed. An operator must install a new license.",
  );
}
