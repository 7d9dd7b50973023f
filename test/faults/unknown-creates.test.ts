/**
 * Creates of unknown outcome, at clouds that act on a request late, forget tokens or take none. In the end each object
 * exists once, and no run reports its own new object as a found one.
 */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { mockTypes } from "#providers/mock/types.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
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

const head = "name: unknown\nruntime: yaml\nresources:\n";
const net = `${head}  net: { type: mock:Network, properties: { name: net } }\n`;
/** The create ends after a second, and its object is lost. */
const brief = `${head}  net: { type: mock:Network, properties: { name: net }, options: { customTimeouts: { create: 1s } } }\n`;
const HOUR_MS = 3_600_000;
const lostCreate = { kind: "networks", on: "create", status: 0 };

let tenant: TestTenant;
beforeAll(async () => {
  tenant = await makeTenant();
});

const make = async (source: string, config: JsonMap) => {
  const targetId = await makeTarget(tenant, config);
  const templateId = await makeTemplate(tenant, source);
  const instanceId = await makeInstance(tenant, templateId, targetId);
  return { targetId, templateId, instanceId };
};
const changes = async (targetId: string): Promise<string[]> =>
  (await ledger(targetId)).map(({ verb }) => verb);
const resources = async (instanceId: string): Promise<string[]> =>
  (await runnerOf(instanceId).listResources()).map(({ name, state }) => `${name} ${state}`);
/** The journal of the instance's runs, with the times of the entries. */
const journal = async (instanceId: string) =>
  runInDurableObject(runnerOf(instanceId), (_, { storage }) =>
    storage.sql
      .exec<{ atMs: number; entry: string }>(
        "SELECT at_ms AS atMs, entry FROM journal ORDER BY deployment_id, seq",
      )
      .toArray()
      .map(({ atMs, entry }) => ({
        atMs,
        ...(JSON.parse(entry) as { kind: string; empty?: number }),
      })),
  );
/** Moves the clocks of the cloud and of the runner ahead. */
const later = async (targetId: string, instanceId: string, byMs: number): Promise<void> => {
  const now = () => Date.now() + byMs;
  await runInDurableObject(env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId)), (cloud) => {
    cloud.now = now;
  });
  await runInDurableObject(runnerOf(instanceId), (runner) => {
    runner.now = now;
  });
};
/** Runs with a runner whose clock is ahead. Its alarms come late, so the test wakes it. */
const runAhead = async (instanceId: string, operation: "deploy" | "destroy") => {
  const id = await start(tenant, instanceId, operation);
  await until("the run is over", async () => {
    await runnerOf(instanceId).wake();
    await scheduler.wait(20);
    const { state } = (await tenant.get(`/deployments/${id}`)).body;
    return ["SUCCEEDED", "FAILED", "NO_CHANGES"].includes(state);
  });
  return tenant.get(`/deployments/${id}`);
};

describe.concurrent("a create without a token whose answer was lost", () => {
  it("is not sent again while the first request can still take effect", async () => {
    const { targetId, instanceId } = await make(net, {
      tokens: "none",
      longestRequestMs: 3_000,
      faults: [{ ...lostCreate, lateMs: 1_500 }],
    });
    const over = await run(tenant, instanceId, "deploy");
    expect(over.body.state, over.text).toBe("SUCCEEDED");
    expect(await changes(targetId)).toEqual(["create"]);
    expect(await resources(instanceId)).toEqual(["net READY"]);
    expect((await messagesOf(tenant, over.body.id)).join("\n")).toContain(
      "Looking for an object that the last request may still create for net: none yet.",
    );
  });

  it("is sent again once the request is too old and two look-ups apart found nothing", async () => {
    const longestRequestMs = 2_500;
    const { targetId, instanceId } = await make(net, {
      tokens: "none",
      longestRequestMs,
      faults: [lostCreate],
    });
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    expect(await changes(targetId)).toEqual(["create"]);
    const entries = await journal(instanceId);
    const at = (kind: string) => entries.find((entry) => entry.kind === kind)?.atMs ?? 0;
    const looked = entries.filter(({ empty = 0 }) => empty > 0);
    expect(looked.map(({ empty }) => empty)).toEqual([1, 2]);
    const [first, second] = looked.map(({ atMs }) => atMs);
    expect((first ?? 0) - at("intent")).toBeGreaterThanOrEqual(longestRequestMs);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(longestRequestMs);
    expect(at("attempt")).toBeGreaterThanOrEqual(second ?? Number.POSITIVE_INFINITY);
  });

  it("is not sent again while lists may lack what it made", async () => {
    const { targetId, instanceId } = await make(net, {
      tokens: "none",
      longestRequestMs: 200,
      listLagMs: 3_000,
      faults: [{ ...lostCreate, effect: "after" }],
    });
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    expect(await changes(targetId)).toEqual(["create"]);
    expect(await resources(instanceId)).toEqual(["net READY"]);
  });

  it("waits again for a second request that was lost", async () => {
    const { targetId, instanceId } = await make(net, {
      tokens: "none",
      longestRequestMs: 500,
      faults: [lostCreate, { ...lostCreate, lateMs: 400 }],
    });
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    expect(await changes(targetId)).toEqual(["create"]);
  });

  it("is not sent a second time by a runner that died while the first took effect", async () => {
    const { targetId, instanceId } = await make(net, {
      tokens: "none",
      longestRequestMs: 400,
      faults: [{ kind: "networks", on: "create", status: 429 }],
    });
    const crash = { done: false };
    // The first attempt had no effect; the second has taken effect before its outcome is journaled.
    await runInDurableObject(runnerOf(instanceId), (runner, state) => {
      runner.crashPoint = async (when) => {
        if (crash.done || when !== "before" || (await changes(targetId)).length === 0) return;
        crash.done = true;
        state.abort("a crash that the test plans");
        await new Promise(() => undefined);
      };
    });
    const id = await start(tenant, instanceId);
    await until("the runner is killed", () => crash.done);
    await runnerOf(instanceId).wake();
    expect((await untilOver(tenant, id)).body.state).toBe("SUCCEEDED");
    expect(await changes(targetId)).toEqual(["create"]);
  });
});

describe.concurrent("a lost create", () => {
  /** Both attempts of the create are lost; `effect`: whether the first took effect. */
  const makeLost = async (config: JsonMap, effect: "before" | "after", ...more: JsonMap[]) => {
    const made = await make(brief, {
      longestRequestMs: 300,
      ...config,
      faults: [{ ...lostCreate, effect }, { ...lostCreate, times: 9 }, ...more],
    });
    expect((await run(tenant, made.instanceId, "deploy")).body.state).toBe("FAILED");
    expect(await resources(made.instanceId)).toEqual(["net LOST"]);
    expect(await changes(made.targetId)).toEqual(effect === "after" ? ["create"] : []);
    return made;
  };

  /** Replaces the scripted faults of the cloud. */
  const clear = async (targetId: string, ...faults: JsonMap[]) => {
    const { body } = await tenant.get(`/cloud/targets/${targetId}`);
    const config = { ...body.config, faults };
    const patched = await tenant.patch(`/cloud/targets/${targetId}`, { config });
    expect(patched.status, patched.text).toBe(200);
  };

  it("whose token the cloud has forgotten is found by its name, and not made a second time", async () => {
    const { targetId, instanceId } = await makeLost({ tokens: { lifeMs: 60_000 } }, "after");
    await later(targetId, instanceId, HOUR_MS);
    const over = await runAhead(instanceId, "destroy");
    expect(over.body.state, over.text).toBe("SUCCEEDED");
    expect(await changes(targetId)).toEqual(["create", "delete"]);
    expect(await messagesOf(tenant, over.body.id)).toContain("Found the lost object of net.");
    expect(await resources(instanceId)).toEqual([]);
  });

  it("that never took effect is not called found by making its object", async () => {
    const { targetId, instanceId } = await makeLost({ tokens: { lifeMs: 60_000 } }, "before");
    await later(targetId, instanceId, HOUR_MS);
    const over = await runAhead(instanceId, "destroy");
    expect(over.body.state, over.text).toBe("SUCCEEDED");
    expect(await changes(targetId)).toEqual([]);
    expect(await messagesOf(tenant, over.body.id)).toContain(
      "The lost object of net no longer exists.",
    );
  });

  it("is found with its token as long as the token counts", async () => {
    const { targetId, instanceId } = await makeLost({ tokens: { lifeMs: 600_000 } }, "after");
    // The faults would also lose the repetition.
    await clear(targetId);
    const over = await run(tenant, instanceId, "destroy");
    expect(over.body.state, over.text).toBe("SUCCEEDED");
    expect(await changes(targetId)).toEqual(["create", "delete"]);
    expect(await messagesOf(tenant, over.body.id)).toContain(
      "Repeating the create of net with its token, to learn the object's id.",
    );
  });

  it("is still waited for by the next run, if its request can still take effect", async () => {
    const { targetId, instanceId } = await make(brief, {
      tokens: "none",
      longestRequestMs: 3_000,
      faults: [{ ...lostCreate, lateMs: 2_500 }],
    });
    expect((await run(tenant, instanceId, "deploy")).body).toMatchObject({
      state: "FAILED",
      error: { code: "timed_out", resource: "net" },
    });
    expect(await resources(instanceId)).toEqual(["net LOST"]);
    expect((await run(tenant, instanceId, "destroy")).body.state).toBe("SUCCEEDED");
    expect(await changes(targetId)).toEqual(["create", "delete"]);
  });

  it("is looked for by the next deploy, and what it made late is kept", async () => {
    const { targetId, instanceId } = await make(brief, {
      tokens: "none",
      longestRequestMs: 2_500,
      faults: [{ ...lostCreate, lateMs: 2_000 }],
    });
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("FAILED");
    const { body } = await run(tenant, instanceId, "deploy");
    expect(body).toMatchObject({ state: "SUCCEEDED", summary: { create: 0, update: 1 } });
    expect(await changes(targetId)).toEqual(["create"]);
    expect(await resources(instanceId)).toEqual(["net READY"]);
    expect(await messagesOf(tenant, body.id)).toContain("Found the lost object of net.");
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("NO_CHANGES");
  });

  it("is created by the next deploy if it made nothing, also where it would be retained", async () => {
    const kept = brief.replace("options: {", "options: { retainOnDelete: true,");
    const { targetId, instanceId } = await make(kept, {
      tokens: "none",
      longestRequestMs: 2_500,
      faults: [lostCreate],
    });
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("FAILED");
    const { body } = await run(tenant, instanceId, "deploy");
    expect(body.state, JSON.stringify(body.error)).toBe("SUCCEEDED");
    expect(await changes(targetId)).toEqual(["create"]);
    expect(await messagesOf(tenant, body.id)).toContain(
      "The lost object of net does not exist: creating it.",
    );
  });

  it("whose looking took longer than its own time-out still has that time for the create", async () => {
    const { targetId, instanceId } = await make(brief, {
      tokens: "none",
      longestRequestMs: 2_500,
      faults: [lostCreate],
      readyAfterMs: 600,
    });
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("FAILED");
    const over = await run(tenant, instanceId, "deploy");
    expect(over.body.state, over.text).toBe("SUCCEEDED");
    expect(await changes(targetId)).toEqual(["create"]);
  });

  /** The lost object exists, and nobody can read it until the faults are gone. */
  const makeFindable = async (config: JsonMap) => {
    const unread = { kind: "networks", on: "read", times: 9, status: 503 };
    const made = await makeLost({ tokens: { lifeMs: 600_000 }, ...config }, "after", unread);
    await clear(made.targetId);
    const id = (await ledger(made.targetId))[0]?.id ?? "";
    const other = `  other: { type: mock:Network, properties: { name: net }, options: { import: ${id} } }\n`;
    return { ...made, id, other };
  };

  it.for([{}, { tokens: "none" }])(
    "is not the object that another resource imports, at a cloud with %o",
    async (config) => {
      const { targetId, templateId, instanceId, id, other } = await makeFindable(config);
      await addVersion(tenant, instanceId, templateId, brief + other);
      const both = await run(tenant, instanceId, "deploy");
      expect(both.body.state, both.text).toBe("SUCCEEDED");
      expect(await changes(targetId)).toEqual(["create", "create"]);
      const ids = (await runnerOf(instanceId).listResources()).map((one) => one.id);
      expect(new Set(ids).size).toBe(2);
      await addVersion(tenant, instanceId, templateId, head + other);
      const one = await run(tenant, instanceId, "deploy");
      expect(one.body.state, one.text).toBe("SUCCEEDED");
      const last = (await ledger(targetId)).at(-1);
      expect(last?.verb).toBe("delete");
      expect(last?.id).not.toBe(id);
    },
  );

  it.for([{}, { tokens: "none" }])(
    "that has left the template is not deleted if another resource imports its object, at a cloud with %o",
    async (config) => {
      const { targetId, templateId, instanceId, other } = await makeFindable(config);
      await addVersion(tenant, instanceId, templateId, head + other);
      const over = await run(tenant, instanceId, "deploy");
      expect(over.body.state, over.text).toBe("SUCCEEDED");
      expect(await changes(targetId)).toEqual(["create"]);
      expect(await resources(instanceId)).toEqual(["other READY"]);
    },
  );

  it.for([false, true])(
    "that the cloud refuses to repeat is given up when its template comes to say so, with other properties: %s",
    async (mended) => {
      const made = await makeLost({ tokens: { lifeMs: 600_000 } }, "before");
      const { targetId, templateId, instanceId } = made;
      await clear(targetId, { kind: "networks", name: "net", on: "create", status: 400 });
      const kept = brief.replace("options: {", "options: { retainOnDelete: true,");
      const next = mended ? kept.replace("name: net }", "name: mended }") : kept;
      await addVersion(tenant, instanceId, templateId, next);
      const over = await run(tenant, instanceId, "deploy");
      expect(over.body.state, over.text).toBe("SUCCEEDED");
      expect(await resources(instanceId)).toEqual(["net READY"]);
      expect(await changes(targetId)).toEqual(["create"]);
    },
  );

  it("keeps the objects that it may still use: its old dependencies", async () => {
    const net = (name: string) =>
      `  ${name}: { type: mock:Network, properties: { name: ${name} } }\n`;
    const app = (name: string) =>
      `  app: { type: mock:Server, properties: { name: app, network: "\${${name}.id}" }, options: { retainOnDelete: true, customTimeouts: { create: 1s } } }\n`;
    const lost = { kind: "servers", on: "create", status: 0 };
    const { targetId, templateId, instanceId } = await make(`${head}${net("one")}${app("one")}`, {
      longestRequestMs: 300,
      faults: [
        { ...lost, effect: "after" },
        { ...lost, times: 9 },
      ],
    });
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("FAILED");
    await clear(targetId, { kind: "servers", on: "update", status: 400 });
    await addVersion(tenant, instanceId, templateId, `${head}${net("two")}${app("two")}`);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("FAILED");
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    const calls = (await ledger(targetId)).map(({ verb, name }) => `${verb} ${name}`);
    expect(calls.slice(-2)).toEqual(["update app", "delete one"]);
  });

  it("that would be retained is found and changed, not forgotten and made again", async () => {
    const kept = brief.replace("options: {", "options: { retainOnDelete: true,");
    for (const config of [{ tokens: { lifeMs: 600_000 } }, { tokens: "none" }]) {
      const { targetId, templateId, instanceId } = await make(kept, {
        longestRequestMs: 300,
        ...config,
        faults: [
          { ...lostCreate, effect: "after" },
          { ...lostCreate, times: 9 },
          { kind: "networks", on: "read", times: 9, status: 503 },
        ],
      });
      expect((await run(tenant, instanceId, "deploy")).body.state).toBe("FAILED");
      expect(await resources(instanceId)).toEqual(["net LOST"]);
      await clear(targetId);
      const labelled = kept.replace("name: net }", "name: net, label: one }");
      await addVersion(tenant, instanceId, templateId, labelled);
      const over = await run(tenant, instanceId, "deploy");
      expect(over.body.state, over.text).toBe("SUCCEEDED");
      expect(await changes(targetId)).toEqual(["create", "update"]);
      expect(await resources(instanceId)).toEqual(["net READY"]);
    }
  });

  it("is replaced if other properties are wanted, and what it made late is deleted, not the replacement", async () => {
    const { targetId, templateId, instanceId } = await make(brief, {
      tokens: "none",
      longestRequestMs: 6_000,
      faults: [{ ...lostCreate, lateMs: 5_000 }],
    });
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("FAILED");
    const labelled = brief.replace("name: net }", "name: net, label: one }");
    await addVersion(tenant, instanceId, templateId, labelled);
    expect((await run(tenant, instanceId, "deploy")).body).toMatchObject({
      state: "SUCCEEDED",
      summary: { replace: 1 },
    });
    const entries = await ledger(targetId);
    expect(entries.map(({ verb }) => verb)).toEqual(["create", "create", "delete"]);
    expect(entries[2]?.id).toBe(entries[1]?.id);
    expect(await resources(instanceId)).toEqual(["net READY"]);
  });
});

describe("at a cloud that finds objects by their names alone", () => {
  const row: { create?: unknown } = mockTypes.rowOf("mock:Network") ?? {};
  const { create } = row;
  beforeAll(() => {
    delete row.create;
  });
  afterAll(() => {
    row.create = create;
  });

  it("a lost create is not taken for the object that has the template's name", async () => {
    const { targetId, templateId, instanceId } = await make(brief, {
      longestRequestMs: 200,
      faults: [{ ...lostCreate, effect: "after" }],
    });
    const failed = await run(tenant, instanceId, "deploy");
    expect(failed.body).toMatchObject({ state: "FAILED", error: { code: "cannot_tell" } });
    expect(failed.body.error.message).toMatch(/delete the object at the provider|set `import`/);
    const again = await run(tenant, instanceId, "destroy");
    expect(again.body).toMatchObject({ state: "FAILED", error: { code: "cannot_tell" } });
    expect(await resources(instanceId)).toEqual(["net LOST"]);
    expect(await changes(targetId)).toEqual(["create"]);
    // The object is forgotten, and stays at the provider, as the message says.
    const kept = brief.replace("options: {", "options: { retainOnDelete: true,");
    await addVersion(tenant, instanceId, templateId, kept);
    const last = await run(tenant, instanceId, "deploy");
    expect(last.body.state, last.text).toBe("SUCCEEDED");
    expect(await resources(instanceId)).toEqual(["net READY"]);
    expect(living(await ledger(targetId))).toEqual(["networks/net", "networks/net"]);
  });

  it("a lost create is over when its object is imported, as the message says", async () => {
    const { targetId, templateId, instanceId } = await make(brief, {
      longestRequestMs: 200,
      faults: [{ ...lostCreate, effect: "after" }],
    });
    const failed = await run(tenant, instanceId, "deploy");
    expect(failed.body.error.message).toContain("set `import` to its id");
    const id = (await ledger(targetId))[0]?.id ?? "";
    const imports = brief.replace("options: {", `options: { import: ${id},`);
    await addVersion(tenant, instanceId, templateId, imports);
    const over = await run(tenant, instanceId, "deploy");
    expect(over.body.state, over.text).toBe("SUCCEEDED");
    expect(await runnerOf(instanceId).listResources()).toMatchObject([{ id, state: "READY" }]);
    expect(await changes(targetId)).toEqual(["create"]);
  });

  it("a lost create that made nothing is not taken for its replacement of the same name", async () => {
    const { targetId, instanceId } = await make(brief, {
      longestRequestMs: 800,
      faults: [lostCreate],
    });
    expect((await run(tenant, instanceId, "deploy")).body).toMatchObject({
      state: "FAILED",
      error: { code: "timed_out" },
    });
    const over = await run(tenant, instanceId, "deploy");
    expect(over.body.state, over.text).toBe("SUCCEEDED");
    expect(await changes(targetId)).toEqual(["create"]);
    expect(await resources(instanceId)).toEqual(["net READY"]);
  });
});

describe("at a cloud that offers neither tokens nor a search", () => {
  const row: { find?: unknown } = mockTypes.rowOf("mock:Network") ?? {};
  const { find } = row;
  beforeAll(() => {
    delete row.find;
  });
  afterAll(() => {
    row.find = find;
  });

  it("a create without an answer ends with what to check, and its object stays in the state", async () => {
    const { targetId, instanceId } = await make(net, {
      tokens: "none",
      faults: [{ ...lostCreate, effect: "after" }],
    });
    const failed = await run(tenant, instanceId, "deploy");
    expect(failed.body).toMatchObject({ state: "FAILED", error: { code: "cannot_tell" } });
    expect(failed.body.error.message).toMatch(/Look for it at the provider.*retainOnDelete: true/);
    expect(await resources(instanceId)).toEqual(["net LOST"]);
    const again = await run(tenant, instanceId, "deploy");
    expect(again.body).toMatchObject({ state: "FAILED", error: { code: "cannot_tell" } });
    expect(await resources(instanceId)).toEqual(["net LOST"]);
    const destroyed = await run(tenant, instanceId, "destroy");
    expect(destroyed.body).toMatchObject({ state: "FAILED", error: { code: "cannot_tell" } });
    expect(await resources(instanceId)).toEqual(["net LOST"]);
    expect(await changes(targetId)).toEqual(["create"]);
  });
});
