import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { clientOf, makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import {
  addVersion,
  ledger,
  living,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
  untilState,
} from "#test/support/cloud.ts";
import { makeKeyOf, makeMember } from "#test/support/members.ts";
import { eventsOf, messagesOf, runnerOf } from "#test/support/runner.ts";
import { together } from "#test/support/together.ts";

const source = `
name: approved
runtime: yaml
config:
  cidr: { type: string, default: 10.0.0.0/16 }
resources:
  net: { type: mock:Network, properties: { name: net, cidr: "\${cidr}" } }
outputs:
  id: \${net.id}
`;

async function deployed(tenant: TestTenant, more = {}) {
  const targetId = await makeTarget(tenant, {}, { environment: "production" });
  const templateId = await makeTemplate(tenant, source);
  const instanceId = await makeInstance(tenant, templateId, targetId, more);
  return { targetId, instanceId };
}

const over = (state: string) => ["SUCCEEDED", "FAILED", "CANCELED"].includes(state);

describe("approval", () => {
  it("makes a plan with a replacement wait in production, and applies exactly that plan when approved", async () => {
    const tenant = await makeTenant();
    const { targetId, instanceId } = await deployed(tenant);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    await tenant.patch(`/instances/${instanceId}`, { variables: { cidr: "10.9.0.0/16" } });
    const waiting = await run(tenant, instanceId, "deploy");
    expect(waiting.body).toMatchObject({
      state: "AWAITING_APPROVAL",
      actions: ["approve", "discard"],
      blockedBy: { kind: "approval", position: 1 },
    });
    expect((await ledger(targetId)).length).toBe(1);
    const plan = `/deployments/${waiting.body.id}/plan`;
    const asText = await tenant.get(plan, { accept: "text/plain" });
    expect(asText.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(asText.text).toMatch(/^1 to replace; 0 unchanged\.\n\n {2}replace {4}net/);
    for (const accept of ["*/*", "application/json, text/plain, */*"])
      expect((await tenant.get(plan, { accept })).body).toHaveProperty("changes");
    const refused = await tenant.post(`/deployments/${waiting.body.id}/cancel`);
    expect([refused.status, refused.body.code]).toEqual([409, "invalid_state"]);
    expect(refused.body.detail).toContain(`POST /deployments/${waiting.body.id}/discard`);

    const approved = await tenant.post(`/deployments/${waiting.body.id}/approve`);
    expect(approved.status, approved.text).toBe(202);
    const ended = await untilState(tenant, waiting.body.id, over);
    expect(ended.body.state, JSON.stringify(ended.body.error)).toBe("SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual(["networks/net"]);
    expect((await tenant.post(`/deployments/${waiting.body.id}/approve`)).body.code).toBe(
      "invalid_state",
    );
  });

  it("makes a rename wait, although it changes nothing in a plan without approval", async () => {
    const tenant = await makeTenant();
    const { targetId, instanceId } = await deployed(tenant);
    await run(tenant, instanceId, "deploy");
    const renamed = source
      .replace("  net: { type", "  lan: { options: { aliases: [net] }, type")
      .replace("${net.id}", "${lan.id}");
    const { templateId } = (await tenant.get(`/instances/${instanceId}`)).body;
    await addVersion(tenant, instanceId, templateId, renamed);
    await tenant.patch(`/instances/${instanceId}`, { variables: { cidr: "10.9.0.0/16" } });
    const names = async () =>
      (await tenant.get(`/instances/${instanceId}/resources`)).body.data.map(
        ({ name }: { name: string }) => name,
      );
    const planned = await run(tenant, instanceId, "plan");
    const { changes } = (await tenant.get(`/deployments/${planned.body.id}/plan`)).body;
    expect(changes).toMatchObject([
      {
        resource: "lan",
        action: "replace",
        movedFrom: "net",
      },
    ]);
    expect(await names()).toEqual(["net"]);
    const { body } = await run(tenant, instanceId, "deploy");
    expect(body.state).toBe("AWAITING_APPROVAL");
    const waiting = (await tenant.get(`/deployments/${body.id}/plan`)).body;
    expect(waiting.changes).toMatchObject([{ resource: "lan", movedFrom: "net" }]);
    expect((await tenant.post(`/deployments/${body.id}/approve`)).status).toBe(202);
    expect((await untilState(tenant, body.id, over)).body.state).toBe("SUCCEEDED");
    expect(await names()).toEqual(["lan"]);
    expect(living(await ledger(targetId))).toEqual(["networks/net"]);
  });

  it("refuses a plan whose instance has changed since, and supersedes it", async () => {
    const tenant = await makeTenant();
    const { targetId, instanceId } = await deployed(tenant);
    await run(tenant, instanceId, "deploy");
    const waiting = await run(tenant, instanceId, "destroy");
    expect(waiting.body.state).toBe("AWAITING_APPROVAL");
    await tenant.patch(`/instances/${instanceId}`, {
      variables: { cidr: "10.7.0.0/16" },
      approvalMode: "auto",
    });
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    const headers = { "idempotency-key": crypto.randomUUID() };
    for (let time = 0; time < 2; time += 1) {
      const refused = await tenant.post(`/deployments/${waiting.body.id}/approve`, {}, headers);
      expect([refused.status, refused.body.code]).toEqual([409, "stale_plan"]);
    }
    expect((await tenant.get(`/deployments/${waiting.body.id}`)).body.state).toBe("SUPERSEDED");
    expect(living(await ledger(targetId))).toEqual(["networks/net"]);
  });

  it("supersedes a plan that nobody has superseded yet, and stores no answer for the request", async () => {
    const tenant = await makeTenant();
    const { instanceId } = await deployed(tenant);
    await run(tenant, instanceId, "deploy");
    const { body } = await run(tenant, instanceId, "destroy");
    expect(body.state).toBe("AWAITING_APPROVAL");
    await env.DB.prepare("UPDATE instances SET state_serial = state_serial + 1 WHERE id = ?")
      .bind(instanceId)
      .run();
    const headers = { "idempotency-key": crypto.randomUUID() };
    for (let time = 0; time < 2; time += 1) {
      const refused = await tenant.post(`/deployments/${body.id}/approve`, {}, headers);
      expect([refused.status, refused.body.code]).toEqual([409, "stale_plan"]);
    }
    expect((await tenant.get(`/deployments/${body.id}`)).body.state).toBe("SUPERSEDED");
    const stored = await env.DB.prepare("SELECT count(*) AS n FROM idempotency_keys WHERE key = ?")
      .bind(headers["idempotency-key"])
      .first("n");
    expect(stored).toBe(0);
  });

  /** The plan has waited so long, as far as D1 knows. The runner's clock says otherwise, and it has no alarm. */
  const waitsSince = async (instanceId: string, id: string, waitedMs: number): Promise<void> => {
    await env.DB.prepare(
      "UPDATE deployments SET timestamps = json_set(timestamps, '$.AWAITING_APPROVAL', ?2) WHERE id = ?1",
    )
      .bind(id, Date.now() - waitedMs)
      .run();
    await runInDurableObject(runnerOf(instanceId), (_, { storage }) => storage.deleteAlarm());
  };
  const SEVEN_DAYS_MS = 7 * 86_400_000;

  it("refuses a plan that has expired although its runner does not know it, and expires it", async () => {
    const tenant = await makeTenant();
    const { targetId, instanceId } = await deployed(tenant, { approvalMode: "always" });
    const { body } = await run(tenant, instanceId, "deploy");
    expect(body.state).toBe("AWAITING_APPROVAL");
    await waitsSince(instanceId, body.id, SEVEN_DAYS_MS);
    const approve = () => operator.post(`/deployments/${body.id}/approve`);
    const answers = await together(body.id, approve, approve);
    for (const refused of [...answers, await approve()]) {
      expect([refused.status, refused.body.code]).toEqual([409, "invalid_state"]);
      expect(refused.body.detail).toBe(
        "The deployment is EXPIRED: its plan was not approved within seven days. Deploy again to have a new plan.",
      );
    }
    const expired = await tenant.get(`/deployments/${body.id}`);
    expect(expired.body).toMatchObject({ state: "EXPIRED", actions: [] });
    expect((await eventsOf(body.id)).slice(-2)).toEqual(["approval_required", "expired"]);
    const audited = await env.DB.prepare(
      "SELECT count(*) AS n FROM audit_events WHERE resource_id = ? AND action = 'deployment.expire'",
    )
      .bind(body.id)
      .first("n");
    expect(audited).toBe(1);
    expect((await messagesOf(tenant, body.id)).at(-1)).toContain("Expired");
    expect(await ledger(targetId)).toEqual([]);
  });

  it("accepts a plan shortly before it expires", async () => {
    const tenant = await makeTenant();
    const { instanceId } = await deployed(tenant, { approvalMode: "always" });
    const { body } = await run(tenant, instanceId, "deploy");
    await waitsSince(instanceId, body.id, SEVEN_DAYS_MS - 60_000);
    const approver = await makeMember(tenant.tenantId, "CustomerAdmin");
    expect((await approver.post(`/deployments/${body.id}/approve`)).status).toBe(202);
    expect((await untilState(tenant, body.id, over)).body.state).toBe("SUCCEEDED");
  });

  it("discards, and the log ends", async () => {
    const tenant = await makeTenant();
    const { instanceId, targetId } = await deployed(tenant, { approvalMode: "always" });
    const waiting = await run(tenant, instanceId, "deploy");
    expect(waiting.body.state).toBe("AWAITING_APPROVAL");
    expect(waiting.body).toMatchObject({ approvals: [], discard: null });
    for (const comment of ["x".repeat(1001), "hid\u202eden", 7])
      expect(
        (await tenant.post(`/deployments/${waiting.body.id}/discard`, { comment })).status,
      ).toBe(400);
    const comment = "Not before Monday.";
    const discarded = await tenant.post(`/deployments/${waiting.body.id}/discard`, { comment });
    expect([discarded.status, discarded.body.state]).toEqual([200, "DISCARDED"]);
    expect(discarded.body).toMatchObject({ approvals: [], discard: { comment } });
    const log = await tenant.get(`/deployments/${waiting.body.id}/log`, {
      accept: "text/event-stream",
    });
    expect(log.text).toContain("Discarded.");
    expect(log.text.trimEnd().endsWith("event: end\ndata: {}")).toBe(true);
    expect(await ledger(targetId)).toEqual([]);
    expect((await tenant.post(`/deployments/${waiting.body.id}/discard`)).body.code).toBe(
      "invalid_state",
    );
  });

  it("lets nobody approve their own request in the mode `always`", async () => {
    const tenant = await makeTenant();
    const { instanceId } = await deployed(tenant, { approvalMode: "always" });
    // Has written nothing of it.
    const requester = await makeMember(tenant.tenantId, "CustomerAdmin");
    const waiting = await run(requester as unknown as TestTenant, instanceId, "deploy");
    const own = await requester.post(`/deployments/${waiting.body.id}/approve`);
    expect([own.status, own.body.code]).toEqual([403, "forbidden"]);
    const scopes = ["deployments:approve"];
    const sameHand = await requester.post("/api-keys", { name: "approver", scopes });
    const sibling = await clientOf(sameHand.body.key).post(
      `/deployments/${waiting.body.id}/approve`,
    );
    expect([sibling.status, sibling.body.code]).toEqual([403, "forbidden"]);
    const other = await makeMember(tenant.tenantId, "CustomerAdmin", scopes);
    const comment = "Looked at it with Dora.\nFine.";
    const approved = await other.post(`/deployments/${waiting.body.id}/approve`, { comment });
    expect(approved.status, approved.text).toBe(202);
    const by = { kind: "key", id: other.keyId, name: "member's" };
    const decision = { by, at: approved.body.timestamps.APPLYING, comment };
    expect(approved.body).toMatchObject({ approvals: [decision], discard: null });
    const ended = await untilState(tenant, waiting.body.id, over);
    expect(ended.body).toMatchObject({ state: "SUCCEEDED", approvals: [decision] });
    const told = await env.DB.prepare(
      "SELECT payload -> '$.data' AS data FROM events WHERE resource_id = ? AND type = 'deployment.approved'",
    )
      .bind(waiting.body.id)
      .first<{ data: string }>();
    expect(JSON.parse(told?.data ?? "")).toMatchObject({ by, comment });
  });

  it("identifies the requester by person, not by key; a triggered deployment has none", async () => {
    const tenant = await makeTenant();
    const { instanceId } = await deployed(tenant, { approvalMode: "always" });
    const first = await makeMember(tenant.tenantId, "CustomerAdmin");
    const sameWithAnotherKey = await makeKeyOf(tenant.tenantId, first.userId);
    const second = await makeMember(tenant.tenantId, "CustomerAdmin");
    const asked = await first.post(`/instances/${instanceId}/deploy`);
    await untilState(tenant, asked.body.id, (state) => state === "AWAITING_APPROVAL");
    const approve = (by: typeof sameWithAnotherKey) =>
      by.post(`/deployments/${asked.body.id}/approve`);
    expect((await approve(sameWithAnotherKey)).body.code).toBe("forbidden");
    await env.DB.prepare(
      "UPDATE deployments SET requested_by = 'system:triggers', requested_by_person = NULL, trigger = 'schedule' WHERE id = ?",
    )
      .bind(asked.body.id)
      .run();
    expect((await approve(sameWithAnotherKey)).status).toBe(202);
    expect((await untilState(tenant, asked.body.id, over)).body.state).toBe("SUCCEEDED");
    await tenant.patch(`/instances/${instanceId}`, { variables: { cidr: "10.8.0.0/16" } });
    const again = await first.post(`/instances/${instanceId}/deploy`);
    await untilState(tenant, again.body.id, (state) => state === "AWAITING_APPROVAL");
    const approved = await second.post(`/deployments/${again.body.id}/approve`);
    expect(approved.status, approved.text).toBe(202);
  });

  it("can be lowered only by those who can approve, and raised by everyone who can deploy", async () => {
    const tenant = await makeTenant();
    const { instanceId } = await deployed(tenant);
    const [developer, admin] = [
      await makeMember(tenant.tenantId, "CustomerDeveloper"),
      await makeMember(tenant.tenantId, "CustomerAdmin"),
    ];
    const set = async (by: typeof developer, approvalMode: string | null) =>
      (await by.patch(`/instances/${instanceId}`, { approvalMode })).status;
    // In production `destructive` is the default.
    expect(await set(developer, "auto")).toBe(403);
    expect(await set(developer, "destructive")).toBe(200);
    expect(await set(developer, null)).toBe(200);
    expect(await set(developer, "always")).toBe(200);
    expect(await set(developer, null)).toBe(403);
    expect(await set(developer, "always")).toBe(200);
    expect(await set(admin, "auto")).toBe(200);
    expect(await set(developer, "auto")).toBe(200);
  });

  it("can still be canceled between the approval and the slot", async () => {
    const tenant = await makeTenant();
    const targetId = await makeTarget(tenant, { latencyMs: 400 }, { maxConcurrentDeployments: 1 });
    const templateId = await makeTemplate(tenant, source);
    const held = await makeInstance(tenant, templateId, targetId, { approvalMode: "always" });
    const waiting = await run(tenant, held, "deploy");
    const busy = await makeInstance(tenant, templateId, targetId);
    const holder = await tenant.post(`/instances/${busy}/deploy`);
    await untilState(tenant, holder.body.id, (state) => state === "APPLYING");
    const approver = await makeMember(tenant.tenantId, "CustomerAdmin");
    await approver.post(`/deployments/${waiting.body.id}/approve`);
    expect((await tenant.post(`/deployments/${waiting.body.id}/cancel`)).body.state).toBe(
      "CANCELING",
    );
    expect((await untilState(tenant, waiting.body.id, over)).body.state).toBe("CANCELED");
    expect((await untilState(tenant, holder.body.id, over)).body.state).toBe("SUCCEEDED");
    expect(await ledger(targetId)).toHaveLength(1);
  });
});

describe("the actions of a deployment", () => {
  it("are those that this caller may do, by role, scope and request", async () => {
    const tenant = await makeTenant();
    const { tenantId } = tenant;
    const maker = await makeMember(tenantId, "CustomerAdmin");
    const { instanceId } = await deployed(maker as unknown as TestTenant, {
      approvalMode: "always",
    });
    const admin = await makeMember(tenantId, "CustomerAdmin");
    const { body: waiting } = await run(admin as unknown as TestTenant, instanceId, "deploy");
    expect(waiting.state).toBe("AWAITING_APPROVAL");
    const path = `/deployments/${waiting.id}`;
    for (const [who, actions] of [
      [await makeMember(tenantId, "CustomerViewer"), []],
      [await makeMember(tenantId, "CustomerDeveloper"), ["discard"]],
      [await makeMember(tenantId, "CustomerAdmin"), ["approve", "discard"]],
      [admin, ["discard"]],
      [maker, ["discard"]],
      [await makeKeyOf(tenantId, admin.userId), ["discard"]],
      [await makeMember(tenantId, "CustomerOwner", ["deployments:read"]), []],
      [await makeMember(tenantId, "CustomerOwner", ["deployments:write"]), ["discard"]],
      [operator, ["approve", "discard", "abandon"]],
    ] as const) {
      const { body } = await who.get(path);
      expect(body.actions).toEqual(actions);
      const listed = (await who.get(`/deployments?instanceId=${instanceId}`)).body.data;
      expect(listed[0].actions).toEqual(actions);
      if (!body.actions.includes("approve"))
        expect((await who.post(`${path}/approve`)).status).toBe(403);
    }
    expect((await operator.post(`${path}/approve`)).body.actions).toEqual(["cancel", "abandon"]);
  });
});
