/** Tenants that deploy to one platform target: their turns, and each tenant's view of the others. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { TargetGate } from "#orchestrator/gate/target-gate.ts";
import { makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, untilOver } from "#test/support/cloud.ts";
import { placesAt } from "#test/support/places.ts";
import { holdBefore, messagesOf, runnerOf, start, until } from "#test/support/runner.ts";

const source = "resources:\n  one: { type: mock:Bucket, properties: { name: one } }\n";

afterEach(() => {
  vi.restoreAllMocks();
});

async function makeScene() {
  const targetId = await makeTarget(operator as TestTenant, {}, { maxConcurrentDeployments: 1 });
  const gate = () => env.TARGET_GATE.get(env.TARGET_GATE.idFromName(targetId));
  const places = () => runInDurableObject(gate(), (_, { storage }) => placesAt(storage));
  const startOne = async (tenant: TestTenant, templateId: string, held = false) => {
    const instanceId = await makeInstance(tenant, templateId, targetId);
    const hold = held ? await holdBefore(instanceId, 3) : undefined;
    const before = (await places()).length;
    const id = await start(tenant, instanceId);
    await until("it is at the gate", async () => (await places()).length > before);
    return { id, instanceId, hold };
  };
  return { targetId, gate, startOne };
}

describe("tenants that share a target", () => {
  it("take turns, and each learns its own places alone", async () => {
    const { targetId, startOne } = await makeScene();
    const [a, b] = [await makeTenant(), await makeTenant()];
    const [ofA, ofB] = [await makeTemplate(a, source), await makeTemplate(b, source)];
    const first = await startOne(b, ofB, true);
    await first.hold?.reached();
    const others = [await startOne(b, ofB), await startOne(b, ofB), await startOne(b, ofB)];
    const single = await startOne(a, ofA);
    const blockedBy = async (tenant: TestTenant, id: string) =>
      (await tenant.get(`/deployments/${id}`)).body.blockedBy;
    await until(
      "its row shows that it waits",
      async () => (await blockedBy(a, single.id)) !== null,
    );
    const place = (position: number) => ({ kind: "target_capacity", id: targetId, position });
    expect(await blockedBy(a, single.id)).toEqual(place(1));
    expect(await Promise.all(others.map(({ id }) => blockedBy(b, id)))).toEqual(
      [1, 2, 3].map(place),
    );
    const lines = await messagesOf(a, single.id);
    expect(lines).toContain(
      "Waiting for a slot on mock cloud. Tenants that share this target take turns, and none gets all of several slots.",
    );
    const answer = JSON.stringify((await a.get(`/deployments/${single.id}`)).body) + lines.join();
    for (const foreign of [b.tenantId, first.id, first.instanceId, ...others.map(({ id }) => id)])
      expect(answer).not.toContain(foreign);
    first.hold?.release();
    const ended = await Promise.all([
      untilOver(a, single.id),
      ...[first, ...others].map(({ id }) => untilOver(b, id)),
    ]);
    const startedMs = ended.map(({ body }) => Date.parse(body.timestamps.PLANNING));
    expect(ended.map(({ body }) => body.state)).toEqual(ended.map(() => "SUCCEEDED"));
    const [ofSingle = 0, , second = 0, third = 0, fourth = 0] = startedMs;
    // After one more of b's, which waited before, it is a's turn.
    expect([second <= ofSingle, ofSingle <= third, third <= fourth]).toEqual([true, true, true]);
  });

  it("are told apart by the tenant of the deployment's row, not by what a message says", async () => {
    const { targetId } = await makeScene();
    const [a, b] = [await makeTenant(), await makeTenant()];
    const template = await makeTemplate(b, source);
    const makeOne = () => makeInstance(b, template, targetId);
    const [instanceId, lied] = [await makeOne(), await makeOne()];
    const instances = new Set([instanceId, lied]);
    const asked: unknown[] = [];
    // oxlint-disable-next-line typescript/unbound-method -- called with the object it is spied on at
    const { acquire } = TargetGate.prototype;
    vi.spyOn(TargetGate.prototype, "acquire").mockImplementation(function (
      this: TargetGate,
      request,
    ) {
      // Runs of other suites may still be under way.
      if (instances.has(request.instanceId)) asked.push(request.tenantId);
      return acquire.call(this, request);
    });
    const runs = runnerOf(instanceId);
    const id = await start(b, instanceId);
    expect((await untilOver(b, id)).body.state).toBe("SUCCEEDED");
    expect(asked).toEqual([b.tenantId]);
    // The run of another instance in the name of a: its row is b's, so nothing of it runs.
    await env.DB.prepare("UPDATE deployments SET state = 'QUEUED' WHERE id = ?").bind(id).run();
    await runnerOf(lied).notify({ deploymentId: id, instanceId: lied, tenantId: a.tenantId });
    await until(
      "it is closed",
      async () => (await runnerOf(lied).standingOf(id)).phase === "closed",
    );
    expect(asked).toEqual([b.tenantId]);
    expect((await runs.standingOf(id)).phase).toBe("closed");
  });
});
