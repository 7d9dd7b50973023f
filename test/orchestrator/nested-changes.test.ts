/** Changes of nested bodies, from the template to the cloud. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { changedService, service } from "#test/faults/run-templates.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import {
  addVersion,
  ledger,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
  untilOver,
} from "#test/support/cloud.ts";
import { messagesOf, start } from "#test/support/runner.ts";

describe.concurrent("a change of a nested body", () => {
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await makeTenant();
  });

  const make = async (config: JsonMap = {}, source = service) => {
    const targetId = await makeTarget(tenant, config);
    const templateId = await makeTemplate(tenant, source);
    const instanceId = await makeInstance(tenant, templateId, targetId);
    return {
      targetId,
      instanceId,
      deploy: () => run(tenant, instanceId, "deploy"),
      change: (next: string) => addVersion(tenant, instanceId, templateId, next),
    };
  };
  /** The only service of the target's cloud, as the cloud shows it. */
  const shown = async (targetId: string): Promise<JsonMap> => {
    const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId));
    const answer = await cloud.fetch("https://mock.cloud.invalid/v1/services");
    const { data } = await answer.json<{ data: JsonMap[] }>();
    expect(data).toHaveLength(1);
    return data[0] ?? {};
  };
  const wanted = {
    size: "l",
    settings: { tier: "a", labels: { x: "one" } },
    rules: [{ port: 443 }, { port: 80 }],
  };

  it("reaches the cloud: a removed label, and a resize in place", async () => {
    const { targetId, deploy, change, instanceId } = await make();
    expect((await deploy()).body.state).toBe("SUCCEEDED");
    await change(changedService);
    const { body } = await deploy();
    expect(body).toMatchObject({ state: "SUCCEEDED", summary: { update: 1, replace: 0 } });
    expect(await shown(targetId)).toMatchObject(wanted);
    expect((await shown(targetId))["settings"]).toEqual(wanted.settings);
    const verbs = (await ledger(targetId)).map(({ verb }) => verb);
    expect(verbs).toEqual(["create", "update", "update"]);

    const drift = await untilOver(tenant, await start(tenant, instanceId, "check-drift"));
    expect(drift.body.summary).toMatchObject({ unchanged: 1, update: 0 });
    expect((await run(tenant, instanceId, "plan")).body.summary).toMatchObject({ unchanged: 1 });
  });

  it("reaches the cloud where the answer of the first call is lost", async () => {
    const faults = [{ kind: "services", on: "update", status: 0, effect: "after" }];
    const { targetId, deploy, change } = await make({ faults });
    await deploy();
    await change(changedService);
    expect((await deploy()).body.state).toBe("SUCCEEDED");
    expect(await shown(targetId)).toMatchObject(wanted);
    expect(await ledger(targetId)).toHaveLength(3);
  });

  it("that failed between its calls is taken back by a run that wants the old values", async () => {
    const { targetId, deploy, change } = await make();
    await deploy();
    // The resize succeeds, and the patch is refused: the name is too long.
    await change(changedService.replace("name: api", `name: ${"a".repeat(300)}`));
    expect((await deploy()).body).toMatchObject({
      state: "FAILED",
      error: { code: "invalid_name" },
    });
    expect(await shown(targetId)).toMatchObject({ size: "l", settings: { labels: { y: "two" } } });
    await change(service);
    expect((await deploy()).body.state).toBe("SUCCEEDED");
    expect(await shown(targetId)).toMatchObject({ size: "s", settings: { labels: { y: "two" } } });
  });

  it("has the connection among the outputs, or says in the log why not", async () => {
    const outputs = `outputs: { host: "\${api.connection.host}" }\n`;
    const { deploy, instanceId } = await make({}, `${service}${outputs}`);
    expect((await deploy()).body.state).toBe("SUCCEEDED");
    const { body } = await tenant.get(`/instances/${instanceId}`);
    expect(JSON.stringify(body.outputs)).toContain("mock.cloud.invalid");

    const faults = [{ kind: "services", on: "connection", status: 403 }];
    const denied = await make({ faults });
    const done = await denied.deploy();
    expect(done.body.state).toBe("SUCCEEDED");
    const told = (await messagesOf(tenant, done.body.id)).join("\n");
    expect(told).toMatch(
      /Created api in .* Its outputs lack something: no connection: mock answered 403/,
    );
  });
});
