import path from "node:path";
import { projectRoot } from "../files/project-root.ts";

export const wranglerCli = path.join(projectRoot, "node_modules/wrangler/bin/wrangler.js");
/** Serves the Worker. */
export const devProgram = path.join(projectRoot, "scripts/service/wrangler-dev.ts");

/** Runs Wrangler without prompts, telemetry or network access, with all its files under `stateDir`. */
export function wranglerEnvironment(stateDir: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    // A start compiles Wrangler's ten megabytes twice.
    NODE_COMPILE_CACHE: path.join(projectRoot, "node_modules/.cache/wrangler"),
    CI: "true",
    NO_COLOR: "1",
    FORCE_COLOR: "0",
    // The explorer runs SQL without a credential; the other setting records the service's traffic.
    X_LOCAL_EXPLORER: "false",
    X_LOCAL_OBSERVABILITY: "false",
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_SEND_ERROR_REPORTS: "false",
    WRANGLER_LOG_PATH: path.join(stateDir, "logs"),
    // Separate registries: two services on one machine have the same name and would find each other.
    WRANGLER_REGISTRY_PATH: path.join(stateDir, "registry"),
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
  };
}
