/** Rollback: the last successful version and values, as a new deployment. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import {
  addVersion,
  ledger,
  living,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
  untilOver,
} from "#test/support/cloud.ts";
import { eventsOf } from "#test/support/runner.ts";

const source = `name: rollback
runtime: yaml
config:
  size: { type: string, default: small }
  password: { type: string, secret: true }
  zone: { type: string, default: here }
resources:
  db: { type: mock:Database, properties: { name: db, size: "\${size}", zone: "\${zone}", password: "\${password}" } }
outputs:
  size: \${db.size}
`;
const second = source.replace(
  "resources:\n",
  'resources:\n  extra: { type: mock:Bucket, properties: { name: extra, size: "${size}" } }\n',
);

describe("a rollback", () => {
  let tenant: TestTenant;
  let templateId: string;
  beforeAll(async () => {
    tenant = await makeTenant();
    await operator.patch(`/tenants/${tenant.tenantId}`, { limits: { targets: null } });
    templateId = await makeTemplate(tenant, source);
    expect(
      (await tenant.post(`/templates/${templateId}/versions`, { source: second })).status,
    ).toBe(201);
  });

  const make = async (faults: object[] = [], more: object = {}, environment = "sandbox") => {
    const targetId = await makeTarget(tenant, { faults } as never, {
      environment,
      allowedRegions: ["*"],
    });
    const instanceId = await makeInstance(tenant, templateId, targetId, {
      templateVersion: 1,
      variables: { size: "one", password: "first-password-1" },
      ...more,
    });
    return { targetId, instanceId };
  };
  const patch = async (instanceId: string, body: object) => {
    const patched = await tenant.patch(`/instances/${instanceId}`, body);
    expect(patched.status, patched.text).toBe(200);
  };
  const rollback = async (id: string) => tenant.post(`/deployments/${id}/rollback`);
  const rolledBack = async (id: string) => {
    const asked = await rollback(id);
    expect(asked.status, asked.text).toBe(202);
    expect(asked.headers.get("location")).toBe(`/api/v1/deployments/${asked.body.id}`);
    expect(asked.body).toMatchObject({ operation: "rollback", state: "QUEUED", trigger: "manual" });
    return untilOver(tenant, asked.body.id);
  };

  it("of a failed deployment restores version, values and secrets, and the next deploy keeps them", async () => {
    const { instanceId, targetId } = await make([{ kind: "databases", on: "update", status: 422 }]);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    await patch(instanceId, {
      templateVersion: 2,
      variables: { size: "two", password: "second-password-2", zone: "there" },
    });
    const failed = await run(tenant, instanceId, "deploy");
    expect(failed.body.state).toBe("FAILED");
    expect(living(await ledger(targetId))).toEqual(["buckets/extra", "databases/db"]);

    const over = await rolledBack(failed.body.id);
    expect(over.body.state, JSON.stringify(over.body.error)).toBe("SUCCEEDED");
    expect(over.body.summary).toMatchObject({ update: 1, delete: 1 });
    expect(await eventsOf(over.body.id)).toEqual([
      "queued",
      "started",
      "planned",
      "applying",
      "succeeded",
    ]);
    expect(living(await ledger(targetId))).toEqual(["databases/db"]);
    const instance = await tenant.get(`/instances/${instanceId}`);
    expect(instance.body).toMatchObject({
      state: "ACTIVE",
      templateVersion: 1,
      variables: { size: "one", password: "[secret]" },
      outputs: { size: "one" },
    });
    expect(instance.body.variables.zone).toBeUndefined();
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("NO_CHANGES");
    const row = await env.DB.prepare("SELECT variables, version FROM instances WHERE id = ?")
      .bind(instanceId)
      .first<{ variables: string }>();
    expect(row?.variables).not.toContain("first-password");
  });

  it("of a successful deployment returns to the previous one, and back again", async () => {
    const { instanceId } = await make();
    const first = await run(tenant, instanceId, "deploy");
    await patch(instanceId, { variables: { size: "two" } });
    const next = await run(tenant, instanceId, "deploy");
    await run(tenant, instanceId, "plan");
    expect((await rolledBack(next.body.id)).body.state).toBe("SUCCEEDED");
    const size = async () => (await tenant.get(`/instances/${instanceId}`)).body.outputs.size;
    expect(await size()).toBe("one");
    await patch(instanceId, { variables: { size: "three" } });
    const third = await run(tenant, instanceId, "deploy");
    // The latest successful one before it is the rollback itself.
    expect((await rolledBack(third.body.id)).body.state).toBe("SUCCEEDED");
    expect(await size()).toBe("one");
    expect((await rollback(first.body.id)).body.code).toBe("nothing_to_roll_back");
  });

  it("does not return to a deployment whose outputs failed", async () => {
    const { instanceId } = await make();
    await run(tenant, instanceId, "deploy");
    await patch(instanceId, { variables: { size: "two" } });
    const second = await run(tenant, instanceId, "deploy");
    await env.DB.prepare(
      `UPDATE deployments SET outputs_error = '{"code":"path_not_found","message":"m","fault":"user"}' WHERE id = ?`,
    )
      .bind(second.body.id)
      .run();
    await patch(instanceId, { variables: { size: "three" } });
    const third = await run(tenant, instanceId, "deploy");
    expect((await rolledBack(third.body.id)).body.state).toBe("SUCCEEDED");
    expect((await tenant.get(`/instances/${instanceId}`)).body.variables.size).toBe("one");
  });

  it("waits by the approval mode that the instance has now, not by that of then", async () => {
    const { instanceId } = await make();
    await run(tenant, instanceId, "deploy");
    await patch(instanceId, { variables: { size: "two" } });
    const next = await run(tenant, instanceId, "deploy");
    await patch(instanceId, { approvalMode: "always" });
    expect((await rolledBack(next.body.id)).body.state).toBe("AWAITING_APPROVAL");
  });

  it("waits for approval like any other deployment", async () => {
    const { instanceId, targetId } = await make([], {}, "production");
    await run(tenant, instanceId, "deploy");
    await patch(instanceId, { templateVersion: 2 });
    const next = await run(tenant, instanceId, "deploy");
    const waiting = await rolledBack(next.body.id);
    expect(waiting.body).toMatchObject({
      state: "AWAITING_APPROVAL",
      summary: { delete: 1 },
      actions: ["approve", "discard"],
    });
    expect((await tenant.post(`/deployments/${waiting.body.id}/approve`)).status).toBe(202);
    const over = await untilOver(tenant, waiting.body.id);
    await expect
      .poll(async () => (await tenant.get(`/deployments/${over.body.id}`)).body.state)
      .toBe("SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual(["databases/db"]);
  });

  it.for(["one", "two"])(
    "across a rename keeps the object and restores its name: %s",
    async (size) => {
      const { instanceId, targetId } = await make();
      await run(tenant, instanceId, "deploy");
      const renamed = source
        .replace(
          "  db: { type: mock:Database,",
          "  store: { options: { aliases: [db] }, type: mock:Database,",
        )
        .replace("${db.size}", "${store.size}");
      await addVersion(tenant, instanceId, templateId, renamed);
      await patch(instanceId, { variables: { size } });
      const changes = size === "two";
      const next = await run(tenant, instanceId, "deploy");
      expect(next.body.state).toBe(changes ? "SUCCEEDED" : "NO_CHANGES");
      const names = async () =>
        (await tenant.get(`/instances/${instanceId}/resources`)).body.data.map(
          ({ name }: { name: string }) => name,
        );
      expect(await names()).toEqual(["store"]);
      const left = await rolledBack(next.body.id);
      expect(left.body.state).toBe(changes ? "SUCCEEDED" : "NO_CHANGES");
      expect(await names()).toEqual(["db"]);
      expect((await ledger(targetId)).map(({ verb }) => verb)).toEqual(
        changes ? ["create", "update", "update"] : ["create"],
      );
    },
  );

  it("respects the protection", async () => {
    const { instanceId } = await make();
    await run(tenant, instanceId, "deploy");
    await patch(instanceId, { templateVersion: 2 });
    const next = await run(tenant, instanceId, "deploy");
    await patch(instanceId, { protectedFromDestroy: true });
    const refused = await rolledBack(next.body.id);
    expect(refused.body).toMatchObject({ state: "FAILED", error: { code: "resource_protected" } });
  });

  it("restores bindings and profile, and keeps the values of deleted ones", async () => {
    const up = await make([], { variables: { size: "bound", password: "first-password-1" } });
    await run(tenant, up.instanceId, "deploy");
    const profile = await tenant.post("/profiles", { name: "moon", variables: { zone: "moon" } });
    const bindings = { size: { instanceId: up.instanceId, output: "size" } };
    const more = { variables: { password: "p-password-p" }, bindings, profileId: profile.body.id };
    const { instanceId } = await make([], more);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    const leave = async () => {
      await patch(instanceId, {
        variables: { size: "own", zone: "own" },
        bindings: { size: null },
        profileId: null,
      });
      return (await run(tenant, instanceId, "deploy")).body.id;
    };
    expect((await rolledBack(await leave())).body.state).toBe("SUCCEEDED");
    const { body } = await tenant.get(`/instances/${instanceId}`);
    expect(body).toMatchObject({
      bindings,
      profileId: profile.body.id,
      outputs: { size: "bound" },
    });
    expect(body.variables).toEqual({ password: "[secret]" });

    const left = await leave();
    expect((await tenant.delete(`/profiles/${profile.body.id}`)).status).toBe(204);
    await env.DB.prepare("DELETE FROM instances WHERE id = ?").bind(up.instanceId).run();
    expect((await rolledBack(left)).body.state).toBe("SUCCEEDED");
    expect((await tenant.get(`/instances/${instanceId}`)).body).toMatchObject({
      bindings: {},
      profileId: null,
      variables: { size: "bound", zone: "moon", password: "[secret]" },
    });
  });

  it("is refused with a reason", async () => {
    const { instanceId } = await make();
    const refused = async (id: string) => {
      const { status, body } = await rollback(id);
      return [status, body.code];
    };
    const good = await run(tenant, instanceId, "deploy");
    expect(good.body.actions).toEqual([]);
    expect(await refused(good.body.id)).toEqual([409, "nothing_to_roll_back"]);
    const plan = await run(tenant, instanceId, "plan");
    expect(await refused(plan.body.id)).toEqual([409, "invalid_state"]);
    const again = await run(tenant, instanceId, "deploy");
    await env.DB.prepare("UPDATE deployments SET state = 'APPLYING' WHERE id = ?")
      .bind(again.body.id)
      .run();
    expect(await refused(again.body.id)).toEqual([409, "invalid_state"]);
    await env.DB.prepare("UPDATE deployments SET state = 'FAILED' WHERE id = ?")
      .bind(again.body.id)
      .run();
    expect((await rollback("no-such-deployment")).status).toBe(404);
    expect((await (await makeTenant()).post(`/deployments/${again.body.id}/rollback`)).status).toBe(
      404,
    );
    const actions = async () =>
      (await tenant.get(`/deployments?instanceId=${instanceId}`)).body.data.map(
        (one: { actions: string[] }) => one.actions,
      );
    expect(await actions()).toEqual([["rollback"], [], []]);
    await run(tenant, instanceId, "destroy");
    expect(await refused(again.body.id)).toEqual([409, "invalid_state"]);
    expect(await actions()).toEqual([[], [], [], []]);
  });

  it("counts against the monthly limit like a deploy", async () => {
    const { instanceId } = await make();
    await run(tenant, instanceId, "deploy");
    const next = await run(tenant, instanceId, "deploy");
    const used = async () =>
      (await tenant.get(`/tenants/${tenant.tenantId}/usage`)).body.deploymentsPerMonth.used;
    const before = await used();
    await rolledBack(next.body.id);
    expect(await used()).toBe(before + 1);
  });
});
