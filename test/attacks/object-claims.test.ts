/** Attempts to take over cloud objects of another instance. A test is named after its attack. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { type Answer, makeUnlimitedTenant, operator, type TestTenant } from "#test/support/api.ts";
import { instanceOf, ledger, living, makeTarget, run, untilOver } from "#test/support/cloud.ts";
import { makeMember } from "#test/support/members.ts";
import { messagesOf, runnerOf, start, until, watchCommits } from "#test/support/runner.ts";

const bucket = (options = "") =>
  `name: claims\nruntime: yaml\nresources:\n  box: { type: mock:Bucket, properties: { name: box }${options} }\n`;
const importing = (id: string, options = "") => bucket(`, options: { import: ${id}${options} }`);
const empty = "name: claims\nruntime: yaml\nresources: {}\n";

describe.concurrent("an instance cannot take over what another manages", () => {
  let tenant: TestTenant;
  let other: TestTenant;
  beforeAll(async () => {
    [tenant, other] = await Promise.all([makeUnlimitedTenant(), makeUnlimitedTenant()]);
  });

  const make = async (who: TestTenant, targetId: string, source: string, more: JsonMap = {}) => {
    const made = await instanceOf(who, source, targetId, more);
    return { ...made, resources: async () => runnerOf(made.instanceId).listResources() };
  };
  const is = (answer: Answer, state: string): Answer => {
    expect(answer.body.state, JSON.stringify(answer.body.error)).toBe(state);
    return answer;
  };
  /** An instance with one object, and the object's id. */
  const owner = async (who: TestTenant, targetId: string, more: JsonMap = {}) => {
    const made = await make(who, targetId, bucket(), more);
    is(await made.deploy(), "SUCCEEDED");
    const [object] = await made.resources();
    return { ...made, id: object?.id ?? "" };
  };
  const gateOf = (targetId: string) => env.TARGET_GATE.get(env.TARGET_GATE.idFromName(targetId));
  const claimsAt = async (targetId: string): Promise<unknown[]> =>
    runInDurableObject(gateOf(targetId), (_, { storage }) =>
      storage.sql.exec("SELECT object_id AS id, instance_id AS of FROM claims").toArray(),
    );
  const verbs = async (targetId: string) =>
    (await ledger(targetId)).map(({ verb, name }) => `${verb} ${name}`);
  const outside = async (targetId: string): Promise<string> => {
    const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId));
    const made = await cloud.fetch("https://mock.cloud.invalid/v1/buckets", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "box" }),
    });
    return (await made.json<{ id: string }>()).id;
  };
  const refused = (answer: Answer): Answer => {
    is(answer, "FAILED");
    expect(answer.body.error.code).toBe("claimed");
    return answer;
  };

  it("by importing it, and then destroying it", async () => {
    const targetId = await makeTarget(tenant);
    const victim = await owner(tenant, targetId, { name: "victim" });
    const thief = await make(tenant, targetId, importing(victim.id));
    const { body } = refused(await thief.deploy());
    expect(body.error.message).toContain("The instance victim manages the object");
    expect(body.error.message).toContain("retainOnDelete");
    is(await thief.destroy(), "SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual(["buckets/box"]);
    expect(await claimsAt(targetId)).toEqual([{ id: victim.id, of: victim.instanceId }]);
    refused(await run(tenant, thief.instanceId, "plan"));
  });

  it("by emptying a protected instance from another instance", async () => {
    const targetId = await makeTarget(tenant);
    const victim = await owner(tenant, targetId, { protectedFromDestroy: true });
    const thief = await make(tenant, targetId, importing(victim.id));
    refused(await thief.deploy());
    await thief.change(empty);
    await thief.deploy();
    is(await thief.destroy(), "SUCCEEDED");
    expect(await verbs(targetId)).toEqual(["create box"]);
  });

  it("by emptying a protected instance with a template that has no resources", async () => {
    const targetId = await makeTarget(tenant);
    const victim = await owner(tenant, targetId, { protectedFromDestroy: true });
    await victim.change(empty);
    expect(is(await victim.deploy(), "FAILED").body.error.code).toBe("resource_protected");
    expect(await verbs(targetId)).toEqual(["create box"]);
  });

  it("of another tenant, on the platform's target, and learns nothing about it", async () => {
    const target = await operator.post("/cloud/targets", {
      provider: "mock",
      name: "shared",
      config: {},
      allowedRegions: ["local-1"],
      defaultRegion: "local-1",
    });
    expect(target.status, target.text).toBe(201);
    const targetId = target.body.id;
    const victim = await owner(tenant, targetId, { name: "secret-project" });
    const thief = await make(other, targetId, importing(victim.id));
    const answer = refused(await thief.deploy());
    // A guessed id must not show whether another tenant manages an object: as for one that nobody does.
    const unmanaged = await outside(targetId);
    const unknown = refused(await (await make(other, targetId, importing(unmanaged))).deploy());
    expect(answer.body.error.message).toContain("No instance of this tenant manages the object");
    expect(answer.body.error).toEqual({
      ...unknown.body.error,
      message: unknown.body.error.message.replace(unmanaged, victim.id),
    });
    const steps = async (of: Answer) =>
      (await messagesOf(other, of.body.id)).map((text) =>
        text.replace(/\bbkt-[\da-f-]{36}\b|\b\d+(\.\d+)? m?s\b/g, ""),
      );
    expect(await steps(answer)).toEqual(await steps(unknown));
    const told = [answer.text, ...(await messagesOf(other, answer.body.id))].join("\n");
    for (const secret of ["secret-project", victim.instanceId, tenant.tenantId, tenant.slug])
      expect(told).not.toContain(secret);
    expect(living(await ledger(targetId))).toEqual(["buckets/box", "buckets/box"]);
  });

  it("by importing it at the same moment", async () => {
    const targetId = await makeTarget(tenant, {}, { maxConcurrentDeployments: 5 });
    const id = await outside(targetId);
    const racers = await Promise.all(
      Array.from({ length: 4 }, () => make(tenant, targetId, importing(id))),
    );
    const ends = await Promise.all(racers.map(({ deploy }) => deploy()));
    const won = ends.flatMap(({ body }, at) => (body.state === "SUCCEEDED" ? [at] : []));
    expect(won).toHaveLength(1);
    for (const end of ends.filter((_, at) => at !== won[0])) refused(end);
    for (const [at, { resources }] of racers.entries())
      expect(await resources()).toHaveLength(at === won[0] ? 1 : 0);
  });

  it("with a plan from when it was still free", async () => {
    const targetId = await makeTarget(tenant);
    const id = await outside(targetId);
    const late = await make(tenant, targetId, importing(id), { approvalMode: "always" });
    const waiting = is(await late.deploy(), "AWAITING_APPROVAL");
    const first = await make(tenant, targetId, importing(id));
    is(await first.deploy(), "SUCCEEDED");
    const approver = await makeMember(tenant.tenantId, "CustomerAdmin");
    const approved = await approver.post(`/deployments/${waiting.body.id}/approve`);
    expect(approved.status, approved.text).toBe(202);
    await until("the run ends", async () => {
      const { body } = await tenant.get(`/deployments/${waiting.body.id}`);
      return body.state === "FAILED";
    });
    refused(await tenant.get(`/deployments/${waiting.body.id}`));
    expect(await late.resources()).toEqual([]);
    const log = await messagesOf(tenant, waiting.body.id);
    expect(log.filter((line) => line.startsWith("Reading"))).toEqual([
      expect.stringContaining("(claimed)"),
    ]);
  });

  it("by claiming a new object before its creator has heard of it", async () => {
    const targetId = await makeTarget(tenant, {
      // Three times, so that the creator tries for seconds to hear of it.
      faults: [{ kind: "buckets", on: "create", status: 0, effect: "after", times: 3 }],
    });
    const thief = await make(tenant, targetId, empty);
    const creator = await make(tenant, targetId, bucket());
    const deployment = await start(tenant, creator.instanceId);
    await until("the object exists", async () => (await ledger(targetId)).length > 0);
    const [made] = await ledger(targetId);
    await gateOf(targetId).claim(
      { instanceId: thief.instanceId, tenantId: tenant.tenantId },
      [{ type: "mock:Bucket", id: made?.id ?? "" }],
      { only: false },
    );
    refused(await untilOver(tenant, deployment));
    expect(await creator.resources()).toEqual([]);
    is(await creator.destroy(), "SUCCEEDED");
    expect(await verbs(targetId)).toEqual(["create box"]);
  });

  it("by destroying an object that another instance imported after its claim was lost", async () => {
    const targetId = await makeTarget(tenant);
    const first = await owner(tenant, targetId);
    const second = await make(tenant, targetId, importing(first.id));
    // The first has no claim, so the second imports.
    await gateOf(targetId).releaseClaims(first.instanceId);
    is(await second.deploy(), "SUCCEEDED");
    const { body } = refused(await first.destroy());
    expect(body.error.message).toContain("The plan changes or deletes box.");
    await first.change(bucket(", options: { retainOnDelete: true }"));
    is(await first.deploy(), "NO_CHANGES");
    is(await first.destroy(), "SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual(["buckets/box"]);
    expect(await claimsAt(targetId)).toEqual([{ id: first.id, of: second.instanceId }]);
  });

  describe("but gets it", () => {
    it("after an explicit release, with retainOnDelete", async () => {
      const targetId = await makeTarget(tenant);
      const first = await owner(tenant, targetId);
      const second = await make(tenant, targetId, importing(first.id));
      refused(await second.deploy());
      await first.change(bucket(", options: { retainOnDelete: true }"));
      is(await first.deploy(), "NO_CHANGES");
      refused(await second.deploy());
      await first.change(empty);
      is(await first.deploy(), "SUCCEEDED");
      expect(await claimsAt(targetId)).toEqual([]);
      is(await second.deploy(), "SUCCEEDED");
      expect(await claimsAt(targetId)).toEqual([{ id: first.id, of: second.instanceId }]);
    });

    it("after a rename within the instance, by retaining and importing in one deployment", async () => {
      const targetId = await makeTarget(tenant);
      const first = await owner(tenant, targetId);
      await first.change(bucket(", options: { retainOnDelete: true }"));
      is(await first.deploy(), "NO_CHANGES");
      await first.change(importing(first.id).replace("box: {", "renamed: {"));
      is(await first.deploy(), "SUCCEEDED");
      expect(await claimsAt(targetId)).toEqual([{ id: first.id, of: first.instanceId }]);
    });

    it("if the other's import failed, or its object was deleted", async () => {
      const targetId = await makeTarget(tenant);
      const id = await outside(targetId);
      const clumsy = await make(tenant, targetId, importing(id).replace("name: box", "name: x"));
      expect(is(await clumsy.deploy(), "FAILED").body.error.code).toBe("import_mismatch");
      expect(await claimsAt(targetId)).toEqual([]);
      const second = await make(tenant, targetId, importing(id));
      is(await second.deploy(), "SUCCEEDED");
      is(await second.destroy(), "SUCCEEDED");
      expect(await claimsAt(targetId)).toEqual([]);
    });

    it("if the other was deleted, even if the gate was not notified", async () => {
      const targetId = await makeTarget(tenant);
      const id = await outside(targetId);
      const gone = await make(tenant, targetId, empty);
      const claim = async () =>
        gateOf(targetId).claim(
          { instanceId: gone.instanceId, tenantId: tenant.tenantId },
          [{ type: "mock:Bucket", id }],
          { only: false },
        );
      await claim();
      const second = await make(tenant, targetId, importing(id));
      refused(await second.deploy());
      expect((await tenant.delete(`/instances/${gone.instanceId}`)).status).toBe(204);
      await until("the claim ends", async () => (await claimsAt(targetId)).length === 0);
      await claim();
      is(await second.deploy(), "SUCCEEDED");
      expect(await claimsAt(targetId)).toEqual([{ id, of: second.instanceId }]);
    });

    it("itself, however often it dies between the claim and the next write", async () => {
      const targetId = await makeTarget(tenant, {}, { maxConcurrentDeployments: 5 });
      const count = await make(tenant, targetId, importing(await outside(targetId)));
      const seen = await watchCommits(count.instanceId);
      is(await count.deploy(), "SUCCEEDED");
      expect(seen.commits).toBeGreaterThanOrEqual(6);
      for (let commit = 1; commit <= seen.commits; commit += 1) {
        const id = await outside(targetId);
        const mine = await make(tenant, targetId, importing(id));
        const crash = await watchCommits(mine.instanceId, { when: "before", commit });
        const deployment = await start(tenant, mine.instanceId);
        await until("it dies", () => crash.crashed);
        const claims = await claimsAt(targetId);
        const resources = await mine.resources();
        const thief = await make(tenant, targetId, importing(id));
        // Before the claim the object is free; from then on it is this instance's, also while its runner is dead.
        if (claims.some((one) => (one as { id: string }).id === id)) refused(await thief.deploy());
        else expect(resources).toEqual([]);
        await runnerOf(mine.instanceId).wake();
        is(await untilOver(tenant, deployment), "SUCCEEDED");
        expect(await claimsAt(targetId)).toContainEqual({ id, of: mine.instanceId });
      }
    });
  });
});
