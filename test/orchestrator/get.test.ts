/** Templates that read existing objects with `get` (decision 0068). */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { makeUnlimitedTenant, type TestTenant } from "#test/support/api.ts";
import { instanceOf, ledger, living, makeTarget, run, untilOver } from "#test/support/cloud.ts";
import { partOf } from "#test/support/depth.ts";
import { makeMember } from "#test/support/members.ts";
import { messagesOf, runnerOf, start, until, watchCommits } from "#test/support/runner.ts";

let tenant: TestTenant;
beforeAll(async () => {
  tenant = await makeUnlimitedTenant();
});

const cloudOf = (targetId: string) => env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId));
const send = async (targetId: string, method: string, path: string, body?: JsonMap) =>
  cloudOf(targetId).fetch(`https://mock.cloud.invalid/v1/${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
async function outside(targetId: string, body: JsonMap = { name: "vpc", cidr: "10.0.0.0/16" }) {
  const made = await send(targetId, "POST", "networks", body);
  return (await made.json<{ id: string }>()).id;
}
const NET = (id: string, more = "") =>
  `  net: { type: mock:Network, get: { id: "${id}" }${more} }\n`;
const APP = `  app: { type: mock:Server, properties: { name: app, image: a, network: "\${net.id}" } }\n`;
const template = (...parts: string[]) => `resources:\n${parts.join("")}`;

async function made(source: string, targetId: string, more: JsonMap = {}) {
  const one = await instanceOf(tenant, source, targetId, more);
  return {
    ...one,
    names: async () => (await runnerOf(one.instanceId).listResources()).map(({ name }) => name),
  };
}
const planOf = async (deploymentId: string) =>
  (await tenant.get(`/deployments/${deploymentId}/plan`)).body;
describe("an object that a template reads", () => {
  it("gives its outputs to the plan and to others, and stays when the instance is destroyed", async () => {
    const targetId = await makeTarget(tenant);
    const id = await outside(targetId);
    const source = `${template(NET(id), APP)}outputs: { net: "\${net.id}", status: "\${net.status}", cidr: "\${net.cidr}" }\n`;
    const one = await made(source, targetId);
    const ended = await one.deploy();
    expect(ended.body, ended.text).toMatchObject({
      state: "SUCCEEDED",
      summary: { create: 1, update: 0, replace: 0, delete: 0, unchanged: 0 },
    });
    const plan = await planOf(ended.body.id);
    expect(plan.changes).toEqual([
      { resource: "net", type: "mock:Network", action: "read", tentative: false, id, changes: [] },
      expect.objectContaining({ resource: "app", action: "create" }),
    ]);
    expect(plan.changes[1].changes).toContainEqual(
      expect.objectContaining({ path: "network", after: id }),
    );
    expect(await messagesOf(tenant, ended.body.id)).toContain(
      "Planned: 1 to create, 0 unchanged, 1 read.",
    );
    const { body } = await tenant.get(`/instances/${one.instanceId}/outputs`);
    // The address range may have been given as a secret.
    expect(body.outputs ?? body).toMatchObject({ net: id, status: "ready", cidr: "[secret]" });
    expect(await one.names()).toEqual(["app"]);
    expect((await one.deploy()).body.state).toBe("NO_CHANGES");
    expect((await one.destroy()).body.state).toBe("SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual(["networks/vpc"]);
  });

  it("alone makes no change, and publishes outputs", async () => {
    const targetId = await makeTarget(tenant);
    const id = await outside(targetId);
    const one = await made(`${template(NET(id))}outputs: { status: "\${net.status}" }\n`, targetId);
    expect((await one.deploy()).body.state).toBe("NO_CHANGES");
    const { text } = await tenant.get(`/instances/${one.instanceId}/outputs`);
    expect(text).toContain('"status":"ready"');
    const check = await tenant.post(`/instances/${one.instanceId}/check-drift`);
    expect((await untilOver(tenant, check.body.id)).body.state).toBe("NO_CHANGES");
  });

  it("has the id that a config value or another read gives", async () => {
    const targetId = await makeTarget(tenant);
    const id = await outside(targetId);
    const record = await send(targetId, "POST", "records", { name: "r", target: id });
    const { id: recordId } = await record.json<{ id: string }>();
    const source = `config: { record: { type: string } }
resources:
  rec: { type: mock:Record, get: { id: "\${record}" }, options: { additionalSecretOutputs: [status] } }
  app: { type: mock:Server, properties: { name: app, to: "\${rec.target}", s: "\${rec.status}" } }
`;
    const one = await made(source, targetId, { variables: { record: recordId } });
    const ended = await one.deploy();
    expect(ended.body.state, ended.text).toBe("SUCCEEDED");
    const { changes } = (await planOf(ended.body.id)).changes[1];
    expect(changes).toContainEqual(expect.objectContaining({ path: "s", after: "[secret]" }));
    const app = (await ledger(targetId)).find(({ kind }) => kind === "servers");
    expect(await (await send(targetId, "GET", `servers/${app?.id}`)).json()).toMatchObject({
      to: id,
      s: "ready",
    });
  });

  it("is read during the run when its id is known only then, and orders the steps", async () => {
    const targetId = await makeTarget(tenant);
    const id = await outside(targetId);
    const source = `resources:
  app: { type: mock:Server, properties: { name: app, image: a, network: "\${net.id}", saw: "\${net.status}" } }
  net: { type: mock:Network, get: { id: { fn::select: [0, { fn::split: ["|", "${id}|\${first.id}"] }] } } }
  first: { type: mock:Bucket, properties: { name: first } }
`;
    const one = await made(source, targetId);
    const ended = await one.deploy();
    expect(ended.body.state, ended.text).toBe("SUCCEEDED");
    const plan = await planOf(ended.body.id);
    expect(plan.changes[1]).toMatchObject({
      resource: "net",
      action: "read",
      reason: "read after what it depends on",
    });
    const entries = await ledger(targetId);
    expect(entries.map(({ name }) => name)).toEqual(["vpc", "first", "app"]);
    const app = entries.at(-1);
    expect(await (await send(targetId, "GET", `servers/${app?.id}`)).json()).toMatchObject({
      network: id,
      saw: "ready",
    });
    const stored = (await runnerOf(one.instanceId).listResources()).find(
      ({ name }) => name === "app",
    );
    expect(stored?.dependsOn).toEqual(["first"]);
  });

  it("replaces in the plan what cannot be changed in place, when it has changed", async () => {
    const targetId = await makeTarget(tenant);
    const id = await outside(targetId);
    const source = template(
      NET(id),
      `  app: { type: mock:Server, properties: { name: app, image: "\${net.cidr}" } }\n`,
    );
    const one = await made(source, targetId);
    expect((await one.deploy()).body.state).toBe("SUCCEEDED");
    await send(targetId, "PATCH", `networks/${id}`, { note: "n" });
    expect((await one.deploy()).body.state).toBe("NO_CHANGES");
    const other = await outside(targetId, { name: "vpc2", cidr: "10.1.0.0/16" });
    await one.change(source.replace(id, other));
    const ended = await run(tenant, one.instanceId, "plan");
    expect(ended.body.summary, ended.text).toMatchObject({ replace: 1 });
    expect((await planOf(ended.body.id)).changes[1]).toMatchObject({
      action: "replace",
      tentative: false,
      changes: [{ path: "image", before: "[secret]", after: "[secret]", replaces: true }],
    });
  });
});

describe("an object that cannot be read", () => {
  it("because there is none fails the plan, and says what to check", async () => {
    const targetId = await makeTarget(tenant);
    const one = await made(template(NET("net-none"), APP), targetId);
    for (const operation of ["deploy", "plan"] as const) {
      const { body, text } = await run(tenant, one.instanceId, operation);
      expect(body.error, text).toMatchObject({ code: "get_not_found", fault: "user" });
      for (const part of ["net", "net-none", "mock:Network", "mock cloud", "local-1", "Check"])
        expect(body.error.message).toContain(part);
    }
    expect(await ledger(targetId)).toEqual([]);
  });

  it("for a moment is read again, and the log says why", async () => {
    const fault = { kind: "networks", on: "read", times: 2, status: 503 };
    const targetId = await makeTarget(tenant, { faults: [fault] });
    const id = await outside(targetId);
    const one = await made(template(NET(id), APP), targetId);
    const ended = await one.deploy();
    expect(ended.body.state, ended.text).toBe("SUCCEEDED");
    const log = await messagesOf(tenant, ended.body.id);
    expect(log.filter((line) => line.startsWith("net cannot be read"))).toHaveLength(2);
  });

  it("by a bad credential or request fails the plan at once", async () => {
    const fault = { kind: "networks", on: "read", times: 1, status: 403 };
    const targetId = await makeTarget(tenant, { faults: [fault] });
    const one = await made(template(NET(await outside(targetId)), APP), targetId);
    const { body, text } = await one.deploy();
    expect(body.error.message, text).toContain("net cannot be read");
    expect(await one.names()).toEqual([]);
  });

  it("during the run is tried again, and then fails the step that needs it", async () => {
    const source = (id: string) => `resources:
  first: { type: mock:Bucket, properties: { name: first } }
  net: { type: mock:Network, get: { id: "${id}" }, options: { dependsOn: ["\${first}"] } }
${APP}`;
    const fault = { kind: "networks", on: "read", times: 1, status: 503 };
    const targetId = await makeTarget(tenant, { faults: [fault] });
    const one = await made(source(await outside(targetId)), targetId);
    const ended = await one.deploy();
    expect(ended.body.state, ended.text).toBe("SUCCEEDED");
    expect(await messagesOf(tenant, ended.body.id)).toContainEqual(
      expect.stringMatching(/^Reading app failed: net cannot be read.*Retrying/),
    );
    const other = await made(source("net-none"), targetId);
    const failed = await other.deploy();
    expect(failed.body.error, failed.text).toMatchObject({
      code: "get_not_found",
      resource: "app",
    });
    expect(await other.names()).toEqual(["first"]);
  });

  it("leaves the outputs of a run that otherwise succeeds as they were", async () => {
    const targetId = await makeTarget(tenant);
    const source = `resources:
  first: { type: mock:Bucket, properties: { name: first } }
  net: { type: mock:Network, get: { id: "net-none" }, options: { dependsOn: ["\${first}"] } }
outputs: { o: "\${net.status}" }
`;
    const { body, text } = await (await made(source, targetId)).deploy();
    expect(body, text).toMatchObject({
      state: "SUCCEEDED",
      outputsError: { code: "get_not_found" },
    });
  });
});

describe("a managed resource that is to be read instead", () => {
  const managed = (options = "") =>
    `  net: { type: mock:Network, properties: { name: vpc, cidr: 10.0.0.0/16 }${options} }\n`;
  const retained = ", options: { retainOnDelete: true }";
  const idIn = async (targetId: string) => (await ledger(targetId))[0]?.id ?? "";

  it("is not deleted: it has to be retained first", async () => {
    const targetId = await makeTarget(tenant);
    const one = await made(template(managed(), APP), targetId);
    expect((await one.deploy()).body.state).toBe("SUCCEEDED");
    const id = await idIn(targetId);
    await one.change(template(NET(id), APP));
    const refused = await one.deploy();
    expect(refused.body.error, refused.text).toMatchObject({ code: "get_of_managed" });
    expect(refused.body.error.message).toContain("retainOnDelete");
    await one.change(template(managed(retained), APP));
    expect((await one.deploy()).body.state).toBe("NO_CHANGES");
    await one.change(template(NET(id), APP));
    const ended = await one.deploy();
    expect(ended.body.state, ended.text).toBe("SUCCEEDED");
    expect(await one.names()).toEqual(["app"]);
    expect((await one.destroy()).body.state).toBe("SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual(["networks/vpc"]);
  });

  it("is not deleted under another name", async () => {
    const targetId = await makeTarget(tenant);
    const one = await made(template(managed(), APP), targetId);
    expect((await one.deploy()).body.state).toBe("SUCCEEDED");
    const id = await idIn(targetId);
    const renamed = (text: string) =>
      text.replaceAll("net:", "lan:").replace("${net.id}", "${lan.id}");
    await one.change(template(renamed(NET(id)), renamed(APP)));
    const refused = await one.deploy();
    expect(refused.body.error, refused.text).toMatchObject({ code: "get_in_use" });
    // Nor while it stays managed beside.
    await one.change(template(managed(), APP, renamed(NET(id))));
    const beside = await one.deploy();
    expect(beside.body.error, beside.text).toMatchObject({ code: "get_in_use" });
    expect(beside.body.error.message).toContain("${net}");
    expect(living(await ledger(targetId))).toEqual(["networks/vpc", "servers/app"]);
  });

  it("is not read while the same template imports it", async () => {
    const targetId = await makeTarget(tenant);
    const id = await outside(targetId);
    const importing = managed(`, options: { import: "${id}" }`).replace("net:", "lan:");
    const source = template(NET(id), importing);
    const refused = await tenant.post("/templates", { name: "both", source });
    expect(refused.body, refused.text).toMatchObject({ errors: [{ code: "get_in_use" }] });
  });

  it("does not become an object that once had its name", async () => {
    const targetId = await makeTarget(tenant);
    const one = await made(template(managed()), targetId);
    expect((await one.deploy()).body.state).toBe("SUCCEEDED");
    const lan = managed(", options: { aliases: [net] }").replace("net:", "lan:");
    await one.change(template(lan));
    expect((await one.deploy()).body.state).toBe("NO_CHANGES");
    const id = await outside(targetId, { name: "other" });
    await one.change(template(NET(id)));
    const planned = await run(tenant, one.instanceId, "plan");
    expect(planned.body.summary, planned.text).toMatchObject({ delete: 1 });
    expect((await planOf(planned.body.id)).changes).toMatchObject([
      { resource: "net", action: "read" },
      { resource: "lan", action: "delete" },
    ]);
  });
});

describe("what was approved", () => {
  async function approve(deploymentId: string) {
    const approver = await makeMember(tenant.tenantId, "CustomerAdmin");
    const approved = await approver.post(`/deployments/${deploymentId}/approve`);
    expect(approved.status, approved.text).toBe(202);
    await until("the run ends", async () => {
      const { body } = await tenant.get(`/deployments/${deploymentId}`);
      return ["SUCCEEDED", "FAILED"].includes(body.state);
    });
    return (await tenant.get(`/deployments/${deploymentId}`)).body;
  }
  const source = (id: string) => `resources:
  old: { type: mock:Server, get: { id: "${id}" } }
  app: { type: mock:Bucket, properties: { name: app, saw: "\${old.size}" } }
`;

  it("runs when what it reads is as it was, and not when it has changed, even a secret", async () => {
    const targetId = await makeTarget(tenant);
    const old = await send(targetId, "POST", "servers", { name: "old", size: "one", other: 1 });
    const { id } = await old.json<{ id: string }>();
    const set = (properties: JsonMap) => send(targetId, "PATCH", `servers/${id}`, properties);
    const one = await made(source(id), targetId, { approvalMode: "always" });
    const first = await one.deploy();
    expect(first.body.state, first.text).toBe("AWAITING_APPROVAL");
    await set({ other: 2 });
    expect(await approve(first.body.id)).toMatchObject({ state: "SUCCEEDED" });
    await set({ size: "two" });
    const second = await one.deploy();
    expect(second.body.state, second.text).toBe("AWAITING_APPROVAL");
    await set({ size: "three" });
    expect(await approve(second.body.id)).toMatchObject({
      state: "FAILED",
      error: { code: "stale_plan", message: expect.stringContaining("`get`") },
    });
    const [, app] = (await ledger(targetId)).filter(({ verb }) => verb === "create");
    const bucket = await send(targetId, "GET", `buckets/${app?.id}`);
    expect(await bucket.json()).toMatchObject({ saw: "one" });
  });
});

it("is read again by a runner that died, at whatever commit", async () => {
  const targetId = await makeTarget(tenant, {}, { maxConcurrentDeployments: 5 });
  const source = (id: string) =>
    `${template(
      NET(id),
      APP,
      `  late: { type: mock:Network, get: { id: "${id}" }, options: { dependsOn: ["\${app}"] } }\n`,
      `  last: { type: mock:Bucket, properties: { name: last, of: "\${late.id}" } }\n`,
    )}outputs: { status: "\${late.status}" }\n`;
  const count = await made(source(await outside(targetId)), targetId);
  const seen = await watchCommits(count.instanceId);
  expect((await count.deploy()).body.state).toBe("SUCCEEDED");
  expect(seen.commits).toBeGreaterThanOrEqual(8);
  const commits = Array.from({ length: seen.commits }, (_, at) => at + 1);
  for (const commit of partOf(commits, 6)) {
    const one = await made(source(await outside(targetId)), targetId);
    const crash = await watchCommits(one.instanceId, { when: "after", commit });
    const deployment = await start(tenant, one.instanceId);
    await until("it dies", () => crash.crashed);
    await runnerOf(one.instanceId).wake();
    const ended = await untilOver(tenant, deployment);
    expect(ended.body.state, `${commit}: ${ended.text}`).toBe("SUCCEEDED");
    expect((await one.names()).sort(), `${commit}`).toEqual(["app", "last"]);
    const outputs = await tenant.get(`/instances/${one.instanceId}/outputs`);
    expect(outputs.text, `${commit}`).toContain('"status":"ready"');
  }
});
