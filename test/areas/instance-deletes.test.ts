import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { startDeployment } from "#areas/deployments/start-deployment.ts";
import { deleteInstance } from "#areas/instances/delete-instance.ts";
import { roundTripsOf } from "#test/support/answers.ts";
import { makeTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run, untilOver } from "#test/support/cloud.ts";
import { interruptedCall } from "#test/support/interrupted-call.ts";
import { expectRefusals } from "#test/support/refusals.ts";

const tenant = await makeTenant();
const templateId = await makeTemplate(
  tenant,
  'resources: { net: { type: "mock:Network", properties: { name: net } } }\noutputs: { net: "${net.name}" }\n',
);
const targetId = await makeTarget(tenant);
const instance = (more: object = {}) => makeInstance(tenant, templateId, targetId, { ...more });

describe("deleting an instance", () => {
  it("deletes one that was never deployed, with its triggers, and sends an event", async () => {
    const id = await instance({ expiresAt: "2099-01-01T00:00:00Z" });
    const gone = await tenant.delete(`/instances/${id}`);
    expect(gone.status, gone.text).toBe(204);
    expect(roundTripsOf(gone)).toBe(2);
    expect((await tenant.get(`/instances/${id}`)).status).toBe(404);
    expect((await tenant.delete(`/instances/${id}`)).status).toBe(404);
    const left = await env.DB.prepare("SELECT count(*) AS n FROM triggers WHERE instance_id = ?")
      .bind(id)
      .first("n");
    expect(left).toBe(0);
    const { results } = await env.DB.prepare(
      "SELECT type FROM events WHERE resource_id = ? ORDER BY payload ->> '$.sequence'",
    )
      .bind(id)
      .all();
    expect(results).toEqual([{ type: "instance.created" }, { type: "instance.deleted" }]);
  });

  it("is refused while cloud objects are left, and possible after a destroy; the deployments stay", async () => {
    const id = await instance();
    const deployed = await run(tenant, id, "deploy");
    const refused = await tenant.delete(`/instances/${id}`);
    expect(refused.status).toBe(409);
    expect(refused.body.code).toBe("invalid_state");
    await run(tenant, id, "destroy");
    expect((await tenant.delete(`/instances/${id}`)).status).toBe(204);
    expect((await tenant.get(`/deployments/${deployed.body.id}`)).status).toBe(200);
  });

  it("is possible for one whose first deployment failed before it created anything", async () => {
    const faults = [{ kind: "networks", on: "create", status: 400 }];
    const broken = await makeTarget(tenant, { faults });
    const id = await makeInstance(tenant, templateId, broken);
    expect((await run(tenant, id, "deploy")).body.state).toBe("FAILED");
    expect((await tenant.get(`/instances/${id}`)).body.state).toBe("FAILED");
    expect((await tenant.delete(`/instances/${id}`)).status).toBe(204);
  });

  it("is refused while a deployment is open", async () => {
    const id = await instance({ approvalMode: "always" });
    const waiting = await tenant.post(`/instances/${id}/deploy`);
    expect((await untilOver(tenant, waiting.body.id)).body.state).toBe("AWAITING_APPROVAL");
    expect((await tenant.delete(`/instances/${id}`)).body.code).toBe("invalid_state");
  });

  it("leaves no deployment that was requested at the same time", async () => {
    const id = await instance();
    const call = interruptedCall(tenant.tenantId, async () => {
      expect((await tenant.delete(`/instances/${id}`)).status).toBe(204);
    });
    await expect(startDeployment(call, id, "deploy")).rejects.toMatchObject({ code: "not_found" });
    expect((await tenant.get(`/deployments?instanceId=${id}`)).body.data).toEqual([]);
  });

  it("fails if a deployment is requested at the same time", async () => {
    const id = await instance({ approvalMode: "always" });
    const call = interruptedCall(tenant.tenantId, () => tenant.post(`/instances/${id}/deploy`));
    await expect(deleteInstance(call, id)).rejects.toMatchObject({
      code: expect.stringMatching(/^(invalid_state|conflict)$/),
    });
    expect((await tenant.get(`/instances/${id}`)).status).toBe(200);
  });

  it("requires the version that the caller read, and the rights", async () => {
    const id = await instance();
    expect((await tenant.delete(`/instances/${id}`, { "if-match": '"9"' })).status).toBe(412);
    await expectRefusals({
      send: (client, one) => client.delete(`/instances/${one}`),
      id,
      scope: "instances:write",
    });
    expect((await tenant.get(`/instances/${id}`)).status).toBe(200);
  });
});

describe("an instance's outputs", () => {
  it("are empty before a deployment, and its outputs afterwards", async () => {
    const id = await instance();
    const before = await tenant.get(`/instances/${id}/outputs`);
    expect(before.body).toEqual({
      instanceId: id,
      stateSerial: 0,
      outputs: {},
      outputsStaleSince: null,
    });
    expect(roundTripsOf(before)).toBe(1);
    await run(tenant, id, "deploy");
    const after = await tenant.get(`/instances/${id}/outputs`);
    expect(after.body.outputs).toEqual({ net: "net" });
    expect(after.body.stateSerial).toBeGreaterThan(0);
    const headers = { "if-none-match": after.headers.get("etag") ?? "" };
    expect((await tenant.get(`/instances/${id}/outputs`, headers)).status).toBe(304);
  });

  it("are refused without the role, the scope or the tenant", async () => {
    const id = await instance();
    await expectRefusals({
      send: (client, one) => client.get(`/instances/${one}/outputs`),
      id,
      scope: "instances:read",
    });
    expect((await tenant.get(`/instances/${id}/outputs`)).status).toBe(200);
  });
});
