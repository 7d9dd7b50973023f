/**
 * `wrangler dev` by Wrangler's own API: `node wrangler-dev.ts <configuration> <state directory> <env file> <port>`. Its
 * command line always starts two inspectors, its own and the runtime's. The port of each accepts everybody on this
 * machine with any `Origin`, and shows every secret of the Worker (decision 0024).
 */
import { argv, env } from "node:process";

// Read by Wrangler as it is loaded.
env["WRANGLER_LOG"] = "warn";
const { unstable_startWorker } = await import("wrangler");

const [config, persist, envFile, port] = argv.slice(2);
if (config === undefined || persist === undefined || envFile === undefined || port === undefined)
  throw new Error("wrangler-dev.ts is started by service.ts, not by hand.");

const worker = await unstable_startWorker({
  config,
  envFiles: [envFile],
  dev: {
    server: { hostname: "127.0.0.1", port: Number(port) },
    persist,
    inspector: false,
    remote: false,
  },
});

let stopping = false;
const stop = (): void => {
  if (stopping) return;
  stopping = true;
  void worker.dispose().finally(() => process.exit(0));
};
process.on("SIGTERM", stop);
process.on("SIGINT", stop);
