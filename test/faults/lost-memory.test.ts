/** Runners that lose their memory while they wait or work, and resume without help. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { readLog } from "#orchestrator/client/ask-runner.ts";
import { newId } from "#platform/ids.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import {
  ledger,
  living,
  makeInstance,
  makeTarget,
  makeTemplate,
  untilOver,
} from "#test/support/cloud.ts";
import { eventsOf, runnerOf, start, until, watchCommits } from "#test/support/runner.ts";

const source = `
name: lost-memory
runtime: yaml
resources:
  net: { type: mock:Network, properties: { name: net } }
  a: { type: mock:Server, properties: { name: a, net: "\${net.id}" } }
  b: { type: mock:Server, properties: { name: b, net: "\${net.id}" } }
  c: { type: mock:Bucket, properties: { name: c, a: "\${a.id}" } }
`;
const objects = ["buckets/c", "networks/net", "servers/a", "servers/b"];
const events = ["queued", "started", "planned", "applying", "succeeded"];

describe("a runner that lost its memory", () => {
  let tenant: TestTenant;
  let templateId: string;
  beforeAll(async () => {
    tenant = await makeTenant();
    templateId = await makeTemplate(tenant, source);
  });

  it("resumes at the time of its alarm if it was evicted while waiting", async () => {
    const targetId = await makeTarget(tenant, { readyAfterMs: 700 });
    const instanceId = await makeInstance(tenant, templateId, targetId);
    const deploymentId = await start(tenant, instanceId);
    const startedMs = Date.now();
    await until(
      "the first object is being created",
      async () => (await ledger(targetId)).length > 0,
    );
    for (let times = 0; times < 3; times += 1) {
      // A request starts the object again, which must not delay the alarm that it had set.
      await runnerOf(instanceId).readLog(deploymentId, 0);
      await evictDurableObject(runnerOf(instanceId));
    }
    const over = await untilOver(tenant, deploymentId);
    expect(over.body.state).toBe("SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual(objects);
    // Three objects depend on one another; resuming by the runner's lease would take half a minute.
    expect(Date.now() - startedMs).toBeLessThan(10_000);
  });

  it("sets a lost alarm again with the next request", async () => {
    const targetId = await makeTarget(tenant, { readyAfterMs: 700 });
    const instanceId = await makeInstance(tenant, templateId, targetId);
    const deploymentId = await start(tenant, instanceId);
    await until(
      "the first object is being created",
      async () => (await ledger(targetId)).length > 0,
    );
    await until("the runner waits", async () =>
      runInDurableObject(runnerOf(instanceId), async (_, state) => {
        const armedMs = await state.storage.getAlarm();
        if (armedMs === null || armedMs - Date.now() > 1_000) return false;
        await state.storage.deleteAlarm();
        return true;
      }),
    );
    await evictDurableObject(runnerOf(instanceId));
    await runnerOf(instanceId).readLog(deploymentId, 0);
    const armedMs = await runInDurableObject(runnerOf(instanceId), (_, state) =>
      state.storage.getAlarm(),
    );
    expect(armedMs).not.toBeNull();
    await runnerOf(instanceId).wake();
    expect((await untilOver(tenant, deploymentId)).body.state).toBe("SUCCEEDED");
  });

  it("has an alarm whenever it writes, so that it comes back by itself wherever it dies", async () => {
    const instanceId = await makeInstance(tenant, templateId, await makeTarget(tenant));
    const armed: (number | null)[] = [];
    await runInDurableObject(runnerOf(instanceId), (runner, { storage }) => {
      runner.crashPoint = async () => void armed.push(await storage.getAlarm());
    });
    expect((await untilOver(tenant, await start(tenant, instanceId))).body.state).toBe("SUCCEEDED");
    expect(armed.length).toBeGreaterThan(20);
    expect(armed).not.toContain(null);
  });

  it("still answers a log request during which it died", async () => {
    const instanceId = await makeInstance(tenant, templateId, await makeTarget(tenant));
    const deploymentId = await start(tenant, instanceId);
    await untilOver(tenant, deploymentId);
    const of = { deploymentId: newId(), instanceId };
    const reading = readLog(env, of, 0, { waitMs: 300 });
    await runInDurableObject(runnerOf(instanceId), (_, state) =>
      state.abort("a crash that the test plans"),
    ).catch(() => undefined);
    expect(await reading).toEqual({ entries: [], ended: false, empty: true });
  });

  it("resumes by its own alarm without any request", { timeout: 60_000 }, async () => {
    const targetId = await makeTarget(tenant);
    const instanceId = await makeInstance(tenant, templateId, targetId);
    const seen = await watchCommits(instanceId, { when: "after", commit: 5 });
    const leases = await shortenLeases(instanceId, 2_000);
    const startedMs = Date.now();
    const deploymentId = await start(tenant, instanceId);
    await until("the runner crashes", () => seen.crashed);
    for (;;) {
      const read = await tenant.get(`/deployments/${deploymentId}`);
      if (read.body.state === "SUCCEEDED") break;
      expect(Date.now() - startedMs, read.text).toBeLessThan(25_000);
      await scheduler.wait(50);
    }
    expect(living(await ledger(targetId))).toEqual(objects);
    expect(await eventsOf(deploymentId)).toEqual(events);
    // Longer than any turn of a living runner, and short enough for a test.
    expect(Math.min(...leases)).toBeGreaterThan(25_000);
    expect(Math.max(...leases)).toBeLessThanOrEqual(30_000);
  });
});

/**
 * From now on, in this life of the runner, a distant alarm is set `shortMs` ahead instead, so that a test can wait for
 * it. Returns the intended delays.
 */
async function shortenLeases(instanceId: string, shortMs: number): Promise<readonly number[]> {
  const meantMs: number[] = [];
  await runInDurableObject(runnerOf(instanceId), (_, { storage }) => {
    const setAlarm = storage.setAlarm.bind(storage);
    storage.setAlarm = async (scheduled, options) => {
      const ahead = Number(scheduled) - Date.now();
      if (ahead < 10_000) return setAlarm(scheduled, options);
      meantMs.push(ahead);
      return setAlarm(Date.now() + shortMs, options);
    };
  });
  return meantMs;
}
