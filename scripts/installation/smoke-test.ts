/** Whether the deployed version answers. */
import { askService, saidBy } from "./ask-service.ts";

export interface SmokePorts {
  fetch: typeof fetch;
  pause: (ms: number) => Promise<void>;
}

export type SmokeResult = { ok: true; passed: readonly string[] } | { ok: false; problem: string };

/** A new host name of workers.dev takes a minute, an update some seconds. */
const ATTEMPTS = 60;
const STEP_MS = 3_000;

interface Tested {
  address: string;
  version: string;
  /** An operator's. Without one, neither the version nor a read with a key is tested. */
  key: string | undefined;
}

/** Repeats for at most three minutes until the health endpoint answers as expected; then reads once with the key. */
export async function smokeTest(tested: Tested, ports: SmokePorts): Promise<SmokeResult> {
  let problem: string | undefined;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    problem = await healthProblem(tested, ports);
    if (problem === undefined) break;
    if (attempt < ATTEMPTS) await ports.pause(STEP_MS);
  }
  if (problem !== undefined) return { ok: false, problem };
  const { address, version, key } = tested;
  if (key === undefined)
    return {
      ok: true,
      passed: [
        "  It is healthy.",
        "  Which version answers, and a read with a key, were not tested: set OPERATOR_KEY to an operator's key for that.",
      ],
    };
  const read = await askService(`${address}/api/v1/tenants?limit=1`, ports, { key });
  if (read.status !== 200)
    return { ok: false, problem: `GET /api/v1/tenants with the operator's key ${saidBy(read)}` };
  return {
    ok: true,
    passed: [`  It is healthy, and version ${version} answers.`, "  A read with the key succeeds."],
  };
}

/** Whether the installation takes the key now. */
export async function keyWorks(address: string, key: string, ports: SmokePorts): Promise<boolean> {
  return (await askService(`${address}/api/v1/tenants?limit=1`, ports, { key })).status === 200;
}

/** Whether the service answers there, healthy or not. */
export async function answersHere(address: string, ports: SmokePorts): Promise<boolean> {
  const health = await askService(`${address}/api/v1/health`, ports);
  if (health.status === 200) return health.body["status"] === "ok";
  return health.status === 503 && health.body["code"] === "unavailable";
}

async function healthProblem(
  { address, version, key }: Tested,
  ports: SmokePorts,
): Promise<string | undefined> {
  const health = await askService(`${address}/api/v1/health`, ports, { key });
  if (health.status !== 200) return `GET /api/v1/health ${saidBy(health)}`;
  if (health.body["status"] !== "ok")
    return `Something else than Control API answers at ${address}.`;
  const answering = health.body["version"];
  if (key === undefined || answering === version) return undefined;
  return answering === undefined
    ? "The operator's key is refused."
    : `The version that answers is ${JSON.stringify(answering)}, not ${version}.`;
}
