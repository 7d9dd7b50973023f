/** Attacks on the callback: foreign, repeated and redirected sign-ins. */
import { afterEach, describe, expect, it } from "vitest";
import { send } from "#test/support/api.ts";
import { headersOf, makeSession, makeUser } from "#test/support/sessions.ts";
import { Browser, person, SESSION_COOKIE } from "#test/support/sign-in.ts";
import {
  attempt,
  authorized,
  begin,
  come,
  expectTellsNothing,
  setLater,
  settingsFor,
  useHostility,
} from "./attempt.ts";
import { HostileProvider } from "./hostile-provider.ts";

useHostility();

const SIGN_IN_COOKIE = "__Host-control_sign_in";
const copyOf = (callback: URL, change: (query: URLSearchParams) => void): URL => {
  const copy = new URL(callback);
  change(copy.searchParams);
  return copy;
};

/** A browser about to request the callback. */
async function about(provider = new HostileProvider()) {
  const browser = new Browser(settingsFor([provider]));
  const callback = await authorized(browser, provider);
  return { provider, browser, callback };
}

describe("the callback", () => {
  it.each<[attack: string, cause: string, (query: URLSearchParams) => void]>([
    ["with its state twice", "twice", (query) => query.append("state", query.get("state") ?? "")],
    [
      "with another state before its own",
      "twice",
      (query) => {
        const own = query.get("state") ?? "";
        query.set("state", "A".repeat(43));
        query.append("state", own);
      },
    ],
    ["with its code twice", "twice", (query) => query.append("code", query.get("code") ?? "")],
    ["with another's code behind its own", "twice", (query) => query.append("code", "stolen")],
    ["with its issuer twice", "twice", (query) => query.append("iss", query.get("iss") ?? "")],
    [
      "with another issuer behind its own",
      "twice",
      (query) => query.append("iss", "https://evil.test"),
    ],
    [
      "with an unknown parameter twice",
      "twice",
      (query) => {
        query.append("x", "1");
        query.append("x", "1");
      },
    ],
    ["with code and error", "both", (query) => query.set("error", "access_denied")],
    ["with neither code nor error", "neither", (query) => query.delete("code")],
    ["with an ID token of its own", "id_token", (query) => query.set("id_token", "e30.e30.")],
    ["with an access token of its own", "access_token", (query) => query.set("access_token", "x")],
    ["with a signed response of its own", "response", (query) => query.set("response", "e30.e30.")],
    ["with an empty code", "code", (query) => query.set("code", "")],
    [
      "with a code of five thousand characters",
      "code",
      (query) => query.set("code", "x".repeat(5_000)),
    ],
    ["with lines in its code", "code", (query) => query.set("code", "x\r\ny")],
    ["with NUL in its code", "code", (query) => query.set("code", "x\u0000")],
    ["without a state", "state", (query) => query.delete("state")],
    ["with a state that is cut short", "state", (query) => query.set("state", "x")],
    ["with a state of SQL", "state", (query) => query.set("state", "' OR 1=1 --")],
  ])("%s is refused before the sign-in is consumed", async (_, cause, change) => {
    const { provider, browser, callback } = await about();
    const refused = await come(browser, copyOf(callback, change), provider);
    expect(refused.result).toBe("parameters_invalid");
    expect(refused.cause).toContain(cause);
    expect(provider.count("token")).toBe(0);
    expect((await come(browser, callback, provider)).result).toBe("signed in");
  });

  it("with a parameter twice in two spellings is refused", async () => {
    const { provider, browser, callback } = await about();
    const twice = new URL(`${callback.href}&%73tate=${"A".repeat(43)}`);
    expect((await come(browser, twice, provider)).result).toBe("parameters_invalid");
  });

  it("accepts GET only", async () => {
    const { provider, browser, callback } = await about();
    const path = `${callback.pathname.replace("/api/v1", "")}${callback.search}`;
    const posted = await browser.ask("POST", path);
    expect([posted.status, browser.session]).toEqual([405, undefined]);
    expect(provider.count("token")).toBe(0);
  });

  it.each<[attack: string, (query: URLSearchParams) => void]>([
    ["another issuer", (query) => query.set("iss", "https://evil.test")],
    ["an empty issuer", (query) => query.set("iss", "")],
    ["no issuer, where one is promised", (query) => query.delete("iss")],
    ["an issuer that differs by a slash", (query) => query.set("iss", `${query.get("iss")}/`)],
    ["an issuer in capitals", (query) => query.set("iss", String(query.get("iss")).toUpperCase())],
    [
      "the issuer of another, in an error",
      (query) => {
        query.delete("code");
        query.set("error", "access_denied");
        query.set("iss", "https://evil.test");
      },
    ],
  ])("of %s is refused before the code is sent anywhere", async (_, change) => {
    const { result, provider } = await attempt({ callback: change });
    expect([result, provider.asked]).toEqual(["issuer_mismatch", ["discovery"]]);
  });

  it("with another issuer is refused, even if the provider does not announce `iss`", async () => {
    const { result, provider } = await attempt({
      discovery: (document) => ({
        ...document,
        authorization_response_iss_parameter_supported: undefined,
      }),
      callback: (query) => query.set("iss", "https://evil.test"),
    });
    expect([result, provider.asked]).toEqual(["issuer_mismatch", ["discovery"]]);
  });

  it("with an error of the provider does not reveal it", async () => {
    const { result, answer } = await attempt({
      callback: (query) => {
        query.delete("code");
        query.set("error", "<script>alert(1)</script>");
        query.set("error_description", "https://evil.test");
      },
    });
    expect(result).toBe("provider_refused");
    expect(answer.text).not.toMatch(/script|evil/);
  });
});

describe("a state", () => {
  afterEach(() => setLater(0));

  it("of another browser is useless, also in a browser that is signing in", async () => {
    const { provider, browser, callback } = await about();
    const thief = new Browser(settingsFor([provider]));
    await begin(thief, provider);
    for (const other of [thief, new Browser(settingsFor([provider]))])
      expect((await come(other, callback, provider)).result).toBe("sign_in_unknown");
    expect(provider.count("token")).toBe(0);
    expect((await come(browser, callback, provider)).result).toBe("signed in");
  });

  it("of another provider is useless in the same browser", async () => {
    const [one, two] = [new HostileProvider("one"), new HostileProvider("two")];
    const browser = new Browser(settingsFor([one, two]));
    const callback = await authorized(browser, one);
    const crossed = new URL(callback.href.replace("/oidc/one/", "/oidc/two/"));
    expect((await come(browser, crossed, one, two)).result).toBe("sign_in_unknown");
    expect([one.count("token"), two.count("token")]).toEqual([0, 0]);
    expect((await come(browser, callback, one, two)).result, "nor used up").toBe("signed in");
  });

  it("is useless after ten minutes", async () => {
    const { provider, browser, callback } = await about();
    setLater(600_001);
    expect((await come(browser, callback, provider)).result).toBe("sign_in_unknown");
    expect(provider.count("token")).toBe(0);
  });

  it("can be used once, also with five simultaneous callbacks", async () => {
    const { provider, browser, callback } = await about();
    const answers = await Promise.all(Array.from({ length: 5 }, () => browser.come(callback)));
    expect(answers.filter(({ status }) => status === 302)).toHaveLength(1);
    expect(answers.filter(({ body }) => body?.errors[0].code === "sign_in_unknown")).toHaveLength(
      4,
    );
    expect(provider.count("token")).toBe(1);
    for (const answer of answers) expectTellsNothing(answer, [provider]);
    expect((await come(browser, callback, provider)).result).toBe("sign_in_unknown");
    expect(provider.count("token")).toBe(1);
  });

  it("can be used once, also if the sign-in failed", async () => {
    const { provider, browser, callback } = await about();
    provider.alter = { answers: { token: () => new Response(null, { status: 503 }) } };
    expect((await come(browser, callback, provider)).result).toBe("code_refused");
    provider.alter = {};
    expect((await come(browser, callback, provider)).result).toBe("sign_in_unknown");
  });

  it("is useless if the provider's issuer was changed meanwhile", async () => {
    const { provider, browser, callback } = await about();
    const other = new HostileProvider(provider.id);
    const moved = new Browser(settingsFor([other]));
    moved.ours.set(SIGN_IN_COOKIE, browser.ours.get(SIGN_IN_COOKIE));
    const result = await come(moved, callback, provider, other);
    expect([result.result, result.cause]).toEqual(["sign_in_unknown", "configured anew"]);
    expect(other.asked).toEqual([]);
  });

  it.each<[string, (own: string) => string]>([
    ["doubled", (own) => `${own}; ${SIGN_IN_COOKIE}=${own}`],
    ["doubled with another", (own) => `${"A".repeat(43)}; ${SIGN_IN_COOKIE}=${own}`],
    ["empty", () => ""],
    ["quoted", (own) => `"${own}"`],
    ["percent-encoded", (own) => own.replace(/^./, (c) => `%${c.charCodeAt(0).toString(16)}`)],
    ["too long", (own) => `${own}A`],
  ])("is useless with the browser's cookie %s", async (_, change) => {
    const { provider, browser, callback } = await about();
    const own = browser.ours.get(SIGN_IN_COOKIE) ?? "";
    browser.ours.set(SIGN_IN_COOKIE, change(own));
    expect((await come(browser, callback, provider)).result).toBe("sign_in_unknown");
  });

  it.each([
    "x",
    "",
    `"${"A".repeat(43)}"`,
    `${"A".repeat(43)}; ${SIGN_IN_COOKIE}=${"B".repeat(43)}`,
  ])("is bound by our own cookie if %j was planted before", async (planted) => {
    const provider = new HostileProvider();
    const browser = new Browser(settingsFor([provider]));
    browser.ours.set(SIGN_IN_COOKIE, planted);
    const callback = await authorized(browser, provider);
    expect(browser.ours.get(SIGN_IN_COOKIE)).toMatch(/^[\w-]{43}$/);
    expect(planted).not.toContain(browser.ours.get(SIGN_IN_COOKIE));
    const attacker = new Browser(settingsFor([provider]));
    attacker.ours.set(SIGN_IN_COOKIE, planted);
    expect((await come(attacker, callback, provider)).result).toBe("sign_in_unknown");
    expect((await come(browser, callback, provider)).result).toBe("signed in");
  });

  it("is useless with the cookie under its development name", async () => {
    const { provider, browser, callback } = await about();
    browser.ours.set("control_sign_in_dev", browser.ours.get(SIGN_IN_COOKIE));
    browser.ours.set(SIGN_IN_COOKIE, undefined);
    expect((await come(browser, callback, provider)).result).toBe("sign_in_unknown");
  });
});

describe("a code", () => {
  it("that was used is refused by the provider, for every sender", async () => {
    const { provider, browser, callback } = await about();
    const code = callback.searchParams.get("code") ?? "";
    expect((await come(browser, callback, provider)).result).toBe("signed in");
    const again = await authorized(browser, provider);
    const replayed = copyOf(again, (query) => query.set("code", code));
    expect((await come(browser, replayed, provider)).result).toBe("code_refused");
  });

  it("of another person's sign-in fails because of the verifier", async () => {
    const { provider, browser, callback } = await about();
    const victim = await authorized(new Browser(settingsFor([provider])), provider);
    const injected = copyOf(callback, (query) =>
      query.set("code", victim.searchParams.get("code") ?? ""),
    );
    expect((await come(browser, injected, provider)).result).toBe("code_refused");
  });

  it("of another person's sign-in fails because of the nonce, even if the provider ignores the verifier", async () => {
    const { provider, browser, callback } = await about();
    provider.alter = { careless: true };
    const victim = await authorized(new Browser(settingsFor([provider])), provider);
    const injected = copyOf(callback, (query) =>
      query.set("code", victim.searchParams.get("code") ?? ""),
    );
    const result = await come(browser, injected, provider);
    expect([result.result, result.cause]).toEqual(["token_invalid", "nonce"]);
  });

  it("of one provider is never sent to another (mix-up)", async () => {
    const [honest, evil] = [new HostileProvider("honest"), new HostileProvider("evil")];
    const browser = new Browser(settingsFor([honest, evil]));
    const begun = await begin(browser, evil);
    // The malicious provider redirects the browser to the honest one.
    const answer = honest.authorize(begun.headers.get("location") ?? "", person());
    expect(answer.pathname).toBe("/api/v1/auth/oidc/evil/callback");
    expect((await come(browser, answer, honest, evil)).result).toBe("issuer_mismatch");
    expect([honest.count("token"), evil.count("token")]).toEqual([0, 0]);
    const toHonest = new URL(answer.href.replace("/oidc/evil/", "/oidc/honest/"));
    expect((await come(browser, toHonest, honest, evil)).result).toBe("sign_in_unknown");
    expect([honest.count("token"), evil.count("token")]).toEqual([0, 0]);
  });

  it("and state, nonce and verifier differ in every sign-in", async () => {
    const provider = new HostileProvider();
    const browser = new Browser(settingsFor([provider]));
    const seen = new Set<string>();
    for (let i = 0; i < 20; i += 1) {
      const begun = await begin(browser, provider);
      const { searchParams } = new URL(begun.headers.get("location") ?? "");
      for (const name of ["state", "nonce", "code_challenge"])
        seen.add(searchParams.get(name) ?? "");
      expect(searchParams.get("code_challenge_method")).toBe("S256");
    }
    expect(seen.size).toBe(60);
    expect([...seen].every((value) => /^[\w-]{43}$/.test(value))).toBe(true);
  });
});

describe("signing in", () => {
  it("ends a session that was planted before (fixation)", async () => {
    const attacker = await makeSession(await makeUser());
    const { provider, browser, callback } = await about();
    browser.ours.set(SESSION_COOKIE, attacker.token);
    expect((await come(browser, callback, provider)).result).toBe("signed in");
    expect(browser.session).not.toBe(attacker.token);
    expect((await send("GET", "/auth/session", { headers: headersOf(attacker) })).status).toBe(401);
  });

  it("accepts no session token from the request", async () => {
    for (const planted of [
      "A".repeat(43),
      `op_${"A".repeat(43)}`,
      "",
      "x; y=z",
      "A".repeat(5000),
    ]) {
      const { provider, browser, callback } = await about();
      browser.ours.set(SESSION_COOKIE, planted);
      expect((await come(browser, callback, provider)).result).toBe("signed in");
      expect(browser.session).toMatch(/^[\w-]{43}$/);
      expect(browser.session).not.toBe(planted);
    }
  });

  it("cannot be forced on another person by a link (login CSRF)", async () => {
    const { provider, callback } = await about();
    const victim = new Browser(settingsFor([provider]));
    const own = await authorized(victim, provider);
    expect((await come(victim, callback, provider)).result).toBe("sign_in_unknown");
    const swapped = copyOf(own, (query) =>
      query.set("code", callback.searchParams.get("code") ?? ""),
    );
    expect((await come(victim, swapped, provider)).result).toBe("code_refused");
    expect(victim.session).toBeUndefined();
  });

  it("does not make an operator of a user with only the subject or the issuer of one", async () => {
    const [boss, provider, other] = [person(), new HostileProvider(), new HostileProvider()];
    const list = `${provider.issuer}|${boss.sub}`;
    const operatorAt = async (at: HostileProvider, sub: string, operators = list) => {
      const browser = new Browser(settingsFor([at], { OPERATORS: operators }));
      const claims = { ...boss, sub };
      await come(browser, await authorized(browser, at, claims), at);
      return (await browser.get("/auth/session")).body.operator as boolean;
    };
    expect(await operatorAt(provider, boss.sub)).toBe(true);
    expect(await operatorAt(provider, `${boss.sub}x`)).toBe(false);
    expect(await operatorAt(other, boss.sub)).toBe(false);
    expect(await operatorAt(other, `${provider.issuer}|${boss.sub}`)).toBe(false);
    expect(await operatorAt(other, "x", `,|,@,${boss.email}x,${boss.sub},${other.issuer}|`)).toBe(
      false,
    );
  });
});
