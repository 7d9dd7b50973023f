/** `npm start`: runs the service on this machine for development; see "Start" in the README. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { givenSettingProblems } from "#kernel/required-settings.ts";
import type { Variables } from "./files/env-file.ts";
import { projectRoot } from "./files/project-root.ts";
import { startIdentityProvider } from "./service/dev-identity-provider.ts";
import { ensureDevVars } from "./service/dev-vars.ts";
import { choosePort } from "./service/port.ts";
import { missingSecrets, serviceVariables } from "./service/service-variables.ts";
import { startService } from "./service/service.ts";
import { stopSignal } from "./service/stop-signal.ts";

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
process.exit();

async function main(): Promise<number> {
  // Only their owner may read the state and the secrets, whichever process creates them.
  process.umask(0o077);
  const signal = stopSignal();
  const port = await choosePort(process.env["PORT"]);
  const stateDir = path.resolve(projectRoot, process.env["STATE_DIR"] || ".wrangler/state");
  const devVarsFile = path.resolve(projectRoot, process.env["DEV_VARS_FILE"] || ".dev.vars");
  const devVars = await ensureDevVars(devVarsFile);
  if (devVars.made) console.log(`Created ${devVarsFile} with random secrets.`);
  const given = serviceVariables({
    wranglerToml: await readFile(path.join(projectRoot, "wrangler.toml"), "utf8"),
    devVars: devVars.variables,
    environment: process.env,
  });
  const missing = missingSecrets(given);
  if (missing.length > 0)
    throw new Error(
      `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} not set. Set it in ${devVarsFile} or the environment, or remove that file: the next start creates a new one.`,
    );
  const [unusable] = Object.entries(givenSettingProblems(given));
  if (unusable !== undefined) {
    const [name, problem] = unusable;
    const place = process.env[name] === undefined ? devVarsFile : "the environment";
    throw new Error(`${problem} It is set in ${place}.`);
  }
  const identityProvider = await identityProviderFor({ port, stateDir, given });
  const variables: Variables = {
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ...identityProvider,
    ...given,
  };
  console.log(`Starting on port ${port} with the state in ${stateDir} …`);
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
    console.log(
      greeting(
        service.address,
        variables["BOOTSTRAP_API_KEY"] ?? "",
        identityProvider !== undefined,
      ),
    );
    const key = variables["BOOTSTRAP_API_KEY"] ?? "";
    for (const problem of await settingsProblems(service.address, key)) console.error(problem);
    const code = await service.exited;
    if (!signal.aborted) console.error(`The service exited unexpectedly (exit code ${code}).`);
    return signal.aborted ? 0 : code === 0 ? 1 : code;
  } catch (error) {
    if (signal.aborted) return 0;
    throw error;
  }
}

/** Undefined if the settings name other providers, `DEV_IDP` is off, or the default port is in use. */
async function identityProviderFor(run: {
  port: number;
  stateDir: string;
  given: Variables;
}): Promise<Variables | undefined> {
  const { port, stateDir, given } = run;
  if (process.env["DEV_IDP"] === "off" || given["OIDC_PROVIDERS"] !== undefined) return undefined;
  const givenPort = process.env["IDP_PORT"];
  const ownPort = givenPort ? await choosePort(givenPort, "IDP_PORT") : adjacentPort(port);
  try {
    const operatorKey = given["BOOTSTRAP_API_KEY"] ?? "";
    return await startIdentityProvider({ port: ownPort, servicePort: port, stateDir, operatorKey });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EADDRINUSE") throw error;
    const problem = `Port ${ownPort} of 127.0.0.1 is in use, and the development identity provider needs it. Set IDP_PORT to another port.`;
    if (givenPort) throw new Error(problem, { cause: error });
    console.error(`${problem} Sign-in is not available in this run.`);
    return undefined;
  }
}

/** The service's problems with the sign-in settings. */
async function settingsProblems(address: string, key: string): Promise<readonly string[]> {
  const response = await fetch(`${address}/api/v1/health`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { problems = [] } = (await response.json()) as { problems?: string[] };
  return problems;
}

function adjacentPort(port: number): number {
  return port === 65_535 ? port - 1 : port + 1;
}

function greeting(address: string, key: string, canSignIn: boolean): string {
  const signIn = `Sign in        ${address}/login   (asks for the operator key)\n`;
  return `
Console        ${address}/
API            ${address}/api/v1
Documentation  ${address}/docs
Operator key   ${key}
${canSignIn ? signIn : ""}
  export KEY='${key}'
  curl ${address}/api/v1/health
  curl -H "authorization: Bearer $KEY" -H 'content-type: application/json' \\
    -d '{"name":"Shop","slug":"shop"}' ${address}/api/v1/tenants
  curl ${address}/api/v1/openapi.json

Press Ctrl-C to stop.
`;
}
