/** An instance without runs: its logs are removed when they are old enough, by an alarm that is rarely due. */
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { createdAtMs } from "#platform/ids.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
import { runnerOf, until } from "#test/support/runner.ts";

const DAY_MS = 86_400_000;
const source = `name: idle
runtime: yaml
resources:
  box: { type: mock:Bucket, properties: { name: box } }
`;

let tenant: TestTenant;
let templateId: string;
beforeAll(async () => {
  tenant = await makeTenant();
  templateId = await makeTemplate(tenant, source);
});

const alarmOf = async (instanceId: string): Promise<number | null> =>
  runInDurableObject(runnerOf(instanceId), async (_, { storage }) => storage.getAlarm());
const keptBy = async (instanceId: string): Promise<Record<string, unknown>> =>
  runInDurableObject(runnerOf(instanceId), (_, { storage }) =>
    storage.sql
      .exec(
        `SELECT (SELECT count(*) FROM runs) AS runs, (SELECT count(*) FROM journal) > 0 AS logs,
          (SELECT count(*) FROM snapshots) AS snapshots, (SELECT count(*) FROM resources) AS resources`,
      )
      .one(),
  );
/** Runs the alarm that is armed as if its time had come. */
const alarmAfter = async (instanceId: string, days: number): Promise<void> => {
  await runInDurableObject(runnerOf(instanceId), (runner) => {
    runner.now = () => Date.now() + days * DAY_MS;
  });
  expect(await runDurableObjectAlarm(runnerOf(instanceId))).toBe(true);
};
const idle = async () => {
  const instanceId = await makeInstance(tenant, templateId, await makeTarget(tenant));
  const { body } = await run(tenant, instanceId, "deploy");
  expect(body.state).toBe("SUCCEEDED");
  await until(
    "its alarm is far",
    async () => ((await alarmOf(instanceId)) ?? 0) > Date.now() + DAY_MS,
  );
  return { instanceId, deploymentId: String(body.id) };
};

describe("the logs of an instance without runs", () => {
  it("are removed by an alarm thirty days later; then the object sleeps for good", async () => {
    const { instanceId, deploymentId } = await idle();
    expect(await alarmOf(instanceId)).toBe(createdAtMs(deploymentId) + 30 * DAY_MS);
    expect(await keptBy(instanceId)).toEqual({ runs: 1, logs: 1, snapshots: 1, resources: 1 });
    await alarmAfter(instanceId, 30.01);
    expect(await keptBy(instanceId)).toEqual({ runs: 0, logs: 0, snapshots: 0, resources: 1 });
    expect(await alarmOf(instanceId)).toBeNull();
  });

  it("wake the object once a day at most, however many become old", async () => {
    const { instanceId } = await idle();
    const later = await run(tenant, instanceId, "plan");
    expect(later.body.state).toBe("NO_CHANGES");
    // Two hours before: the older log is due, the newer one within minutes of it.
    const first = await alarmOf(instanceId);
    await alarmAfter(instanceId, 30 - 2 / 24);
    const next = await alarmOf(instanceId);
    expect(next).toBeGreaterThanOrEqual((first ?? 0) + DAY_MS - 2.1 * 3_600_000);
    expect(await keptBy(instanceId)).toMatchObject({ runs: 2, logs: 1 });
    await alarmAfter(instanceId, 31);
    expect(await keptBy(instanceId)).toMatchObject({ runs: 0, logs: 0 });
  });

  it("without an alarm get one with the next request", async () => {
    const { instanceId } = await idle();
    await runInDurableObject(runnerOf(instanceId), (_, { storage }) => storage.deleteAlarm());
    await evictDurableObject(runnerOf(instanceId));
    expect(await runnerOf(instanceId).listResources()).toHaveLength(1);
    expect(await alarmOf(instanceId)).toBeGreaterThan(Date.now() + 29 * DAY_MS);
  });
});
