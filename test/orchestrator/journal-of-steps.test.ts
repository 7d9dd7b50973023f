/** The journal that a runner finds after its death: each call's intent before the call, outcome and object together. */
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { makeTenant } from "#test/support/api.ts";
import {
  ledger,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
  untilOver,
} from "#test/support/cloud.ts";
import { runnerOf, start, until } from "#test/support/runner.ts";

const source = `name: journal
runtime: yaml
resources:
  net: { type: mock:Network, properties: { name: net } }
  app: { type: mock:Server, properties: { name: app, net: "\${net.id}" } }
`;

async function make(config: { latencyMs?: number } = {}) {
  const tenant = await makeTenant();
  const targetId = await makeTarget(tenant, config);
  const templateId = await makeTemplate(tenant, source);
  return { tenant, targetId, instanceId: await makeInstance(tenant, templateId, targetId) };
}

describe("the journal of a run's steps", () => {
  it("has the intent of each call before the call", async () => {
    const { tenant, targetId, instanceId } = await make({ latencyMs: 1_500 });
    const deploymentId = await start(tenant, instanceId);
    for (const [calls, verb] of ["networks", "servers"].entries()) {
      await until(`the cloud is asked for ${verb}`, async () => {
        return (await ledger(targetId)).length > calls;
      });
      const entries = await runInDurableObject(runnerOf(instanceId), (_, { storage }) =>
        storage.sql
          .exec(
            "SELECT entry ->> '$.kind' AS kind FROM journal WHERE step IS NOT NULL ORDER BY seq",
          )
          .toArray()
          .map(({ kind }) => kind),
      );
      expect(entries).toEqual(calls === 0 ? ["intent"] : ["intent", "done", "intent"]);
    }
    expect((await untilOver(tenant, deploymentId)).body.state).toBe("SUCCEEDED");
  });

  it("has the outcome of a call in the commit that has its object", async () => {
    const { tenant, instanceId } = await make();
    const seen: { done: unknown[]; objects: unknown[] }[] = [];
    await runInDurableObject(runnerOf(instanceId), (runner, { storage: { sql } }) => {
      const read = (query: string) =>
        sql
          .exec(query)
          .toArray()
          .map(({ id }) => id);
      runner.crashPoint = () => {
        seen.push({
          done: read(
            "SELECT entry ->> '$.id' AS id FROM journal WHERE entry ->> '$.kind' = 'done' ORDER BY seq",
          ),
          objects: read("SELECT body ->> '$.id' AS id FROM resources ORDER BY position"),
        });
      };
    });
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    for (const { done, objects } of seen) expect(objects).toEqual(done);
    expect(seen.at(-1)?.objects).toHaveLength(2);
  });
});
