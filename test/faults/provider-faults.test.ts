/** Clouds that reject calls, or answer late, twice or never. In the end each desired object exists exactly once. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import {
  instanceOf,
  ledger,
  living,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
} from "#test/support/cloud.ts";
import { messagesOf, runnerOf } from "#test/support/runner.ts";

const head =
  "name: faults\nruntime: yaml\nconfig:\n  size: { type: string, default: small }\nresources:\n";
/** `app` needs `net`; `alone` needs nothing. */
const three = `${head}
  net: { type: mock:Network, properties: { name: net, size: "\${size}" }, options: { customTimeouts: { create: 1s, update: 1s } } }
  app: { type: mock:Server, properties: { name: app, net: "\${net.id}" } }
  alone: { type: mock:Bucket, properties: { name: alone } }
`;

describe.concurrent("a run against a cloud that fails", () => {
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await makeTenant();
  });

  const make = async (source: string, faults: JsonMap[]) => {
    const targetId = await makeTarget(tenant, { faults });
    const templateId = await makeTemplate(tenant, source);
    return { targetId, instanceId: await makeInstance(tenant, templateId, targetId) };
  };
  const count = async (targetId: string, verb: string): Promise<number> =>
    (await ledger(targetId)).filter((entry) => entry.verb === verb).length;
  const resources = async (instanceId: string): Promise<string[]> =>
    (await runnerOf(instanceId).listResources())
      .map(({ name, state }) => `${name} ${state}`)
      .sort();
  const stateOf = async (instanceId: string): Promise<string> =>
    (await tenant.get(`/instances/${instanceId}`)).body.state;
  const all = ["buckets/alone", "networks/net", "servers/app"];

  it("creates each object once, whichever fault occurs and whether the call took effect or not", async () => {
    const names = ["throttled", "before", "after", "dropped"];
    const source = `${head}${names.map((name) => `  ${name}: { type: mock:Bucket, properties: { name: ${name} } }\n`).join("")}`;
    const { targetId, instanceId } = await make(source, [
      { kind: "buckets", name: "throttled", on: "create", status: 429 },
      { kind: "buckets", name: "before", on: "create", status: 503 },
      { kind: "buckets", name: "after", on: "create", status: 503, effect: "after" },
      { kind: "buckets", name: "dropped", on: "create", status: 0, effect: "after" },
    ]);
    const over = await run(tenant, instanceId, "deploy");
    expect(over.body.state, over.text).toBe("SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual(names.map((name) => `buckets/${name}`).sort());
    expect(await count(targetId, "create")).toBe(4);
    const messages = await messagesOf(tenant, over.body.id);
    for (const name of names) {
      expect(
        messages.filter((m) => m.startsWith(`Creating ${name} failed:`) && m.includes("Retrying")),
      ).toHaveLength(1);
      expect(messages.filter((m) => m.startsWith(`Created ${name} in`))).toHaveLength(1);
    }
    // The throttled create had no effect, so the journal has an entry for its repetition.
    expect(messages).toContain("Creating throttled: retrying.");
    const waited = /Created throttled in ([\d.]+) s/.exec(messages.join("\n"))?.[1];
    expect(Number(waited), "Retry-After is one second").toBeGreaterThanOrEqual(1);
  });

  it("waits for an object that is in use, and deletes it afterwards", async () => {
    const { targetId, instanceId } = await make(three, [
      { kind: "buckets", on: "delete", status: 409, code: "in_use", times: 2 },
    ]);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    const over = await run(tenant, instanceId, "destroy");
    expect(over.body.state, over.text).toBe("SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual([]);
    const waits = (await messagesOf(tenant, over.body.id)).filter((line) =>
      line.startsWith("Deleting alone is waiting: mock answered 409"),
    );
    expect(waits).toHaveLength(2);
  });

  it.for([
    [404, "denied", "give it the permission for mock:Bucket"],
    [400, "quota_exceeded", "have its quota raised"],
  ] as const)(
    "ends with what to do where the cloud answers %i with %s",
    async ([status, code, hint]) => {
      const { instanceId } = await make(three, [{ kind: "buckets", on: "create", status, code }]);
      const failed = await run(tenant, instanceId, "deploy");
      const { state, error } = failed.body;
      expect([state, error.code, error.fault]).toEqual(["FAILED", code, "user"]);
      expect(error.message).toContain(hint);
      expect((await messagesOf(tenant, failed.body.id)).join("\n")).toContain(hint);
    },
  );

  it("ends with the first failure, and names the other failed resources", async () => {
    const names = ["a", "b", "c", "d", "e"];
    const source = `${head}${names.map((name) => `  ${name}: { type: mock:Bucket, properties: { name: ${name} } }\n`).join("")}`;
    const { instanceId } = await make(source, [
      { kind: "buckets", on: "create", status: 400, code: "refused", times: 5 },
    ]);
    const failed = await run(tenant, instanceId, "deploy");
    const messages = await messagesOf(tenant, failed.body.id);
    const inOrder = messages.flatMap((line) => /^Creating (\w) failed/.exec(line)?.[1] ?? []);
    expect([...inOrder].sort()).toEqual(names);
    const [first, second, third, fourth] = inOrder;
    const { error } = failed.body;
    expect(error).toMatchObject({ code: "refused", resource: first });
    expect(error.message).toMatch(new RegExp(`^create ${first}: mock answered 400`));
    expect(error.message).toMatch(
      new RegExp(`[^.]\\. Also failed: ${second}, ${third}, ${fourth} and 1 more\\.$`),
    );
    expect(messages.at(-1)).toBe(`Failed: ${error.message}`);
  });

  it("takes no lost permission for a deleted object, which it would create again", async () => {
    const { targetId, instanceId } = await make(three, [
      { kind: "networks", on: "update", status: 404, code: "denied" },
    ]);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    await tenant.patch(`/instances/${instanceId}`, { variables: { size: "large" } });
    const failed = await run(tenant, instanceId, "deploy");
    expect(failed.body).toMatchObject({ state: "FAILED", error: { code: "denied" } });
    expect(await count(targetId, "create")).toBe(3);
  });

  it("keeps created objects, skips what depends on a failure, and completes it in the next run", async () => {
    const { targetId, instanceId } = await make(three, [
      { kind: "networks", on: "create", status: 422 },
    ]);
    const failed = await run(tenant, instanceId, "deploy");
    expect(failed.body).toMatchObject({
      state: "FAILED",
      error: { code: "scripted_fault", resource: "net" },
    });
    expect(await messagesOf(tenant, failed.body.id)).toContain(
      "Skipped app: a step it depends on failed.",
    );
    expect(living(await ledger(targetId))).toEqual(["buckets/alone"]);
    expect(await resources(instanceId)).toEqual(["alone READY"]);
    expect(await stateOf(instanceId)).toBe("FAILED");
    const next = await run(tenant, instanceId, "deploy");
    expect(next.body).toMatchObject({
      state: "SUCCEEDED",
      summary: { create: 2, unchanged: 1 },
    });
    expect(living(await ledger(targetId))).toEqual(all);
    expect(await stateOf(instanceId)).toBe("ACTIVE");
  });

  it("keeps an object that never became ready as tainted, and replaces it in the next run", async () => {
    const { targetId, instanceId } = await make(three, [
      { kind: "networks", on: "create", effect: "fails" },
    ]);
    const failed = await run(tenant, instanceId, "deploy");
    expect(failed.body).toMatchObject({ state: "FAILED", error: { code: "resource_failed" } });
    expect(await resources(instanceId)).toEqual(["alone READY", "net TAINTED"]);
    const next = await run(tenant, instanceId, "deploy");
    expect(next.body).toMatchObject({
      state: "SUCCEEDED",
      summary: { create: 1, replace: 1, unchanged: 1 },
    });
    expect(living(await ledger(targetId))).toEqual(all);
    expect(await resources(instanceId)).toEqual(["alone READY", "app READY", "net READY"]);
  });

  it.for(["deploy", "destroy"] as const)(
    "finds the lost object of a create that was never answered in the next %s, which keeps or deletes it",
    async (operation) => {
      const { targetId, instanceId } = await make(three, [
        { kind: "networks", on: "create", status: 0, effect: "after", times: 2 },
      ]);
      const failed = await run(tenant, instanceId, "deploy");
      expect(failed.body).toMatchObject({ state: "FAILED", error: { resource: "net" } });
      expect(await resources(instanceId)).toEqual(["alone READY", "net LOST"]);
      expect(living(await ledger(targetId))).toEqual(["buckets/alone", "networks/net"]);
      const next = await run(tenant, instanceId, operation);
      expect(next.body.state, next.text).toBe("SUCCEEDED");
      expect(living(await ledger(targetId))).toEqual(operation === "deploy" ? all : []);
      expect(await messagesOf(tenant, next.body.id)).toContain("Found the lost object of net.");
      expect(await count(targetId, "create")).toBe(operation === "deploy" ? 3 : 2);
    },
  );

  it("repeats an update that may have taken effect", async () => {
    const { targetId, instanceId } = await make(three, [
      { kind: "networks", on: "update", status: 503, effect: "after" },
      { kind: "networks", on: "update", status: 422 },
    ]);
    await run(tenant, instanceId, "deploy");
    await tenant.patch(`/instances/${instanceId}`, { variables: { size: "large" } });
    const failed = await run(tenant, instanceId, "deploy");
    expect(failed.body).toMatchObject({ state: "FAILED", error: { code: "scripted_fault" } });
    expect(await stateOf(instanceId)).toBe("DEGRADED");
    const next = await run(tenant, instanceId, "deploy");
    expect(next.body).toMatchObject({ state: "SUCCEEDED", summary: { update: 1 } });
    // The ledger records only updates that change something: the first took effect before it was rejected.
    expect(await count(targetId, "update")).toBe(1);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("NO_CHANGES");
  });

  it("creates an object again that was deleted outside the service, once the plan says so", async () => {
    const { targetId, instanceId } = await make(three, []);
    await run(tenant, instanceId, "deploy");
    const net = (await ledger(targetId)).find(({ kind }) => kind === "networks");
    const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId));
    await cloud.fetch(`https://mock.cloud.invalid/v1/networks/${net?.id}`, { method: "DELETE" });
    await tenant.patch(`/instances/${instanceId}`, { variables: { size: "large" } });
    const found = await run(tenant, instanceId, "deploy");
    expect(found.body).toMatchObject({
      state: "FAILED",
      summary: { create: 0, update: 1 },
      error: { code: "deleted_outside", resource: "net", fault: "user" },
    });
    expect(await count(targetId, "create")).toBe(3);
    const over = await run(tenant, instanceId, "deploy");
    expect(over.body, over.text).toMatchObject({ state: "SUCCEEDED", summary: { create: 1 } });
    expect(living(await ledger(targetId))).toEqual(all);
    expect(await messagesOf(tenant, over.body.id)).toContain(
      "net no longer exists at the provider: creating it again.",
    );
  });

  it("does not create an object again that one answer does not find", async () => {
    const { targetId, instanceId } = await make(three, [
      { kind: "networks", on: "update", status: 404 },
      { kind: "networks", on: "read", status: 404 },
    ]);
    await run(tenant, instanceId, "deploy");
    await tenant.patch(`/instances/${instanceId}`, { variables: { size: "large" } });
    const over = await run(tenant, instanceId, "deploy");
    expect(over.body, over.text).toMatchObject({ state: "SUCCEEDED", summary: { update: 1 } });
    expect(await count(targetId, "create")).toBe(3);
    expect(await messagesOf(tenant, over.body.id)).toContainEqual(
      expect.stringMatching(/^The provider shows net again/),
    );
  });

  it("keeps what a delete did not find until a second answer does not find it either", async () => {
    const { targetId, instanceId } = await make(three, [
      { kind: "networks", on: "delete", status: 404 },
    ]);
    await run(tenant, instanceId, "deploy");
    const over = await run(tenant, instanceId, "destroy");
    expect(over.body.state, over.text).toBe("SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual([]);
    expect(await messagesOf(tenant, over.body.id)).toContainEqual(
      expect.stringContaining("did not take the delete"),
    );
  });

  it("keeps an object that could not be deleted, with its dependencies, and deletes them in the next run", async () => {
    const { targetId, instanceId } = await make(three, [
      { kind: "servers", on: "delete", status: 403 },
      { kind: "buckets", on: "delete", status: 503, effect: "after" },
    ]);
    await run(tenant, instanceId, "deploy");
    const failed = await run(tenant, instanceId, "destroy");
    expect(failed.body).toMatchObject({ state: "FAILED", error: { resource: "app" } });
    expect(living(await ledger(targetId))).toEqual(["networks/net", "servers/app"]);
    expect(await resources(instanceId)).toEqual(["app READY", "net READY"]);
    expect(await stateOf(instanceId)).toBe("DESTROY_FAILED");
    const again = await run(tenant, instanceId, "destroy");
    expect(again.body.state).toBe("SUCCEEDED");
    expect(await resources(instanceId)).toEqual([]);
    expect(living(await ledger(targetId))).toEqual([]);
    expect(await stateOf(instanceId)).toBe("DESTROYED");
  });

  it("deletes what was replaced with each run, or leaves it once its resource says so", async () => {
    const of = (image: string, more = "") =>
      `${head}  app: { type: mock:Server, properties: { name: app, image: ${image} }${more} }\n`;
    const targetId = await makeTarget(tenant, {
      faults: [{ kind: "servers", on: "delete", status: 403, times: 3 }],
    });
    const one = await instanceOf(tenant, of("v1"), targetId);
    await one.deploy();
    await one.change(of("v2"));
    for (let tries = 1; tries <= 3; tries += 1)
      expect((await one.deploy()).body).toMatchObject({ state: "FAILED" });
    expect(living(await ledger(targetId))).toEqual(["servers/app", "servers/app"]);
    await one.change(of("v2", ", options: { retainOnDelete: true }"));
    const left = await one.deploy();
    expect(left.body).toMatchObject({ state: "SUCCEEDED", summary: { delete: 1 } });
    const { changes } = (await tenant.get(`/deployments/${left.body.id}/plan`)).body;
    expect(changes[1].reason).toContain("kept at the provider");
    expect(living(await ledger(targetId))).toEqual(["servers/app", "servers/app"]);
    expect((await one.deploy()).body.state).toBe("NO_CHANGES");
  });
});
