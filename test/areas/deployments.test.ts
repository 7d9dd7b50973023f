import { beforeAll, describe, expect, it } from "vitest";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import {
  addVersion,
  ledger,
  living,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
} from "#test/support/cloud.ts";

const twoTiers = `
name: two-tiers
runtime: yaml
config:
  size: { type: string, default: small }
  cidr: { type: string, default: 10.0.0.0/16 }
  password: { type: string, secret: true }
resources:
  net: { type: mock:Network, properties: { name: net, cidr: "\${cidr}" } }
  db:
    type: mock:Database
    properties: { name: db, engine: pg, network: "\${net.id}", password: "\${password}" }
  app: { type: mock:Server, properties: { name: app, size: "\${size}", image: v1, db: "\${db.id}" } }
outputs:
  appId: \${app.id}
  dbPassword: \${password}
`;

describe("a deployment", () => {
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await makeTenant();
  });

  it("creates, updates, replaces and deletes, and reports it", async () => {
    const targetId = await makeTarget(tenant);
    const templateId = await makeTemplate(tenant, twoTiers);
    const instanceId = await makeInstance(tenant, templateId, targetId, {
      variables: { password: "hunter2hunter2" },
    });

    const first = await run(tenant, instanceId, "deploy");
    expect(first.body.state, JSON.stringify(first.body.error)).toBe("SUCCEEDED");
    expect(first.body.summary).toEqual({
      create: 3,
      update: 0,
      replace: 0,
      delete: 0,
      unchanged: 0,
    });
    expect(living(await ledger(targetId))).toEqual(["databases/db", "networks/net", "servers/app"]);

    const instance = await tenant.get(`/instances/${instanceId}`);
    expect(instance.body.state).toBe("ACTIVE");
    expect(instance.body.outputs.dbPassword).toBe("[secret]");
    expect(instance.body.variables.password).toBe("[secret]");
    expect(instance.text).not.toContain("hunter2");

    const again = await run(tenant, instanceId, "deploy");
    expect(again.body.state).toBe("NO_CHANGES");

    await tenant.patch(`/instances/${instanceId}`, { variables: { size: "large" } });
    const second = await run(tenant, instanceId, "deploy");
    expect(second.body.summary).toMatchObject({ update: 1, unchanged: 2 });

    await tenant.patch(`/instances/${instanceId}`, { variables: { cidr: "10.1.0.0/16" } });
    const planned = await run(tenant, instanceId, "plan");
    expect(planned.body.state).toBe("SUCCEEDED");
    const plan = await tenant.get(`/deployments/${planned.body.id}/plan`);
    expect(plan.status, plan.text).toBe(200);
    const net = plan.body.changes.find((c: { resource: string }) => c.resource === "net");
    expect(net.action).toBe("replace");
    const third = await run(tenant, instanceId, "deploy");
    expect(third.body.state, JSON.stringify(third.body.error)).toBe("SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual(["databases/db", "networks/net", "servers/app"]);

    await addVersion(
      tenant,
      instanceId,
      templateId,
      twoTiers.replace(/ {2}app:.*\n/, "").replace(/ {2}appId:.*\n/, ""),
    );
    const fourth = await run(tenant, instanceId, "deploy");
    expect(fourth.body.summary).toMatchObject({ delete: 1 });

    const last = await run(tenant, instanceId, "destroy");
    expect(last.body.state).toBe("SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual([]);
    expect((await tenant.get(`/instances/${instanceId}`)).body.state).toBe("DESTROYED");
    const log = await tenant.get(`/deployments/${last.body.id}/log`);
    expect(log.body.data.map((e: { message: string }) => e.message).join("\n")).toContain(
      "Deleted net",
    );
    expect(JSON.stringify([plan.text, log.text])).not.toContain("hunter2");
  });
});
