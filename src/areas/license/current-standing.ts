import type { Bindings } from "#kernel/bindings.ts";
import { log } from "#platform/log.ts";
import { type Installed, type Standing, standingAt } from "./license.ts";
import { verifyLicense } from "./verify-license.ts";

/** The result and never its promise: a promise belongs to the request that made it, and may die with it. */
let known:
  | { token: string | undefined; publicKey: string | undefined; installed: Installed }
  | undefined;

/** Where this installation stands at `now`. The signature is verified once per isolate; nothing is read. */
export async function currentStanding(
  env: Pick<Bindings, "LICENSE_KEY" | "LICENSE_PUBLIC_KEY">,
  now: number,
): Promise<Standing> {
  const { LICENSE_KEY: token, LICENSE_PUBLIC_KEY: publicKey } = env;
  if (known?.token === token && known?.publicKey === publicKey && known !== undefined)
    return standingAt(known.installed, now);
  const installed = await verifyLicense(token, publicKey);
  if (installed.kind === "invalid")
    log("warn", "The license does not count; the community plan is in force", {
      problem: installed.problem,
    });
  known = { token, publicKey, installed };
  return standingAt(installed, now);
}
