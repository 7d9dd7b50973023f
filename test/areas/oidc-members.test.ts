/** Which tenants a person may join after a sign-in, with a real provider (test/processes/sign-in-provider.ts). */
import { describe, expect, inject, it } from "vitest";
import { makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import {
  accept,
  Browser,
  invite,
  person,
  SESSION_COOKIE,
  signInSettings,
  tenantsOf,
} from "#test/support/sign-in.ts";

const allow = (tenant: TestTenant, ...allowedEmailDomains: string[]) =>
  operator.patch(`/tenants/${tenant.tenantId}`, { allowedEmailDomains });
const membersOf = async (tenant: TestTenant): Promise<Record<string, unknown>[]> =>
  (await tenant.get(`/tenants/${tenant.tenantId}/members`)).body.data;

describe("an invitation", () => {
  it("is accepted by whoever has its token, once, after the sign-in", async () => {
    const tenant = await makeTenant();
    const invitation = await invite(tenant);
    const who = person({ email_verified: false });
    const browser = new Browser();
    await browser.signIn(who);
    expect((await accept(browser, invitation)).map(({ status }) => status)).toEqual([201]);
    expect(await tenantsOf(browser)).toEqual([`${tenant.tenantId} CustomerDeveloper`]);
    expect((await browser.get(`/tenants/${tenant.tenantId}`)).status).toBe(200);
    const second = new Browser();
    await second.signIn(person());
    expect(await accept(second, invitation)).toEqual([]);
    expect(await membersOf(tenant)).toMatchObject([{ email: who.email, name: who.name }]);
  });

  it("adds a user to a second tenant", async () => {
    const [one, two] = [await makeTenant(), await makeTenant()];
    const [who, browser] = [person(), new Browser()];
    await browser.signIn(who);
    await accept(browser, await invite(one, "CustomerAdmin"));
    await accept(browser, await invite(two, "CustomerViewer"));
    expect(await tenantsOf(browser)).toEqual(
      [`${one.tenantId} CustomerAdmin`, `${two.tenantId} CustomerViewer`].sort(),
    );
    const body = { name: "sample" };
    const unnamed = await browser.post("/profiles", body);
    expect([unnamed.status, unnamed.body.errors[0].pointer]).toEqual([400, "/tenantId"]);
    expect((await browser.post("/profiles", { ...body, tenantId: one.tenantId })).status).toBe(201);
    expect((await browser.post("/profiles", { ...body, tenantId: two.tenantId })).status).toBe(403);
    const elsewhere = await makeTenant();
    const foreign = { ...body, tenantId: elsewhere.tenantId };
    expect((await browser.post("/profiles", foreign)).status).toBe(404);
    expect((await browser.get("/tenants")).body.data).toHaveLength(2);
    expect((await browser.get("/audit-events")).body.errors?.[0].pointer).toBe("tenantId");
  });
});

describe("an address", () => {
  it("that an admin added may become a member once it is proved, and not before", async () => {
    const tenant = await makeTenant();
    const who = person();
    const body = { email: who.email, role: "CustomerAdmin" };
    expect((await operator.post(`/tenants/${tenant.tenantId}/members`, body)).status).toBe(201);

    const claimed = new Browser();
    await claimed.signIn({ ...who, sub: `${who.sub}-unproved`, email_verified: false });
    expect(await accept(claimed)).toEqual([]);

    const [browser, unproved] = [new Browser(), { ...who, email_verified: false }];
    await browser.signIn(unproved);
    expect(await accept(browser)).toEqual([]);
    await browser.signIn(who);
    expect(await tenantsOf(browser), "nobody becomes a member by signing in").toEqual([]);
    await accept(browser);
    expect(await tenantsOf(browser)).toEqual([`${tenant.tenantId} CustomerAdmin`]);
  });

  it.each<[string, object, Record<string, unknown>, boolean]>([
    ["verified, by a trusted provider", {}, {}, true],
    ["not verified", { email_verified: false }, {}, false],
    ["called verified in another way", { email_verified: "true" }, {}, false],
    ["verified, by a provider that is not trusted", {}, { trustedForEmail: false }, false],
  ])("of an allowed domain admits its owner %s: %j %j %s", async (_, claims, settings, isIn) => {
    const tenant = await makeTenant();
    const domain = `${tenant.slug}.example`;
    await allow(tenant, domain.toUpperCase());
    const who = person({ email: `Ada@${domain.toUpperCase()}`, ...claims });
    const browser = new Browser(signInSettings({}, settings));
    await browser.signIn(who);
    expect(await tenantsOf(browser)).toEqual([]);
    await accept(browser);
    expect(await tenantsOf(browser)).toEqual(isIn ? [`${tenant.tenantId} CustomerViewer`] : []);
  });

  it("is checked by its exact domain at every sign-in, until the role is raised", async () => {
    const tenant = await makeTenant();
    const domain = `${tenant.slug}.example`;
    const [who, browser] = [person({ email: `ada@${domain}` }), new Browser()];
    const rejoin = async () => {
      await browser.signIn(who);
      await accept(browser);
      return tenantsOf(browser);
    };
    for (const close of [`sub.${domain}`, domain.slice(1), `x${domain}`, `@${domain}`, "example"]) {
      await allow(tenant, close);
      expect(await rejoin(), close).toEqual([]);
    }
    await allow(tenant, domain);
    expect(await rejoin()).toEqual([`${tenant.tenantId} CustomerViewer`]);
    await allow(tenant);
    expect(await tenantsOf(browser)).toHaveLength(1);
    expect(await rejoin()).toEqual([]);

    await allow(tenant, domain);
    expect(await rejoin()).toHaveLength(1);
    const { user } = (await browser.get("/auth/session")).body;
    const member = `/tenants/${tenant.tenantId}/members/${user.id}`;
    await tenant.patch(member, { role: "CustomerDeveloper" });
    await allow(tenant);
    expect(await rejoin()).toEqual([`${tenant.tenantId} CustomerDeveloper`]);
    await allow(tenant, domain);
    await tenant.delete(member);
    expect(await rejoin(), "whoever was removed stays out").toEqual([]);
    const twin = new Browser();
    await twin.signIn({ ...who, sub: `${who.sub}-again` });
    await accept(twin);
    expect(await tenantsOf(twin), "also as another user with the same address").toEqual([]);
    await accept(browser, await invite(tenant));
    expect(await tenantsOf(browser)).toEqual([`${tenant.tenantId} CustomerDeveloper`]);
  });

  it("of an allowed domain is not offered again to whoever declined or left", async () => {
    const tenant = await makeTenant();
    const domain = `${tenant.slug}.example`;
    await allow(tenant, domain);
    for (const way of ["declines", "leaves"]) {
      const browser = new Browser();
      const who = person({ email: `${way}@${domain}` });
      await browser.signIn(who);
      const [offer] = (await browser.get("/auth/invitations")).body.data;
      expect(offer).toMatchObject({
        id: tenant.tenantId,
        tenantId: tenant.tenantId,
        role: "CustomerViewer",
        via: "domain",
        expiresAt: null,
      });
      const { user } = (await browser.get("/auth/session")).body;
      if (way === "declines") {
        expect((await browser.delete(`/auth/invitations/${offer.id}`)).status).toBe(204);
      } else {
        await accept(browser);
        const left = await browser.delete(`/tenants/${tenant.tenantId}/members/${user.id}`);
        expect(left.status, left.text).toBe(204);
      }
      await browser.signIn(who);
      expect((await browser.get("/auth/invitations")).body.data, way).toEqual([]);
    }
    expect(await membersOf(tenant)).toEqual([]);
  });

  it("belongs to the user who proved it last, if it changed hands at the provider", async () => {
    const [tenant, email] = [await makeTenant(), `${crypto.randomUUID()}@example.com`];
    const settings = signInSettings({ OPERATORS: email });
    const [before, after] = [new Browser(settings), new Browser(settings)];
    await before.signIn(person({ email }));
    expect((await before.get("/auth/session")).body.operator).toBe(true);
    const heir = person({ email });
    await after.signIn(heir);
    expect((await after.get("/auth/session")).body.operator).toBe(true);
    expect((await before.get("/auth/session")).status).toBe(401);
    const body = { email, role: "CustomerViewer" };
    await operator.post(`/tenants/${tenant.tenantId}/members`, body);
    await accept(after);
    const { user } = (await after.get("/auth/session")).body;
    expect(await membersOf(tenant)).toMatchObject([{ userId: user.id, email }]);

    const elsewhere = new Browser({ ...settings, OPERATORS: "" });
    await elsewhere.signIn(person({ email, email_verified: false }));
    expect((await after.get("/auth/session")).status, "a claim takes nothing").toBe(200);
  });

  it("leads to one user, even with simultaneous first sign-ins", async () => {
    const who = person();
    const browsers = Array.from({ length: 4 }, () => new Browser());
    const answers = await Promise.all(browsers.map((browser) => browser.signIn(who)));
    expect(answers.map(({ status }) => status)).toEqual([302, 302, 302, 302]);
    const sessions = await Promise.all(browsers.map((browser) => browser.get("/auth/session")));
    expect(new Set(sessions.map(({ body }) => body.user.id)).size).toBe(1);
  });
});

describe("what a member may do", () => {
  it("follows their role and membership at once", async () => {
    const tenant = await makeTenant();
    const [who, browser] = [person(), new Browser()];
    await browser.signIn(who);
    await accept(browser, await invite(tenant, "CustomerAdmin"));
    const { user } = (await browser.get("/auth/session")).body;
    const member = `/tenants/${tenant.tenantId}/members/${user.id}`;
    const key = await browser.post("/api-keys", { name: "mine", scopes: ["profiles:write"] });
    expect(key.body, key.text).toMatchObject({ creatorUserId: user.id });
    await tenant.patch(member, { role: "CustomerViewer" });
    expect(
      (await browser.post("/api-keys", { name: "x", scopes: ["profiles:write"] })).status,
    ).toBe(403);
    expect((await browser.get("/profiles")).status).toBe(200);
    await tenant.delete(member);
    expect((await browser.get("/profiles")).status).toBe(403);
    expect((await browser.get(`/tenants/${tenant.tenantId}`)).status).toBe(403);
    expect((await browser.get("/auth/session")).status).toBe(200);
  });

  it("includes creating a tenant, with self-service", async () => {
    const who = person();
    const body = () => ({ name: "Mine", slug: `s-${crypto.randomUUID().slice(0, 13)}` });
    const off = new Browser();
    await off.signIn(who);
    expect((await off.post("/tenants", body())).status).toBe(403);
    const on = new Browser(signInSettings({ SELF_SERVICE_TENANTS: "on" }));
    await on.signIn(who);
    expect((await on.post("/tenants", { ...body(), limits: { instances: 9 } })).status).toBe(403);
    const made = await on.post("/tenants", body());
    expect(made.status, made.text).toBe(201);
    expect(await tenantsOf(on)).toEqual([`${made.body.id} CustomerOwner`]);
    expect((await on.post("/profiles", { name: "sample" })).body.tenantId).toBe(made.body.id);
  });
});

describe("an operator", () => {
  it.each<[string, (who: { sub: string; email?: string }) => string, object, boolean]>([
    ["by identity", ({ sub }) => `${inject("signInProvider")}|${sub}`, {}, true],
    ["by a proved address", ({ email }) => String(email), {}, true],
    [
      "by an address that is not proved",
      ({ email }) => String(email),
      { email_verified: false },
      false,
    ],
    ["who is not on the list", () => "", {}, false],
  ])("%s is recognized at the sign-in", async (_, list, claims, isOperator) => {
    const who = person(claims);
    const browser = new Browser(signInSettings({ OPERATORS: list(who) }));
    await browser.signIn(who);
    const session = await browser.get("/auth/session");
    expect(session.body.operator, session.text).toBe(isOperator);
    expect((await browser.get("/tenants?limit=1")).status).toBe(isOperator ? 200 : 403);
  });

  it("who is removed from the list loses the rights, as do the keys they created and keys created with those", async () => {
    const who = person();
    const settings = signInSettings({ OPERATORS: `${inject("signInProvider")}|${who.sub}` });
    const browser = new Browser(settings);
    await browser.signIn(who);
    const made = await browser.post("/api-keys", { name: "ops", scopes: ["*"] });
    expect([made.status, made.body.tenantId], made.text).toEqual([201, null]);
    const ask = (key: string, more: object) =>
      appWith({ ...settings, ...more })("POST", "/api-keys", {
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ name: "x", scopes: ["*"] }),
      });
    const next = await ask(made.body.key, {});
    for (const { status, body } of [made, next]) {
      expect([status, body.creatorUserId]).toEqual([201, made.body.creatorUserId]);
      expect((await ask(body.key, {})).status).toBe(201);
      expect((await ask(body.key, { OPERATORS: "" })).status).toBe(401);
    }
    const off = new Browser({ ...settings, OPERATORS: "" });
    off.ours.set(SESSION_COOKIE, browser.session);
    expect((await off.get("/auth/session")).status).toBe(401);
    expect(off.session, "the cookie is taken away").toBeUndefined();
  });
});
