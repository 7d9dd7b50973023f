/**
 * Overhead of the orchestration: a deployment of 300 resources on the mock cloud with 50 ms per answer. With six
 * concurrent calls, the bound is the minimum time for any engine. The control makes the same calls and commits without
 * any orchestration: its time above the bound is caused by the machine.
 */
import type { Client, Deployment } from "../scripts/client/client.ts";
import { layeredTemplate } from "./layered-template.ts";
import { printTable } from "./print-table.ts";
import { median } from "./ratio.ts";
import { type Workers, startWorkers } from "./start-workers.ts";
import { makeInstance, makeTenant } from "./tenant.ts";

const WIDTH = 50;
const DEPTH = 6;
const LATENCY_MS = 50;
const CONNECTIONS = 6;
const STEPS = WIDTH * DEPTH;
/** Calls for each resource. A delete is over when a read shows that the object is gone (decision 0065). */
const CALLS = { deploy: 1, destroy: 2 } as const;
const OPERATIONS = ["deploy", "destroy"] as const;
const RUNS = 3;
const MAX_RATIO = 1.5;
const GOAL_RATIO = 1.25;
const MAX_OWN_MS_PER_STEP = 10;
/** Above this ratio of the control, the machine is too busy for valid results. */
const QUIET_RATIO = 1.15;
const ENDS_WITHIN_MS = 60_000;
const POLL_MS = 500;

type Operation = (typeof OPERATIONS)[number];
/** Milliseconds of each run. */
type Walls = Readonly<Record<Operation, readonly number[]>>;

interface Timed extends Deployment {
  timestamps: Readonly<Record<string, string>>;
}

/** Returns true when every result is within its limit. */
export async function benchDeployment(workers: Workers): Promise<boolean> {
  const walls: Record<Operation, number[]> = { deploy: [], destroy: [] };
  const bares: Record<Operation, number[]> = { deploy: [], destroy: [] };
  for (let run = 0; run < RUNS; run += 1) {
    const tenant = await makeTenant(workers);
    const instanceId = await makeInstance(tenant, layeredTemplate(WIDTH, DEPTH), {
      latencyMs: LATENCY_MS,
    });
    for (const operation of OPERATIONS) {
      walls[operation].push(await wallMs(tenant.client, instanceId, operation));
      bares[operation].push(await bareMs(workers, CALLS[operation] * STEPS));
    }
  }
  printTable(
    `${STEPS} resources (width ${WIDTH}, depth ${DEPTH}), ${LATENCY_MS} ms per call, six concurrent calls: APPLYING to SUCCEEDED`,
    ["", "bound", "runs", "median", "÷ bound", "÷ control", "own time per step"],
    [
      ...OPERATIONS.map((operation) => row(operation, operation, walls, bares)),
      ...OPERATIONS.map((operation) => row(`control of the ${operation}`, operation, bares, bares)),
      ["limit", "", "", "", `${MAX_RATIO} (goal ${GOAL_RATIO})`, "", `${MAX_OWN_MS_PER_STEP} ms`],
    ],
  );
  if (OPERATIONS.some((operation) => ratioOf(operation, bares) > QUIET_RATIO))
    console.log(
      "The control exceeds the bound too: the machine is too busy for a meaningful ratio.",
    );
  return OPERATIONS.every(
    (operation) =>
      ratioOf(operation, walls) <= MAX_RATIO &&
      ownMsPerStep(operation, walls) < MAX_OWN_MS_PER_STEP,
  );
}

/** Minimum time: the work of six connections, or the longest chain if that takes longer. */
function boundMs(operation: Operation): number {
  return CALLS[operation] * Math.max((STEPS * LATENCY_MS) / CONNECTIONS, DEPTH * LATENCY_MS);
}

async function bareMs(workers: Workers, calls: number): Promise<number> {
  const response = await fetch(`${workers.bare}/run?steps=${calls}&latencyMs=${LATENCY_MS}`);
  const { wallMs } = (await response.json()) as { wallMs: number };
  return wallMs;
}

function ratioOf(operation: Operation, walls: Walls): number {
  return median(walls[operation]) / boundMs(operation);
}

function ownMsPerStep(operation: Operation, walls: Walls): number {
  return (median(walls[operation]) - boundMs(operation)) / STEPS;
}

function row(name: string, operation: Operation, walls: Walls, bares: Walls): string[] {
  const wall = median(walls[operation]);
  return [
    name,
    `${boundMs(operation)} ms`,
    `${walls[operation].join(", ")} ms`,
    `${wall} ms`,
    ratioOf(operation, walls).toFixed(3),
    (wall / median(bares[operation])).toFixed(3),
    `${ownMsPerStep(operation, walls).toFixed(2)} ms`,
  ];
}

/** Duration by the deployment's timestamps. */
async function wallMs(client: Client, instanceId: string, operation: Operation): Promise<number> {
  const started = await client.post<Deployment>(`/instances/${instanceId}/${operation}`);
  const untilMs = performance.now() + ENDS_WITHIN_MS;
  for (;;) {
    // Infrequent, because polling takes CPU time from the measured process.
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS);
    });
    const { state, error, summary, timestamps } = await client.get<Timed>(
      `/deployments/${started.id}`,
    );
    if (state === "SUCCEEDED") {
      const changed = operation === "deploy" ? summary?.create : summary?.delete;
      if (changed !== STEPS)
        throw new Error(`The ${operation} changed ${changed} resources of ${STEPS}.`);
      return at(timestamps, "SUCCEEDED") - at(timestamps, "APPLYING");
    }
    if (state === "FAILED" || performance.now() > untilMs)
      throw new Error(`The ${operation} is ${state}: ${JSON.stringify(error)}`);
  }
}

function at(timestamps: Readonly<Record<string, string>>, state: string): number {
  const time = timestamps[state];
  if (time === undefined) throw new Error(`The deployment has no timestamp for ${state}.`);
  return Date.parse(time);
}

if (import.meta.main) {
  const workers = await startWorkers();
  try {
    if (!(await benchDeployment(workers))) process.exitCode = 1;
  } finally {
    await workers.stop();
  }
}
