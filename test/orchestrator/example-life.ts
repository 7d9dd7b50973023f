/** A template at a cloud in memory, as a tenant deploys it: runs to their end, and everything they show. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import type { TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTemplate, run, untilOver } from "#test/support/cloud.ts";
import { runnerOf, start, storedBy } from "#test/support/runner.ts";
import { rowsOf } from "#test/support/tenant-rows.ts";

/** An account at a cloud: its target's registration, and the fake that answers. */
export interface CloudAccount {
  provider: string;
  /** The ends of the cloud's host names. */
  host: string;
  fetch: (request: Request) => Promise<Response>;
  config: JsonMap;
  region: string;
  token: string;
}

/** Until `vi.restoreAllMocks()`, these clouds answer requests to their hosts. */
export function answerAt(...clouds: readonly Pick<CloudAccount, "host" | "fetch">[]): void {
  const real = globalThis.fetch.bind(globalThis);
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = input instanceof Request ? input : new Request(input, init);
    const { hostname } = new URL(request.url);
    const cloud = clouds.find(({ host }) => hostname.endsWith(host));
    return cloud === undefined ? real(input, init) : cloud.fetch(request);
  });
}

/** An instance of the template at a target of its own. */
export async function exampleAt(
  tenant: TestTenant,
  account: CloudAccount,
  source: string,
  more: JsonMap = {},
) {
  const { provider, region, token } = account;
  const variable = `TARGET_${tenant.tenantId.replaceAll("-", "").toUpperCase()}_${provider.toUpperCase()}`;
  Object.assign(env, { [variable]: token });
  const target = await tenant.post("/cloud/targets", {
    provider,
    name: provider,
    config: account.config,
    credentialRef: `env://${variable}`,
    allowedRegions: ["*"],
    defaultRegion: region,
  });
  expect(target.status, target.text).toBe(201);
  const templateId = await makeTemplate(tenant, source);
  const instanceId = await makeInstance(tenant, templateId, target.body.id, {
    name: "shop",
    ...more,
  });
  const path = `/instances/${instanceId}`;
  await runInDurableObject(runnerOf(instanceId), (runner) => {
    Object.assign((runner as unknown as { env: object }).env, { [variable]: token });
  });

  const told: string[] = [];
  /** A run's changes by resource. The run must have succeeded. */
  const changesOf = async (deploymentId: string): Promise<Record<string, string>> => {
    const over = await untilOver(tenant, deploymentId);
    const plan = await tenant.get(`/deployments/${deploymentId}/plan`);
    const log = await tenant.get(`/deployments/${deploymentId}/log?limit=100`);
    told.push(over.text, plan.text, log.text);
    for (const place of ["", "/resources", "/outputs"])
      told.push((await tenant.get(`${path}${place}`)).text);
    const said = JSON.stringify([over.body.error, log.body.data?.slice(-5)]);
    expect(over.body.state, said).toMatch(/^(SUCCEEDED|NO_CHANGES)$/);
    expect(over.body.outputsError).toBeNull();
    const changes: { resource: string; action: string }[] = plan.body?.changes ?? [];
    const made = changes.filter(({ action }) => action !== "unchanged");
    return Object.fromEntries(made.map(({ resource, action }) => [resource, action]));
  };
  const set = async (variables: JsonMap): Promise<void> => {
    const changed = await tenant.patch(path, { variables });
    expect(changed.status, changed.text).toBe(200);
  };

  return {
    instanceId,
    changesOf,
    set,
    go: async (operation: "deploy" | "destroy", variables?: JsonMap) => {
      if (variables !== undefined) await set(variables);
      return changesOf((await run(tenant, instanceId, operation)).body.id);
    },
    checkDrift: async (): Promise<{ status: string; changes: Record<string, string> }> => {
      const changes = await changesOf(await start(tenant, instanceId, "check-drift"));
      return { status: (await tenant.get(path)).body.drift, changes };
    },
    outputs: async (): Promise<JsonMap> => (await tenant.get(`${path}/outputs`)).body.outputs ?? {},
    /** No answer about its runs, row of its tenant or state of its runner contains a canary or the account's token. */
    expectNothingTold: async (): Promise<void> => {
      const rows = JSON.stringify(await rowsOf(tenant.tenantId));
      const all = [...told, rows, await storedBy(instanceId)].join("\n");
      expect(all).toContain("shop");
      for (const secret of [token, "canary", "CANARY", btoa("canary"), btoa("CANARY")])
        expect(all).not.toContain(secret);
    },
  };
}
