/** Runs that fail at the same point again and again. They end with the reason, and keep every object that may exist. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { openDb } from "#platform/db/client.ts";
import type { JsonMap } from "#platform/json.ts";
import { type Answer, type clientOf, makeTenant, type TestTenant } from "#test/support/api.ts";
import {
  ledger,
  living,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
  untilOver,
  untilState,
} from "#test/support/cloud.ts";
import { letBecomeReady } from "#test/support/let-become-ready.ts";
import { livenessProblems, watchLiveness } from "#test/support/liveness.ts";
import { makeMember } from "#test/support/members.ts";
import { placedAt } from "#test/support/places.ts";
import { eventsOf, messagesOf, runnerOf, start, until } from "#test/support/runner.ts";

const source = `name: stuck
runtime: yaml
config:
  password: { type: string, secret: true, default: "correct horse" }
  size: { type: string, default: one }
resources:
  net: { type: mock:Network, properties: { name: net, key: "\${password}", label: "\${size}" } }
  app: { type: mock:Server, properties: { name: app, network: "\${net.id}" } }
`;
const plain = `name: plain
runtime: yaml
config:
  size: { type: string, default: one }
resources:
  box: { type: mock:Bucket, properties: { name: box, size: "\${size}" } }
outputs:
  size: \${box.size}
  name: \${box.name}
`;
const replaced = `name: replaced
runtime: yaml
config:
  password: { type: string, secret: true, default: "correct horse" }
  image: { type: string, default: v1 }
resources:
  app: { type: mock:Server, properties: { name: app, image: "\${image}", key: "\${password}" } }
`;
const HOUR_MS = 3_600_000;
const cannotDecrypt =
  "The deployment cannot continue: a secret of the instance cannot be decrypted, because its sealing key is missing.";
const cannotRead =
  "The deployment cannot continue: what the service has stored about it cannot be read.";
const fails = "The deployment cannot continue: the service failed at the same point each time.";

describe("a run that cannot go on", () => {
  let tenant: TestTenant;
  let approver: ReturnType<typeof clientOf>;
  beforeAll(async () => {
    tenant = await makeTenant();
    approver = await makeMember(tenant.tenantId, "CustomerAdmin");
  });

  const make = async (text: string, config: JsonMap = {}, more: JsonMap = {}) => {
    const targetId = await makeTarget(tenant, config, { maxConcurrentDeployments: 1 });
    const templateId = await makeTemplate(tenant, text);
    const instanceId = await makeInstance(tenant, templateId, targetId, more);
    await watchLiveness(instanceId);
    return { targetId, instanceId };
  };
  const resources = async (instanceId: string): Promise<string[]> =>
    (await runnerOf(instanceId).listResources())
      .map(({ name, state }) => `${name} ${state}`)
      .sort();
  const sql = async (instanceId: string, query: string, ...values: string[]) =>
    runInDurableObject(runnerOf(instanceId), (_, { storage }) =>
      storage.sql.exec(query, ...values).toArray(),
    );
  const places = async (targetId: string) =>
    runInDurableObject(
      env.TARGET_GATE.get(env.TARGET_GATE.idFromName(targetId)),
      (_, { storage }) => placedAt(storage),
    );
  /** Wakes the runner, which otherwise waits longer after each fault, until the deployment has ended. */
  const driven = async (instanceId: string, id: string): Promise<Answer> => {
    for (let turns = 0; turns < 40; turns += 1) {
      await runnerOf(instanceId).wake();
      await scheduler.wait(20);
      const read = await tenant.get(`/deployments/${id}`);
      if (["FAILED", "SUCCEEDED", "CANCELED", "NO_CHANGES"].includes(read.body.state)) return read;
    }
    throw new Error("The deployment does not end");
  };
  /** Starts a deploy and waits until its first create is in progress at the cloud. */
  const applying = async (instanceId: string, pending = "net"): Promise<string> => {
    const id = await start(tenant, instanceId);
    await until("a create is in progress", async () => {
      const rows = await sql(
        instanceId,
        "SELECT 1 FROM journal WHERE deployment_id = ? AND resource = ? AND entry LIKE '%\"pending\"%'",
        id,
        pending,
      );
      return rows.length > 0;
    });
    await untilState(tenant, id, (state) => state === "APPLYING");
    return id;
  };
  /** The next deploy, which waits until the object under creation is ready. */
  const deployAgain = async ({
    instanceId,
    targetId,
  }: {
    instanceId: string;
    targetId: string;
  }): Promise<Answer> => {
    const id = await start(tenant, instanceId);
    await until("it waits for what is being made", async () =>
      (await messagesOf(tenant, id)).some((line) => line.includes("in progress at the provider")),
    );
    await letBecomeReady(targetId);
    return untilOver(tenant, id);
  };
  const restarted = async (instanceId: string) => {
    await evictDurableObject(runnerOf(instanceId));
    await watchLiveness(instanceId);
  };
  const endedWell = async (
    { instanceId, targetId }: { instanceId: string; targetId: string },
    id: string,
  ) => {
    expect(await places(targetId)).toEqual([]);
    expect((await eventsOf(id)).filter((kind) => kind === "failed")).toHaveLength(1);
    const phases = await sql(instanceId, "SELECT phase FROM runs WHERE deployment_id = ?", id);
    expect(phases).toEqual([{ phase: "closed" }]);
    expect(livenessProblems(instanceId)).toEqual([]);
  };

  it("because the state cannot be decrypted any more keeps what is being made, and the row as it is", async () => {
    const place = await make(source);
    const { instanceId, targetId } = place;
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    await setCloud(targetId, { readyAfterMs: HOUR_MS });
    const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId));
    const app = (await ledger(targetId)).find(({ name }) => name === "app");
    await cloud.fetch(`https://mock.cloud.invalid/v1/servers/${app?.id}`, { method: "DELETE" });
    await start(tenant, instanceId, "check-drift").then((id) => untilOver(tenant, id));
    const id = await applying(instanceId, "app");
    await sql(
      instanceId,
      "UPDATE resources SET body = replace(body, '\"v1.', '\"v1.gone') WHERE key = 'net'",
    );
    const [sealed] = await sql(instanceId, "SELECT body FROM resources WHERE key = 'net'");
    await restarted(instanceId);
    const over = await driven(instanceId, id);
    expect(over.body).toMatchObject({
      state: "FAILED",
      error: { code: "cannot_continue", fault: "service", message: cannotDecrypt },
    });
    await endedWell(place, id);
    expect(await resources(instanceId)).toEqual(["app UNREADY", "net READY"]);
    expect(await sql(instanceId, "SELECT body FROM resources WHERE key = 'net'")).toEqual([sealed]);
    expect((await messagesOf(tenant, id)).at(-1)).toBe(`Failed: ${cannotDecrypt}`);
    expect((await tenant.get(`/instances/${instanceId}`)).body.state).toBe("DEGRADED");

    await sql(instanceId, "UPDATE resources SET body = replace(body, '\"v1.gone', '\"v1.')");
    await setCloud(targetId, {});
    expect((await deployAgain(place)).body.state).toBe("SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual(["networks/net", "servers/app"]);
  });

  it("because its own variables cannot be decrypted any more keeps what is being made", async () => {
    const place = await make(
      source,
      { readyAfterMs: HOUR_MS },
      { variables: { password: "battery staple" } },
    );
    const { instanceId, targetId } = place;
    const id = await applying(instanceId);
    await sql(instanceId, "UPDATE runs SET spec = replace(spec, '\"v1.', '\"v1.gone')");
    await restarted(instanceId);
    const over = await driven(instanceId, id);
    expect(over.body.error).toMatchObject({ code: "cannot_continue", message: cannotDecrypt });
    await endedWell(place, id);
    expect(await resources(instanceId)).toEqual(["net UNREADY"]);
    await setCloud(targetId, {});
    expect((await deployAgain(place)).body.state).toBe("SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual(["networks/net", "servers/app"]);
  });

  it("because its key is missing keeps what a lost create sent: it is repeated with that alone", async () => {
    const place = await make(
      source,
      { faults: [{ kind: "networks", on: "create", status: 503, effect: "after", times: 1_000 }] },
      { variables: { password: "battery staple" } },
    );
    const { instanceId, targetId } = place;
    const id = await start(tenant, instanceId);
    await until("its create has failed", async () => {
      const rows = await sql(instanceId, "SELECT 1 FROM journal WHERE entry LIKE '%\"retry\"%'");
      return rows.length > 0;
    });
    for (const [table, column] of [
      ["journal", "entry"],
      ["runs", "spec"],
    ])
      await sql(
        instanceId,
        `UPDATE ${table} SET ${column} = replace(${column}, '"v1.', '"v1.gone')`,
      );
    await restarted(instanceId);
    expect((await driven(instanceId, id)).body.error).toMatchObject({ code: "cannot_continue" });
    await endedWell(place, id);
    await setCloud(targetId, { faults: [] });

    const untold = await run(tenant, instanceId, "deploy");
    expect(untold.body.error).toMatchObject({ code: "cannot_tell", resource: "net" });
    expect(untold.body.error.message).toContain("what it sent cannot be decrypted");
    expect(untold.body.error.message).toContain("retainOnDelete");

    await sql(instanceId, "UPDATE resources SET body = replace(body, '\"v1.gone', '\"v1.')");
    await restarted(instanceId);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual(["networks/net", "servers/app"]);
  });

  it("because the state cannot be decrypted when it was approved ends before any call", async () => {
    const place = await make(source);
    const { instanceId, targetId } = place;
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    await tenant.patch(`/instances/${instanceId}`, {
      approvalMode: "always",
      variables: { size: "two" },
    });
    const { body } = await run(tenant, instanceId, "deploy");
    expect(body.state).toBe("AWAITING_APPROVAL");
    await sql(instanceId, "UPDATE resources SET body = replace(body, '\"v1.', '\"v1.gone')");
    await restarted(instanceId);
    const calls = (await ledger(targetId)).length;
    expect((await approver.post(`/deployments/${body.id}/approve`)).status).toBe(202);
    const over = await driven(instanceId, body.id);
    expect(over.body.error).toMatchObject({ code: "cannot_continue", message: cannotDecrypt });
    await endedWell(place, body.id);
    expect((await ledger(targetId)).length).toBe(calls);
    expect((await tenant.get(`/instances/${instanceId}`)).body.state).toBe("ACTIVE");
  });

  it("in a replacement of an object that cannot be read keeps both objects", async () => {
    const place = await make(replaced);
    const { instanceId, targetId } = place;
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    await setCloud(targetId, { readyAfterMs: HOUR_MS });
    await tenant.patch(`/instances/${instanceId}`, { variables: { image: "v2" } });
    const id = await applying(instanceId, "app");
    await sql(instanceId, "UPDATE resources SET body = replace(body, '\"v1.', '\"v1.gone')");
    const [old] = await sql(instanceId, "SELECT body FROM resources WHERE key = 'app'");
    await restarted(instanceId);
    expect((await driven(instanceId, id)).body.error.message).toBe(cannotDecrypt);
    await endedWell(place, id);
    expect(await resources(instanceId)).toEqual(["app PENDING_DELETE", "app UNREADY"]);
    expect(await sql(instanceId, "SELECT body FROM resources WHERE pending_delete = 1")).toEqual([
      old,
    ]);
    expect(living(await ledger(targetId))).toEqual(["servers/app", "servers/app"]);

    await sql(instanceId, "UPDATE resources SET body = replace(body, '\"v1.gone', '\"v1.')");
    await setCloud(targetId, {});
    expect((await deployAgain(place)).body.state).toBe("SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual(["servers/app"]);
  });

  it("in an update of an object that cannot be read has the next run compare the object", async () => {
    const place = await make(source);
    const { instanceId, targetId } = place;
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    await setCloud(targetId, {
      faults: [{ kind: "networks", on: "update", status: 0, effect: "after", times: 999 }],
    });
    await tenant.patch(`/instances/${instanceId}`, { variables: { size: "two" } });
    const id = await start(tenant, instanceId);
    await until("the update has failed", async () =>
      (await messagesOf(tenant, id)).some((line) => line.includes("Retrying in")),
    );
    await sql(instanceId, "UPDATE resources SET body = replace(body, '\"v1.', '\"v1.gone')");
    await restarted(instanceId);
    expect((await driven(instanceId, id)).body.error.message).toBe(cannotDecrypt);
    await endedWell(place, id);
    const [net] = await sql(
      instanceId,
      "SELECT body ->> '$.state' AS state FROM resources WHERE key = 'net'",
    );
    expect(net).toEqual({ state: "unsure" });
  });

  it.for([
    ["an entry that is not JSON", "{not json", cannotRead],
    ["an entry of an unknown kind", '{"kind":"from a later version"}', fails],
  ] as const)("because its journal has %s keeps what is being made", async ([, entry, why]) => {
    const place = await make(source, { readyAfterMs: HOUR_MS });
    const { instanceId, targetId } = place;
    const id = await applying(instanceId);
    await sql(
      instanceId,
      `INSERT INTO journal SELECT deployment_id, seq + 1, at_ms, step, resource, ? FROM journal
        WHERE deployment_id = ? ORDER BY seq DESC LIMIT 1`,
      entry,
      id,
    );
    await restarted(instanceId);
    const over = await driven(instanceId, id);
    expect(over.body).toMatchObject({ state: "FAILED", error: { message: why } });
    await endedWell(place, id);
    expect(await resources(instanceId)).toEqual(["net UNREADY"]);
    const log = (await messagesOf(tenant, id)).join("\n");
    expect(log).toContain("This entry cannot be read.");
    expect(log).toContain("The journal of net cannot be read.");
    // Without the plan and the journal, nobody could examine the run later.
    const [kept] = await sql(
      instanceId,
      "SELECT plan IS NOT NULL AS plan FROM runs WHERE deployment_id = ?",
      id,
    );
    expect(kept).toEqual({ plan: 1 });
    await setCloud(targetId, {});
    expect((await run(tenant, instanceId, "destroy")).body.state).toBe("SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual([]);
  });

  it.for(["spec", "plan"])(
    "because its %s is not JSON ends, and stays as it is",
    async (column) => {
      const place = await make(source, { readyAfterMs: HOUR_MS });
      const { instanceId, targetId } = place;
      const id = await applying(instanceId);
      await sql(instanceId, `UPDATE runs SET ${column} = '{not json' WHERE deployment_id = ?`, id);
      await restarted(instanceId);
      const over = await driven(instanceId, id);
      expect(over.body).toMatchObject({ state: "FAILED", error: { message: cannotRead } });
      await endedWell(place, id);
      expect(
        await sql(instanceId, `SELECT ${column} FROM runs WHERE deployment_id = ?`, id),
      ).toEqual([{ [column]: "{not json" }]);
      if (column === "plan") return;
      expect(await resources(instanceId)).toEqual(["net UNREADY"]);
      await setCloud(targetId, {});
      expect((await deployAgain(place)).body.state).toBe("SUCCEEDED");
      expect(living(await ledger(targetId))).toEqual(["networks/net", "servers/app"]);
    },
  );

  it("and whose unfinished steps cannot even be kept is closed, with its plan and journal", async () => {
    const place = await make(source, { readyAfterMs: HOUR_MS });
    const { instanceId } = place;
    const id = await applying(instanceId);
    await sql(instanceId, `UPDATE runs SET plan = '{"steps":7}' WHERE deployment_id = ?`, id);
    await restarted(instanceId);
    const over = await driven(instanceId, id);
    expect(over.body).toMatchObject({ state: "FAILED", error: { message: fails } });
    await endedWell(place, id);
    expect(await sql(instanceId, "SELECT plan FROM runs WHERE deployment_id = ?", id)).toEqual([
      { plan: '{"steps":7}' },
    ]);
  });

  it("while it waits for approval ends, and is not applied when it is approved", async () => {
    const place = await make(plain, {}, { approvalMode: "always" });
    const { instanceId, targetId } = place;
    const { body } = await run(tenant, instanceId, "deploy");
    expect(body.state).toBe("AWAITING_APPROVAL");
    await sql(instanceId, "UPDATE runs SET plan = '{not json' WHERE deployment_id = ?", body.id);
    await approver.post(`/deployments/${body.id}/approve`);
    const over = await driven(instanceId, body.id);
    expect(over.body).toMatchObject({ state: "FAILED", error: { code: "cannot_continue" } });
    await endedWell(place, body.id);
    expect(await ledger(targetId)).toEqual([]);
  });

  it("and is a drift check ends, and the next one runs", async () => {
    const place = await make(source, {});
    const { instanceId, targetId } = place;
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    await setCloud(targetId, {
      faults: [{ kind: "networks", on: "read", status: 503, times: 999 }],
    });
    const id = await start(tenant, instanceId, "check-drift");
    await until("a read has failed", async () =>
      (await messagesOf(tenant, id)).some((line) => line.includes("Retrying in")),
    );
    await sql(
      instanceId,
      `UPDATE runs SET plan = json_set(plan, '$.steps', 7) WHERE deployment_id = ?`,
      id,
    );
    await restarted(instanceId);
    const over = await driven(instanceId, id);
    expect(over.body).toMatchObject({ state: "FAILED", error: { code: "cannot_continue" } });
    await endedWell(place, id);
    expect((await tenant.get(`/instances/${instanceId}`)).body.state).toBe("ACTIVE");
    await setCloud(targetId, { faults: null });
    const next = await start(tenant, instanceId, "check-drift");
    expect((await untilOver(tenant, next)).body.state).toBe("NO_CHANGES");
  });

  it("ends when it is canceled", async () => {
    const place = await make(source, { readyAfterMs: HOUR_MS });
    const { instanceId } = place;
    const id = await applying(instanceId);
    await sql(instanceId, "UPDATE runs SET spec = '{not json' WHERE deployment_id = ?", id);
    await restarted(instanceId);
    expect((await tenant.post(`/deployments/${id}/cancel`)).body.state).toBe("CANCELING");
    expect((await driven(instanceId, id)).body).toMatchObject({
      state: "FAILED",
      error: { code: "cannot_continue" },
    });
    await endedWell(place, id);
    expect(await eventsOf(id)).toEqual([
      "queued",
      "started",
      "planned",
      "applying",
      "canceling",
      "failed",
    ]);
  });

  it("ends although its runner restarts after each fault", async () => {
    const place = await make(source, { readyAfterMs: HOUR_MS });
    const { instanceId } = place;
    const id = await applying(instanceId);
    await sql(instanceId, "UPDATE runs SET spec = '{not json' WHERE deployment_id = ?", id);
    const counted = async () => {
      const [row] = await sql(
        instanceId,
        "SELECT value ->> '$.equal' AS equal, value ->> '$.stage' AS stage FROM facts WHERE name = 'faults'",
      );
      return row?.["stage"] === "end" ? 5 : Number(row?.["equal"] ?? 0);
    };
    for (let life = 1; life <= 5; life += 1) {
      await restarted(instanceId);
      expect(await counted(), "kept over the restart").toBeGreaterThanOrEqual(life - 1);
      await runnerOf(instanceId).wake();
      await until("its fault is counted", async () => (await counted()) >= life);
      if (life < 5) expect((await tenant.get(`/deployments/${id}`)).body.state).toBe("APPLYING");
    }
    expect((await driven(instanceId, id)).body.error.code).toBe("cannot_continue");
    await endedWell(place, id);
  });

  it("for want of the database does not end: it waits for it", async () => {
    const { instanceId } = await make(plain);
    let failures = 0;
    await runInDurableObject(runnerOf(instanceId), (runner) => {
      const real = runner.db;
      const away = {
        prepare: (query: string) => {
          const statement = env.DB.prepare(query);
          return {
            bind: (...values: unknown[]) => Object.assign(statement.bind(...values), lost),
          };
        },
        batch: () => fail(),
      } as unknown as D1Database;
      const fail = () => {
        failures += 1;
        if (failures === 40) runner.db = real;
        return Promise.reject(new Error("D1_ERROR: the database is away, as the test plans"));
      };
      const lost = { all: fail };
      runner.db = openDb(away);
    });
    const id = await start(tenant, instanceId);
    await until("the database was asked often enough", async () => {
      await runnerOf(instanceId).wake();
      return failures >= 40;
    });
    expect((await driven(instanceId, id)).body.state).toBe("SUCCEEDED");
    expect(livenessProblems(instanceId)).toEqual([]);
  });

  it("would be one whose outputs' key is gone: it gets another, and every output counts as changed", async () => {
    const { instanceId } = await make(plain);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    await sql(
      instanceId,
      "UPDATE facts SET value = json_set(value, '$.outputKey', replace(value ->> '$.outputKey', 'v1.', 'v1.gone')) WHERE name = 'run'",
    );
    await restarted(instanceId);
    const again = await start(tenant, instanceId);
    expect((await driven(instanceId, again)).body.state).toBe("NO_CHANGES");
    expect((await messagesOf(tenant, again)).join("\n")).toContain(
      "every output counts as changed",
    );
    const { results } = await env.DB.prepare(
      "SELECT payload ->> '$.data.outputs' AS outputs FROM events WHERE resource_id = ? AND type = 'instance.outputs_changed' ORDER BY id",
    )
      .bind(instanceId)
      .all();
    expect(results).toEqual([{ outputs: '["name","size"]' }, { outputs: '["name","size"]' }]);
    const third = await run(tenant, instanceId, "deploy");
    expect(third.body.state).toBe("NO_CHANGES");
    expect((await messagesOf(tenant, third.body.id)).join("\n")).not.toContain("sealing key");
  });

  /** Changes how the target's cloud behaves from now on: its config is read by each deployment. */
  const setCloud = async (targetId: string, config: JsonMap): Promise<void> => {
    const patched = await tenant.patch(`/cloud/targets/${targetId}`, {
      config: { readyAfterMs: null, ...config },
    });
    expect(patched.status, patched.text).toBe(200);
  };
});
