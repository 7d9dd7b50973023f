/** One run at a time per instance, no more runs than slots per target, and a stated reason for every wait. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { SLOT_LEASE_MS } from "#orchestrator/gate/slot-lease.ts";
import type { TargetGate } from "#orchestrator/gate/target-gate.ts";
import type { InstanceRunner } from "#orchestrator/runner/instance-runner.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import {
  ledger,
  living,
  makeInstance,
  makeTarget,
  makeTemplate,
  untilOver,
} from "#test/support/cloud.ts";
import { placesAt } from "#test/support/places.ts";
import { holdBefore, runnerOf, start, until, watchCommits } from "#test/support/runner.ts";

const source = `name: concurrency
runtime: yaml
config:
  size: { type: string, default: s0 }
resources:
  app: { type: mock:Server, properties: { name: app, size: "\${size}" } }
  box: { type: mock:Bucket, properties: { name: box, size: "\${size}", app: "\${app.id}" } }
`;
const FAR_MS = 3_600_000;

describe("concurrent deployments", () => {
  let tenant: TestTenant;
  let templateId: string;
  beforeAll(async () => {
    tenant = await makeTenant();
    templateId = await makeTemplate(tenant, source);
  });

  const read = async (id: string) => (await tenant.get(`/deployments/${id}`)).body;
  const gateOf = (targetId: string) => env.TARGET_GATE.get(env.TARGET_GATE.idFromName(targetId));
  const shiftClock = async <T extends InstanceRunner | TargetGate>(
    stub: DurableObjectStub<T>,
    aheadMs: number,
  ): Promise<void> =>
    runInDurableObject(stub, (object) => {
      object.now = () => Date.now() + aheadMs;
    });

  /** Starts and ends in the order of their commits in D1, from the events. */
  const span = async (column: "instance_id" | "target_id", id: string) => {
    const { results } = await env.DB.prepare(
      `SELECT e.type, e.resource_id AS deployment FROM events e JOIN deployments d ON d.id = e.resource_id
        WHERE d.${column} = ? AND e.type IN ('deployment.started', 'deployment.succeeded', 'deployment.no_changes', 'deployment.failed')
        ORDER BY e.id`,
    )
      .bind(id)
      .all<{ type: string; deployment: string }>();
    let running = 0;
    let most = 0;
    for (const { type } of results) {
      running += type === "deployment.started" ? 1 : -1;
      most = Math.max(most, running);
    }
    return {
      most,
      left: running,
      starts: results.filter(({ type }) => type.endsWith("started")),
    };
  };

  it("of one instance run one after the other, in the order of creation", async () => {
    const targetId = await makeTarget(tenant, { latencyMs: 100 });
    const instanceId = await makeInstance(tenant, templateId, targetId);
    const ids: string[] = [];
    for (let n = 1; n <= 5; n += 1) {
      await tenant.patch(`/instances/${instanceId}`, {
        variables: { size: `s${n}` },
      });
      ids.push(await start(tenant, instanceId));
    }
    const [first] = ids;
    const waiting = await Promise.all(ids.slice(1).map(read));
    expect(waiting.map(({ state, blockedBy }) => [state, blockedBy])).toEqual(
      [1, 2, 3, 4].map((position) => ["QUEUED", { kind: "instance_busy", id: first, position }]),
    );
    const over = await Promise.all(ids.map((id) => untilOver(tenant, id)));
    expect(over.map(({ body }) => body.state)).toEqual(ids.map(() => "SUCCEEDED"));
    const { most, left, starts } = await span("instance_id", instanceId);
    expect([most, left]).toEqual([1, 0]);
    expect(starts.map(({ deployment }) => deployment)).toEqual(ids);
    for (const [n, { body }] of over.slice(1).entries())
      expect(Date.parse(body.timestamps.PLANNING)).toBeGreaterThanOrEqual(
        Date.parse(over[n]?.body.timestamps.SUCCEEDED),
      );
    // Each run applied the inputs frozen at its creation: two creates, then four times two updates.
    expect((await ledger(targetId)).map(({ verb }) => verb)).toEqual([
      "create",
      "create",
      ...Array.from({ length: 8 }, () => "update"),
    ]);
  });

  it(
    "of thirty instances never hold more than the target's three slots",
    { timeout: 60_000 },
    async () => {
      const targetId = await makeTarget(tenant, { latencyMs: 60 }, { maxConcurrentDeployments: 3 });
      const instances: string[] = [];
      for (let n = 0; n < 30; n += 1)
        instances.push(await makeInstance(tenant, templateId, targetId));
      const ids = await Promise.all(instances.map((id) => start(tenant, id)));
      let most = 0;
      let sawAll = false;
      await until("all have ended", async () => {
        const { results } = await env.DB.prepare(
          "SELECT id, state FROM deployments WHERE target_id = ?",
        )
          .bind(targetId)
          .all<{ id: string; state: string }>();
        const running = results.filter(({ state }) => ["PLANNING", "APPLYING"].includes(state));
        most = Math.max(most, running.length);
        if (!sawAll && running.length === 3) {
          const shown = await tenant.get("/deployments?state=QUEUED&limit=100");
          const blocked = shown.body.data.map((d: { blockedBy: unknown }) => d.blockedBy);
          if (blocked.length > 10 && blocked.every((reason: unknown) => reason !== null)) {
            const byPosition = (a: { position: number }, b: { position: number }): number =>
              a.position - b.position;
            expect(blocked.sort(byPosition)).toEqual(
              blocked.map((_: unknown, at: number) => ({
                kind: "target_capacity",
                id: targetId,
                position: at + 1,
              })),
            );
            sawAll = true;
          }
        }
        return results.every(({ state }) => state === "SUCCEEDED");
      });
      expect(most).toBe(3);
      expect(sawAll).toBe(true);
      const seen = await span("target_id", targetId);
      expect([seen.left, seen.starts.length]).toEqual([0, ids.length]);
      expect(living(await ledger(targetId))).toHaveLength(60);
    },
  );

  it("wait for a runner that died while holding the slot, and continue when it is back", async () => {
    const targetId = await makeTarget(tenant, {}, { maxConcurrentDeployments: 1 });
    const dying = await makeInstance(tenant, templateId, targetId);
    const waiting = await makeInstance(tenant, templateId, targetId);
    const seen = await watchCommits(dying, { when: "after", commit: 4 });
    const first = await start(tenant, dying);
    await until("the holder of the slot dies", () => seen.crashed);
    const second = await start(tenant, waiting);
    await until("the second waits", async () => (await read(second)).blockedBy !== null);
    expect((await read(second)).blockedBy).toEqual({
      kind: "target_capacity",
      id: targetId,
      position: 1,
    });
    await runnerOf(dying).wake();
    expect((await untilOver(tenant, first)).body.state).toBe("SUCCEEDED");
    expect((await untilOver(tenant, second)).body.state).toBe("SUCCEEDED");
  });

  it("evict no holder of a slot, however far ahead the clock of a waiting runner is", async () => {
    const targetId = await makeTarget(tenant, {}, { maxConcurrentDeployments: 1 });
    const holding = await makeInstance(tenant, templateId, targetId);
    const skewed = await makeInstance(tenant, templateId, targetId);
    const hold = await holdBefore(holding, 5);
    const first = await start(tenant, holding);
    await hold.reached();
    await shiftClock(runnerOf(skewed), SLOT_LEASE_MS + 1_000);
    const second = await start(tenant, skewed);
    await until("the second waits", async () => (await read(second)).blockedBy !== null);
    await runnerOf(skewed).wake();
    await scheduler.wait(50);
    expect((await read(second)).blockedBy).toMatchObject({ kind: "target_capacity", position: 1 });
    hold.release();
    expect((await untilOver(tenant, first)).body.state).toBe("SUCCEEDED");
    await runnerOf(skewed).wake();
    expect((await untilOver(tenant, second)).body.state).toBe("SUCCEEDED");
    expect((await span("target_id", targetId)).most).toBe(1);
  });

  it("start no step after their slot lapsed with their runner dead, until they have a slot again", async () => {
    const targetId = await makeTarget(tenant, {}, { maxConcurrentDeployments: 1 });
    const instanceId = await makeInstance(tenant, templateId, targetId);
    const seen = await watchCommits(instanceId, { when: "after", commit: 3 });
    const deploymentId = await start(tenant, instanceId);
    await until("the holder of the slot dies", () => seen.crashed);
    await shiftClock(gateOf(targetId), FAR_MS);
    const other = { deploymentId: "another", instanceId: "another", capacity: 1 };
    expect(await gateOf(targetId).acquire(other)).toEqual({ granted: true });
    await runnerOf(instanceId).wake();
    await until("it asked for a slot again", async () =>
      runInDurableObject(gateOf(targetId), (_, { storage }) => placesAt(storage).length === 2),
    );
    await runnerOf(instanceId).wake();
    await scheduler.wait(50);
    expect(await ledger(targetId)).toEqual([]);
    await gateOf(targetId).release("another");
    expect((await untilOver(tenant, deploymentId)).body.state).toBe("SUCCEEDED");
  });

  it("renew their slot even if their turns are short", async () => {
    const targetId = await makeTarget(tenant, { readyAfterMs: 600 });
    const instanceId = await makeInstance(tenant, templateId, targetId);
    const deploymentId = await start(tenant, instanceId);
    await until("it waits for the cloud", async () => (await ledger(targetId)).length === 1);
    const leaseUntilMs = async (): Promise<number> =>
      runInDurableObject(gateOf(targetId), (_, { storage }) => placesAt(storage)[0]?.untilMs ?? 0);
    const beforeMs = await leaseUntilMs();
    await shiftClock(gateOf(targetId), 40_000);
    await shiftClock(runnerOf(instanceId), 40_000);
    await runnerOf(instanceId).wake();
    await until("the slot is renewed", async () => (await leaseUntilMs()) >= beforeMs + 30_000);
    // Alarms are as far ahead as the changed clock, and polls become rarer: advance the clock and wake it by hand.
    await runInDurableObject(runnerOf(instanceId), (runner) => {
      let shiftMs = 60_000;
      runner.now = () => Date.now() + (shiftMs += 500);
    });
    await until("the run ends", async () => {
      await runnerOf(instanceId).wake();
      await scheduler.wait(50);
      return (await read(deploymentId)).state === "SUCCEEDED";
    });
    expect(await ledger(targetId)).toHaveLength(2);
  });

  it("start when their target gets more slots, at once or, if the notification is lost, when they ask again", async () => {
    const targetId = await makeTarget(tenant, {}, { maxConcurrentDeployments: 1 });
    const placed = async (at = 4) => {
      const instanceId = await makeInstance(tenant, templateId, targetId);
      const hold = await holdBefore(instanceId, at);
      return { instanceId, hold, id: await start(tenant, instanceId) };
    };
    const holder = await placed();
    await holder.hold.reached();
    // Commits of a waiting run: loaded, waiting, started. It reaches the fourth only with a slot.
    const second = await placed();
    await until("the second waits", async () => (await read(second.id)).blockedBy?.position === 1);
    const third = await placed();
    await until("the third waits", async () => (await read(third.id)).blockedBy?.position === 2);
    const resize = (maxConcurrentDeployments: number) =>
      tenant.patch(`/cloud/targets/${targetId}`, { maxConcurrentDeployments });
    expect((await resize(2)).status).toBe(200);
    await second.hold.reached();
    expect((await read(third.id)).state).toBe("QUEUED");
    // Fewer slots: runs in progress continue, and none starts.
    expect((await resize(1)).status).toBe(200);
    await runnerOf(third.instanceId).wake();
    holder.hold.release();
    expect((await untilOver(tenant, holder.id)).body.state).toBe("SUCCEEDED");
    expect((await read(third.id)).blockedBy).toMatchObject({
      kind: "target_capacity",
      position: 1,
    });
    // More slots again, without notifying the gate: the waiting runner sends the new capacity.
    await env.DB.prepare(
      "UPDATE cloud_targets SET max_concurrent_deployments = 2, version = version + 1 WHERE id = ?",
    )
      .bind(targetId)
      .run();
    await runnerOf(third.instanceId).wake();
    await third.hold.reached();
    second.hold.release();
    third.hold.release();
    for (const { id } of [second, third])
      expect((await untilOver(tenant, id)).body.state).toBe("SUCCEEDED");
  });

  it("are shown behind the run in progress, even if it was created later", async () => {
    const targetId = await makeTarget(tenant);
    const instanceId = await makeInstance(tenant, templateId, targetId);
    const earlier = await start(tenant, instanceId, "plan");
    await untilOver(tenant, earlier);
    const hold = await holdBefore(instanceId, 4);
    const later = await start(tenant, instanceId);
    await hold.reached();
    await env.DB.prepare("UPDATE deployments SET state = 'QUEUED' WHERE id = ?")
      .bind(earlier)
      .run();
    expect((await read(earlier)).blockedBy).toEqual({
      kind: "instance_busy",
      id: later,
      position: 1,
    });
    hold.release();
    await untilOver(tenant, later);
  });
});
