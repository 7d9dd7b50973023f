/** Common steps: a target on the mock cloud, a template, an instance, a run to its end. */
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { isJsonMap, type JsonMap } from "#platform/json.ts";
import type { Answer, TestTenant } from "./api.ts";

export interface LedgerEntry {
  seq: number;
  verb: "create" | "update" | "delete";
  kind: string;
  id: string;
  name: string;
}

export async function makeTarget(
  tenant: TestTenant,
  config: JsonMap = {},
  more: JsonMap = {},
): Promise<string> {
  const made = await tenant.post("/cloud/targets", {
    provider: "mock",
    name: "mock cloud",
    config,
    allowedRegions: ["local-1"],
    defaultRegion: "local-1",
    ...more,
  });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

export async function makeTemplate(tenant: TestTenant, source: string): Promise<string> {
  const made = await tenant.post("/templates", { name: "suite template", source });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

export async function makeInstance(
  tenant: TestTenant,
  templateId: string,
  targetId: string,
  more: JsonMap = {},
): Promise<string> {
  const made = await tenant.post("/instances", { name: "suite", templateId, targetId, ...more });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

export async function addVersion(
  tenant: TestTenant,
  instanceId: string,
  templateId: string,
  source: string,
): Promise<void> {
  const added = await tenant.post(`/templates/${templateId}/versions`, { source });
  expect(added.status, added.text).toBe(201);
  const moved = await tenant.patch(`/instances/${instanceId}`, {
    templateVersion: added.body.version ?? added.body.number,
  });
  expect(moved.status, moved.text).toBe(200);
}

const finalStates = new Set([
  "SUCCEEDED",
  "NO_CHANGES",
  "FAILED",
  "CANCELED",
  "DISCARDED",
  "EXPIRED",
  "SUPERSEDED",
  "AWAITING_APPROVAL",
]);

/**
 * Reads the deployment until it has ended. `looks`: the most reads, one every 20 to 60 ms, so that a hanging run fails
 * the test.
 */
export async function untilOver(
  tenant: TestTenant,
  deploymentId: string,
  looks = LOOKS,
): Promise<Answer> {
  return untilState(tenant, deploymentId, (state) => finalStates.has(state), looks);
}

const LOOKS = 450;

export async function untilState(
  tenant: TestTenant,
  deploymentId: string,
  reached: (state: string) => boolean,
  looks = LOOKS,
): Promise<Answer> {
  // Looks at the row, because a request at each look would take longer than the run.
  for (let tries = 0; tries < looks; tries += 1) {
    const state = await stateIn(pauseMs(tries), deploymentId);
    if (state !== undefined && !reached(state)) continue;
    const read = await tenant.get(`/deployments/${deploymentId}`);
    expect(read.status, read.text).toBe(200);
    if (reached(read.body.state)) return read;
  }
  const log = await tenant.get(`/deployments/${deploymentId}/log`);
  throw new Error(`Deployment ${deploymentId} does not end: ${log.text}`);
}

let nextLook: { ids: Set<string>; states: Promise<ReadonlyMap<string, string>> } | undefined;

/** Later looks are further apart, because each takes time from the runs. */
function pauseMs(tries: number): number {
  return Math.min(20 + 2 * tries, 60);
}

/** The deployment's state after at most `ms`. One query reads all deployments asked for meanwhile. */
async function stateIn(ms: number, deploymentId: string): Promise<string | undefined> {
  nextLook ??= look(ms);
  nextLook.ids.add(deploymentId);
  return (await nextLook.states).get(deploymentId);
}

function look(ms: number): NonNullable<typeof nextLook> {
  const ids = new Set<string>();
  const read = async (): Promise<ReadonlyMap<string, string>> => {
    await scheduler.wait(ms);
    nextLook = undefined;
    const rows = await env.DB.prepare(
      "SELECT id, state FROM deployments WHERE id IN (SELECT value FROM json_each(?))",
    )
      .bind(JSON.stringify([...ids]))
      .all<{ id: string; state: string }>();
    return new Map(rows.results.map(({ id, state }) => [id, state]));
  };
  return { ids, states: read() };
}

/** Starts the operation and waits for its end. */
export async function run(
  tenant: TestTenant,
  instanceId: string,
  operation: "deploy" | "plan" | "destroy",
): Promise<Answer> {
  const started = await tenant.post(`/instances/${instanceId}/${operation}`);
  expect(started.status, started.text).toBe(202);
  return untilOver(tenant, started.body.id);
}

/** An instance of its own template, with operations that end before they return. */
export async function instanceOf(
  tenant: TestTenant,
  source: string,
  targetId: string,
  more: JsonMap = {},
) {
  const templateId = await makeTemplate(tenant, source);
  const instanceId = await makeInstance(tenant, templateId, targetId, more);
  return {
    templateId,
    instanceId,
    deploy: () => run(tenant, instanceId, "deploy"),
    destroy: () => run(tenant, instanceId, "destroy"),
    change: (next: string) => addVersion(tenant, instanceId, templateId, next),
  };
}

/** All operations in the target's mock cloud, in order. */
export async function ledger(targetId: string): Promise<LedgerEntry[]> {
  const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId));
  const entries: LedgerEntry[] = [];
  for (;;) {
    const after = entries.at(-1)?.seq ?? 0;
    const response = await cloud.fetch(`https://mock.cloud.invalid/v1/_ledger?after=${after}`);
    const body: unknown = await response.json();
    const page = isJsonMap(body) ? (body["data"] as unknown as LedgerEntry[]) : [];
    entries.push(...page);
    if (page.length < 1000) return entries;
  }
}

/** The objects that exist now, by kind and name, from the ledger; a duplicate appears twice. */
export function living(entries: readonly LedgerEntry[]): string[] {
  const gone = new Set(entries.filter(({ verb }) => verb === "delete").map(({ id }) => id));
  return entries
    .filter(({ verb, id }) => verb === "create" && !gone.has(id))
    .map(({ kind, name }) => `${kind}/${name}`)
    .sort();
}
