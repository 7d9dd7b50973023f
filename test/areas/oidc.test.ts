/** Signing in, with a real provider (test/processes/sign-in-provider.ts). Memberships: oidc-members.test.ts. */
import { env } from "cloudflare:workers";
import { describe, expect, inject, it } from "vitest";
import { signInReasons } from "#areas/sign-in/oidc/reason.ts";
import { type Answer, OPERATOR_KEY } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import { Browser, person, SESSION_COOKIE, signInSettings } from "#test/support/sign-in.ts";

/** The callback of a user who canceled at the provider. */
const givenUp = (begun: Answer): URL => {
  const { searchParams } = new URL(begun.headers.get("location") ?? "");
  const callback = new URL("https://control.test/api/v1/auth/oidc/local/callback");
  callback.search = new URLSearchParams({
    state: searchParams.get("state") ?? "",
    error: "access_denied",
    iss: inject("signInProvider"),
  }).toString();
  return callback;
};

describe("a sign-in", () => {
  it("goes to the provider and returns with a session", async () => {
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

  it("ends the browser's previous session, and recognizes a returning user", async () => {
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

  it("can be finished once, and only by its own browser", async () => {
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

  it("must be finished at its own provider within ten minutes", async () => {
    const browser = new Browser();
    const begun = await browser.begin();
    const callback = await browser.authorize(begun.headers.get("location") ?? "", person());
    await env.DB.prepare("UPDATE sign_ins SET expires_at_ms = ?").bind(Date.now()).run();
    expect((await browser.come(callback)).body.errors[0].code).toBe("sign_in_unknown");
  });

  it("works twice at the same time in one browser", async () => {
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

  it("that failed redirects the browser to the sign-in page, with a code", async () => {
    const browser = new Browser();
    await browser.begin();
    const callback = new URL("https://control.test/api/v1/auth/oidc/local/callback?code=x&state=y");
    const failed = await browser.come(callback, { accept: "text/html,*/*;q=0.8" });
    expect([failed.status, failed.headers.get("location")]).toEqual([
      302,
      "/login?error=parameters_invalid",
    ]);
    const answer = await browser.come(givenUp(await browser.begin()));
    expect(answer.body).toMatchObject({
      code: "sign_in_failed",
      detail: signInReasons.provider_refused,
      errors: [{ code: "provider_refused" }],
    });
  });

  it("that failed can start again with the same parameters", async () => {
    const browser = new Browser();
    const html = { accept: "text/html" };
    const pageAfter = async (query: Record<string, string>, from = browser) => {
      const begun = await from.begin(query);
      const failed = await from.come(givenUp(begun), html);
      expect(failed.status, failed.text).toBe(302);
      return failed.headers.get("location") ?? "";
    };
    const query = { returnTo: "/console?a=1&b=%2F#top" };
    const place = await pageAfter(query);
    const { pathname, searchParams } = new URL(place, "https://control.test");
    expect([pathname, Object.fromEntries(searchParams)]).toEqual([
      "/login",
      {
        error: "provider_refused",
        returnTo: "https://control.test/console?a=1&b=%2F#top",
      },
    ]);
    const page = await browser.get(`https://control.test${place}`);
    const [, link = ""] = /href="([^"]+\/login\?[^"]+)"/.exec(page.text) ?? [];
    const again = await browser.get(`https://control.test${link.replaceAll("&amp;", "&")}`);
    const callback = await browser.authorize(again.headers.get("location") ?? "", person());
    const done = await browser.come(callback);
    expect(done.headers.get("location")).toBe("https://control.test/console?a=1&b=%2F#top");

    const down = new Browser(signInSettings({}, { issuer: "http://127.0.0.1:9/down" }));
    const unreachable = await down.get("/auth/oidc/local/login?returnTo=/b", html);
    expect(unreachable.headers.get("location")).toBe(
      "/login?error=provider_unreachable&returnTo=https%3A%2F%2Fcontrol.test%2Fb",
    );
  });

  it("that was started before the sealing key was removed is unknown", async () => {
    const browser = new Browser();
    const begun = await browser.begin();
    const callback = await browser.authorize(begun.headers.get("location") ?? "", person());
    const changed = new Browser(signInSettings({ SEALING_KEYS: `k9:${btoa("k".repeat(32))}` }));
    changed.ours.set("__Host-control_sign_in", browser.ours.get("__Host-control_sign_in"));
    expect((await changed.come(callback)).body.errors[0].code).toBe("sign_in_unknown");
  });

  it.each<[string, object, Record<string, unknown>, string]>([
    ["a wrong secret", { OIDC_LOCAL_SECRET: "wrong" }, {}, "code_refused"],
    ["no secret", { OIDC_LOCAL_SECRET: "" }, {}, "not_configured"],
    ["an algorithm that is not configured", {}, { algorithms: ["ES256"] }, "token_invalid"],
  ])("fails with %s", async (_, settings, provider, reason) => {
    const browser = new Browser(signInSettings(settings, provider));
    const answer = await browser.signIn(person());
    if (reason === "not_configured") expect(answer.body?.code, answer.text).toBe("unavailable");
    else expect(answer.body?.errors[0].code, answer.text).toBe(reason);
    expect(answer.text).not.toContain("wrong");
    expect(browser.session).toBeUndefined();
  });

  it("reports a provider that does not answer, without its answer", async () => {
    const nowhere = { issuer: "http://127.0.0.1:9/private" };
    const answer = await new Browser(signInSettings({}, nowhere)).begin();
    expect([answer.status, answer.body.code]).toEqual([502, "provider_error"]);
    const inner = { issuer: inject("signInProvider") };
    const { status, body } = await new Browser(
      signInSettings({ DEV_COOKIES: "off" }, inner),
    ).begin();
    expect([status, body.code], "http counts in development alone").toEqual([404, "not_found"]);
  });

  it("starts only at a configured provider", async () => {
    const browser = new Browser();
    expect((await browser.get("/auth/oidc/other/login?returnTo=/")).status).toBe(404);
    expect((await browser.get("/auth/oidc/local/login")).body.code).toBe("validation_failed");
    expect((await browser.begin({ invitation: "cpi_x" })).body.code).toBe("unknown_parameter");
    expect((await browser.get("/auth/providers")).body.data).toEqual([
      { id: "local", label: "Local", loginUrl: "/api/v1/auth/oidc/local/login" },
    ]);
  });

  it("uses the development cookie only on this machine", async () => {
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

const asOperator = { headers: { authorization: `Bearer ${OPERATOR_KEY}` } };

describe("invalid settings", () => {
  it.each([
    ["no JSON", "{", /is not valid JSON/],
    ["no list", "{}", /must be a JSON list/],
    ["an entry without what it needs", '[{"id":"x"}]', /OIDC_PROVIDERS\[0\]\.issuer/],
  ])("with %s are reported by /health, and the rest works", async (_, setting, problem) => {
    const send = appWith(signInSettings({ OIDC_PROVIDERS: setting }));
    const health = await send("GET", "/health", asOperator);
    expect([health.status, health.body.status]).toEqual([200, "ok"]);
    expect(health.body.problems.join("\n")).toMatch(problem);
    expect((await send("GET", "/auth/providers")).body.data).toEqual([]);
    expect((await send("GET", "/auth/oidc/local/login?returnTo=/")).status).toBe(404);
  });

  it("are ignored entry by entry, and a missing secret is named", async () => {
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
    const { problems } = (await send("GET", "/health", asOperator)).body;
    expect(problems).toEqual([
      expect.stringMatching(/^OIDC_PROVIDERS\[1\]\.id: /),
      "OIDC_PROVIDERS[2].id: an earlier provider has the id local.",
      "OIDC_PROVIDERS, two: the secret OIDC_NONE is not set.",
      expect.stringMatching(/^OPERATORS: /),
    ]);
    const { data } = (await send("GET", "/auth/providers")).body;
    expect(data.map(({ id }: { id: string }) => id)).toEqual(["local", "two"]);
  });

  it.each<[string, (issuer: string) => string, Record<string, unknown>, RegExp | undefined]>([
    ["right", (issuer) => `${issuer}|a|b, Ada@example.com`, {}, undefined],
    ["nothing", () => " , ", { trustedForEmail: false }, undefined],
    ["neither kind", () => "ada", {}, /neither `issuer/],
    ["of an issuer with a slash too many", (issuer) => `${issuer}/|a`, {}, /not in OIDC_PROVIDERS/],
    [
      "an address that nobody proves",
      () => "a@x.example",
      { trustedForEmail: false },
      /no provider is/,
    ],
  ])("of an operator list are reported: %s", async (_, list, provider, problem) => {
    const OPERATORS = list(inject("signInProvider"));
    const { body } = await appWith(signInSettings({ OPERATORS }, provider))(
      "GET",
      "/health",
      asOperator,
    );
    const expected = problem && [expect.stringMatching(/^OPERATORS: /)];
    expect(body.problems).toEqual(expected);
    if (problem !== undefined) expect(body.problems[0]).toMatch(problem);
  });
});
