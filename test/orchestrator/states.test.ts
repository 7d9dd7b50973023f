/** The result of each operation in each state of instances and deployments: one row per state. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { sweepDeployments } from "#orchestrator/runner/sweep-deployments.ts";
import { newId } from "#platform/ids.ts";
import { makeUnlimitedTenant, type TestTenant } from "#test/support/api.ts";
import {
  ledger,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
  untilOver,
  untilState,
} from "#test/support/cloud.ts";
import { emptyDatabase } from "#test/support/empty-database.ts";
import { eventsOf, messagesOf, runnerOf, start, until } from "#test/support/runner.ts";

const source = `name: states
runtime: yaml
config:
  size: { type: string, default: one }
resources:
  net: { type: mock:Network, properties: { name: net } }
  app: { type: mock:Server, properties: { name: app, size: "\${size}", network: "\${net.id}" } }
`;

let tenant: TestTenant;
let templateId: string;
beforeAll(async () => {
  await emptyDatabase();
  tenant = await makeUnlimitedTenant();
  templateId = await makeTemplate(tenant, source);
});

const instanceState = async (instanceId: string): Promise<string> =>
  (await tenant.get(`/instances/${instanceId}`)).body.state;

describe.concurrent("an instance", () => {
  const fault = (on: string) => [{ kind: "servers", on, status: 422 }];
  /** How an instance reaches each state. */
  const ways: Record<string, { faults?: object[]; runs: ("deploy" | "change" | "destroy")[] }> = {
    INITIALIZED: { runs: [] },
    FAILED: { runs: ["deploy"], faults: fault("create") },
    ACTIVE: { runs: ["deploy"] },
    DEGRADED: { runs: ["deploy", "change", "deploy"], faults: fault("update") },
    DESTROY_FAILED: { runs: ["deploy", "destroy"], faults: fault("delete") },
    DESTROYED: { runs: ["deploy", "destroy"] },
  };
  const whole = ["app READY", "net READY"];
  /** State, operation, the deployment's final state or error code, the instance's state, its resources. */
  const table: [string, "plan" | "deploy" | "destroy" | "rollback", string, string, string[]][] = [
    ["INITIALIZED", "plan", "SUCCEEDED", "INITIALIZED", []],
    ["INITIALIZED", "deploy", "SUCCEEDED", "ACTIVE", whole],
    ["INITIALIZED", "destroy", "SUCCEEDED", "DESTROYED", []],
    ["FAILED", "plan", "SUCCEEDED", "FAILED", ["net READY"]],
    ["FAILED", "deploy", "SUCCEEDED", "ACTIVE", whole],
    ["FAILED", "destroy", "SUCCEEDED", "DESTROYED", []],
    ["FAILED", "rollback", "nothing_to_roll_back", "FAILED", ["net READY"]],
    ["ACTIVE", "plan", "NO_CHANGES", "ACTIVE", whole],
    ["ACTIVE", "deploy", "NO_CHANGES", "ACTIVE", whole],
    ["ACTIVE", "destroy", "SUCCEEDED", "DESTROYED", []],
    ["ACTIVE", "rollback", "nothing_to_roll_back", "ACTIVE", whole],
    ["DEGRADED", "plan", "SUCCEEDED", "DEGRADED", whole],
    ["DEGRADED", "deploy", "SUCCEEDED", "ACTIVE", whole],
    ["DEGRADED", "destroy", "SUCCEEDED", "DESTROYED", []],
    ["DEGRADED", "rollback", "SUCCEEDED", "ACTIVE", whole],
    ["DESTROY_FAILED", "plan", "NO_CHANGES", "DESTROY_FAILED", whole],
    ["DESTROY_FAILED", "deploy", "NO_CHANGES", "ACTIVE", whole],
    ["DESTROY_FAILED", "destroy", "SUCCEEDED", "DESTROYED", []],
    ["DESTROYED", "plan", "SUCCEEDED", "DESTROYED", []],
    ["DESTROYED", "deploy", "SUCCEEDED", "ACTIVE", whole],
    ["DESTROYED", "destroy", "SUCCEEDED", "DESTROYED", []],
    ["DESTROYED", "rollback", "invalid_state", "DESTROYED", []],
  ];

  it.for(Object.entries(ways))(
    "in %s handles each operation as the table says",
    async ([state, { faults = [], runs }]) => {
      const rows = table.filter(([at]) => at === state);
      expect(rows.length).toBeGreaterThanOrEqual(3);
      await Promise.all(
        rows.map(async ([, operation, ending, after, resources]) => {
          const targetId = await makeTarget(tenant, { faults } as never);
          const instanceId = await makeInstance(tenant, templateId, targetId);
          let deployed = "";
          for (const step of runs) {
            if (step === "change") {
              await tenant.patch(`/instances/${instanceId}`, {
                variables: { size: "two" },
              });
              continue;
            }
            const { body } = await run(tenant, instanceId, step);
            if (step === "deploy") deployed = body.id;
          }
          expect(await instanceState(instanceId)).toBe(state);
          const asked = await tenant.post(
            operation === "rollback"
              ? `/deployments/${deployed}/rollback`
              : `/instances/${instanceId}/${operation}`,
          );
          const came =
            asked.status === 202
              ? (await untilOver(tenant, asked.body.id)).body.state
              : asked.body.code;
          const held = await runnerOf(instanceId).listResources();
          expect(
            [came, await instanceState(instanceId), held.map((r) => `${r.name} ${r.state}`).sort()],
            `${operation} of an instance that is ${state}`,
          ).toEqual([ending, after, resources]);
        }),
      );
    },
  );

  it("with a run in progress accepts each operation and executes it afterwards", async () => {
    const targetId = await makeTarget(tenant, {
      readyAfterMs: 200,
      latencyMs: 200,
    });
    const instanceId = await makeInstance(tenant, templateId, targetId);
    const first = await start(tenant, instanceId);
    await until(
      "it is PROVISIONING",
      async () => (await instanceState(instanceId)) === "PROVISIONING",
    );
    const plan = await start(tenant, instanceId, "plan");
    const destroy = await start(tenant, instanceId, "destroy");
    const again = await start(tenant, instanceId);
    await until("it is DESTROYING", async () => (await instanceState(instanceId)) === "DESTROYING");
    expect((await tenant.post(`/deployments/${first}/rollback`)).body.code).toBe("invalid_state");
    const endings = [];
    for (const id of [first, plan, destroy, again])
      endings.push((await untilOver(tenant, id)).body.state);
    expect(endings).toEqual(["SUCCEEDED", "NO_CHANGES", "SUCCEEDED", "SUCCEEDED"]);
    expect(await instanceState(instanceId)).toBe("ACTIVE");
  });
});

describe.concurrent("a deployment", () => {
  const [no, yes] = ["invalid_state", "accepted"];
  const actions = ["cancel", "approve", "discard", "rollback"] as const;
  const table: Record<string, readonly string[]> = {
    QUEUED: [yes, no, no, no],
    PLANNING: [yes, no, no, no],
    AWAITING_APPROVAL: [no, yes, yes, no],
    APPLYING: [yes, no, no, no],
    CANCELING: [yes, no, no, no],
    SUCCEEDED: [no, no, no, yes],
    NO_CHANGES: [no, no, no, yes],
    FAILED: [no, no, no, yes],
    CANCELED: [no, no, no, yes],
    DISCARDED: [no, no, no, yes],
    EXPIRED: [no, no, no, yes],
    SUPERSEDED: [no, "stale_plan", no, yes],
  };

  it("accepts each action in the states that the table says, and lists it in `actions`", async () => {
    const targetId = await makeTarget(tenant);
    const instanceId = await makeInstance(tenant, templateId, targetId);
    await run(tenant, instanceId, "deploy");
    await tenant.patch(`/instances/${instanceId}`, {
      variables: { size: "two" },
    });
    const { body } = await run(tenant, instanceId, "deploy");
    const reset = (state: string) =>
      env.DB.prepare("UPDATE deployments SET state = ?2 WHERE id = ?1").bind(body.id, state).run();
    const seen: Record<string, string[]> = {};
    for (const state of Object.keys(table)) {
      seen[state] = [];
      await reset(state);
      const shown = (await tenant.get(`/deployments/${body.id}`)).body.actions as string[];
      for (const action of actions) {
        await reset(state);
        // A waiting plan must be bound to the instance's current serial.
        await env.DB.prepare(
          "UPDATE instances SET state_serial = (SELECT state_serial FROM deployments WHERE id = ?1) WHERE id = ?2",
        )
          .bind(body.id, instanceId)
          .run();
        const answer = await tenant.post(`/deployments/${body.id}/${action}`);
        const came = answer.status < 300 ? yes : answer.body.code;
        seen[state].push(came);
        expect(shown.includes(action), `${action} is shown in ${state}`).toBe(came === yes);
        if (action === "rollback" && came === yes) await untilOver(tenant, answer.body.id);
      }
    }
    expect(seen).toEqual(table);
  });

  /** A queued deployment whose runner was not notified. */
  const queueWithoutNotice = async (instanceId: string): Promise<string> => {
    const { body } = await run(tenant, instanceId, "plan");
    const id = newId();
    await env.DB.prepare(
      `INSERT INTO deployments (id, tenant_id, instance_id, target_id, operation, state, "trigger", requested_by, inputs,
          timestamps, projected, version, created_at_ms, updated_at_ms)
        SELECT ?1, tenant_id, instance_id, target_id, 'deploy', 'QUEUED', 'manual', 'test', inputs, '{}', 0, 1, 0, 0
        FROM deployments WHERE id = ?2`,
    )
      .bind(id, body.id)
      .run();
    return id;
  };

  it.for([
    ["instance", "instances"],
    ["target", "cloud_targets"],
  ])("in QUEUED ends with a reason if its %s no longer exists", async ([what, table]) => {
    const targetId = await makeTarget(tenant);
    const instanceId = await makeInstance(tenant, templateId, targetId);
    const id = await queueWithoutNotice(instanceId);
    await env.DB.prepare(`DELETE FROM ${table} WHERE id = ?`)
      .bind(what === "instance" ? instanceId : targetId)
      .run();
    await sweepDeployments(env, Date.now());
    const over = await untilOver(tenant, id);
    expect(over.body).toMatchObject({
      state: "CANCELED",
      error: { code: `${what}_gone` },
    });
    expect(await eventsOf(id)).toEqual(["canceled"]);
    expect((await messagesOf(tenant, id)).at(-1)).toContain("no longer exists");
    expect(await ledger(targetId)).toEqual([]);
  });

  it("deleted together with its instance leaves its runner idle, even if it was in progress", async () => {
    const targetId = await makeTarget(tenant, { readyAfterMs: 3_000 });
    const instanceId = await makeInstance(tenant, templateId, targetId);
    const id = await start(tenant, instanceId);
    await untilState(tenant, id, (state) => state === "APPLYING");
    await env.DB.batch([
      env.DB.prepare("DELETE FROM deployments WHERE id = ?").bind(id),
      env.DB.prepare("DELETE FROM instances WHERE id = ?").bind(instanceId),
    ]);
    expect((await tenant.post(`/deployments/${id}/cancel`)).status).toBe(404);
    await runnerOf(instanceId).cancel({
      deploymentId: id,
      instanceId,
      tenantId: tenant.tenantId,
    });
    await until("the log ends", async () => (await runnerOf(instanceId).readLog(id, 0)).ended);
  });
});
