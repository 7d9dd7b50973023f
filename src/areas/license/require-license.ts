import { ApiError } from "#kernel/errors.ts";
import type { Standing } from "./license.ts";

/** The operations that bring something new. What is there may always be looked at and taken down. */
const licensed: ReadonlySet<string> = new Set(["deploy", "plan", "rollback"]);

/** Throws `license_limit` unless the license allows one more deployment that does this. */
export function requireLicense({ status }: Pick<Standing, "status">, operation: string): void {
  if (status !== "EXPIRED" || !licensed.has(operation)) return;
  throw new ApiError(
    "license_limit",
    "The license has expired, and its grace period has ended: nothing new is deployed. What is deployed goes on and can be destroyed. An operator has to install a new license.",
  );
}
