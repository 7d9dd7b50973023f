/** Domains of `allowedEmailDomains` offer nothing until they are proved (decision 0013). */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  LOOK_AGAIN_MS,
  LOOK_SOONER_MS,
  PROOF_MS,
} from "#areas/tenants/email-domains/email-domain.ts";
import { sweepEmailDomains } from "#areas/tenants/email-domains/sweep-email-domains.ts";
import { roundTripsOf } from "#test/support/answers.ts";
import { type Answer, type Client, makeTenant, operator, send } from "#test/support/api.ts";
import { makeMember } from "#test/support/members.ts";
import { headersOf, makeSession, makeUser } from "#test/support/sessions.ts";

let made = 0;
const newDomain = () => `d${(made += 1)}-${crypto.randomUUID().slice(0, 8)}.example`;

/** The TXT records of the world, by name; a text instead is the whole answer of the resolver. */
const records = new Map<string, string[] | "broken">();
let asked: string[] = [];

beforeEach(() => {
  asked = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const name = url.searchParams.get("name") ?? "";
    asked.push(name);
    const texts = records.get(name);
    if (texts === "broken") return new Response("{}", { status: 500 });
    return Response.json({
      Status: texts === undefined ? 3 : 0,
      Question: [{ name, type: 16 }],
      Answer: (texts ?? []).map((text) => ({ name, type: 16, data: `"${text}"` })),
    });
  });
});
afterEach(() => vi.restoreAllMocks());

/** The tenants that a person with a verified address of the domain is offered. */
async function offered(domain: string): Promise<string[]> {
  const email = `p-${crypto.randomUUID().slice(0, 8)}@${domain}`;
  const headers = headersOf(await makeSession(await makeUser(undefined, email)));
  const { body } = await send("GET", "/auth/invitations", { headers });
  return body.data.map(({ tenantId }: { tenantId: string }) => tenantId);
}

/** A tenant whose owner has listed the domain. */
async function pendingTenant(domain: string) {
  const tenant = await makeTenant();
  const owner = await makeMember(tenant.tenantId, "CustomerOwner");
  const path = `/tenants/${tenant.tenantId}`;
  const listed = await owner.patch(path, { allowedEmailDomains: [domain] });
  expect(listed.status, listed.text).toBe(200);
  const shown = async () => (await owner.get(`${path}/email-domains`)).body.data[0];
  const verify = (by: Client = owner): Promise<Answer> =>
    by.post(`${path}/email-domains/${domain}/verify`);
  const publish = async () => {
    const { record } = await shown();
    records.set(record.name, [record.value]);
    return record as { name: string; value: string };
  };
  return { ...tenant, owner, path, shown, verify, publish };
}

describe("a domain that an owner lists", () => {
  it("offers nothing until its record is there, and then for thirty days", async () => {
    const domain = newDomain();
    const tenant = await pendingTenant(` ${domain.toUpperCase()} `);
    expect(await offered(domain)).toEqual([]);
    expect(await tenant.shown()).toEqual({
      domain,
      state: "PENDING",
      reason: null,
      method: null,
      record: {
        type: "TXT",
        name: `_control-challenge.${domain}`,
        value: expect.stringMatching(/^control-api=[\w-]{43}$/),
      },
      verifiedAt: null,
      verifiedUntil: null,
    });
    const path = `${tenant.path}/email-domains/${domain}/verify`;
    const early = await tenant.owner.post(path);
    expect([early.status, early.body.code]).toEqual([409, "invalid_state"]);
    const record = await tenant.publish();
    const verified = await tenant.owner.post(path);
    expect(verified.status, verified.text).toBe(200);
    expect(roundTripsOf(verified)).toBe(2);
    expect(verified.body).toMatchObject({ state: "VERIFIED", method: "dns" });
    const { verifiedAt, verifiedUntil } = verified.body;
    expect(Date.parse(verifiedUntil) - Date.parse(verifiedAt)).toBe(PROOF_MS);
    expect(await offered(domain)).toEqual([tenant.tenantId]);
    expect(asked).toEqual([record.name, record.name]);
    await env.DB.prepare("UPDATE tenant_email_domains SET verified_until_ms = ? WHERE domain = ?")
      .bind(Date.now() - 1, domain)
      .run();
    expect(await offered(domain)).toEqual([]);
    expect(await tenant.shown()).toMatchObject({ state: "PENDING", method: "dns" });
  });

  it("is not proved by another tenant's record, and by several tenants' own", async () => {
    const domain = newDomain();
    const [one, two] = [await pendingTenant(domain), await pendingTenant(domain)];
    const record = await one.publish();
    expect((await two.verify()).status).toBe(409);
    expect((await one.verify()).status).toBe(200);
    expect(await offered(domain)).toEqual([one.tenantId]);
    const { record: second } = await two.shown();
    records.set(record.name, [record.value, second.value]);
    expect((await two.verify()).status).toBe(200);
    expect((await offered(domain)).sort()).toEqual([one.tenantId, two.tenantId].sort());
  });

  it("stays pending while the resolver does not answer", async () => {
    const domain = newDomain();
    const tenant = await pendingTenant(domain);
    const { name } = await tenant.publish();
    records.set(name, "broken");
    const refused = await tenant.verify();
    expect([refused.status, refused.body.code]).toEqual([503, "unavailable"]);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(await tenant.shown()).toMatchObject({ state: "PENDING" });
  });

  it("keeps its proof while it is listed, and has another challenge afterwards", async () => {
    const domain = newDomain();
    const tenant = await pendingTenant(domain);
    const before = await tenant.publish();
    await tenant.verify();
    await tenant.owner.patch(tenant.path, { allowedEmailDomains: [domain, newDomain()] });
    expect(await offered(domain)).toEqual([tenant.tenantId]);
    await tenant.owner.patch(tenant.path, { allowedEmailDomains: [] });
    expect(await offered(domain)).toEqual([]);
    await tenant.owner.patch(tenant.path, { allowedEmailDomains: [domain] });
    expect(await tenant.shown()).toMatchObject({ state: "PENDING", method: null });
    expect((await tenant.shown()).record.value).not.toBe(before.value);
    expect((await tenant.verify()).status).toBe(409);
  });

  it.each(["gmail.com", "not a domain"])("is never %s", async (domain) => {
    const tenant = await pendingTenant(domain);
    await tenant.publish();
    const path = `${tenant.path}/email-domains/${encodeURIComponent(domain)}`;
    for (const answer of [
      await tenant.owner.post(`${path}/verify`),
      await operator.post(`${path}/approve`),
    ])
      expect([answer.status, answer.body.code], answer.text).toEqual([409, "invalid_state"]);
    expect(await tenant.shown()).toMatchObject({ state: "UNUSABLE", reason: expect.any(String) });
    expect(asked).toEqual([]);
    await operator.patch(tenant.path, { allowedEmailDomains: [] });
    await operator.patch(tenant.path, { allowedEmailDomains: [domain] });
    expect(await tenant.shown()).toMatchObject({ state: "UNUSABLE", method: null });
  });

  it("is read by admins, proved by owners, and nobody's of another tenant", async () => {
    const domain = newDomain();
    const tenant = await pendingTenant(domain);
    await tenant.publish();
    const admin = await makeMember(tenant.tenantId, "CustomerAdmin");
    const developer = await makeMember(tenant.tenantId, "CustomerDeveloper");
    const stranger = await makeTenant();
    const list = `${tenant.path}/email-domains`;
    expect((await admin.get(list)).status).toBe(200);
    expect((await developer.get(list)).status).toBe(403);
    expect((await stranger.get(list)).status).toBe(404);
    expect((await tenant.verify(admin)).status).toBe(403);
    expect((await tenant.verify(stranger)).status).toBe(404);
    expect((await tenant.owner.post(`${list}/${newDomain()}/verify`)).status).toBe(404);
    expect((await tenant.owner.post(`${list}/${domain}/approve`)).status).toBe(403);
    expect(asked).toEqual([]);
  });
});

describe("an operator's word", () => {
  it("proves what they name at creation or later, not what the tenant has named", async () => {
    const [own, later, tenants] = [newDomain(), newDomain(), newDomain()];
    const slug = `t-${crypto.randomUUID().slice(0, 8)}`;
    const created = await operator.post("/tenants", {
      name: "Acme",
      slug,
      allowedEmailDomains: [own],
    });
    const path = `/tenants/${created.body.id}`;
    expect(await offered(own)).toEqual([created.body.id]);
    const owner = await makeMember(created.body.id, "CustomerOwner");
    await owner.patch(path, { allowedEmailDomains: [own, tenants] });
    await operator.patch(path, { allowedEmailDomains: [own, tenants, later] });
    const { body } = await owner.get(`${path}/email-domains`);
    const states = Object.fromEntries(
      body.data.map(({ domain, state }: { domain: string; state: string }) => [domain, state]),
    );
    expect(states).toEqual({ [own]: "VERIFIED", [later]: "VERIFIED", [tenants]: "PENDING" });
    const approved = await operator.post(`${path}/email-domains/${tenants}/approve`);
    expect(approved.status, approved.text).toBe(200);
    expect(approved.body).toMatchObject({ method: "operator", verifiedUntil: null });
    expect(await offered(tenants)).toEqual([created.body.id]);
    // A look-up takes nothing from it.
    expect((await owner.post(`${path}/email-domains/${tenants}/verify`)).body).toEqual(
      approved.body,
    );
    expect(asked).toEqual([]);
  });
});

describe("the sweep", () => {
  const row = async (domain: string) =>
    env.DB.prepare(
      "SELECT verified_until_ms AS untilMs, next_check_at_ms AS nextMs FROM tenant_email_domains WHERE domain = ?",
    )
      .bind(domain)
      .first<{ untilMs: number; nextMs: number }>();

  it("prolongs a proof whose record is there, and lets the others end", async () => {
    const domain = newDomain();
    const tenant = await pendingTenant(domain);
    const { name, value } = await tenant.publish();
    await tenant.verify();
    const first = await row(domain);
    asked = [];
    await sweepEmailDomains(env, (first?.nextMs ?? 0) - 1);
    expect(asked).not.toContain(name);
    const nowMs = first?.nextMs ?? 0;
    await sweepEmailDomains(env, nowMs);
    expect(await row(domain)).toEqual({ untilMs: nowMs + PROOF_MS, nextMs: nowMs + LOOK_AGAIN_MS });
    for (const answer of [undefined, "broken", [], ["control-api=other"]] as const) {
      if (answer === undefined) records.delete(name);
      else records.set(name, answer === "broken" ? answer : [...answer]);
      const atMs = (await row(domain))?.nextMs ?? 0;
      await sweepEmailDomains(env, atMs);
      expect(await row(domain)).toEqual({
        untilMs: nowMs + PROOF_MS,
        nextMs: atMs + LOOK_SOONER_MS,
      });
    }
    records.set(name, [value]);
    const backMs = (await row(domain))?.nextMs ?? 0;
    await sweepEmailDomains(env, backMs);
    expect((await row(domain))?.untilMs).toBe(backMs + PROOF_MS);
  });

  it("looks at five a minute, the longest due first", async () => {
    await env.DB.prepare("UPDATE tenant_email_domains SET next_check_at_ms = NULL").run();
    const { tenantId } = await makeTenant();
    for (let at = 1; at <= 7; at += 1)
      await env.DB.prepare(
        `INSERT INTO tenant_email_domains (tenant_id, domain, challenge, method, verified_at_ms, verified_until_ms, next_check_at_ms)
          VALUES (?, ?, 'c', 'dns', 1, 9, ?)`,
      )
        .bind(tenantId, `due${at}.example`, at)
        .run();
    await sweepEmailDomains(env, 10);
    expect(asked.sort()).toEqual(
      [1, 2, 3, 4, 5].map((at) => `_control-challenge.due${at}.example`),
    );
    asked = [];
    await sweepEmailDomains(env, 10);
    expect(asked.sort()).toEqual([6, 7].map((at) => `_control-challenge.due${at}.example`));
  });
});
