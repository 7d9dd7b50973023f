/** The effect of resource options, from the template to the cloud. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { type Answer, makeUnlimitedTenant, type TestTenant } from "#test/support/api.ts";
import {
  addVersion,
  ledger,
  living,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
} from "#test/support/cloud.ts";
import { messagesOf, runnerOf } from "#test/support/runner.ts";

const templateOf = (resources: string, more = "") =>
  `name: options\nruntime: yaml\nresources:\n${resources}${more}`;

describe.concurrent("a resource's options", () => {
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await makeUnlimitedTenant();
  });

  const make = async (source: string, config: JsonMap = {}) => {
    const targetId = await makeTarget(tenant, config);
    const templateId = await makeTemplate(tenant, source);
    const instanceId = await makeInstance(tenant, templateId, targetId);
    const deploy = () => run(tenant, instanceId, "deploy");
    const change = (next: string) => addVersion(tenant, instanceId, templateId, next);
    return { targetId, instanceId, deploy, change };
  };
  const ended = (answer: Answer, state: string): Answer => {
    expect(answer.body.state, JSON.stringify(answer.body.error)).toBe(state);
    return answer;
  };
  const verbs = async (targetId: string, from = 0): Promise<string[]> =>
    (await ledger(targetId)).slice(from).map(({ verb, name }) => `${verb} ${name}`);
  const outside = async (targetId: string, body: JsonMap): Promise<string> => {
    const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId));
    const made = await cloud.fetch("https://mock.cloud.invalid/v1/buckets", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return (await made.json<{ id: string }>()).id;
  };

  it("import adopts an object without changing it, and rejects one that differs", async () => {
    const { targetId, instanceId, deploy, change } = await make(
      templateOf("  a: { type: mock:Bucket, properties: { name: a } }\n"),
    );
    const id = await outside(targetId, {
      name: "theirs",
      size: "big",
      zone: "r",
    });
    const importing = (properties: string, options = "") =>
      templateOf(
        `  b: { type: mock:Bucket, properties: ${properties}, options: { import: ${id}${options} } }\n`,
      );
    await change(importing("{ name: theirs, size: small, public: true }"));
    const refused = ended(await deploy(), "FAILED");
    expect(refused.body.error).toMatchObject({
      code: "import_mismatch",
      resource: "b",
    });
    expect(refused.body.error.message).toContain("size, public");
    const names = async () => (await runnerOf(instanceId).listResources()).map(({ name }) => name);
    expect(await names()).not.toContain("b");
    await change(importing("{ name: theirs, size: small, zone: r }", ", ignoreChanges: [size]"));
    ended(await deploy(), "SUCCEEDED");
    expect((await runnerOf(instanceId).listResources()).map((r) => [r.name, r.id])).toEqual([
      ["b", id],
    ]);
    ended(await deploy(), "NO_CHANGES");
    expect(await verbs(targetId)).toEqual(["create theirs"]);
  });

  it("import fails for an object that does not exist", async () => {
    const { deploy } = await make(
      templateOf(
        "  a: { type: mock:Bucket, properties: { name: a }, options: { import: nothing } }\n",
      ),
    );
    expect(ended(await deploy(), "FAILED").body.error.code).toBe("import_not_found");
  });

  it("retainOnDelete keeps the object and aliases rename it, both without a call", async () => {
    const { targetId, instanceId, deploy, change } = await make(
      templateOf(
        "  a: { type: mock:Bucket, properties: { name: a }, options: { retainOnDelete: true } }\n  b: { type: mock:Bucket, properties: { name: b } }\n",
      ),
    );
    ended(await deploy(), "SUCCEEDED");
    const before = await verbs(targetId);
    await change(
      templateOf(
        "  c: { type: mock:Bucket, properties: { name: b }, options: { aliases: [b] } }\n",
      ),
    );
    ended(await deploy(), "SUCCEEDED");
    expect(await verbs(targetId)).toEqual(before);
    expect((await runnerOf(instanceId).listResources()).map(({ name }) => name)).toEqual(["c"]);
    ended(await run(tenant, instanceId, "destroy"), "SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual(["buckets/a"]);
  });

  it("ignoreChanges and replaceOnChanges determine the effect of a change", async () => {
    const of = (size: string, tag: string) =>
      templateOf(
        `  a: { type: mock:Bucket, properties: { name: a, size: ${size}, tag: ${tag} }, options: { ignoreChanges: [size], replaceOnChanges: [tag] } }\n`,
      );
    const { targetId, deploy, change } = await make(of("one", "x"));
    ended(await deploy(), "SUCCEEDED");
    await change(of("two", "x"));
    ended(await deploy(), "NO_CHANGES");
    await change(of("two", "y"));
    expect(ended(await deploy(), "SUCCEEDED").body.summary).toMatchObject({
      replace: 1,
    });
    expect(await verbs(targetId)).toEqual(["create a", "create a", "delete a"]);
  });

  it("ignoreChanges leaves what changes outside as it is, whatever else is updated", async () => {
    const of = (tag: string, size: string, ignored = "") =>
      templateOf(
        `  a: { type: mock:Bucket, properties: { name: a, size: ${size}, labels: { own: ${tag}, theirs: none } }, options: { ignoreChanges: [${ignored}] } }\n`,
      );
    const ignored = "size, labels.theirs, labels.added";
    const { targetId, instanceId, deploy, change } = await make(of("x", "small", ignored), {
      faults: [{ kind: "buckets", on: "update", times: 1, status: 400 }],
    });
    ended(await deploy(), "SUCCEEDED");
    const [made] = await runnerOf(instanceId).listResources();
    const atProvider = async (method: string, body?: JsonMap): Promise<JsonMap> => {
      const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId));
      const answer = await cloud.fetch(`https://mock.cloud.invalid/v1/buckets/${made?.id}`, {
        method,
        ...(body === undefined
          ? {}
          : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
      });
      return answer.json<JsonMap>();
    };
    const labels = { own: "x", theirs: "scaler", added: "scanner" };
    await atProvider("PATCH", { size: "big", labels });
    await change(of("y", "small", ignored));
    // After an update of unknown effect, everything is sent again.
    ended(await deploy(), "FAILED");
    ended(await deploy(), "SUCCEEDED");
    expect(await atProvider("GET")).toMatchObject({ size: "big", labels: { ...labels, own: "y" } });
    ended(await deploy(), "NO_CHANGES");
    // The state has its present value once it is no longer ignored.
    await change(of("y", "small"));
    expect(ended(await deploy(), "SUCCEEDED").body.summary).toMatchObject({ update: 1 });
    const restored = { size: "small", labels: { own: "y", theirs: "none" } };
    expect(await atProvider("GET")).toMatchObject(restored);
    expect(await atProvider("GET")).not.toHaveProperty("labels.added");
  });

  it("deleteBeforeReplace deletes the dependents first and creates them again afterwards", async () => {
    const of = (engine: string) =>
      templateOf(
        `  db: { type: mock:Database, properties: { name: db, engine: ${engine} }, options: { deleteBeforeReplace: true } }
  app: { type: mock:Server, properties: { name: app, image: "\${db.id}" } }
  rec: { type: mock:Record, properties: { name: rec, target: "\${app.id}" } }
`,
      );
    const { targetId, deploy, change } = await make(of("pg"));
    ended(await deploy(), "SUCCEEDED");
    await change(of("mysql"));
    ended(await deploy(), "SUCCEEDED");
    const seen = (await verbs(targetId, 3)).join(", ");
    expect(seen).toMatch(/delete app.*delete db.*create db.*create app/);
    expect(living(await ledger(targetId))).toEqual(["databases/db", "records/rec", "servers/app"]);
  });

  it("protect rejects the plan until a separate deployment removes it", async () => {
    const of = (image: string, protect: boolean) =>
      templateOf(
        `  a: { type: mock:Server, properties: { name: a, image: ${image} }, options: { protect: ${protect} } }\n`,
      );
    const { targetId, instanceId, deploy, change } = await make(of("v1", true));
    ended(await deploy(), "SUCCEEDED");
    await change(of("v2", false));
    expect(ended(await deploy(), "FAILED").body.error.code).toBe("resource_protected");
    expect(ended(await run(tenant, instanceId, "destroy"), "FAILED").body.error.code).toBe(
      "resource_protected",
    );
    await change(of("v1", false));
    ended(await deploy(), "NO_CHANGES");
    await change(of("v2", false));
    ended(await deploy(), "SUCCEEDED");
    expect(await verbs(targetId)).toEqual(["create a", "create a", "delete a"]);
  });

  it("customTimeouts fail a create that is not finished in time, and keep the object", async () => {
    const { instanceId, deploy } = await make(
      templateOf(
        "  a: { type: mock:Server, properties: { name: a }, options: { customTimeouts: { create: 1s } } }\n",
      ),
      { readyAfterMs: 60_000 },
    );
    expect(ended(await deploy(), "FAILED").body.error).toMatchObject({
      code: "timed_out",
    });
    expect((await runnerOf(instanceId).listResources())[0]).toMatchObject({
      state: "UNREADY",
    });
  });

  it("customTimeouts end a delete, also of a resource that the template no longer has", async () => {
    const timed = (seconds: number) =>
      templateOf(
        `  a: { type: mock:Server, properties: { name: a }, options: { customTimeouts: { delete: ${seconds}s } } }\n`,
      );
    const { instanceId, deploy, change } = await make(timed(3_600), {
      faults: [{ kind: "servers", on: "delete", status: 503, times: 1_000 }],
    });
    ended(await deploy(), "SUCCEEDED");
    // Only the option changes: no call is needed, and the next run knows it.
    await change(timed(1));
    ended(await deploy(), "NO_CHANGES");
    await change(templateOf("  b: { type: mock:Bucket, properties: { name: b } }\n"));
    expect(ended(await deploy(), "FAILED").body.error).toMatchObject({
      code: "unavailable",
      resource: "a",
    });
    ended(await run(tenant, instanceId, "destroy"), "FAILED");
  });

  it("additionalSecretOutputs are never shown", async () => {
    const { instanceId, deploy, change } = await make(
      templateOf(
        `  a: { type: mock:Server, properties: { name: a, motd: whisper-1 }, options: { additionalSecretOutputs: [motd] } }
  b: { type: mock:Bucket, properties: { name: b, note: "\${a.motd}" } }
`,
        "outputs:\n  motd: ${a.motd}\n",
      ),
    );
    const first = ended(await deploy(), "SUCCEEDED");
    await change(
      templateOf(
        `  a: { type: mock:Server, properties: { name: a, motd: whisper-2 }, options: { additionalSecretOutputs: [motd] } }
  b: { type: mock:Bucket, properties: { name: b, note: "\${a.motd} twice" } }
`,
        "outputs:\n  motd: ${a.motd}\n",
      ),
    );
    const second = ended(await deploy(), "SUCCEEDED");
    const seen = [];
    for (const { body } of [first, second]) {
      seen.push((await tenant.get(`/deployments/${body.id}`)).text);
      seen.push(...(await messagesOf(tenant, body.id)));
      const plan = await tenant.get(`/deployments/${body.id}/plan`);
      // A plain property of the template is shown. Values that read the output are masked.
      seen.push(JSON.stringify(plan.body.changes.filter((c: JsonMap) => c["resource"] === "b")));
    }
    for (const path of ["", "/outputs", "/resources"])
      seen.push((await tenant.get(`/instances/${instanceId}${path}`)).text);
    const { results } = await env.DB.prepare("SELECT payload FROM events WHERE tenant_id = ?")
      .bind(tenant.tenantId)
      .all();
    seen.push(JSON.stringify(results));
    const told = seen.filter((text) => text.includes("whisper")).map((text) => text.slice(0, 400));
    expect(told).toEqual([]);
    expect((await tenant.get(`/instances/${instanceId}`)).body.outputs.motd).toBe("[secret]");
  });
});
