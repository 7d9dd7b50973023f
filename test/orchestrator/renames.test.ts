/** Resources with new names: the cloud is not called, and the order of steps follows the objects. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, makeUnlimitedTenant, type TestTenant } from "#test/support/api.ts";
import {
  addVersion,
  ledger,
  living,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
  untilOver,
  untilState,
} from "#test/support/cloud.ts";
import { messagesOf, runnerOf, until, watchCommits } from "#test/support/runner.ts";

const templateOf = (...resources: string[]) =>
  `name: renames\nruntime: yaml\nresources:\n${resources.join("")}`;

describe.concurrent("a rename", () => {
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await makeUnlimitedTenant();
  });

  const make = async (source: string, config = {}) => {
    const targetId = await makeTarget(tenant, config);
    const templateId = await makeTemplate(tenant, source);
    const instanceId = await makeInstance(tenant, templateId, targetId);
    const start = (operation: "deploy" | "plan") => async (next?: string) => {
      if (next !== undefined) await addVersion(tenant, instanceId, templateId, next);
      return run(tenant, instanceId, operation);
    };
    return { targetId, instanceId, deploy: start("deploy"), planOf: start("plan") };
  };
  const ended = (answer: Answer, state: string): Answer => {
    expect(answer.body.state, JSON.stringify(answer.body.error)).toBe(state);
    return answer;
  };
  const verbs = async (targetId: string, from = 0): Promise<string[]> =>
    (await ledger(targetId)).slice(from).map(({ verb, name }) => `${verb} ${name}`);
  const plan = async ({ body }: Answer) =>
    (await tenant.get(`/deployments/${body.id}/plan`)).body.changes.map(
      ({ resource, action, movedFrom }: { [key: string]: string }) => [resource, action, movedFrom],
    );

  const bucket = (key: string, name: string, aliases = "", more = "") =>
    `  ${key}: { type: mock:Bucket, properties: { name: ${name} }, options: { aliases: [${aliases}]${more} } }\n`;
  const record = (name: string, target: string) =>
    `  ${name}: { type: mock:Record, properties: { name: ${name}, target: "\${${target}.id}" } }\n`;

  it("swaps two resources without a call, once, and the plan says from where they moved", async () => {
    const { targetId, instanceId, deploy } = await make(
      templateOf(bucket("a", "first"), bucket("b", "second"), record("rec", "a")),
    );
    ended(await deploy(), "SUCCEEDED");
    const before = await verbs(targetId);
    const swapped = templateOf(
      bucket("a", "second", "b"),
      bucket("b", "first", "a"),
      record("rec", "b"),
    );
    const first = ended(await deploy(swapped), "NO_CHANGES");
    expect(await plan(first)).toEqual([
      ["a", "unchanged", "b"],
      ["b", "unchanged", "a"],
      ["rec", "unchanged", undefined],
    ]);
    expect(await messagesOf(tenant, first.body.id)).toContain("Renamed b to a, a to b.");
    expect(await plan(ended(await deploy(), "NO_CHANGES"))).toEqual([
      ["a", "unchanged", undefined],
      ["b", "unchanged", undefined],
      ["rec", "unchanged", undefined],
    ]);
    expect(await verbs(targetId)).toEqual(before);
    // Dependents of an object are deleted before it, whatever its name is now.
    const named = await runnerOf(instanceId).listResources();
    expect(named.map(({ name, dependsOn }) => [name, dependsOn])).toContainEqual(["rec", ["b"]]);
    ended(await run(tenant, instanceId, "destroy"), "SUCCEEDED");
    const deletes = (await verbs(targetId)).slice(before.length);
    expect(deletes.indexOf("delete rec")).toBeLessThan(deletes.indexOf("delete first"));
    expect(deletes).toHaveLength(3);
  });

  it("is none as long as its plan is refused, or waits, or is discarded", async () => {
    const kept = bucket("kept", "kept", "", ", protect: true");
    const dropped = record("dropped", "kept");
    const old = templateOf(bucket("a", "first"), bucket("b", "second"), kept, dropped);
    const { targetId, instanceId, deploy } = await make(old);
    ended(await deploy(), "SUCCEEDED");
    const before = await verbs(targetId);
    const swapped = (...more: string[]) =>
      templateOf(bucket("a", "second", "b"), bucket("b", "first", "a"), ...more);
    const names = async () =>
      (await runnerOf(instanceId).listResources()).map(({ name, id }) => [name, id] as const);
    const named = await names();

    const refused = ended(await deploy(swapped()), "FAILED");
    expect(refused.body.error.code).toBe("resource_protected");
    expect(await names()).toEqual(named);
    ended(await deploy(old), "NO_CHANGES");

    await tenant.patch(`/instances/${instanceId}`, { approvalMode: "destructive" });
    const changed = swapped(kept, record("added", "kept"));
    const discarded = ended(await deploy(changed), "AWAITING_APPROVAL");
    expect(await plan(discarded)).toContainEqual(["a", "unchanged", "b"]);
    expect((await tenant.post(`/deployments/${discarded.body.id}/discard`, {})).status).toBe(200);
    expect(await names()).toEqual(named);
    ended(await deploy(old), "NO_CHANGES");
    expect(await verbs(targetId)).toEqual(before);

    const approved = ended(await deploy(changed), "AWAITING_APPROVAL");
    expect((await tenant.post(`/deployments/${approved.body.id}/approve`)).status).toBe(202);
    await untilState(tenant, approved.body.id, (state) => state === "SUCCEEDED");
    expect(await messagesOf(tenant, approved.body.id)).toContain("Renamed b to a, a to b.");
    const calls = await verbs(targetId, before.length);
    expect(calls.toSorted()).toEqual(["create added", "delete dropped"]);
    const [was, is] = [new Map(named), new Map(await names())];
    expect([is.get("a"), is.get("b"), is.get("kept")]).toEqual([
      was.get("b"),
      was.get("a"),
      was.get("kept"),
    ]);
  });

  it("does not swap resources that were created with their aliases", async () => {
    const crossed = templateOf(bucket("a", "first", "b"), bucket("b", "second", "a"));
    const { targetId, deploy } = await make(crossed);
    ended(await deploy(), "SUCCEEDED");
    ended(await deploy(), "NO_CHANGES");
    ended(await deploy(templateOf(bucket("a", "first"), bucket("b", "other"))), "SUCCEEDED");
    ended(await deploy(crossed), "SUCCEEDED");
    expect((await verbs(targetId)).toSorted()).toEqual([
      "create first",
      "create second",
      "update other",
      "update second",
    ]);
  });

  it("does not swap them either after a deployment that created only one", async () => {
    const { targetId, instanceId, deploy } = await make(
      templateOf(
        bucket("a", "first", "b"),
        bucket("b", "second", "", ', dependsOn: ["${gate}"]'),
        "  gate: { type: mock:Record, properties: { name: gate } }\n",
      ),
      { faults: [{ kind: "buckets", name: "first", on: "create", times: 1, status: 400 }] },
    );
    ended(await deploy(), "FAILED");
    ended(await deploy(), "SUCCEEDED");
    expect((await runnerOf(instanceId).listResources()).map(({ name }) => name).toSorted()).toEqual(
      ["a", "b", "gate"],
    );
    expect((await verbs(targetId)).filter((one) => one.includes("second"))).toEqual([
      "create second",
    ]);
  });

  it("moves a chain on by one, and a rollback moves it back", async () => {
    const { targetId, instanceId, deploy } = await make(
      templateOf(bucket("a", "first"), bucket("b", "second")),
    );
    ended(await deploy(), "SUCCEEDED");
    const moved = templateOf(
      bucket("b", "first", "a"),
      bucket("c", "second", "b"),
      bucket("d", "third"),
    );
    const next = ended(await deploy(moved), "SUCCEEDED");
    expect(await plan(next)).toEqual([
      ["b", "unchanged", "a"],
      ["c", "unchanged", "b"],
      ["d", "create", undefined],
    ]);
    const back = await tenant.post(`/deployments/${next.body.id}/rollback`);
    expect(back.status, back.text).toBe(202);
    ended(await untilOver(tenant, back.body.id), "SUCCEEDED");
    expect((await runnerOf(instanceId).listResources()).map(({ name }) => name)).toEqual([
      "a",
      "b",
    ]);
    expect(await verbs(targetId)).toEqual([
      "create first",
      "create second",
      "create third",
      "delete third",
    ]);
  });

  it("keeps the order of deletes for what a replacement left behind", async () => {
    const database = (key: string, engine: string, aliases = "") =>
      `  ${key}: { type: mock:Database, properties: { name: db-${engine}, engine: ${engine} }, options: { aliases: [${aliases}] } }\n`;
    const server = (key: string, of: string, image: string, aliases = "") =>
      `  ${key}: { type: mock:Server, properties: { name: app-${image}, image: ${image}, network: "\${${of}.id}" }, options: { aliases: [${aliases}] } }\n`;
    const { targetId, deploy } = await make(
      templateOf(database("db", "pg"), server("app", "db", "one")),
      // The old objects stay behind: the deletes of the deployment that replaces them fail.
      {
        faults: [{ kind: "servers", name: "app-one", on: "delete", times: 1, status: 400 }],
      },
    );
    ended(await deploy(), "SUCCEEDED");
    ended(await deploy(templateOf(database("db", "mysql"), server("app", "db", "two"))), "FAILED");
    expect(living(await ledger(targetId))).toEqual([
      "databases/db-mysql",
      "databases/db-pg",
      "servers/app-one",
      "servers/app-two",
    ]);
    const from = (await ledger(targetId)).length;
    const renamed = templateOf(
      database("store", "mysql", "db"),
      server("web", "store", "two", "app"),
    );
    const next = ended(await deploy(renamed), "SUCCEEDED");
    expect((await plan(next)).slice(2)).toEqual([
      ["store", "delete", undefined],
      ["web", "delete", undefined],
    ]);
    expect(await verbs(targetId, from)).toEqual(["delete app-one", "delete db-pg"]);
  });

  it("is still to come after a drift check with a version that was not deployed", async () => {
    const { targetId, instanceId, deploy } = await make(templateOf(bucket("net", "first")));
    ended(await deploy(), "SUCCEEDED");
    const [made] = await runnerOf(instanceId).listResources();
    const { templateId } = (await tenant.get(`/instances/${instanceId}`)).body;
    const reused = templateOf(bucket("network", "first", "net"), bucket("net", "second"));
    await addVersion(tenant, instanceId, templateId, reused);
    const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId));
    await cloud.fetch(`https://mock.cloud.invalid/v1/buckets/${made?.id}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "drifted" }),
    });
    const checked = await tenant.post(`/instances/${instanceId}/check-drift`);
    ended(await untilOver(tenant, checked.body.id), "SUCCEEDED");
    ended(await deploy(), "SUCCEEDED");
    const ids = new Map(
      (await runnerOf(instanceId).listResources()).map(({ name, id }) => [name, id]),
    );
    expect(ids.get("network")).toBe(made?.id);
    expect(ids.size).toBe(2);
  });

  it("is shown by the plan after a crash at any commit", async () => {
    const { targetId, instanceId, deploy } = await make(templateOf(bucket("n0", "first")));
    ended(await deploy(), "SUCCEEDED");
    for (const commit of [1, 2, 3, 4]) {
      const [old, now] = [`n${commit - 1}`, `n${commit}`];
      const crash = await watchCommits(instanceId, { when: "after", commit });
      const over = deploy(templateOf(bucket(now, "first", old)));
      await until(`the runner is killed after commit ${commit}`, () => crash.crashed);
      await runnerOf(instanceId).wake();
      expect(await plan(ended(await over, "NO_CHANGES"))).toEqual([[now, "unchanged", old]]);
    }
    expect(await verbs(targetId)).toEqual(["create first"]);
  });

  const db = (key: string, name: string, more = "") =>
    `  ${key}: { type: mock:Database, properties: { name: ${name}, engine: pg${more} } }\n`;
  const idsOf = async (instanceId: string) =>
    (await runnerOf(instanceId).listResources()).map(({ name, id }) => [name, id] as const);

  it("is found without an alias, by the object's name, and survives a crash at any commit", async () => {
    const { targetId, instanceId, deploy, planOf } = await make(templateOf(db("n0", "data")));
    ended(await deploy(), "SUCCEEDED");
    const [[, id] = []] = await idsOf(instanceId);
    const planned = ended(await planOf(templateOf(db("n1", "data", ", size: big"))), "SUCCEEDED");
    expect(await plan(planned)).toEqual([["n1", "update", "n0"]]);
    expect(await idsOf(instanceId)).toEqual([["n0", id]]);
    for (const commit of [1, 2, 3, 4, 5, 6]) {
      const [old, now] = [`n${commit - 1}`, `n${commit}`];
      const crash = await watchCommits(instanceId, { when: "after", commit });
      const over = deploy(templateOf(db(now, "data", `, size: s${commit}`)));
      await until(`the runner is killed after commit ${commit}`, () => crash.crashed);
      await runnerOf(instanceId).wake();
      expect(await plan(ended(await over, "SUCCEEDED"))).toEqual([[now, "update", old]]);
      expect(await idsOf(instanceId)).toEqual([[now, id]]);
    }
    const calls = await verbs(targetId);
    expect(new Set(calls)).toEqual(new Set(["create data", "update data"]));
    // The version before it goes back to the former name.
    ended(await deploy(templateOf(db("n0", "data"))), "SUCCEEDED");
    expect(await idsOf(instanceId)).toEqual([["n0", id]]);
  });

  it("that cannot be kept is a new object, and the old one stays if its create fails", async () => {
    const { targetId, instanceId, deploy } = await make(templateOf(db("old", "data")), {
      faults: [{ kind: "databases", name: "data-2", on: "create", times: 1, status: 400 }],
    });
    ended(await deploy(), "SUCCEEDED");
    const next = templateOf(db("new", "data-2"), record("at", "new"));
    const failed = ended(await deploy(next), "FAILED");
    expect(await messagesOf(tenant, failed.body.id)).toContain(
      "Did not delete old: after a failed create or update nothing is deleted that left the template.",
    );
    expect(living(await ledger(targetId))).toEqual(["databases/data"]);
    ended(await deploy(), "SUCCEEDED");
    expect((await verbs(targetId)).at(-1)).toBe("delete data");
    expect((await idsOf(instanceId)).map(([name]) => name).toSorted()).toEqual(["at", "new"]);
  });

  it("that is approved later is the one that was planned", async () => {
    const { instanceId, deploy } = await make(templateOf(db("old", "data"), db("gone", "gone")));
    ended(await deploy(), "SUCCEEDED");
    const id = new Map(await idsOf(instanceId)).get("old");
    await tenant.patch(`/instances/${instanceId}`, { approvalMode: "destructive" });
    const waiting = ended(
      await deploy(templateOf(db("new", "data"), db("other", "more"))),
      "AWAITING_APPROVAL",
    );
    expect(await plan(waiting)).toContainEqual(["new", "unchanged", "old"]);
    expect(await idsOf(instanceId)).toContainEqual(["old", id]);
    const crash = await watchCommits(instanceId, { when: "after", commit: 1 });
    expect((await tenant.post(`/deployments/${waiting.body.id}/approve`)).status).toBe(202);
    await until("the runner is killed", () => crash.crashed);
    await runnerOf(instanceId).wake();
    await untilState(tenant, waiting.body.id, (state) => state === "SUCCEEDED");
    expect(await idsOf(instanceId)).toContainEqual(["new", id]);
  });

  it("is refused when it can be read in two ways, by a plan as by a deploy, and nothing changes", async () => {
    const { targetId, instanceId, deploy, planOf } = await make(
      templateOf(bucket("a", "first"), bucket("b", "second")),
    );
    ended(await deploy(), "SUCCEEDED");
    const merged = templateOf(bucket("c", "first", "a, b"));
    const refused = ended(await deploy(merged), "FAILED");
    const planned = ended(await planOf(), "FAILED");
    for (const { body } of [refused, planned])
      expect(body.error).toMatchObject({
        code: "ambiguous_alias",
        fault: "user",
        message: expect.stringContaining("c is to have both the object a and the object b"),
      });
    expect((await runnerOf(instanceId).listResources()).map(({ name }) => name)).toEqual([
      "a",
      "b",
    ]);
    expect(living(await ledger(targetId))).toEqual(["buckets/first", "buckets/second"]);
    // A destroy needs no names.
    ended(await run(tenant, instanceId, "destroy"), "SUCCEEDED");
    const { templateId } = (await tenant.get(`/instances/${instanceId}`)).body;
    const twice = templateOf(bucket("c", "first", "a"), bucket("d", "second", "a"));
    const added = await tenant.post(`/templates/${templateId}/versions`, { source: twice });
    expect(added.status).toBe(400);
    expect(added.text).toContain("ambiguous_alias");
  });
});
