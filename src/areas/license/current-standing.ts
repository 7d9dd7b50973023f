import type { Bindings } from "#kernel/bindings.ts";
import { log } from "#platform/log.ts";
import { type Installed, type Standing, standingAt } from "./license.ts";
import { verifyLicense } from "./verify-license.ts";

/** The value, not its promise: a promise ends with the request that created it. */
let known:
  | { token: string | undefined; publicKey: string | undefined; installed: Installed }
  | undefined;

/**
 * The license standing of this installation at `now`. The signature is verified once per isolate; the
 * database is not read.
 */
export async function currentStanding(
  env: Pick<Bindings, "LICENSE_KEY" | "LICENSE_PUBLIC_KEY">,
  now: number,
): Promise<Standing> {
  const { LICENSE_KEY: token, LICENSE_PUBLIC_KEY: publicKey } = env;
  if (known?.token === token && known?.publicKey === publicKey && known !== undefined)
    return standingAt(known.installed, now);
  const installed = await verifyLicense(token, publicKey);
  if (installed.kind === "invalid")
    log("warn", "The license is not valid; the community plan is in force", {
      problem: installed.problem,
    });
  known = { token, publicKey, installed };
  return standingAt(installed, now);
}
