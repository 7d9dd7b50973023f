import path from "node:path";
import { projectRoot } from "./project-root.ts";

export const wranglerCli = path.join(projectRoot, "node_modules/wrangler/bin/wrangler.js");

/** Wrangler asks nothing, reports nothing, looks nothing up on the network, and writes nothing but below `stateDir`. */
export function wranglerEnvironment(stateDir: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    CI: "true",
    NO_COLOR: "1",
    FORCE_COLOR: "0",
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_SEND_ERROR_REPORTS: "false",
    WRANGLER_LOG_PATH: path.join(stateDir, "logs"),
    // Two services on one machine carry the same name: each has a registry of its own, so neither finds the other.
    WRANGLER_REGISTRY_PATH: path.join(stateDir, "registry"),
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
  };
}
