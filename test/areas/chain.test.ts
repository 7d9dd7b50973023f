import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import type { Json } from "#platform/json.ts";
import { makeTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run, untilOver } from "#test/support/cloud.ts";
import { makeMember } from "#test/support/members.ts";
import { until } from "#test/support/runner.ts";
import { sweep } from "#test/support/triggers.ts";

/** An instance outputs what it reads, its own variable and a constant. */
const SOURCE = `config:
  in: { type: string, default: none }
  in2: { type: string, default: none }
  own: { type: string, default: none }
resources:
  rec: { type: mock:Record, properties: { name: rec, value: "\${in} \${in2} \${own}" } }
outputs:
  out: "\${in} \${in2}"
  own: "\${own}"
  fixed: always
`;

const tenant = await makeTenant();
const templateId = await makeTemplate(tenant, SOURCE);
const targetId = await makeTarget(tenant, {}, { maxConcurrentDeployments: 20 });

type Bound = { [variable: string]: [instanceId: string, output: string] };

async function reader(bound: Bound, more: { [key: string]: Json } = {}): Promise<string> {
  const bindings = Object.fromEntries(
    Object.entries(bound).map(([name, [instanceId, output]]) => [name, { instanceId, output }]),
  );
  const id = await makeInstance(tenant, templateId, targetId, { bindings, ...more });
  if (Object.keys(bound).length > 0) await follow(id);
  return id;
}

const follow = async (id: string, body: object = {}) =>
  (await tenant.post(`/instances/${id}/triggers`, { kind: "upstream_output", ...body })).body;
const triggerOf = async (id: string) =>
  (await tenant.get(`/instances/${id}/triggers`)).body.data[0];
const deploymentsOf = async (
  id: string,
): Promise<{ id: string; trigger: string; state: string }[]> =>
  (await tenant.get(`/deployments?instanceId=${id}`)).body.data;
const outputsOf = async (id: string) => (await tenant.get(`/instances/${id}`)).body.outputs;
const change = (id: string, variables: object) => tenant.patch(`/instances/${id}`, { variables });
const deploy = async (id: string) => {
  const over = await run(tenant, id, "deploy");
  expect(over.body.state, over.text).toBe("SUCCEEDED");
  return over.body;
};

/** Waits until nothing of the tenant is open or due. */
async function rest(): Promise<void> {
  await until("all is at rest", async () => {
    const open = await env.DB.prepare(
      `SELECT (SELECT count(*) FROM deployments WHERE tenant_id = ?1
          AND state IN ('QUEUED', 'PLANNING', 'APPLYING', 'CANCELING'))
        + (SELECT count(*) FROM triggers WHERE tenant_id = ?1 AND next_fire_at_ms <= ?2) AS n`,
    )
      .bind(tenant.tenantId, Date.now())
      .first("n");
    return open === 0;
  });
}

/** How many deployments each instance has had, in the order given. */
async function counts(ids: readonly string[]): Promise<number[]> {
  const all: number[] = [];
  for (const id of ids) all.push((await deploymentsOf(id)).length);
  return all;
}

afterEach(rest);

describe("a chain of twenty instances, each reading the previous one", () => {
  it("redeploys exactly those whose read outputs changed, once each", async () => {
    const ids = [await reader({}, { variables: { in: "first" } })];
    for (let at = 1; at < 20; at += 1)
      // The fifteenth reads an output that never changes.
      ids.push(await reader({ in: [ids[at - 1] as string, at === 14 ? "fixed" : "out"] }));
    for (const id of ids) await deploy(id);
    await rest();
    expect(await counts(ids)).toEqual(ids.map(() => 1));

    await change(ids[0] as string, { in: "second" });
    await deploy(ids[0] as string);
    await until(
      "the change is where it stops",
      async () => (await counts([ids[13] as string]))[0] === 2,
    );
    await rest();
    expect(await counts(ids)).toEqual(ids.map((_, at) => (at < 14 ? 2 : 1)));
    expect((await outputsOf(ids[13] as string)).out).toMatch(/^second /);
    expect((await deploymentsOf(ids[13] as string))[0]).toMatchObject({
      trigger: "upstream_output",
      state: "SUCCEEDED",
    });
    const hops = await env.DB.prepare(
      "SELECT json_extract(inputs, '$.hops') AS hops FROM deployments WHERE instance_id = ? ORDER BY id DESC LIMIT 1",
    )
      .bind(ids[13])
      .first("hops");
    expect(hops).toBe(13);
    expect(await triggerOf(ids[13] as string)).toMatchObject({
      lastDeploymentId: (await deploymentsOf(ids[13] as string))[0]?.id,
      nextFireAt: null,
      suppressedReason: null,
    });

    // The same value again changes nothing downstream.
    await run(tenant, ids[0] as string, "deploy");
    await rest();
    expect(await counts(ids.slice(1))).toEqual(ids.slice(1).map((_, at) => (at < 13 ? 2 : 1)));
  }, 60_000);
});

describe("a diamond", () => {
  it("deploys its last instance at most twice, and once if both changes arrive before it starts", async () => {
    const head = await reader({}, { variables: { in: "one" } });
    const [left, right] = [
      await reader({ in: [head, "out"] }),
      await reader({ in: [head, "out"] }),
    ];
    const foot = await reader({ in: [left, "out"], in2: [right, "out"] });
    for (const id of [head, left, right, foot]) await deploy(id);
    await change(head, { in: "two" });
    await deploy(head);
    await until(
      "both sides have come",
      async () => (await outputsOf(foot)).out.match(/two/g)?.length === 2,
    );
    await rest();
    const [sides, feet] = [await counts([left, right]), await deploymentsOf(foot)];
    expect(sides).toEqual([2, 2]);
    expect(feet.filter(({ state }) => state !== "SUPERSEDED").length).toBeLessThanOrEqual(3);

    // Both changes are in before the last instance can start: one deployment covers both.
    const busy = await makeTarget(tenant, {}, { maxConcurrentDeployments: 1 });
    const slow = await reader({ in: [left, "own"], in2: [right, "own"] }, { targetId: busy });
    await change(left, { own: "x" });
    await change(right, { own: "x" });
    await deploy(left);
    await deploy(right);
    await deploy(slow);
    await rest();
    const before = (await deploymentsOf(slow)).length;
    const parked = await hold(slow);
    for (const id of [left, right]) {
      await change(id, { own: "y" });
      await deploy(id);
      await until("the foot has heard", async () =>
        (await deploymentsOf(slow)).some(({ state }) => state === "QUEUED"),
      );
      await until(
        "the triggers have been looked at",
        async () => (await triggerOf(slow)).nextFireAt === null,
      );
    }
    await parked.release();
    await rest();
    const states = (await deploymentsOf(slow)).slice(0, -before).map(({ state }) => state);
    expect(states.filter((state) => state === "SUPERSEDED")).toHaveLength(1);
    expect(states.filter((state) => state === "SUCCEEDED")).toHaveLength(1);
    expect((await outputsOf(slow)).out).toBe("y y");
  });
});

/** Holds the instance's queued deployments, as a busy target would. */
async function hold(instanceId: string): Promise<{ release: () => Promise<void> }> {
  const target = await env.DB.prepare("SELECT target_id FROM instances WHERE id = ?")
    .bind(instanceId)
    .first<string>("target_id");
  const gate = env.TARGET_GATE.get(env.TARGET_GATE.idFromName(target as string));
  const holder = { deploymentId: crypto.randomUUID(), instanceId: crypto.randomUUID() };
  expect(await gate.acquire({ ...holder, capacity: 1 })).toMatchObject({
    granted: true,
  });
  return {
    release: async () => {
      await gate.release(holder.deploymentId);
    },
  };
}

describe("a reader's trigger shows why it did not fire", () => {
  it.for([
    ["not_deployed_yet", false, {}],
    ["unchanged", true, {}],
    ["nothing_bound", true, { outputs: ["other"] }],
  ] as const)("%s", async ([reason, deployed, condition]) => {
    const head = await reader({}, { variables: { own: "a" } });
    const id = await makeInstance(tenant, templateId, targetId, {
      bindings: { in: { instanceId: head, output: "own" } },
    });
    await deploy(head);
    if (deployed) await deploy(id);
    const { id: triggerId } = await follow(id, { condition });
    await sweep(tenant, Date.now() + 1);
    expect(await triggerOf(id)).toMatchObject({
      id: triggerId,
      suppressedReason: reason,
      nextFireAt: null,
      lastFiredAt: null,
    });
    expect(await counts([id])).toEqual([deployed ? 1 : 0]);
  });

  it("upstream_failed when it is asked, is not woken by the failure, and fires when the upstream succeeds", async () => {
    const faults = [{ kind: "records", on: "update", status: 400, times: 1 }];
    const shaky = await makeTarget(tenant, { faults });
    const head = await reader({}, { variables: { own: "a" }, targetId: shaky });
    const id = await reader({ in: [head, "own"] });
    await deploy(head);
    await deploy(id);
    await change(head, { own: "b" });
    const asleep = await triggerOf(id);
    expect((await run(tenant, head, "deploy")).body.state).toBe("FAILED");
    await rest();
    expect(await triggerOf(id)).toEqual(asleep);
    await tenant.patch(`/instances/${id}/triggers/${asleep.id}`, { enabled: true });
    await sweep(tenant, Date.now() + 1);
    expect((await triggerOf(id)).suppressedReason).toBe("upstream_failed");
    await deploy(head);
    await until("it has fired", async () => (await counts([id]))[0] === 2);
    await rest();
    expect((await outputsOf(id)).out).toBe("b none");
  });

  it("does not leave a rollback until an output changes that it reads", async () => {
    const faults = [{ kind: "records", on: "update", status: 400, times: 1 }];
    const head = await reader({}, { variables: { own: "a" } });
    const shaky = await makeTarget(tenant, { faults });
    const other = await reader({}, { variables: { own: "x" }, targetId: shaky });
    const id = await reader({ in: [head, "own"], in2: [other, "own"] });
    for (const one of [head, other, id]) await deploy(one);
    await change(head, { own: "b" });
    await deploy(head);
    await until("it follows", async () => (await outputsOf(id)).out === "b x");
    const [followed] = await deploymentsOf(id);
    const back = await tenant.post(`/deployments/${followed?.id}/rollback`);
    expect(back.status, back.text).toBe(202);
    expect((await untilOver(tenant, back.body.id)).body.state).toBe("SUCCEEDED");
    expect((await outputsOf(id)).out).toBe("a x");
    await rest();

    // An upstream fails, succeeds with the same outputs, and the trigger is looked at: nothing happens.
    await change(other, { own: "y" });
    expect((await run(tenant, other, "deploy")).body.state).toBe("FAILED");
    await change(other, { own: "x" });
    await run(tenant, other, "deploy");
    await run(tenant, head, "deploy");
    await tenant.patch(`/instances/${id}/triggers/${(await triggerOf(id)).id}`, { enabled: true });
    await sweep(tenant, Date.now() + 1);
    await rest();
    expect((await triggerOf(id)).suppressedReason).toBe("unchanged");
    expect(await counts([id])).toEqual([3]);
    expect((await outputsOf(id)).out).toBe("a x");

    await change(other, { own: "z" });
    await deploy(other);
    await until("it follows again", async () => (await outputsOf(id)).out === "b z");
  });

  it("upstream_destroyed, output_missing, instance_destroyed", async () => {
    const head = await reader({}, { variables: { own: "a" } });
    const [id, other] = [await reader({ in: [head, "own"] }), await reader({ in: [head, "own"] })];
    for (const one of [head, id, other]) await deploy(one);
    await run(tenant, other, "destroy");
    await run(tenant, head, "destroy");
    await until(
      "it is told",
      async () => (await triggerOf(id)).suppressedReason === "upstream_destroyed",
    );
    await until(
      "it is told",
      async () => (await triggerOf(other)).suppressedReason === "instance_destroyed",
    );
    const bare = await makeTemplate(
      tenant,
      "resources: { net: { type: mock:Network, properties: { name: net } } }\n",
    );
    await env.DB.prepare("UPDATE instances SET template_id = ? WHERE id = ?")
      .bind(bare, head)
      .run();
    await deploy(head);
    await sweep(tenant, Date.now() + 1);
    const { body } = await tenant.patch(`/instances/${id}/triggers/${(await triggerOf(id)).id}`, {
      enabled: true,
    });
    expect(body.suppressedReason).toBeNull();
    await sweep(tenant, Date.now() + 1);
    expect((await triggerOf(id)).suppressedReason).toBe("output_missing");
    expect(await counts([id])).toEqual([1]);
  });

  it("approval, while a plan waits for it, and fires afterwards", async () => {
    const head = await reader({}, { variables: { own: "a" } });
    const id = await reader({ in: [head, "own"] }, { approvalMode: "always" });
    await deploy(head);
    const first = await run(tenant, id, "deploy");
    const approver = await makeMember(tenant.tenantId, "CustomerAdmin");
    expect((await approver.post(`/deployments/${first.body.id}/approve`)).status).toBe(202);
    await until("it is deployed", async () => (await outputsOf(id)).out === "a none");
    await change(head, { own: "b" });
    await deploy(head);
    await until(
      "a plan waits",
      async () => (await deploymentsOf(id))[0]?.state === "AWAITING_APPROVAL",
    );
    const [parked] = await deploymentsOf(id);
    await change(head, { own: "c" });
    await deploy(head);
    await until("it is told", async () => (await triggerOf(id)).suppressedReason === "approval");
    expect(await counts([id])).toEqual([2]);
    expect((await tenant.post(`/deployments/${parked?.id}/discard`)).status).toBeLessThan(300);
    await sweep(tenant, Date.now() + 60_000);
    await until("it has planned", async () => (await counts([id]))[0] === 3);
    const [third] = await deploymentsOf(id);
    await untilOver(tenant, third?.id as string);
    await tenant.post(`/deployments/${third?.id}/discard`);
  });

  it("too_many_hops, if a change goes in a circle outside bindings", async () => {
    const head = await reader({}, { variables: { own: "a" } });
    const id = await reader({ in: [head, "own"] });
    await deploy(head);
    await deploy(id);
    await env.DB.prepare(
      "UPDATE instances SET output_hashes = json_set(output_hashes, '$.own', 'other') WHERE id = ?",
    )
      .bind(head)
      .run();
    const due = (hops: number) =>
      env.DB.prepare(
        "UPDATE triggers SET next_fire_at_ms = 1, hops = ?, version = version + 1 WHERE instance_id = ?",
      )
        .bind(hops, id)
        .run();
    await due(51);
    await sweep(tenant, Date.now());
    expect((await triggerOf(id)).suppressedReason).toBe("too_many_hops");
    expect(await counts([id])).toEqual([1]);
    await due(50);
    await sweep(tenant, Date.now());
    expect(await counts([id])).toEqual([2]);
  });
});

describe("what a reader's trigger follows", () => {
  it("can be a single output, and nothing while it is disabled", async () => {
    const head = await reader({}, { variables: { own: "a", in: "a" } });
    const id = await makeInstance(tenant, templateId, targetId, {
      bindings: {
        in: { instanceId: head, output: "own" },
        in2: { instanceId: head, output: "out" },
      },
    });
    const { id: triggerId } = await follow(id, {
      condition: { instanceId: head, outputs: ["own"] },
    });
    for (const one of [head, id]) await deploy(one);
    await change(head, { in: "b" });
    await deploy(head);
    await until(
      "it has looked",
      async () => (await triggerOf(id)).suppressedReason === "unchanged",
    );
    await tenant.patch(`/instances/${id}/triggers/${triggerId}`, { enabled: false });
    await change(head, { own: "b" });
    await deploy(head);
    await rest();
    expect(await counts([id])).toEqual([1]);
    expect((await triggerOf(id)).nextFireAt).toBeNull();
    await tenant.patch(`/instances/${id}/triggers/${triggerId}`, { enabled: true });
    await sweep(tenant, Date.now() + 1);
    await rest();
    expect((await outputsOf(id)).out).toBe("b b none");
  });

  it("does not depend on the message: the sweep replaces a lost one", async () => {
    const head = await reader({}, { variables: { own: "a" } });
    const id = await reader({ in: [head, "own"] });
    await deploy(head);
    await deploy(id);
    const queue = Object.getPrototypeOf(env.TRIGGERS_QUEUE) as { sendBatch: unknown };
    const { sendBatch } = queue;
    queue.sendBatch = async () => {
      throw new Error("the message is lost");
    };
    try {
      await change(head, { own: "b" });
      await deploy(head);
      expect((await triggerOf(id)).nextFireAt).not.toBeNull();
    } finally {
      queue.sendBatch = sendBatch;
    }
    expect(await counts([id])).toEqual([1]);
    await Promise.all([sweep(tenant, Date.now() + 1), sweep(tenant, Date.now() + 1)]);
    await rest();
    expect(await counts([id])).toEqual([2]);
    expect((await outputsOf(id)).out).toBe("b none");
  });

  it("is not redeployed for a change that a manual deployment has already used", async () => {
    const head = await reader({}, { variables: { own: "a" } });
    const id = await makeInstance(tenant, templateId, targetId, {
      bindings: { in: { instanceId: head, output: "own" } },
    });
    await deploy(head);
    await deploy(id);
    await change(head, { own: "b" });
    await deploy(head);
    await deploy(id);
    await follow(id);
    await sweep(tenant, Date.now() + 1);
    expect((await triggerOf(id)).suppressedReason).toBe("unchanged");
    expect(await counts([id])).toEqual([2]);
  });
});
