import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sealAudit } from "#areas/audit/seal-audit.ts";
import { checkChain, type SealedRecord } from "#kernel/audit/audit-chain.ts";
import { faultsOf, roundTripsOf } from "#test/support/answers.ts";
import { clientOf, makeTenant, operator, stranger, type Client } from "#test/support/api.ts";

const TARGET = {
  provider: "mock",
  name: "audited",
  config: {},
  allowedRegions: ["local"],
  defaultRegion: "local",
};

async function makeTarget(client: Client): Promise<string> {
  const made = await client.post("/cloud/targets", TARGET);
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

/** The whole log, page by page. */
async function logOf(client: Client, query = ""): Promise<SealedRecord[]> {
  const entries: SealedRecord[] = [];
  let cursor = "";
  do {
    const page = await client.get(`/audit-events?limit=7${query}${cursor}`);
    expect(page.status, page.text).toBe(200);
    entries.push(...page.body.data);
    cursor = page.body.nextCursor === null ? "" : `&cursor=${page.body.nextCursor}`;
  } while (cursor !== "");
  return entries;
}

/** The actions that a tenant's key reads, without the operator's creation of the tenant. */
const actions = (entries: readonly SealedRecord[]) => entries.map(({ action }) => action);

describe("the audit log", () => {
  it("has one entry per change, newest first, in the order of the chain, and none for refused changes", async () => {
    const tenant = await makeTenant();
    const id = await makeTarget(tenant);
    await tenant.patch(`/cloud/targets/${id}`, { name: "renamed" });
    await tenant.patch(`/cloud/targets/${id}`, { name: "x" });
    await tenant.get(`/cloud/targets/${id}`);
    await tenant.delete(`/cloud/targets/${id}`);
    const entries = await logOf(tenant);
    expect(actions(entries).slice(0, 3)).toEqual([
      "cloud_target.delete",
      "cloud_target.update",
      "cloud_target.create",
    ]);
    expect(entries.map(({ sequence }) => sequence)).toEqual(
      entries.map((_, at) => entries.length - at),
    );
    const [deleted, updated, created] = entries;
    expect(created).toMatchObject({
      tenantId: tenant.tenantId,
      resourceType: "cloud_target",
      resourceId: id,
      beforeDigest: null,
      afterDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
      actor: expect.stringMatching(/^key:/),
    });
    expect(updated?.beforeDigest).toBe(created?.afterDigest);
    expect(deleted?.beforeDigest).toBe(updated?.afterDigest);
    expect(deleted?.afterDigest).toBeNull();
  });

  it("costs a change no extra round trip, and a read one", async () => {
    const tenant = await makeTenant();
    const made = await tenant.post("/cloud/targets", TARGET);
    expect(roundTripsOf(made)).toBe(2);
    expect(roundTripsOf(await tenant.get("/audit-events"))).toBe(1);
  });

  it("filters, and rejects unknown parameters", async () => {
    const tenant = await makeTenant();
    const [first, second] = [await makeTarget(tenant), await makeTarget(tenant)];
    await tenant.delete(`/cloud/targets/${first}`);
    const all = await logOf(tenant);
    const actor = all[0]?.actor ?? "";
    const only = async (query: string) => actions(await logOf(tenant, query));
    expect(await only(`&resourceId=${first}`)).toEqual([
      "cloud_target.delete",
      "cloud_target.create",
    ]);
    expect(await only(`&resourceId=${second}`)).toEqual(["cloud_target.create"]);
    expect(await only("&action=cloud_target.delete")).toEqual(["cloud_target.delete"]);
    expect(await only("&resourceType=cloud_target&action=cloud_target.create")).toHaveLength(2);
    expect(await only(`&actor=${encodeURIComponent(actor)}`)).toHaveLength(3);
    expect(await only("&actor=key:nobody")).toEqual([]);
    for (const bad of ["from=yesterday", "to=x", "action=", `actor=${"a".repeat(201)}`, "limit=0"])
      expect((await tenant.get(`/audit-events?${bad}`)).body.code).toBe("validation_failed");
    expect((await tenant.get("/audit-events?q=x")).body.code).toBe("unknown_parameter");
    expect(faultsOf(await tenant.get("/audit-events?tenantId=x"))).toEqual(["tenantId"]);
  });

  it("filters by time: `from` is included, `to` is not", async () => {
    const tenant = await makeTenant();
    await makeTarget(tenant);
    const all = await logOf(tenant);
    const newest = Date.parse(all[0]?.at ?? "");
    const iso = (ms: number) => encodeURIComponent(new Date(ms).toISOString());
    const since = all.filter(({ at }) => Date.parse(at) >= newest);
    expect(await logOf(tenant, `&from=${iso(newest)}`)).toEqual(since);
    expect(await logOf(tenant, `&from=${iso(newest + 1)}`)).toEqual([]);
    expect(await logOf(tenant, `&to=${iso(newest + 1)}`)).toEqual(all);
    expect(await logOf(tenant, `&to=${iso(newest)}`)).toEqual(all.slice(since.length));
  });

  it("is one tenant's: the key's own, the one that an operator names, or else the platform's", async () => {
    const [tenant, other] = [await makeTenant(), await makeTenant()];
    await makeTarget(tenant);
    const own = await logOf(tenant);
    expect(await logOf(operator, `&tenantId=${tenant.tenantId}`)).toEqual(own);
    expect(await logOf(tenant, `&tenantId=${tenant.tenantId}`)).toEqual(own);
    expect(await logOf(other, `&tenantId=${tenant.tenantId}`)).toEqual([]);
    await makeTarget(operator);
    const platform = await logOf(operator);
    expect(new Set(platform.map(({ tenantId }) => tenantId))).toEqual(new Set([null]));
    expect(actions(platform)).toContain("cloud_target.create");
  });

  it("requires the right to read it", async () => {
    expect((await stranger.get("/audit-events")).status).toBe(401);
    expect((await clientOf("cpk_nonsense").get("/audit-events")).status).toBe(401);
    const unscoped = await (await makeTenant(["targets:write"])).get("/audit-events");
    expect(unscoped.status).toBe(403);
    expect(unscoped.body.detail).toContain("audit:read");
    expect((await (await makeTenant(["audit:read"])).get("/audit-events")).status).toBe(200);
  });

  it("cannot be changed, nor can its seals", async () => {
    await makeTarget(operator);
    await sealAudit(env, Date.now());
    for (const table of ["audit_events", "audit_seals"]) {
      const set = `UPDATE ${table} SET sequence = sequence + 1`;
      await expect(env.DB.prepare(set).run()).rejects.toThrow(/append-only/);
      await expect(env.DB.prepare(`DELETE FROM ${table}`).run()).rejects.toThrow(/append-only/);
    }
  });
});

describe("the chain of the audit log", () => {
  it("has no gap and no duplicate, even with fifty writers at once", async () => {
    const tenant = await makeTenant();
    await Promise.all(Array.from({ length: 50 }, () => makeTarget(tenant)));
    const sequences = (await logOf(tenant)).map(({ sequence }) => sequence);
    expect(sequences.toSorted((a, b) => a - b)).toEqual(sequences.map((_, at) => at + 1));
  });

  it("is sealed by the sweep, which continues where it ended, and verifies", async () => {
    const tenant = await makeTenant();
    for (let at = 0; at < 3; at += 1) await makeTarget(tenant);
    expect((await logOf(tenant)).every(({ hash }) => hash === null)).toBe(true);
    await sealAudit(env, Date.now());
    const first = await checkChain(await logOf(tenant));
    expect(first).toMatchObject({ problems: [], unsealed: 0 });
    for (let at = 0; at < 3; at += 1) await makeTarget(tenant);
    expect(await checkChain(await logOf(tenant), first.head)).toMatchObject({
      problems: [],
      unsealed: 3,
    });
    await Promise.all([1, 2, 3].map(() => sealAudit(env, Date.now())));
    const second = await checkChain(await logOf(tenant), first.head);
    expect(second).toMatchObject({ problems: [], unsealed: 0, checked: first.checked + 3 });
    await sealAudit(env, Date.now());
    expect((await checkChain(await logOf(tenant))).head).toEqual(second.head);
  });

  it("is sealed for every tenant, and for more entries than one step handles", async () => {
    const tenants = [await makeTenant(), await makeTenant(), await makeTenant()];
    const many = tenants[1];
    if (many === undefined) throw new Error("No tenant");
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
      INSERT INTO audit_events (tenant_id, id, at_ms, sequence, actor, action, resource_type, resource_id, request_id)
      SELECT ?1, '0' || i, i, (SELECT max(sequence) FROM audit_events WHERE tenant_id = ?1) + i, 'a', 'b', 'c', 'd', 'e' FROM n`,
    )
      .bind(many.tenantId)
      .run();
    await sealAudit(env, Date.now());
    const open = await env.DB.prepare(
      `SELECT count(*) AS n FROM audit_events e WHERE sequence IS NOT NULL AND NOT EXISTS
        (SELECT 1 FROM audit_seals s WHERE s.tenant_id = e.tenant_id AND s.sequence = e.sequence)`,
    ).first("n");
    expect(open).toBe(0);
    for (const { tenantId } of tenants) {
      const { results } = await env.DB.prepare(
        `SELECT s.prev_hash AS prevHash, s.hash, lag(s.hash) OVER (ORDER BY s.sequence) AS before
        FROM audit_seals s WHERE tenant_id = ? ORDER BY s.sequence`,
      )
        .bind(tenantId)
        .all<{ prevHash: string; hash: string; before: string | null }>();
      expect(results.every(({ prevHash, before }) => prevHash === (before ?? "0".repeat(64)))).toBe(
        true,
      );
    }
  });

  it("is read by its index, without a scan or a sort", async () => {
    const tenant = await makeTenant();
    await sealAudit(env, Date.now());
    const plan = await env.DB.prepare(
      `EXPLAIN QUERY PLAN SELECT * FROM audit_events WHERE tenant_id = ? AND sequence IS NOT NULL
        ORDER BY id DESC LIMIT 21`,
    )
      .bind(tenant.tenantId)
      .all<{ detail: string }>();
    expect(plan.results.map(({ detail }) => detail).join()).not.toMatch(/SCAN|TEMP B-TREE/);
  });
});
