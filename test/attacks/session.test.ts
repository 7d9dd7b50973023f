/** Attacks on an existing session: its cookie, forged changes, and removed rights. */
import { describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import { isMutation } from "#http/endpoint.ts";
import type { TenantRole } from "#schema/lists/roles.ts";
import { type Answer, makeTenant, OPERATOR_KEY, operator, send } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import {
  headersOf,
  makeMembership,
  makeSession,
  makeUser,
  SESSION_COOKIE,
  signedIn,
  signedInOperator,
  type TestSession,
} from "#test/support/sessions.ts";

const gone = expect.stringMatching(`^${SESSION_COOKIE}=;.*Max-Age=0`);
const json = { "content-type": "application/json" };
const as = (
  session: Pick<TestSession, "token">,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {},
): Promise<Answer> =>
  send(method, path, {
    headers: { ...headersOf(session), ...(body === undefined ? {} : json), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

describe("a session's cookie", () => {
  it.each<[attack: string, (token: string) => string]>([
    ["sent twice", (token) => `${SESSION_COOKIE}=${token}; ${SESSION_COOKIE}=${token}`],
    [
      "behind another",
      (token) => `${SESSION_COOKIE}=${"A".repeat(43)}; ${SESSION_COOKIE}=${token}`,
    ],
    ["before another", (token) => `${SESSION_COOKIE}=${token}; ${SESSION_COOKIE}=x`],
    ["before an empty one", (token) => `${SESSION_COOKIE}=${token};${SESSION_COOKIE}=`],
    ["in quotes", (token) => `${SESSION_COOKIE}="${token}"`],
    [
      "percent-encoded",
      (token) => `${SESSION_COOKIE}=%${token.charCodeAt(0).toString(16)}${token.slice(1)}`,
    ],
    ["cut short", (token) => `${SESSION_COOKIE}=${token.slice(1)}`],
    ["with one character more", (token) => `${SESSION_COOKIE}=${token}A`],
    ["with padding", (token) => `${SESSION_COOKIE}=${token}=`],
    ["with the operators' mark", (token) => `${SESSION_COOKIE}=op_${token}`],
    ["in the other case", (token) => `${SESSION_COOKIE}=${swapCase(token)}`],
    ["empty", () => `${SESSION_COOKIE}=`],
    ["of SQL", () => `${SESSION_COOKIE}=' OR 1=1 --`],
    ["of ten thousand characters", () => `${SESSION_COOKIE}=${"A".repeat(10_000)}`],
    ["invented", () => `${SESSION_COOKIE}=${"A".repeat(43)}`],
    ["invented, an operator's", () => `${SESSION_COOKIE}=op_${"A".repeat(43)}`],
  ])("%s is 401, and is removed", async (_, cookieOf) => {
    const cookie = cookieOf((await signedIn()).token);
    for (const path of ["/auth/session", "/templates"]) {
      const answer = await send("GET", path, { headers: { cookie } });
      expect([answer.status, answer.body.code], answer.text).toEqual([401, "unauthenticated"]);
      expect(answer.headers.getSetCookie()).toEqual([gone]);
      // A malformed token is refused without a database query.
      const couldBe = /^[^;=]+=(op_)?[\w-]{43}$/.test(cookie);
      expect(answer.headers.get("server-timing")).toMatch(couldBe ? /"\d+\/1"/ : /"0\/0"/);
    }
  });

  it("of an ended session, idle or old, is 401", async () => {
    const userId = await makeUser();
    for (const hours of [9, 8 * 24]) {
      const session = await makeSession(userId, { ageMs: hours * 3_600_000 });
      const answer = await as(session, "GET", "/auth/session");
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, [gone]]);
    }
  });

  it.each<[attack: string, (token: string) => string]>([
    ["under the name of development", (token) => `control_session_dev=${token}`],
    ["without its prefix", (token) => `control_session=${token}`],
    ["under its name in lower case", (token) => `${SESSION_COOKIE.toLowerCase()}=${token}`],
    ["under a name that ends like it", (token) => `x${SESSION_COOKIE}=${token}`],
    ["in the value of another", (token) => `x="${SESSION_COOKIE}=${token}"`],
    ["in the name of another", (token) => `${SESSION_COOKIE}=${token}=`.replace("=", "%3D")],
  ])("%s belongs to nobody", async (_, cookieOf) => {
    const cookie = cookieOf((await signedIn()).token);
    const answer = await send("GET", "/auth/session", { headers: { cookie } });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([401, []]);
  });

  it("of an operator gives no rights without its prefix, nor a member's with it", async () => {
    const [boss, member] = [await signedInOperator(), await signedIn()];
    for (const token of [boss.token.slice(3), `op_${member.token}`])
      expect((await as({ token }, "GET", "/tenants")).status).toBe(401);
    const userId = await makeUser();
    const marked = await makeSession(userId, { operator: true });
    expect((await as(marked, "GET", "/tenants")).status, "not on the list").toBe(401);
  });

  it.each([`Bearer ${OPERATOR_KEY}`, "Bearer x", "Basic eDp5"])(
    "together with the Authorization header %j is 400, for reads and changes",
    async (authorization) => {
      const session = await signedIn();
      for (const method of ["GET", "DELETE"]) {
        const answer = await as(session, method, "/auth/session", { headers: { authorization } });
        expect([answer.status, answer.body.code], answer.text).toEqual([400, "validation_failed"]);
      }
      expect((await as(session, "GET", "/auth/session")).status, "it is not over").toBe(200);
    },
  );

  it("is not in any answer, list or error", async () => {
    const session = await signedIn();
    const asked = await Promise.all([
      as(session, "GET", "/auth/session"),
      as(session, "GET", "/auth/sessions"),
      as(session, "GET", "/tenants"),
      as(session, "POST", "/templates", { body: {} }),
      as(session, "DELETE", `/auth/sessions/${crypto.randomUUID()}`),
    ]);
    for (const { text, headers } of asked) {
      expect(text).not.toContain(session.token);
      expect(JSON.stringify([...headers])).not.toContain(session.token);
      expect(headers.get("cache-control")).toMatch(/no-store|private/);
    }
  });
});

describe("a change with a session cookie", () => {
  const own = "https://control.test";
  const listed = "https://console.test";
  const sendHere = appWith({ ALLOWED_ORIGINS: listed });

  const forged: [attack: string, headers: Record<string, string>][] = [
    ["without the header", { "sec-fetch-site": "same-origin" }],
    ["without the header, from our origin", { origin: own }],
    ["with the header at 0", { "x-service-csrf": "0", "sec-fetch-site": "same-origin" }],
    ["with the header at true", { "x-service-csrf": "true", "sec-fetch-site": "same-origin" }],
    ["with the header empty", { "x-service-csrf": "", "sec-fetch-site": "same-origin" }],
    ["with the header twice", { "x-service-csrf": "1, 1", "sec-fetch-site": "same-origin" }],
    ["with the header at 11", { "x-service-csrf": "11", "sec-fetch-site": "same-origin" }],
    ["that does not say where it comes from", { "x-service-csrf": "1" }],
    ["from another site", { "x-service-csrf": "1", "sec-fetch-site": "cross-site" }],
    ["from a neighbour", { "x-service-csrf": "1", "sec-fetch-site": "same-site" }],
    ["from the address bar", { "x-service-csrf": "1", "sec-fetch-site": "none" }],
    ["from a place of no such kind", { "x-service-csrf": "1", "sec-fetch-site": "Same-Origin, x" }],
    [
      "from a neighbour that calls itself us",
      { "x-service-csrf": "1", "sec-fetch-site": "same-site", origin: own },
    ],
    [
      "from another site that calls itself us",
      { "x-service-csrf": "1", "sec-fetch-site": "cross-site", origin: own },
    ],
    ["from a foreign origin", { "x-service-csrf": "1", origin: "https://evil.test" }],
    ["from a sandbox", { "x-service-csrf": "1", origin: "null" }],
    ["from an empty origin", { "x-service-csrf": "1", origin: "" }],
    ["from our host without TLS", { "x-service-csrf": "1", origin: "http://control.test" }],
    ["from our host's other port", { "x-service-csrf": "1", origin: `${own}:444` }],
    ["from an origin that begins like ours", { "x-service-csrf": "1", origin: `${own}.evil.test` }],
    [
      "from an origin that begins like a listed one",
      { "x-service-csrf": "1", origin: `${listed}.evil.test` },
    ],
    [
      "from an origin that ends like ours",
      { "x-service-csrf": "1", origin: "https://xcontrol.test" },
    ],
    ["from two origins", { "x-service-csrf": "1", origin: `${listed}, https://evil.test` }],
    ["that only refers to us", { "x-service-csrf": "1", referer: `${own}/` }],
  ];
  const meant: [from: string, headers: Record<string, string>][] = [
    ["our own page", { "x-service-csrf": "1", "sec-fetch-site": "same-origin" }],
    ["our own page, in an older browser", { "x-service-csrf": "1", origin: own }],
    [
      "an origin on the list",
      { "x-service-csrf": "1", "sec-fetch-site": "cross-site", origin: listed },
    ],
  ];

  const sessionWithTemplates = async () => {
    const tenant = await makeTenant();
    const session = await signedIn([tenant.tenantId, "CustomerOwner"]);
    return { tenant, session };
  };
  const shared = sessionWithTemplates();
  const changes = ({ tenantId }: { tenantId: string }): [string, string, unknown][] => [
    ["POST", "/profiles", { name: "sample" }],
    ["PATCH", `/tenants/${tenantId}`, { name: "Changed" }],
    ["PUT", "/feature-flags/x", {}],
    ["DELETE", "/auth/session", undefined],
    ["DELETE", `/auth/sessions/${crypto.randomUUID()}`, undefined],
  ];

  it.each(forged)("%s is refused, whatever the change", async (_, headers) => {
    const { tenant, session } = await shared;
    const cookie = `${SESSION_COOKIE}=${session.token}`;
    for (const [method, path, body] of changes(tenant)) {
      const answer = await sendHere(method, path, {
        headers: { cookie, ...(body === undefined ? {} : json), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect([answer.status, answer.body.code], `${method} ${path}`).toEqual([
        403,
        "csrf_required",
      ]);
    }
    expect((await as(session, "GET", "/auth/session")).status, "nobody was signed out").toBe(200);
  });

  it.each(meant)("from %s is accepted", async (_, headers) => {
    const { session } = await shared;
    const answer = await sendHere("POST", "/profiles", {
      headers: { cookie: `${SESSION_COOKIE}=${session.token}`, ...json, ...headers },
      body: '{"name":"sample"}',
    });
    expect(answer.status, answer.text).toBe(201);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
    "from a foreign page's form of type %s is refused",
    async (type) => {
      const { session } = await shared;
      const answer = await sendHere("POST", "/profiles", {
        headers: {
          cookie: `${SESSION_COOKIE}=${session.token}`,
          "content-type": type,
          origin: "null",
        },
        body: '{"name":"sample"}',
      });
      expect([answer.status, answer.body.code]).toEqual([403, "csrf_required"]);
    },
  );

  it("by a GET with a method override is refused", async () => {
    const { tenant, session } = await shared;
    const before = await operator.get(`/tenants/${tenant.tenantId}`);
    for (const name of ["x-http-method-override", "x-method-override", "x-http-method"])
      await as(session, "GET", "/auth/session", { headers: { [name]: "DELETE" } });
    await as(session, "GET", "/auth/session?_method=DELETE");
    expect((await as(session, "GET", "/auth/session")).status).toBe(200);
    expect((await operator.get(`/tenants/${tenant.tenantId}`)).text).toBe(before.text);
  });

  it("is not allowed to foreign pages by CORS", async () => {
    for (const origin of ["https://evil.test", "null", own.replace("https", "http")]) {
      const preflight = await sendHere("OPTIONS", "/profiles", {
        headers: {
          origin,
          "access-control-request-method": "POST",
          "access-control-request-headers": "x-service-csrf",
        },
      });
      const read = await sendHere("GET", "/auth/providers", { headers: { origin } });
      for (const { headers } of [preflight, read])
        expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });

  it("with a key needs no CSRF header, since browsers do not send keys by themselves", async () => {
    const { tenant } = await shared;
    expect((await tenant.post("/profiles", { name: "sample" })).status).toBe(201);
  });
});

describe("removed rights", () => {
  const member = async (role: TenantRole) => {
    const tenant = await makeTenant();
    const userId = await makeUser();
    await makeMembership(userId, tenant.tenantId, role);
    // The tenant must keep an owner.
    await makeMembership(await makeUser(), tenant.tenantId, "CustomerOwner");
    const session = await makeSession(userId);
    return { tenant, session, place: `/tenants/${tenant.tenantId}/members/${userId}` };
  };
  const profile = { body: { name: "sample" } };

  it("end with the next request of a demoted member", async () => {
    const { tenant, session, place } = await member("CustomerOwner");
    expect((await as(session, "POST", "/profiles", profile)).status).toBe(201);
    expect((await operator.patch(place, { role: "CustomerViewer" })).status).toBe(200);
    for (const [method, path, asked] of [
      ["POST", "/profiles", profile],
      ["PATCH", `/tenants/${tenant.tenantId}`, { body: { name: "Mine" } }],
      ["PATCH", place, { body: { role: "CustomerOwner" } }],
      ["POST", "/api-keys", { body: { name: "x", scopes: ["*"] } }],
    ] as const) {
      const answer = await as(session, method, path, asked);
      expect([answer.status, answer.body.code], `${method} ${path}`).toEqual([403, "forbidden"]);
    }
    expect((await as(session, "GET", "/profiles")).status).toBe(200);
  });

  it("end with the next request of a removed member, and of the keys that they created", async () => {
    const { tenant, session, place } = await member("CustomerOwner");
    const key = await as(session, "POST", "/api-keys", { body: { name: "mine", scopes: ["*"] } });
    expect(key.status, key.text).toBe(201);
    const withKey = () =>
      send("POST", "/profiles", {
        headers: { authorization: `Bearer ${key.body.key}`, ...json },
        body: '{"name":"sample"}',
      });
    expect((await withKey()).status).toBe(201);
    expect((await operator.delete(place)).status).toBe(204);
    expect((await withKey()).status).toBe(401);
    expect((await as(session, "POST", "/profiles", profile)).status).toBe(403);
    expect((await as(session, "GET", "/profiles")).status).toBe(403);
    const answer = await as(session, "GET", `/tenants/${tenant.tenantId}`);
    expect(answer.text).not.toContain(tenant.slug);
    expect(answer.status).toBe(403);
  });

  it("end at once when a session is ended from elsewhere", async () => {
    const tenant = await makeTenant();
    const userId = await makeUser();
    await makeMembership(userId, tenant.tenantId, "CustomerOwner");
    const [stolen, own] = [await makeSession(userId), await makeSession(userId)];
    expect((await as(stolen, "GET", "/profiles")).status).toBe(200);
    const ended = await as(own, "DELETE", `/auth/sessions/${stolen.sessionId}`);
    expect(ended.status).toBe(204);
    const closed = endpoints.filter(({ access }) => access !== "public");
    expect(closed.length).toBeGreaterThan(60);
    const answers = await Promise.all(
      closed.map(async ({ method, path }) => {
        const at = path.replace(/\{\w+\}/g, tenant.tenantId);
        const asked = isMutation(method) && method !== "DELETE" ? { body: {} } : {};
        const { status, headers } = await as(stolen, method, at, asked);
        return `${method} ${path}: ${status} ${headers.getSetCookie().length}`;
      }),
    );
    // An invalid body is reported before the caller is authenticated.
    expect(answers.filter((line) => !/: (401 1|400 0)$/.test(line))).toEqual([]);
    expect(answers.filter((line) => line.includes(": 401 1")).length).toBeGreaterThan(40);
    const page = await appWith({})("GET", "https://control.test/account", {
      headers: headersOf(stolen),
      redirect: "manual",
    });
    expect([page.status, page.headers.get("location"), page.headers.getSetCookie()]).toEqual([
      302,
      "/login?returnTo=%2Faccount",
      [gone],
    ]);
    expect((await as(own, "GET", "/auth/session")).status).toBe(200);
  });

  it("do not return with a repeated change", async () => {
    const { session, place } = await member("CustomerOwner");
    const repeat = () =>
      as(session, "POST", "/profiles", { ...profile, headers: { "idempotency-key": "once" } });
    const made = await repeat();
    expect([made.status, (await repeat()).text]).toEqual([201, made.text]);
    expect((await operator.delete(place)).status).toBe(204);
    const after = await repeat();
    expect([after.status, after.text.includes(made.body.id)]).toEqual([403, false]);
  });

  it("are not given to a signed-out user with the old cookie", async () => {
    const session = await signedIn();
    expect((await as(session, "DELETE", "/auth/session")).status).toBe(204);
    for (const method of ["GET", "DELETE"])
      expect((await as(session, method, "/auth/session")).status).toBe(401);
  });

  it("and other users' sessions are answered as unknown ones", async () => {
    const [one, two] = [await signedIn(), await signedIn()];
    const theirs = await as(one, "DELETE", `/auth/sessions/${two.sessionId}`);
    const nobodys = await as(one, "DELETE", `/auth/sessions/${crypto.randomUUID()}`);
    const plain = ({ text, body }: Answer) =>
      text.replaceAll(body.requestId, "").replace(/sessions\/[\w-]{36}/, "");
    expect([theirs.status, plain(theirs)]).toEqual([404, plain(nobodys)]);
    expect((await as(two, "GET", "/auth/session")).status).toBe(200);
  });
});

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (c) =>
    c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase(),
  );
}
