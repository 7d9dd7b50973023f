/**
 * Every way to lower a safeguard of an instance, for every caller who might try (docs/safeguards.md). A caller without the
 * right is refused and changes nothing.
 */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { processTrigger } from "#areas/triggers/process-trigger.ts";
import type { JsonMap } from "#platform/json.ts";
import {
  type Answer,
  type Client,
  makeTenant,
  operator,
  type TestTenant,
} from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run, untilOver } from "#test/support/cloud.ts";
import { makeMember } from "#test/support/members.ts";
import { until } from "#test/support/runner.ts";

const source = `
name: safeguards
runtime: yaml
config:
  cidr: { type: string, default: 10.0.0.0/16 }
resources:
  net: { type: mock:Network, properties: { name: net, cidr: "\${cidr}" } }
`;
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
/** Everything that these tests call, except approving. */
const withoutApproval = [
  "instances:write",
  "targets:write",
  "deployments:write",
  "templates:write",
];

const callers = ["developer", "adminWithoutApproval", "admin"] as const;
type Caller = (typeof callers)[number];

interface Way {
  /** The callers who may. */
  may: readonly Caller[];
  environment?: "production" | "sandbox";
  /** The instance before. */
  instance?: JsonMap;
  act: (caller: Client, at: Place) => Promise<Answer>;
}

interface Place {
  tenantId: string;
  targetId: string;
  templateId: string;
  instanceId: string;
}

const create =
  (body: JsonMap): Way["act"] =>
  (caller, { targetId, templateId, tenantId }) =>
    caller.post("/instances", { name: "made", targetId, templateId, tenantId, ...body });
const patch =
  (body: JsonMap): Way["act"] =>
  (caller, { instanceId }) =>
    caller.patch(`/instances/${instanceId}`, body);
const patchTarget =
  (body: JsonMap): Way["act"] =>
  (caller, { targetId }) =>
    caller.patch(`/cloud/targets/${targetId}`, body);

const everyone = callers;
const approvers = ["admin"] as const;
const destroyers = ["adminWithoutApproval", "admin"] as const;

const ways: Readonly<Record<string, Way>> = {
  "creates an instance in production whose plans need no approval": {
    may: approvers,
    environment: "production",
    act: create({ approvalMode: "auto" }),
  },
  "takes the approval off an instance": {
    may: approvers,
    instance: { approvalMode: "always" },
    act: patch({ approvalMode: "auto" }),
  },
  "lowers the approval in production below its default": {
    may: approvers,
    environment: "production",
    act: patch({ approvalMode: "auto" }),
  },
  "lowers the approval to the default": {
    may: approvers,
    instance: { approvalMode: "destructive" },
    act: patch({ approvalMode: null }),
  },
  "lowers the approval of all instances by calling the target a sandbox": {
    may: approvers,
    environment: "production",
    act: patchTarget({ environment: "sandbox" }),
  },
  "destroys an instance": {
    may: destroyers,
    act: (caller, { instanceId }) => caller.post(`/instances/${instanceId}/destroy`),
  },
  "removes the protection": {
    may: destroyers,
    instance: { protectedFromDestroy: true },
    act: patch({ protectedFromDestroy: false }),
  },
  "destroys an instance by creating it with an expiry": {
    may: destroyers,
    act: create({ expiresAt: inDays(1) }),
  },
  "destroys an instance by letting it expire": {
    may: destroyers,
    act: patch({ expiresAt: inDays(1) }),
  },
  "destroys an instance by letting it expire earlier": {
    may: destroyers,
    instance: { expiresAt: inDays(9) },
    act: patch({ expiresAt: inDays(1) }),
  },
  "creates an instance with more approval than the default": {
    may: everyone,
    environment: "production",
    act: create({ approvalMode: "always", protectedFromDestroy: true }),
  },
  "creates an instance in a sandbox that keeps `auto` when this becomes production": {
    may: approvers,
    act: create({ approvalMode: "auto" }),
  },
  "keeps `auto` in a sandbox for when this becomes production": {
    may: approvers,
    act: patch({ approvalMode: "auto" }),
  },
  "repeats the mode that an administrator set": {
    may: everyone,
    instance: { approvalMode: "auto" },
    act: patch({ approvalMode: "auto" }),
  },
  "returns to the default": {
    may: everyone,
    instance: { approvalMode: "auto" },
    act: patch({ approvalMode: null }),
  },
  "creates an instance in a sandbox with its default": {
    may: everyone,
    act: create({}),
  },
  "raises the approval": { may: everyone, act: patch({ approvalMode: "always" }) },
  "protects an instance": { may: everyone, act: patch({ protectedFromDestroy: true }) },
  "postpones the expiry": {
    may: everyone,
    instance: { expiresAt: inDays(1) },
    act: patch({ expiresAt: inDays(9) }),
  },
  "removes the expiry": {
    may: everyone,
    instance: { expiresAt: inDays(1) },
    act: patch({ expiresAt: null }),
  },
  "calls a sandbox production": {
    may: destroyers,
    act: patchTarget({ environment: "production" }),
  },
};

describe("a safeguard of an instance is lowered only by those who may: a caller", () => {
  let tenant: TestTenant;
  let clients: Record<Caller, Client>;
  beforeAll(async () => {
    tenant = await makeTenant();
    const { tenantId } = tenant;
    await operator.patch(`/tenants/${tenantId}`, { limits: { targets: null, instances: null } });
    clients = {
      developer: await makeMember(tenantId, "CustomerDeveloper"),
      adminWithoutApproval: await makeMember(tenantId, "CustomerAdmin", withoutApproval),
      admin: await makeMember(tenantId, "CustomerAdmin"),
    };
  });
  const place = async ({ environment = "sandbox", instance = {} }: Partial<Way>) => {
    const targetId = await makeTarget(tenant, {}, { environment });
    const templateId = await makeTemplate(tenant, source);
    const instanceId = await makeInstance(tenant, templateId, targetId, instance);
    return { tenantId: tenant.tenantId, targetId, templateId, instanceId };
  };
  /** The rows that an attempt could change. */
  const rows = async ({ instanceId, targetId }: Place) => {
    const { results } = await env.DB.prepare(
      `SELECT (SELECT group_concat(id || version) FROM instances WHERE target_id = ?2) AS instances,
        (SELECT group_concat(id) FROM deployments WHERE instance_id = ?1) AS deployments,
        (SELECT group_concat(id || condition) FROM triggers WHERE instance_id = ?1) AS triggers,
        (SELECT version FROM cloud_targets WHERE id = ?2) AS target`,
    )
      .bind(instanceId, targetId)
      .all();
    return results;
  };

  for (const [name, way] of Object.entries(ways))
    for (const caller of callers) {
      const may = way.may.includes(caller);
      it(`${may ? "may" : "may not"}, as ${caller}: ${name}`, async () => {
        const at = await place(way);
        const before = await rows(at);
        const answer = await way.act(clients[caller], at);
        if (may) {
          expect(answer.status, answer.text).toBeLessThan(300);
          expect(await rows(at)).not.toEqual(before);
        } else {
          expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
          expect(answer.body.detail).toMatch(/CustomerAdmin|deployments:approve/);
          expect(await rows(at)).toEqual(before);
        }
      });
    }

  it("may not pin `auto` before the target becomes production", async () => {
    const at = await place({});
    expect((await run(tenant, at.instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    const { developer } = clients;
    const pin = await developer.patch(`/instances/${at.instanceId}`, { approvalMode: "auto" });
    expect([pin.status, pin.body.code]).toEqual([403, "forbidden"]);
    expect(pin.body.detail).toContain("from the target's default (auto) to auto");
    await tenant.patch(`/cloud/targets/${at.targetId}`, { environment: "production" });
    await developer.post(`/templates/${at.templateId}/versions`, {
      source: "name: safeguards\nruntime: yaml\nresources: {}\n",
    });
    await developer.patch(`/instances/${at.instanceId}`, { templateVersion: 2 });
    const started = await developer.post(`/instances/${at.instanceId}/deploy`);
    expect((await untilOver(tenant, started.body.id)).body.state).toBe("AWAITING_APPROVAL");
  });

  it("may not create or change an expiry as a trigger, whoever it is", async () => {
    const at = await place({ instance: { expiresAt: inDays(9) } });
    const { body } = await tenant.get(`/instances/${at.instanceId}/triggers`);
    const path = `/instances/${at.instanceId}/triggers`;
    const before = await rows(at);
    for (const caller of callers) {
      const made = await clients[caller].post(path, {
        kind: "expiry",
        condition: { at: inDays(1) },
      });
      expect([made.status, made.body.code]).toEqual([400, "validation_failed"]);
      const changed = await clients[caller].patch(`${path}/${body.data[0].id}`, {
        condition: { at: inDays(1) },
      });
      expect([changed.status, changed.body.code]).toEqual([409, "invalid_state"]);
    }
    expect(await rows(at)).toEqual(before);
  });

  for (const way of [
    "a hook of one's own",
    "the rotated hook of another",
    "a changed schedule",
    "another's schedule that was off",
  ])
    it(`may not be the other person whom \`always\` asks for, by ${way}`, async () => {
      const at = await place({ instance: { approvalMode: "always" } });
      const { tenantId } = tenant;
      const [attacker, other] = [
        await makeMember(tenantId, "CustomerAdmin"),
        await makeMember(tenantId, "CustomerAdmin"),
      ];
      const path = `/instances/${at.instanceId}/triggers`;
      const hook = (of: Client) => of.post(path, { kind: "inbound_webhook" });
      const call = async ({ body }: Answer) =>
        expect((await attacker.post(body.url.replace("/api/v1", ""))).status).toBe(202);
      if (way === "a hook of one's own") await call(await hook(attacker));
      else if (way === "the rotated hook of another") {
        const { body } = await hook(other);
        await call(await attacker.post(`${path}/${body.id}/rotate`));
      } else {
        const isOff = way === "another's schedule that was off";
        const often = { condition: { cron: "* * * * *" } };
        const { body } = await other.post(path, {
          kind: "schedule",
          ...(isOff ? { ...often, enabled: false } : { condition: { cron: "0 5 * * *" } }),
        });
        const changed = await attacker.patch(
          `${path}/${body.id}`,
          isOff ? { enabled: true } : often,
        );
        expect(changed.status, changed.text).toBe(200);
        await processTrigger(
          env,
          { id: body.id, instanceId: at.instanceId, tenantId },
          Date.now() + 61_000,
        );
      }
      let started = "";
      await until("the trigger has started a deployment", async () => {
        const { body } = await tenant.get(`/deployments?instanceId=${at.instanceId}`);
        started = body.data[0]?.id ?? "";
        return started !== "";
      });
      expect((await untilOver(tenant, started)).body.state).toBe("AWAITING_APPROVAL");
      expect((await attacker.get(`/deployments/${started}`)).body.actions).toEqual(["discard"]);
      const refused = await attacker.post(`/deployments/${started}/approve`);
      expect([refused.status, refused.body.code]).toEqual([403, "forbidden"]);
      expect((await other.post(`/deployments/${started}/approve`)).status).toBe(202);
    });

  it("may not pass the approval by a hook: its deployment waits like any other", async () => {
    const at = await place({ environment: "production" });
    expect((await run(tenant, at.instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    const { developer } = clients;
    const hook = await developer.post(`/instances/${at.instanceId}/triggers`, {
      kind: "inbound_webhook",
    });
    expect(hook.status, hook.text).toBe(201);
    await developer.patch(`/instances/${at.instanceId}`, { variables: { cidr: "10.9.0.0/16" } });
    expect((await developer.post(hook.body.url.replace("/api/v1", ""))).status).toBe(202);
    let started: string | undefined;
    await until("the hook has started a deployment", async () => {
      const { body } = await tenant.get(`/deployments?instanceId=${at.instanceId}`);
      started = body.data.find((one: JsonMap) => one["trigger"] === "inbound_webhook")?.id;
      return started !== undefined;
    });
    expect((await untilOver(tenant, started ?? "")).body.state).toBe("AWAITING_APPROVAL");
    const approved = await developer.post(`/deployments/${started}/approve`);
    expect([approved.status, approved.body.code]).toEqual([403, "forbidden"]);
  });
});
