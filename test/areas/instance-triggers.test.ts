import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newId } from "#platform/ids.ts";
import { faultsOf, idOf, roundTripsOf } from "#test/support/answers.ts";
import { type Answer, makeTenant, send } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run, untilOver } from "#test/support/cloud.ts";
import { expectRefusals } from "#test/support/refusals.ts";
import { overtaken } from "#test/support/together.ts";
import { sweep } from "#test/support/triggers.ts";

const tenant = await makeTenant();
const NETWORK = 'resources: { net: { type: "mock:Network", properties: { name: net } } }\n';
const templateId = await makeTemplate(tenant, NETWORK);
const targetId = await makeTarget(tenant);
const nightly = { kind: "schedule", condition: { cron: "0 2 * * *" } };
const MINUTE_MS = 60_000;

const instance = (more: object = {}) => makeInstance(tenant, templateId, targetId, { ...more });

async function addTrigger(instanceId: string, body: object = nightly): Promise<Answer> {
  const made = await tenant.post(`/instances/${instanceId}/triggers`, body);
  expect(made.status, made.text).toBe(201);
  return made;
}

const read = async (instanceId: string, id: string) =>
  (await tenant.get(`/instances/${instanceId}/triggers/${id}`)).body;
const deploymentsOf = async (instanceId: string) =>
  (await tenant.get(`/deployments?instanceId=${instanceId}`)).body.data;

/** Makes the trigger due, as if time had passed. */
async function makeDue(id: string): Promise<void> {
  await env.DB.prepare("UPDATE triggers SET next_fire_at_ms = ? WHERE id = ?")
    .bind(Date.now() - 1, id)
    .run();
}

describe("the triggers of an instance", () => {
  it("are an empty page when there are none", async () => {
    const id = await instance();
    const { status, body } = await tenant.get(`/instances/${id}/triggers`);
    expect([status, body]).toEqual([200, { data: [], nextCursor: null }]);
  });

  it("are answered as created, with the defaults", async () => {
    const id = await instance();
    const made = await addTrigger(id, nightly);
    expect(made.body).toEqual({
      id: expect.any(String),
      instanceId: id,
      kind: "schedule",
      enabled: true,
      condition: { cron: "0 2 * * *", timeZone: "UTC" },
      lastFiredAt: null,
      lastDeploymentId: null,
      nextFireAt: expect.stringMatching(/T02:00:00\.000Z$/),
      suppressedReason: null,
    });
    expect(Date.parse(made.body.nextFireAt)).toBeGreaterThan(Date.now());
    expect(made.headers.get("location")).toBe(`/api/v1/instances/${id}/triggers/${made.body.id}`);
    expect(roundTripsOf(made)).toBe(2);
    const one = await tenant.get(`/instances/${id}/triggers/${made.body.id}`);
    expect(one.text).toBe(made.text);
    expect(one.headers.get("etag")).toBe(made.headers.get("etag"));
    expect(roundTripsOf(one)).toBe(1);
    const list = await tenant.get(`/instances/${id}/triggers`);
    expect(list.body.data).toEqual([made.body]);
    expect(roundTripsOf(list)).toBe(1);
  });

  it.for([
    { kind: "schedule", condition: { cron: "*/5 0-6 * JAN-MAR MON", timeZone: "Europe/Berlin" } },
    { kind: "schedule", condition: { cron: "* * * * *" }, enabled: false },
    { kind: "template_version" },
    { kind: "template_version", condition: { from: 2, to: 2 }, enabled: true },
    { kind: "upstream_output" },
    { kind: "upstream_output", condition: { outputs: ["uri"] }, enabled: false },
  ])("accept %j", async (body) => {
    const made = await addTrigger(await instance(), body);
    expect(made.body).toMatchObject(body);
    expect(made.body.nextFireAt === null).toBe(body.enabled === false);
  });

  it.for([
    ["/kind", { kind: "upstream" }],
    ["/condition/outputs", { kind: "upstream_output", condition: { outputs: [] } }],
    ["/condition/signature", { kind: "inbound_webhook", condition: { signature: "md5" } }],
    ["/kind", { kind: "expiry", condition: { at: "2030-01-01T00:00:00Z" } }],
    ["/kind", { kind: "__proto__" }],
    ["/kind", {}],
    ["/condition", { kind: "schedule" }],
    ["/condition/cron", { kind: "schedule", condition: {} }],
    ["/condition/cron", { kind: "schedule", condition: { cron: "* * * *" } }],
    ["/condition/cron", { kind: "schedule", condition: { cron: "0 0 30 2 *" } }],
    ["/condition/cron", { kind: "schedule", condition: { cron: `${"1,".repeat(100)}1 * * * *` } }],
    [
      "/condition/timeZone",
      { kind: "schedule", condition: { cron: "0 0 * * *", timeZone: "Mars/Olympus" } },
    ],
    ["/condition/from", { kind: "template_version", condition: { from: 0 } }],
    ["/condition/from", { kind: "template_version", condition: { from: "latest" } }],
    ["/condition/to", { kind: "template_version", condition: { from: 3, to: 2 } }],
    ["/enabled", { ...nightly, enabled: "yes" }],
  ] as const)("refuse %s in %j", async ([pointer, body]) => {
    const refused = await tenant.post(`/instances/${await instance()}/triggers`, body);
    expect(refused.status, refused.text).toBe(400);
    expect(faultsOf(refused)).toEqual([pointer]);
  });

  it("are limited to twenty", async () => {
    const id = await instance();
    for (let at = 0; at < 20; at += 1) await addTrigger(id);
    const refused = await tenant.post(`/instances/${id}/triggers`, nightly);
    expect(refused.body.code).toBe("quota_exceeded");
    const first = await tenant.get(`/instances/${id}/triggers?limit=15`);
    const second = await tenant.get(
      `/instances/${id}/triggers?limit=15&cursor=${first.body.nextCursor}`,
    );
    const ids = [...first.body.data, ...second.body.data].map(idOf);
    expect(ids).toHaveLength(20);
    expect(ids).toEqual(ids.toSorted().toReversed());
    const elsewhere = await instance();
    const moved = await tenant.get(
      `/instances/${elsewhere}/triggers?limit=15&cursor=${first.body.nextCursor}`,
    );
    expect(moved.body.code).toBe("invalid_cursor");
  });

  it("are created once for a repeated request", async () => {
    const id = await instance();
    const headers = { "idempotency-key": "one" };
    const path = `/instances/${id}/triggers`;
    const answers = await Promise.all([1, 2].map(() => tenant.post(path, nightly, headers)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await tenant.get(path)).body.data).toHaveLength(1);
  });

  it("can be changed: the next time follows, and other fields stay", async () => {
    const id = await instance();
    const made = await addTrigger(id);
    const path = `/instances/${id}/triggers/${made.body.id}`;
    expect((await tenant.patch(path, {})).text).toBe(made.text);
    const off = await tenant.patch(path, { enabled: false });
    expect(off.body).toEqual({ ...made.body, enabled: false, nextFireAt: null });
    expect(roundTripsOf(off)).toBe(2);
    const moved = await tenant.patch(path, { condition: { cron: "30 4 * * *" } });
    expect(moved.body).toMatchObject({ enabled: false, nextFireAt: null });
    const on = await tenant.patch(path, { enabled: true });
    expect(on.body.nextFireAt).toMatch(/T04:30:00/);
    for (const condition of [{ cron: "x" }, {}])
      expect(faultsOf(await tenant.patch(path, { condition }))).toEqual(["/condition/cron"]);
    const mistyped = await tenant.patch(path, { condition: { corn: "30 4 * * *" } });
    expect([mistyped.body.code, ...faultsOf(mistyped)]).toEqual([
      "unknown_parameter",
      "/condition/corn",
    ]);
    expect(mistyped.body.detail).toContain('Did you mean "cron"?');
    expect((await tenant.patch(path, { enabled: true }, { "if-match": '"99"' })).status).toBe(412);
    expect((await tenant.delete(path, { "if-match": '"99"' })).status).toBe(412);
    expect((await tenant.delete(path)).status).toBe(204);
    expect((await tenant.get(path)).status).toBe(404);
    expect((await tenant.delete(path)).status).toBe(404);
  });

  it("are refused without the role, the scope or the tenant", async () => {
    const id = await instance();
    const { body } = await addTrigger(id);
    const [path, write] = [`/triggers/${body.id}`, "instances:write"];
    for (const guarded of [
      { send: (c, i) => c.get(`/instances/${i}/triggers`), scope: "instances:read" },
      { send: (c, i) => c.get(`/instances/${i}${path}`), scope: "instances:read" },
      { send: (c, i) => c.post(`/instances/${i}/triggers`, nightly), scope: write },
      { send: (c, i) => c.patch(`/instances/${i}${path}`, { enabled: false }), scope: write },
      { send: (c, i) => c.delete(`/instances/${i}${path}`), scope: write },
    ] satisfies Pick<Parameters<typeof expectRefusals>[0], "send" | "scope">[])
      await expectRefusals({ ...guarded, id });
    const other = await instance();
    expect((await tenant.get(`/instances/${other}${path}`)).status).toBe(404);
    expect((await tenant.delete(`/instances/${other}${path}`)).status).toBe(404);
    const plain = await send("POST", `/instances/${id}/triggers`, {
      headers: { authorization: `Bearer ${tenant.key}`, "content-type": "text/plain" },
      body: JSON.stringify(nightly),
    });
    expect(plain.status).toBe(415);
    expect(await read(id, body.id)).toEqual(body);
  });
});

describe("a schedule that is due", () => {
  it("deploys once, however many sweeps see it, and is due again at its next time", async () => {
    const id = await instance();
    const { body } = await addTrigger(id);
    await makeDue(body.id);
    const now = Date.now();
    await Promise.all([1, 2, 3].map(() => sweep(tenant, now)));
    await sweep(tenant, now);
    const [deployment, ...more] = await deploymentsOf(id);
    expect(more).toEqual([]);
    expect(deployment).toMatchObject({ operation: "deploy", trigger: "schedule" });
    expect(await read(id, body.id)).toEqual({
      ...body,
      lastFiredAt: new Date(now).toISOString(),
      lastDeploymentId: deployment.id,
      nextFireAt: expect.stringMatching(/T02:00:00/),
    });
    expect((await untilOver(tenant, deployment.id)).body.state).toBe("SUCCEEDED");
  });

  it("starts nothing for a consumer that read it before another one processed it", async () => {
    const id = await instance();
    const { body } = await addTrigger(id);
    await makeDue(body.id);
    const now = Date.now();
    await overtaken(
      id,
      () => sweep(tenant, now),
      async () => {
        await sweep(tenant, now);
        const [deployment] = await deploymentsOf(id);
        await untilOver(tenant, deployment.id);
      },
    );
    expect(await deploymentsOf(id)).toHaveLength(1);
  });

  it("does nothing before its time, nor while it is disabled", async () => {
    const id = await instance();
    const { body } = await addTrigger(id);
    await sweep(tenant, Date.parse(body.nextFireAt) - 1);
    expect(await deploymentsOf(id)).toEqual([]);
    await tenant.patch(`/instances/${id}/triggers/${body.id}`, { enabled: false });
    await sweep(tenant, Date.parse(body.nextFireAt) + MINUTE_MS);
    expect(await deploymentsOf(id)).toEqual([]);
  });

  it("adds no deployment behind one that waits for approval", async () => {
    const id = await instance({ approvalMode: "always" });
    const deployed = await tenant.post(`/instances/${id}/deploy`);
    expect((await untilOver(tenant, deployed.body.id)).body.state).toBe("AWAITING_APPROVAL");
    // Many drift checks may have run meanwhile.
    await env.DB.batch(
      Array.from({ length: 12 }, () =>
        env.DB.prepare(
          `INSERT INTO deployments (id, tenant_id, instance_id, target_id, operation, state, "trigger", requested_by,
              inputs, timestamps, projected, version, created_at_ms, updated_at_ms)
            SELECT ?1, tenant_id, instance_id, target_id, 'drift_check', 'NO_CHANGES', 'drift', 'test', inputs, '{}', 0, 1, 0, 0
            FROM deployments WHERE id = ?2`,
        ).bind(newId(), deployed.body.id),
      ),
    );
    const { body } = await addTrigger(id);
    await makeDue(body.id);
    await sweep(tenant, Date.now());
    expect(await deploymentsOf(id)).toHaveLength(13);
    expect(await read(id, body.id)).toMatchObject({
      suppressedReason: "approval",
      lastFiredAt: null,
      nextFireAt: body.nextFireAt,
    });
  });

  it("does not deploy a destroyed instance", async () => {
    const id = await instance();
    await run(tenant, id, "deploy");
    await run(tenant, id, "destroy");
    const { body } = await addTrigger(id);
    await makeDue(body.id);
    await sweep(tenant, Date.now());
    expect(await deploymentsOf(id)).toHaveLength(2);
    expect((await read(id, body.id)).suppressedReason).toBe("instance_destroyed");
  });

  it("shows why it could not fire, and continues with its next time", async () => {
    const source = await instance();
    const id = await instance({ bindings: { x: { instanceId: source, output: "nothing" } } });
    const { body } = await addTrigger(id);
    await makeDue(body.id);
    await sweep(tenant, Date.now());
    expect(await read(id, body.id)).toMatchObject({
      suppressedReason: "invalid_state",
      nextFireAt: body.nextFireAt,
    });
  });
});

describe("a trigger on template versions", () => {
  it("sets a deployed instance to the new version and deploys once", async () => {
    const own = await makeTemplate(tenant, NETWORK);
    const id = await makeInstance(tenant, own, targetId);
    await run(tenant, id, "deploy");
    const { body } = await addTrigger(id, { kind: "template_version" });
    await sweep(tenant, Date.now() + 1);
    expect(await read(id, body.id)).toMatchObject({ nextFireAt: null, lastFiredAt: null });
    expect((await tenant.post(`/templates/${own}/versions`, { source: NETWORK })).status).toBe(201);
    await Promise.all([1, 2].map(() => sweep(tenant, Date.now() + 1)));
    await sweep(tenant, Date.now() + 1);
    expect((await tenant.get(`/instances/${id}`)).body.templateVersion).toBe(2);
    const [newest, ...older] = await deploymentsOf(id);
    expect(older).toHaveLength(1);
    expect(newest.trigger).toBe("template_version");
    expect(await read(id, body.id)).toMatchObject({
      nextFireAt: null,
      lastDeploymentId: newest.id,
      suppressedReason: null,
    });
  });

  it("also deploys if it crashed after changing the instance's version", async () => {
    const own = await makeTemplate(tenant, NETWORK);
    const id = await makeInstance(tenant, own, targetId);
    await run(tenant, id, "deploy");
    const { body } = await addTrigger(id, { kind: "template_version" });
    await tenant.post(`/templates/${own}/versions`, { source: NETWORK });
    await tenant.patch(`/instances/${id}`, { templateVersion: 2 });
    await env.DB.prepare("UPDATE triggers SET pending_version = 2 WHERE id = ?")
      .bind(body.id)
      .run();
    await sweep(tenant, Date.now() + 1);
    expect((await deploymentsOf(id))[0].trigger).toBe("template_version");
  });

  it("ignores versions outside its range, deprecated ones, and instances that were never deployed", async () => {
    const own = await makeTemplate(tenant, NETWORK);
    const [ranged, fresh] = [
      await makeInstance(tenant, own, targetId),
      await makeInstance(tenant, own, targetId),
    ];
    await run(tenant, ranged, "deploy");
    await addTrigger(ranged, { kind: "template_version", condition: { to: 1 } });
    const waiting = await addTrigger(fresh, { kind: "template_version" });
    await tenant.post(`/templates/${own}/versions`, { source: NETWORK });
    await sweep(tenant, Date.now() + 1);
    for (const id of [ranged, fresh])
      expect((await tenant.get(`/instances/${id}`)).body.templateVersion).toBe(1);
    expect((await read(fresh, waiting.body.id)).suppressedReason).toBe("not_deployed_yet");
    const [late] = [await makeInstance(tenant, own, targetId, { templateVersion: 1 })];
    await run(tenant, late, "deploy");
    await tenant.post(`/templates/${own}/versions/2/deprecate`);
    await addTrigger(late, { kind: "template_version" });
    await sweep(tenant, Date.now() + 1);
    expect((await tenant.get(`/instances/${late}`)).body.templateVersion).toBe(1);
  });

  it("waits for an open deployment, and then fires", async () => {
    const own = await makeTemplate(tenant, NETWORK);
    const id = await makeInstance(tenant, own, targetId);
    await run(tenant, id, "deploy");
    await tenant.patch(`/instances/${id}`, { approvalMode: "always", variables: {} });
    const { body } = await addTrigger(id, { kind: "template_version" });
    await env.DB.prepare("UPDATE deployments SET state = 'QUEUED' WHERE instance_id = ?")
      .bind(id)
      .run();
    await tenant.post(`/templates/${own}/versions`, { source: NETWORK });
    const now = Date.now() + 1;
    await sweep(tenant, now);
    expect(await read(id, body.id)).toMatchObject({
      suppressedReason: "instance_busy",
      nextFireAt: new Date(now + MINUTE_MS).toISOString(),
    });
    await env.DB.prepare("UPDATE deployments SET state = 'SUCCEEDED' WHERE instance_id = ?")
      .bind(id)
      .run();
    await sweep(tenant, now + MINUTE_MS);
    expect((await read(id, body.id)).lastDeploymentId).not.toBeNull();
  });
});

describe("the expiry of an instance", () => {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();

  it("is shown as a trigger that follows `expiresAt`, and changes only with it", async () => {
    const expiresAt = at(MINUTE_MS);
    const id = await instance({ expiresAt });
    const [expiry] = (await tenant.get(`/instances/${id}/triggers`)).body.data;
    expect(expiry).toMatchObject({
      kind: "expiry",
      enabled: true,
      condition: { at: expiresAt },
      nextFireAt: expiresAt,
    });
    const path = `/instances/${id}/triggers/${expiry.id}`;
    expect((await tenant.patch(path, { enabled: false })).body.code).toBe("invalid_state");
    expect((await tenant.delete(path)).body.code).toBe("invalid_state");
    const later = at(2 * MINUTE_MS);
    await tenant.patch(`/instances/${id}`, { expiresAt: later });
    expect(await read(id, expiry.id)).toMatchObject({
      condition: { at: later },
      nextFireAt: later,
    });
    await tenant.patch(`/instances/${id}`, { name: "other" });
    expect((await tenant.get(`/instances/${id}/triggers`)).body.data).toHaveLength(1);
    await tenant.patch(`/instances/${id}`, { expiresAt: null });
    expect((await tenant.get(`/instances/${id}/triggers`)).body.data).toEqual([]);
    await tenant.patch(`/instances/${id}`, { expiresAt: later });
    expect((await tenant.get(`/instances/${id}/triggers`)).body.data).toHaveLength(1);
  });

  it("destroys the instance at its time, once", async () => {
    const id = await instance({ expiresAt: at(MINUTE_MS) });
    await run(tenant, id, "deploy");
    await sweep(tenant, Date.now());
    expect(await deploymentsOf(id)).toHaveLength(1);
    const late = Date.now() + 2 * MINUTE_MS;
    await Promise.all([1, 2].map(() => sweep(tenant, late)));
    const [destroy, ...rest] = await deploymentsOf(id);
    expect(rest).toHaveLength(1);
    expect(destroy).toMatchObject({ operation: "destroy", trigger: "expiry" });
    expect((await untilOver(tenant, destroy.id)).body.state).toBe("SUCCEEDED");
    const [expiry] = (await tenant.get(`/instances/${id}/triggers`)).body.data;
    expect(expiry).toMatchObject({ nextFireAt: null, lastDeploymentId: destroy.id });
    await sweep(tenant, late + 60 * MINUTE_MS);
    expect(await deploymentsOf(id)).toHaveLength(2);
    expect((await tenant.get(`/instances/${id}/triggers`)).body.data).toEqual([expiry]);
  });

  it("repeats a destroy that failed", async () => {
    const faults = [{ kind: "networks", on: "delete", status: 422 }];
    const failing = await makeTarget(tenant, { faults });
    const id = await makeInstance(tenant, templateId, failing, { expiresAt: at(MINUTE_MS) });
    await run(tenant, id, "deploy");
    const late = Date.now() + 2 * MINUTE_MS;
    await sweep(tenant, late);
    expect((await untilOver(tenant, (await deploymentsOf(id))[0].id)).body.state).toBe("FAILED");
    await sweep(tenant, late + 60 * MINUTE_MS);
    const [again, failed] = await deploymentsOf(id);
    expect([again.trigger, failed.state]).toEqual(["expiry", "FAILED"]);
    expect((await untilOver(tenant, again.id)).body.state).toBe("SUCCEEDED");
  });

  it("does not destroy a protected instance, shows why, and tries again within the hour", async () => {
    const id = await instance({ expiresAt: at(MINUTE_MS), protectedFromDestroy: true });
    await run(tenant, id, "deploy");
    const late = Date.now() + 2 * MINUTE_MS;
    await sweep(tenant, late);
    const [expiry] = (await tenant.get(`/instances/${id}/triggers`)).body.data;
    expect(expiry.suppressedReason).toBe("resource_protected");
    expect(Date.parse(expiry.nextFireAt)).toBe(late + 60 * MINUTE_MS);
    await tenant.patch(`/instances/${id}`, { protectedFromDestroy: false });
    await sweep(tenant, late + 60 * MINUTE_MS);
    expect((await deploymentsOf(id))[0].trigger).toBe("expiry");
  });
});
