import path from "node:path";
import { freePort } from "../../scripts/service/port.ts";

/** The variables of a service with state and secrets of its own, whose clouds are these. */
export async function localService(
  directory: string,
  clouds: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {},
): Promise<Record<string, string>> {
  return {
    STATE_DIR: path.join(directory, "state"),
    DEV_VARS_FILE: path.join(directory, "dev.vars"),
    PORT: String(await freePort()),
    // The sweep of the next start wakes at once what a crash left.
    STALL_SECONDS: "1",
    RATE_LIMITS: "off",
    DEV_IDP: "off",
    PROVIDER_ENDPOINTS: JSON.stringify(clouds),
  };
}
