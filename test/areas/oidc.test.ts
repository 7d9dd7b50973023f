/** Signing in, at a real provider (test/processes/sign-in-provider.ts). */
import { env } from "cloudflare:workers";
import { describe, expect, inject, it } from "vitest";
import { signInReasons } from "#areas/auth/oidc/reason.ts";
import { makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import { Browser, person, SESSION_COOKIE, signInSettings } from "#test/support/sign-in.ts";

/** `<tenant> <role>`, of each membership. */
const tenantsOf = async (browser: Browser): Promise<string[]> =>
  (await browser.get("/auth/session")).body.tenants
    .map(({ tenantId, role }: { tenantId: string; role: string }) => `${tenantId} ${role}`)
    .sort();
const invite = async (tenant: TestTenant, role = "CustomerDeveloper"): Promise<string> => {
  const email = `${crypto.randomUUID()}@example.com`;
  const made = await tenant.post(`/tenants/${tenant.tenantId}/invitations`, { email, role });
  expect(made.status, made.text).toBe(201);
  return made.body.token;
};
const allow = (tenant: TestTenant, ...allowedEmailDomains: string[]) =>
  operator.patch(`/tenants/${tenant.tenantId}`, { allowedEmailDomains });
const membersOf = async (tenant: TestTenant): Promise<Record<string, unknown>[]> =>
  (await tenant.get(`/tenants/${tenant.tenantId}/members`)).body.data;

describe("a sign-in", () => {
  it("goes to the provider and comes back to where it began, with a session", async () => {
    const browser = new Browser();
    const who = person();
    const begun = await browser.begin({ returnTo: "/console?tab=2#top" });
    expect([begun.status, begun.text]).toEqual([302, ""]);
    expect(begun.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-control_sign_in=[\w-]{43}; HttpOnly; Max-Age=600; Path=\/; SameSite=Lax; Secure$/,
      ),
    ]);
    const asked = new URL(begun.headers.get("location") ?? "");
    expect(asked.origin).toBe(inject("signInProvider"));
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      client_id: "control",
      response_type: "code",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      scope: "openid email profile",
      redirect_uri: "https://control.test/api/v1/auth/oidc/local/callback",
    });
    const callback = await browser.authorize(asked.href, who);
    const done = await browser.come(callback);
    expect([done.status, done.headers.get("location")], done.text).toEqual([
      302,
      "https://control.test/console?tab=2#top",
    ]);
    expect(done.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^${SESSION_COOKIE}=[\\w-]{43}; HttpOnly; Max-Age=604800; Path=/; SameSite=Lax; Secure$`,
        ),
      ),
    ]);
    const me = await browser.get("/auth/session");
    expect(me.body, me.text).toMatchObject({
      user: {
        email: who.email,
        name: who.name,
        issuer: inject("signInProvider"),
        subject: who.sub,
      },
      operator: false,
      tenants: [],
      session: { provider: "local", current: true },
    });

    const stored = JSON.stringify([
      await env.DB.prepare("SELECT * FROM sign_ins").all(),
      await env.DB.prepare("SELECT * FROM sessions").all(),
    ]);
    for (const secret of [
      browser.session,
      callback.searchParams.get("state"),
      asked.searchParams.get("nonce"),
    ])
      expect(stored).not.toContain(secret);
  });

  it("ends the session that the browser had, and knows whoever comes back", async () => {
    const browser = new Browser();
    const who = person();
    await browser.signIn(who);
    const [first, me] = [browser.session, (await browser.get("/auth/session")).body.user];
    const planted = new Browser();
    planted.ours.set(SESSION_COOKIE, first);
    await browser.signIn({ ...who, name: "Another name" });
    expect(browser.session).not.toBe(first);
    expect((await planted.get("/auth/session")).status).toBe(401);
    expect((await browser.get("/auth/session")).body.user).toEqual({ ...me, name: "Another name" });
  });

  it("is used up by whoever comes back first, and by nobody but its own browser", async () => {
    const browser = new Browser();
    const begun = await browser.begin();
    const callback = await browser.authorize(begun.headers.get("location") ?? "", person());
    const other = new Browser();
    await other.begin();
    for (const thief of [other, new Browser()]) {
      const refused = await thief.come(callback);
      expect([refused.status, refused.body.code]).toEqual([400, "sign_in_failed"]);
      expect(refused.body.errors[0].code).toBe("sign_in_unknown");
      expect(thief.session).toBeUndefined();
    }
    const answers = await Promise.all([1, 2, 3].map(() => browser.come(callback)));
    expect(answers.map(({ status }) => String(status)).sort()).toEqual(["302", "400", "400"]);
  });

  it("goes to its own provider, within ten minutes", async () => {
    const browser = new Browser();
    const begun = await browser.begin();
    const callback = await browser.authorize(begun.headers.get("location") ?? "", person());
    await env.DB.prepare("UPDATE sign_ins SET expires_at_ms = ?").bind(Date.now()).run();
    expect((await browser.come(callback)).body.errors[0].code).toBe("sign_in_unknown");
  });

  it("lets two that began in one browser both come back", async () => {
    const browser = new Browser();
    const [one, two] = [
      await browser.begin({ returnTo: "/1" }),
      await browser.begin({ returnTo: "/2" }),
    ];
    const places = [];
    for (const begun of [one, two]) {
      const callback = await browser.authorize(begun.headers.get("location") ?? "", person());
      places.push((await browser.come(callback)).headers.get("location"));
    }
    expect(places).toEqual(["https://control.test/1", "https://control.test/2"]);
  });

  it("sends a browser that failed to the sign-in page, with a code", async () => {
    const browser = new Browser();
    await browser.begin();
    const callback = new URL("https://control.test/api/v1/auth/oidc/local/callback?code=x&state=y");
    const failed = await browser.come(callback, { accept: "text/html,*/*;q=0.8" });
    expect([failed.status, failed.headers.get("location")]).toEqual([
      302,
      "/login?error=parameters_invalid",
    ]);
    const refused = await browser.begin();
    const { searchParams } = new URL(refused.headers.get("location") ?? "");
    const given = new URL(callback);
    given.search = new URLSearchParams({
      state: searchParams.get("state") ?? "",
      error: "access_denied",
      iss: inject("signInProvider"),
    }).toString();
    const answer = await browser.come(given);
    expect(answer.body).toMatchObject({
      code: "sign_in_failed",
      detail: signInReasons.provider_refused,
      errors: [{ code: "provider_refused" }],
    });
  });

  it.each<[string, object, Record<string, unknown>, string]>([
    ["a wrong secret", { OIDC_LOCAL_SECRET: "wrong" }, {}, "code_refused"],
    ["no secret", { OIDC_LOCAL_SECRET: "" }, {}, "not_configured"],
    ["an algorithm that is not configured", {}, { algorithms: ["ES256"] }, "token_invalid"],
  ])("comes to nothing with %s", async (_, settings, provider, reason) => {
    const browser = new Browser(signInSettings(settings, provider));
    const answer = await browser.signIn(person());
    if (reason === "not_configured") expect(answer.body?.code, answer.text).toBe("unavailable");
    else expect(answer.body?.errors[0].code, answer.text).toBe(reason);
    expect(answer.text).not.toContain("wrong");
    expect(browser.session).toBeUndefined();
  });

  it("says that the provider does not answer, and does not say what it answered", async () => {
    const nowhere = { issuer: "http://127.0.0.1:9/private" };
    const answer = await new Browser(signInSettings({}, nowhere)).begin();
    expect([answer.status, answer.body.code]).toEqual([502, "provider_error"]);
    const inner = { issuer: inject("signInProvider") };
    const { status, body } = await new Browser(
      signInSettings({ DEV_COOKIES: "off" }, inner),
    ).begin();
    expect([status, body.code], "http counts in development alone").toEqual([404, "not_found"]);
  });

  it("begins nowhere but at a provider there is", async () => {
    const browser = new Browser();
    expect((await browser.get("/auth/oidc/other/login?returnTo=/")).status).toBe(404);
    expect((await browser.get("/auth/oidc/local/login")).body.code).toBe("validation_failed");
    expect((await browser.begin({ invitation: "cpi_x" })).body.code).toBe("validation_failed");
    expect((await browser.get("/auth/providers")).body.data).toEqual([
      { id: "local", label: "Local", loginUrl: "/api/v1/auth/oidc/local/login" },
    ]);
  });

  it("is on the cookie of development on this machine, and nowhere else", async () => {
    const send = appWith(signInSettings());
    const path = "/api/v1/auth/oidc/local/login?returnTo=/";
    const [here, there] = await Promise.all(
      ["http://localhost:8787", "http://control.test"].map((origin) =>
        send("GET", `${origin}${path}`, { redirect: "manual" }),
      ),
    );
    expect(here?.headers.get("set-cookie")).toMatch(/^control_sign_in_dev=(?!.*Secure)/);
    expect(there?.headers.get("set-cookie")).toMatch(/^__Host-control_sign_in=.*Secure/);
  });
});

describe("returnTo", () => {
  it.each([
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r\nSet-Cookie: a=b",
    "/..//evil.example",
    "/.//evil.example",
    "/a/..//evil.example",
    "https://evil.example",
    "https://control.test.evil.example",
    "https://control.test@evil.example",
    "https://user:pass@control.test/",
    "https:evil.example",
    "https:/evil.example",
    "https:///evil.example",
    "http://control.test/",
    "javascript:alert(1)",
    "data:text/html,x",
    " /after",
    "evil.example",
    "",
    "?next",
    "/\u0000",
    `/${"a".repeat(2000)}`,
    "https://console.test.evil.example/",
    "https://console.test:444/",
    "//console.test/",
  ])("is not %j", async (returnTo) => {
    const browser = new Browser(signInSettings({ ALLOWED_ORIGINS: "https://console.test" }));
    const answer = await browser.begin({ returnTo });
    expect([answer.status, answer.body?.code], answer.headers.get("location") ?? "").toEqual([
      400,
      "validation_failed",
    ]);
    expect(answer.body.errors[0].pointer).toBe("returnTo");
  });

  it.each([
    ["/", "https://control.test/"],
    ["/a/../b", "https://control.test/b"],
    ["/%2F%2Fevil.example", "https://control.test/%2F%2Fevil.example"],
    ["/%5Cevil.example", "https://control.test/%5Cevil.example"],
    ["/@evil.example", "https://control.test/@evil.example"],
    ["/:80", "https://control.test/:80"],
    ["/／evil.example", "https://control.test/%EF%BC%8Fevil.example"],
    [`/${"a".repeat(1999)}`, `https://control.test/${"a".repeat(1999)}`],
    ["https://console.test/x?y#z", "https://console.test/x?y#z"],
    ["https://control.test/x", "https://control.test/x"],
  ])("is %j", async (returnTo, place) => {
    const browser = new Browser(signInSettings({ ALLOWED_ORIGINS: "https://console.test" }));
    const answer = await browser.signIn(person(), { returnTo });
    expect([answer.status, answer.headers.get("location")], answer.text).toEqual([302, place]);
  });
});

describe("an invitation", () => {
  it("makes whoever signs in with it a member, once", async () => {
    const tenant = await makeTenant();
    const invitation = await invite(tenant);
    const who = person({ email_verified: false });
    const browser = new Browser();
    const done = await browser.signIn(who, { invitation });
    expect(done.status, done.text).toBe(302);
    expect(await tenantsOf(browser)).toEqual([`${tenant.tenantId} CustomerDeveloper`]);
    expect((await browser.get(`/tenants/${tenant.tenantId}`)).status).toBe(200);
    const again = await new Browser().signIn(person(), { invitation });
    expect(again.body.errors[0].code).toBe("invitation_invalid");
    expect(await membersOf(tenant)).toMatchObject([{ email: who.email, signedIn: true }]);
  });

  it("leaves a member as they are, and opens a second tenant to one of another", async () => {
    const [one, two] = [await makeTenant(), await makeTenant()];
    const [who, browser] = [person(), new Browser()];
    await browser.signIn(who, { invitation: await invite(one, "CustomerAdmin") });
    await browser.signIn(who, { invitation: await invite(one, "CustomerViewer") });
    await browser.signIn(who, { invitation: await invite(two, "CustomerViewer") });
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

  it("waits for room", async () => {
    const tenant = await makeTenant();
    const invitation = await invite(tenant);
    await operator.patch(`/tenants/${tenant.tenantId}`, { limits: { members: 0 } });
    const full = await new Browser().signIn(person(), { invitation });
    expect(full.body.errors[0].code).toBe("tenant_full");
    await operator.patch(`/tenants/${tenant.tenantId}`, { limits: { members: 1 } });
    expect((await new Browser().signIn(person(), { invitation })).status).toBe(302);
  });
});

describe("an address", () => {
  it("that an admin added makes whoever proves it the member that was expected", async () => {
    const [tenant, second] = [await makeTenant(), await makeTenant()];
    const who = person();
    const add = (to: TestTenant, role: string) =>
      operator.post(`/tenants/${to.tenantId}/members`, { email: who.email, role });
    await add(tenant, "CustomerAdmin");

    const claimed = new Browser();
    await claimed.signIn({ ...who, sub: `${who.sub}-unproved`, email_verified: false });
    expect(await tenantsOf(claimed)).toEqual([]);

    const browser = new Browser();
    await browser.signIn(who);
    expect(await tenantsOf(browser)).toEqual([`${tenant.tenantId} CustomerAdmin`]);
    await add(second, "CustomerOwner");
    expect(await tenantsOf(browser)).toHaveLength(2);
  });

  it("gives a user who proves it later what was kept for it, the greater role where they have one", async () => {
    const [one, two] = [await makeTenant(), await makeTenant()];
    const [who, browser] = [person({ email_verified: false }), new Browser()];
    for (const { tenantId } of [one, two])
      await operator.post(`/tenants/${tenantId}/members`, {
        email: who.email,
        role: "CustomerOwner",
      });
    await browser.signIn(who, { invitation: await invite(one, "CustomerViewer") });
    expect(await tenantsOf(browser)).toHaveLength(1);
    await browser.signIn({ ...who, email_verified: true });
    expect(await tenantsOf(browser)).toEqual(
      [one, two].map(({ tenantId }) => `${tenantId} CustomerOwner`).sort(),
    );
    expect(await membersOf(one)).toHaveLength(1);
  });

  it.each<[string, object, Record<string, unknown>, boolean]>([
    ["verified, by a trusted provider", {}, {}, true],
    ["not verified", { email_verified: false }, {}, false],
    ["called verified in another way", { email_verified: "true" }, {}, false],
    ["verified, by a provider that is not trusted", {}, { trustedForEmail: false }, false],
  ])("of an allowed domain lets in who has it %s: %j %j %s", async (_, claims, settings, isIn) => {
    const tenant = await makeTenant();
    const domain = `${tenant.slug}.example`;
    await allow(tenant, domain.toUpperCase());
    const who = person({ email: `Ada@${domain.toUpperCase()}`, ...claims });
    const browser = new Browser(signInSettings({}, settings));
    await browser.signIn(who);
    expect(await tenantsOf(browser)).toEqual(isIn ? [`${tenant.tenantId} CustomerViewer`] : []);
  });

  it("counts by its exact domain, at every sign-in, until somebody gives a greater role", async () => {
    const tenant = await makeTenant();
    const domain = `${tenant.slug}.example`;
    const [who, browser] = [person({ email: `ada@${domain}` }), new Browser()];
    for (const close of [`sub.${domain}`, domain.slice(1), `x${domain}`, `@${domain}`, "example"]) {
      await allow(tenant, close);
      await browser.signIn(who);
      expect(await tenantsOf(browser), close).toEqual([]);
    }
    await allow(tenant, domain);
    await browser.signIn(who);
    expect(await tenantsOf(browser)).toHaveLength(1);
    await allow(tenant);
    expect(await tenantsOf(browser)).toHaveLength(1);
    await browser.signIn(who);
    expect(await tenantsOf(browser)).toEqual([]);

    await allow(tenant, domain);
    await browser.signIn(who);
    const { user } = (await browser.get("/auth/session")).body;
    const member = `/tenants/${tenant.tenantId}/members/${user.id}`;
    await tenant.patch(member, { role: "CustomerDeveloper" });
    await allow(tenant);
    await browser.signIn(who);
    expect(await tenantsOf(browser)).toEqual([`${tenant.tenantId} CustomerDeveloper`]);
    await allow(tenant, domain);
    await tenant.delete(member);
    await browser.signIn(who);
    expect(await tenantsOf(browser), "whoever was removed stays out").toEqual([]);
    await browser.signIn(who, { invitation: await invite(tenant) });
    expect(await tenantsOf(browser)).toEqual([`${tenant.tenantId} CustomerDeveloper`]);
  });

  it("of a tenant without room does not keep anybody from signing in", async () => {
    const tenant = await makeTenant();
    await allow(tenant, `${tenant.slug}.example`);
    await operator.patch(`/tenants/${tenant.tenantId}`, { limits: { members: 0 } });
    const browser = new Browser();
    const done = await browser.signIn(person({ email: `ada@${tenant.slug}.example` }));
    expect([done.status, await tenantsOf(browser)]).toEqual([302, []]);
  });
});

describe("what a member may do", () => {
  it("follows their role and membership at once", async () => {
    const tenant = await makeTenant();
    const [who, browser] = [person(), new Browser()];
    await browser.signIn(who, { invitation: await invite(tenant, "CustomerAdmin") });
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

  it("includes a tenant of their own, where self-service is on", async () => {
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
  ])("%s is known at the sign-in", async (_, list, claims, isOperator) => {
    const who = person(claims);
    const browser = new Browser(signInSettings({ OPERATORS: list(who) }));
    await browser.signIn(who);
    const session = await browser.get("/auth/session");
    expect(session.body.operator, session.text).toBe(isOperator);
    expect((await browser.get("/tenants?limit=1")).status).toBe(isOperator ? 200 : 403);
  });

  it("who is taken off the list is none any more, nor are the keys they made", async () => {
    const who = person();
    const settings = signInSettings({ OPERATORS: `${inject("signInProvider")}|${who.sub}` });
    const browser = new Browser(settings);
    await browser.signIn(who);
    const made = await browser.post("/api-keys", { name: "ops", scopes: ["*"] });
    expect([made.status, made.body.tenantId], made.text).toEqual([201, null]);
    const headers = { authorization: `Bearer ${made.body.key}` };
    const body = { method: "POST", path: "/api-keys" };
    const ask = (more: object) =>
      appWith({ ...settings, ...more })(body.method, body.path, {
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ name: "x", scopes: ["*"] }),
      });
    expect((await ask({})).status).toBe(201);
    expect((await ask({ OPERATORS: "" })).status).toBe(401);
    const off = new Browser({ ...settings, OPERATORS: "" });
    off.ours.set(SESSION_COOKIE, browser.session);
    expect((await off.get("/auth/session")).status).toBe(401);
    expect(off.session, "the cookie is taken away").toBeUndefined();
  });
});

describe("settings that are not right", () => {
  it.each([
    ["no JSON", "{", /is not JSON/],
    ["no list", "{}", /is not a list/],
    ["an entry without what it needs", '[{"id":"x"}]', /OIDC_PROVIDERS\[0\]\.issuer/],
  ])("with %s are told by health, and leave the rest alone", async (_, setting, problem) => {
    const send = appWith(signInSettings({ OIDC_PROVIDERS: setting }));
    const health = await send("GET", "/health");
    expect([health.status, health.body.status]).toEqual([200, "ok"]);
    expect(health.body.problems.join("\n")).toMatch(problem);
    expect((await send("GET", "/auth/providers")).body.data).toEqual([]);
    expect((await send("GET", "/auth/oidc/local/login?returnTo=/")).status).toBe(404);
  });

  it("leave out what is wrong alone, and name a secret that is missing", async () => {
    const [good] = JSON.parse(signInSettings().OIDC_PROVIDERS ?? "") as object[];
    const list = [
      good,
      { ...good, id: "Bad Id" },
      good,
      { ...good, id: "two", clientSecret: "OIDC_NONE" },
    ];
    const send = appWith({
      ...signInSettings(),
      OIDC_PROVIDERS: JSON.stringify(list),
      OPERATORS: "x",
    });
    const { problems } = (await send("GET", "/health")).body;
    expect(problems).toEqual([
      expect.stringMatching(/^OIDC_PROVIDERS\[1\]\.id: /),
      "OIDC_PROVIDERS[2].id: there is another provider local.",
      "OIDC_PROVIDERS, two: the secret OIDC_NONE is not set.",
      expect.stringMatching(/^OPERATORS: /),
    ]);
    const { data } = (await send("GET", "/auth/providers")).body;
    expect(data.map(({ id }: { id: string }) => id)).toEqual(["local", "two"]);
  });
});
