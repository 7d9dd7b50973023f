/** `npm start`: the service for a person, on this machine. README, "Start", says what it promises. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { ensureDevVars } from "./dev-vars.ts";
import { choosePort } from "./port.ts";
import { projectRoot } from "./project-root.ts";
import { startService } from "./service.ts";
import { missingSecrets, serviceVariables } from "./service-variables.ts";
import { stopSignal } from "./stop-signal.ts";

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
process.exit();

async function main(): Promise<number> {
  const signal = stopSignal();
  const port = await choosePort(process.env["PORT"]);
  const stateDir = path.resolve(projectRoot, process.env["STATE_DIR"] || ".wrangler/state");
  const devVarsFile = path.resolve(projectRoot, process.env["DEV_VARS_FILE"] || ".dev.vars");
  const devVars = await ensureDevVars(devVarsFile);
  if (devVars.made) console.log(`Made ${devVarsFile} with random secrets.`);
  const variables = serviceVariables({
    wranglerToml: await readFile(path.join(projectRoot, "wrangler.toml"), "utf8"),
    devVars: devVars.variables,
    environment: process.env,
  });
  const missing = missingSecrets(variables);
  if (missing.length > 0)
    throw new Error(
      `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} not set. Set it in ${devVarsFile} or the environment, or remove that file: the next start makes a new one.`,
    );
  console.log(`Starting on port ${port}, with the state in ${stateDir} …`);
  try {
    const service = await startService({
      port,
      stateDir,
      variables,
      signal,
      onLine: (line) => {
        console.error(line);
      },
    });
    console.log(greeting(service.address, variables["BOOTSTRAP_API_KEY"] ?? ""));
    const code = await service.exited;
    if (!signal.aborted) console.error(`The service ended by itself (exit code ${code}).`);
    return signal.aborted ? 0 : code === 0 ? 1 : code;
  } catch (error) {
    if (signal.aborted) return 0;
    throw error;
  }
}

function greeting(address: string, key: string): string {
  return `
Control API    ${address}/api/v1
Operator key   ${key}

  export KEY='${key}'
  curl ${address}/api/v1/health
  curl -H "authorization: Bearer $KEY" -H 'content-type: application/json' \\
    -d '{"name":"Acme","slug":"acme"}' ${address}/api/v1/tenants
  curl ${address}/api/v1/openapi.json

Ctrl-C stops it.
`;
}
