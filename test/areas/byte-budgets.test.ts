/** What a tenant stores is counted by the database, and bounded by its budgets. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sweepKeptDeployments } from "#kernel/limits/kept-deployments.ts";
import { byteBudgets, byteTriggers } from "#schema/lists/byte-budgets.ts";
import { roundTripsOf } from "#test/support/answers.ts";
import { type Answer, makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, untilOver } from "#test/support/cloud.ts";

const source = "name: notes\nruntime: yaml\nconfig:\n  note: { type: string, default: none }\n";
const DAY_MS = 24 * 60 * 60 * 1000;

async function limit({ tenantId }: TestTenant, limits: object): Promise<void> {
  expect((await operator.patch(`/tenants/${tenantId}`, { limits })).status).toBe(200);
}

async function usedOf({ get, tenantId }: TestTenant, name: string): Promise<number> {
  return (await get(`/tenants/${tenantId}/usage`)).body[name].used;
}

/** The bytes of the counted columns, by looking at every row. */
async function storedBy(budget: keyof typeof byteBudgets, tenantId: string): Promise<number> {
  const tables = Object.entries<readonly string[]>(byteBudgets[budget]);
  const sums = tables.map(
    ([table, columns]) =>
      `coalesce((SELECT sum(${columns.map((name) => `coalesce(octet_length(${name}), 0)`).join(" + ")}) FROM ${table} WHERE tenant_id = ?1), 0)`,
  );
  const row = await env.DB.prepare(`SELECT ${sums.join(" + ")} AS n`)
    .bind(tenantId)
    .first<{ n: number }>();
  return row?.n ?? -1;
}

async function deployed(mine: TestTenant, id: string, verb = "deploy"): Promise<Answer> {
  const begun = await mine.post(`/instances/${id}/${verb}`);
  expect(begun.status, begun.text).toBe(202);
  await untilOver(mine, begun.body.id);
  return begun;
}

async function makeNotes(mine: TestTenant): Promise<string> {
  const [targetId, templateId] = [await makeTarget(mine), await makeTemplate(mine, source)];
  return makeInstance(mine, templateId, targetId, { variables: { note: "n".repeat(20_000) } });
}

it("the database has the triggers that count, as they are declared", async () => {
  const { results } = await env.DB.prepare(
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE '%\\_bytes\\_%' ESCAPE '\\'",
  ).all<{ name: string; sql: string }>();
  expect(Object.fromEntries(results.map(({ name, sql }) => [name, sql]))).toEqual(byteTriggers());
});

describe("the bytes of a tenant", () => {
  it("are what its rows have, after creates, changes, runs and deletes", async () => {
    const mine = await makeTenant();
    const id = await makeNotes(mine);
    await deployed(mine, id);
    await deployed(mine, id, "plan");
    await mine.patch(`/instances/${id}`, { variables: { note: "short" } });
    const imported = await mine.post("/imports", { files: [{ path: "a.txt", content: "x" }] });
    for (const budget of ["definitionBytes", "deploymentBytes", "importBytes"] as const) {
      const used = await usedOf(mine, budget);
      expect(used, budget).toBeGreaterThan(0);
      expect(used, budget).toBe(await storedBy(budget, mine.tenantId));
    }
    await mine.delete(`/imports/${imported.body.id}`);
    expect(await usedOf(mine, "importBytes")).toBe(0);
  });

  it("stop what adds to them at the budget, and nothing else", async () => {
    const mine = await makeTenant();
    const id = await makeNotes(mine);
    await deployed(mine, id);
    const imported = await mine.post("/imports", {});
    await limit(mine, { definitionBytes: 1, deploymentBytes: 0, importBytes: 1 });
    const refused = [
      await mine.post("/templates", { name: "more", source }),
      await mine.patch(`/instances/${id}`, { variables: { note: "n".repeat(30_000) } }),
      await mine.post(`/instances/${id}/deploy`),
      await mine.post("/imports", {}),
    ];
    for (const answer of refused) {
      expect([answer.status, answer.body.code], answer.text).toEqual([403, "quota_exceeded"]);
      expect(answer.body.detail).toMatch(/`\w+Bytes` is reached \(\d+ of [01] used\)\. Delete/);
      expect(roundTripsOf(answer)).toBeLessThanOrEqual(2);
    }
    const smaller = await mine.patch(`/instances/${id}`, { variables: { note: "short" } });
    expect(smaller.status, smaller.text).toBe(200);
    await deployed(mine, id, "destroy");
    expect((await mine.delete(`/imports/${imported.body.id}`)).status).toBe(204);
    expect((await mine.post("/imports", {})).status).toBe(201);
  });
});

describe("what is said about a deployment", () => {
  const said = { message: "ü".repeat(1_000), labels: { team: "web" } };

  it("counts, as it is kept for ever", async () => {
    const mine = await makeTenant();
    const id = await makeNotes(mine);
    const before = await usedOf(mine, "deploymentBytes");
    for (const verb of ["plan", "destroy"]) {
      const begun = await mine.post(`/instances/${id}/${verb}`, said);
      expect(begun.status, begun.text).toBe(202);
      await untilOver(mine, begun.body.id);
    }
    expect(await usedOf(mine, "deploymentBytes")).toBeGreaterThan(before + 4_000);
  });

  it("is refused beyond the budget for a destroy too, and so is a destroy of nothing", async () => {
    const mine = await makeTenant();
    const [id, empty] = [await makeNotes(mine), await makeNotes(mine)];
    await deployed(mine, id);
    await limit(mine, { deploymentBytes: 1 });
    for (const refused of [
      await mine.post(`/instances/${id}/destroy`, said),
      await mine.post(`/instances/${id}/destroy`, { labels: said.labels }),
      await mine.post(`/instances/${empty}/destroy`),
    ])
      expect([refused.status, refused.body.code], refused.text).toEqual([403, "quota_exceeded"]);
    await deployed(mine, id, "destroy");
    const again = await mine.post(`/instances/${id}/destroy`);
    expect([again.status, again.body.code], again.text).toEqual([403, "quota_exceeded"]);
  });
});

describe("the plan and the variables of a deployment", () => {
  const kept = async (ids: readonly string[]) => {
    const { results } = await env.DB.prepare(
      `SELECT d.id, d.inputs ->> '$.variables.note' AS note,
          EXISTS (SELECT 1 FROM deployment_plans p WHERE p.tenant_id = d.tenant_id AND p.deployment_id = d.id) AS plan
        FROM deployments d WHERE d.id IN (SELECT value FROM json_each(?))`,
    )
      .bind(JSON.stringify(ids))
      .all<{ id: string; note: string | null; plan: number }>();
    const found = new Map(results.map(({ id, note, plan }) => [id, note !== null && plan === 1]));
    return ids.map((id) => found.get(id));
  };

  /** Copies of an ended deployment and its plan, older than it and in order; returns their ids, oldest first. */
  async function older(id: string, state: string, count: number, atMs: number): Promise<string[]> {
    const hex = atMs.toString(16).padStart(12, "0");
    const ids = Array.from(
      { length: count },
      (_, at) =>
        `${hex.slice(0, 8)}-${hex.slice(8)}-7${String(at).padStart(3, "0")}-8000-${crypto.randomUUID().slice(24)}`,
    );
    const { results } = await env.DB.prepare(
      "SELECT name FROM pragma_table_info('deployments')",
    ).all<{ name: string }>();
    const names = results.map(({ name }) => name);
    const columns = names.map((name) =>
      name === "id" ? "n.value" : name === "state" ? "?3" : `d.${name}`,
    );
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO deployments (${names.join(", ")}) SELECT ${columns.join(", ")}
          FROM deployments d, json_each(?2) n WHERE d.id = ?1`,
      ).bind(id, JSON.stringify(ids), state),
      env.DB.prepare(
        `INSERT INTO deployment_plans SELECT p.tenant_id, n.value, p.changes
          FROM deployment_plans p, json_each(?2) n WHERE p.deployment_id = ?1`,
      ).bind(id, JSON.stringify(ids)),
    ]);
    return ids;
  }

  it("are kept of the newest fifty and of the last two that succeeded; a rollback finds them", async () => {
    const mine = await makeTenant();
    const id = await makeNotes(mine);
    const first = (await deployed(mine, id)).body.id;
    const nowMs = Date.now();
    const good = await older(first, "SUCCEEDED", 4, nowMs - 2 * DAY_MS);
    const failed = await older(first, "FAILED", 60, nowMs - DAY_MS);
    await env.DB.prepare("UPDATE deployments SET state = 'FAILED' WHERE id = ?").bind(first).run();
    for (let at = 0; at < 4; at += 1) await deployed(mine, id, "plan");
    // The newest fifty are the four, the first, and 45 that failed.
    expect(await kept(failed.slice(-45))).toEqual(Array(45).fill(true));
    expect(await kept(good)).toEqual([false, false, true, true]);
    expect(await kept(failed.slice(0, 15))).toEqual(Array(15).fill(false));
    expect((await mine.get(`/deployments/${good[0]}/plan`)).status).toBe(404);
    expect((await mine.get(`/deployments/${good[0]}`)).status).toBe(200);
    const back = await mine.post(`/deployments/${first}/rollback`);
    expect(back.status, back.text).toBe(202);
    const none = await mine.post(`/deployments/${good[1]}/rollback`);
    expect([none.status, none.body.code]).toEqual([409, "nothing_to_roll_back"]);
  });

  it("are kept thirty days; the sweep walks through older ones once, and goes on where it was", async () => {
    const mine = await makeTenant();
    const id = await makeNotes(mine);
    const first = (await deployed(mine, id)).body.id;
    await env.DB.prepare("UPDATE sweep_watch SET pruned_to = NULL").run();
    const nowMs = Date.now();
    const old = await older(first, "FAILED", 10, nowMs - 31 * DAY_MS);
    const young = await older(first, "FAILED", 3, nowMs - 29 * DAY_MS);
    const waiting = await older(first, "AWAITING_APPROVAL", 1, nowMs - 31 * DAY_MS);
    await sweepKeptDeployments(env, nowMs);
    expect(await kept(old)).toEqual(Array(10).fill(false));
    expect(await kept([...young, ...waiting, first])).toEqual(Array(5).fill(true));
    const used = await usedOf(mine, "deploymentBytes");
    expect(used).toBe(await storedBy("deploymentBytes", mine.tenantId));
    await sweepKeptDeployments(env, nowMs);
    expect(await usedOf(mine, "deploymentBytes")).toBe(used);
  });
});
