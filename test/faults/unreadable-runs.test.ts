/** Runs whose stored data is unreadable: they end with a reason and forget no object that may exist. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
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
import { messagesOf, runnerOf, start, until } from "#test/support/runner.ts";

const source = `name: unreadable
runtime: yaml
config:
  password: { type: string, secret: true, default: "correct horse" }
resources:
  net: { type: mock:Network, properties: { name: net, key: "\${password}" } }
  app: { type: mock:Server, properties: { name: app, network: "\${net.id}" } }
`;

describe("a run", () => {
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await makeTenant();
  });

  const make = async (text: string, config: JsonMap = {}) => {
    const targetId = await makeTarget(tenant, config);
    const templateId = await makeTemplate(tenant, text);
    return { targetId, templateId, instanceId: await makeInstance(tenant, templateId, targetId) };
  };
  const resources = async (instanceId: string): Promise<string[]> =>
    (await runnerOf(instanceId).listResources())
      .map(({ name, state }) => `${name} ${state}`)
      .sort();
  const sql = async (instanceId: string, query: string, ...values: string[]) =>
    runInDurableObject(runnerOf(instanceId), (_, { storage }) =>
      storage.sql.exec(query, ...values).toArray(),
    );
  it.for([
    ["may have made something", '"retry"', ["net LOST"]],
    ["has an id", '"pending"', ["net UNREADY"]],
  ] as const)(
    "whose template became unreadable keeps an object that %s, and the next run destroys it",
    async ([, entry, kept]) => {
      const { targetId, instanceId } = await make(
        source,
        entry === '"retry"'
          ? { faults: [{ kind: "networks", on: "create", status: 0, effect: "after", times: 2 }] }
          : { readyAfterMs: 60_000 },
      );
      const id = await start(tenant, instanceId);
      await until("its call has had no end", async () => {
        const rows = await sql(
          instanceId,
          "SELECT 1 FROM journal WHERE entry LIKE ?",
          `%${entry}%`,
        );
        return rows.length > 0;
      });
      await sql(instanceId, "UPDATE runs SET spec = json_set(spec, '$.source', 'resources: [')");
      await evictDurableObject(runnerOf(instanceId));
      await runnerOf(instanceId).wake();
      const over = await untilOver(tenant, id);
      expect(over.body).toMatchObject({ state: "FAILED", error: { code: "template_invalid" } });
      expect(await resources(instanceId)).toEqual(kept);
      expect((await messagesOf(tenant, id)).join("\n")).toContain("Creating net failed");
      const mended = await run(tenant, instanceId, "destroy");
      expect(mended.body.state, JSON.stringify(mended.body.error)).toBe("SUCCEEDED");
      expect(living(await ledger(targetId))).toEqual([]);
    },
  );

  it("whose state cannot be decrypted fails and does not retry forever", async () => {
    const { instanceId } = await make(source);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    await sql(
      instanceId,
      "UPDATE resources SET body = replace(body, '\"v1.', '\"v1.gone') WHERE key = 'net'",
    );
    await evictDurableObject(runnerOf(instanceId));
    const failed = await run(tenant, instanceId, "deploy");
    expect(failed.body).toMatchObject({ state: "FAILED", error: { code: "internal" } });
    expect(failed.body.error.message).toContain("cannot be decrypted");
    await sql(instanceId, "UPDATE resources SET body = replace(body, '\"v1.gone', '\"v1.')");
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("NO_CHANGES");
  });

  it("that is stopped in a delete of what cannot be decrypted leaves it to be read", async () => {
    const { targetId, instanceId } = await make(source);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    const answers = async (faults: JsonMap[]) => {
      const patched = await tenant.patch(`/cloud/targets/${targetId}`, { config: { faults } });
      expect(patched.status, patched.text).toBe(200);
    };
    await answers([
      { kind: "networks", on: "delete", status: 500, effect: "after" },
      { kind: "networks", on: "read", status: 500, times: 999 },
    ]);
    const id = await start(tenant, instanceId, "destroy");
    await until("its delete is tried again", async () => {
      const query =
        "SELECT 1 FROM journal WHERE deployment_id = ? AND resource = 'net' AND entry LIKE ?";
      return (await sql(instanceId, query, id, '%"retry"%')).length > 0;
    });
    await sql(
      instanceId,
      "UPDATE resources SET body = replace(body, '\"v1.', '\"v1.gone') WHERE key = 'net'",
    );
    await evictDurableObject(runnerOf(instanceId));
    const stopped = await operator.post(`/deployments/${id}/abandon`, {
      reason: "Its key is gone.",
    });
    expect(stopped.status, stopped.text).toBe(200);
    await until("the runner has followed", async () => {
      const query = "SELECT 1 FROM runs WHERE deployment_id = ? AND phase = 'closed'";
      return (await sql(instanceId, query, id)).length > 0;
    });
    await sql(instanceId, "UPDATE resources SET body = replace(body, '\"v1.gone', '\"v1.')");
    await evictDurableObject(runnerOf(instanceId));
    expect(await resources(instanceId)).toEqual(["net UNREADY"]);
    await answers([]);
    const mended = await run(tenant, instanceId, "deploy");
    expect(mended.body.state, mended.text).toBe("SUCCEEDED");
    expect(living(await ledger(targetId)).sort()).toEqual(["networks/net", "servers/app"]);
  });

  it("fails for an object that is too large to store, keeps its id, and replaces it later", async () => {
    const text = (size: string) => `name: large
runtime: yaml
resources:
  box: { type: mock:Bucket, properties: { name: box, size: ${size} } }
`;
    const { targetId, templateId, instanceId } = await make(text("one"));
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    const [box] = await ledger(targetId);
    const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId));
    for (let part = 0; part < 8; part += 1) {
      const grown = await cloud.fetch(`https://mock.cloud.invalid/v1/buckets/${box?.id}`, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ [`part${part}`]: "x".repeat(245_000) }),
      });
      expect(grown.status).toBe(200);
    }
    await addVersion(tenant, instanceId, templateId, text("two"));
    const failed = await run(tenant, instanceId, "deploy");
    expect(failed.body).toMatchObject({
      state: "FAILED",
      error: { code: "state_too_large", resource: "box" },
    });
    expect(await resources(instanceId)).toEqual(["box TAINTED"]);
    expect((await run(tenant, instanceId, "deploy")).body).toMatchObject({
      state: "SUCCEEDED",
      summary: { replace: 1 },
    });
    expect(living(await ledger(targetId))).toEqual(["buckets/box"]);
    expect(await resources(instanceId)).toEqual(["box READY"]);
  });
});
