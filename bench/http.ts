/**
 * Cost of a request relative to the bare platform: answers per second of the service ÷ those of a minimal Worker with Hono
 * and D1, in alternating windows of one run. The last row measures the bare Worker against itself: its deviation from 1
 * is noise.
 */
import { randomUUID } from "node:crypto";
import { clientOf, type Named } from "../scripts/client/client.ts";
import { load, type Target, warmUp, type Window } from "./load.ts";
import { printTable } from "./print-table.ts";
import { median, quantile } from "./ratio.ts";
import { startWorkers, type Workers } from "./start-workers.ts";
import { type BenchTenant, makeTenant } from "./tenant.ts";

const CONNECTIONS = 16;
const PAIRS = 21;
const LISTED = 200;
/** More keys than the service caches: used in turn, each has been evicted before its next use. */
const KEYS = 1_100;
/** Share of the goal that still passes, because of noise on a shared machine. */
const TOLERANCE = 0.9;

/** What the service and the bare Worker are asked for one row of the table. */
export interface Comparison {
  name: string;
  service: Target;
  bare: Target;
  /** Absent for the control. */
  goal?: number;
}

/** Returns true when every result is within its limit. */
export async function benchHttp(workers: Workers): Promise<boolean> {
  const rows: string[][] = [];
  let passed = true;
  for (const comparison of await comparisons(workers)) {
    const { name, service, bare, goal } = comparison;
    const source = { connections: CONNECTIONS, pid: workers.pid };
    await warmUp(service, source);
    await warmUp(bare, source);
    const pairs: Pair[] = [];
    for (let pair = 0; pair < PAIRS; pair += 1)
      pairs.push({ bare: await load(bare, source), service: await load(service, source) });
    const answers = pairs.map((pair) => pair.service.answersPerSecond / pair.bare.answersPerSecond);
    const cpu = pairs.map(
      (pair) => (pair.bare.cpuMs ?? Number.NaN) / (pair.service.cpuMs ?? Number.NaN),
    );
    const verdict = judge(answers, goal);
    passed &&= verdict !== "no" && verdict !== "too noisy";
    rows.push([
      name,
      ...shown(answers),
      ...shown(cpu),
      goal === undefined ? "1" : `≥ ${goal}`,
      verdict,
    ]);
  }
  printTable(
    `The service ÷ the bare Worker (${CONNECTIONS} connections, medians of ${PAIRS} pairs)`,
    ["", "answers/s", "pairs", "answers per CPU s", "pairs", "goal", "reached"],
    rows,
  );
  return passed;
}

interface Pair {
  service: Window;
  bare: Window;
}

type Verdict = "yes" | "within noise" | "no" | "too noisy";

function judge(ratios: readonly number[], goal: number | undefined): Verdict {
  if (goal === undefined) {
    const quiet = quantile(ratios, 0.25) >= TOLERANCE && quantile(ratios, 0.75) <= 1 / TOLERANCE;
    return quiet ? "yes" : "too noisy";
  }
  const ratio = median(ratios);
  if (ratio >= goal) return "yes";
  return ratio >= goal * TOLERANCE ? "within noise" : "no";
}

function shown(ratios: readonly number[]): [string, string] {
  const least = Math.min(...ratios);
  if (Number.isNaN(least)) return ["", ""];
  return [median(ratios).toFixed(3), `${least.toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`];
}

export async function comparisons(workers: Workers): Promise<Comparison[]> {
  const reader = await makeTenant(workers);
  const writer = await makeTenant(workers);
  const ids: string[] = [];
  for (let made = 0; made < LISTED; made += 1)
    ids.push((await reader.client.post<Named>("/templates", templateBody())).id);
  const keys = await makeKeys(workers, reader);
  const bearer = (key: string) => () => ({ authorization: `Bearer ${key}` });
  let turn = 0;
  const nextBearer = () => {
    turn = (turn + 1) % keys.length;
    return { authorization: `Bearer ${keys[turn] ?? ""}` };
  };
  const api = `${workers.service}/api/v1`;
  const one = `/templates/${ids[0] ?? ""}`;
  const get = (url: string, headers: Target["headers"], status = 200): Target => ({
    url,
    headers,
    status,
  });
  const post = (url: string, headers: Target["headers"]): Target => ({
    url,
    method: "POST",
    body: JSON.stringify(templateBody()),
    headers: () => ({
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
      "x-tenant": writer.tenantId,
      ...headers(),
    }),
    status: 201,
  });
  const cached = bearer(reader.key);
  const schemaTag = await etagOf(`${api}/templates/schema`, reader.key);
  const unchanged = () => ({ ...cached(), "if-none-match": schemaTag });
  return [
    {
      name: "GET one, key cached",
      service: get(api + one, cached),
      bare: get(workers.bare + one, cached),
      goal: 0.95,
    },
    {
      name: "GET one, key not cached",
      service: get(api + one, nextBearer),
      bare: get(workers.bare + one, nextBearer),
      goal: 0.8,
    },
    {
      name: "list of 20, key cached",
      service: get(`${api}/templates`, cached),
      bare: get(`${workers.bare}/templates?tenantId=${reader.tenantId}`, cached),
      goal: 0.8,
    },
    {
      // A change never relies on the key cache, so there is only one result.
      name: "validated write with audit, event, idempotency",
      service: post(`${api}/templates`, bearer(writer.key)),
      bare: post(`${workers.bare}/templates`, bearer(writer.key)),
      goal: 0.55,
    },
    {
      name: "all middleware, no D1",
      service: get(`${api}/templates/schema`, unchanged, 304),
      bare: get(`${workers.bare}/hello`, unchanged),
      goal: 0.6,
    },
    {
      name: "control: bare GET one ÷ itself",
      service: get(workers.bare + one, cached),
      bare: get(workers.bare + one, cached),
    },
  ];
}

function templateBody(): { name: string; description: string } {
  return {
    name: "A template",
    description: "Of the benchmark, as long as such texts usually are.",
  };
}

async function makeKeys(workers: Workers, tenant: BenchTenant): Promise<string[]> {
  const operator = clientOf(workers.service, workers.operatorKey);
  const keys: string[] = [];
  while (keys.length < KEYS) {
    const made = await Promise.all(
      Array.from({ length: Math.min(20, KEYS - keys.length) }, () =>
        operator.post<{ key: string }>("/api-keys", {
          name: "bench",
          scopes: ["*"],
          tenantId: tenant.tenantId,
        }),
      ),
    );
    keys.push(...made.map(({ key }) => key));
  }
  return keys;
}

async function etagOf(url: string, key: string): Promise<string> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  await response.text();
  const etag = response.headers.get("etag");
  if (!response.ok || etag === null)
    throw new Error(`${url} answered ${response.status} without an ETag.`);
  return etag;
}

if (import.meta.main) {
  const workers = await startWorkers();
  try {
    if (!(await benchHttp(workers))) process.exitCode = 1;
  } finally {
    await workers.stop();
  }
}
