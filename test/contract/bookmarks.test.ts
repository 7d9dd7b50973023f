/** `X-D1-Bookmark`: reads may be answered by a copy of the database, and a caller always sees what they did. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { makeTenant, OPERATOR_KEY, type TestTenant } from "#test/support/api.ts";
import { type AppSend, appWith } from "#test/support/app-with.ts";
import { makeInstance, makeTarget, makeTemplate } from "#test/support/cloud.ts";
import { headersOf, signedIn } from "#test/support/sessions.ts";
import { SOURCE } from "#test/support/templates.ts";

const BOOKMARK = "00000000-00000001-00000002-0123456789abcdef0123456789abcdef";
const PRIMARY = "first-primary";

/** What each round trip was told: the primary, or how much a copy has to know. */
let asked: string[];
let send: AppSend;
let tenant: TestTenant;
beforeEach(async () => {
  asked = [];
  tenant = await makeTenant();
  send = appWith({ DB: replicated("up to date") });
});

interface Asked {
  query: string;
  values: unknown[];
}

/** D1 with a copy that knows everything, or nothing yet. */
function replicated(copy: "up to date" | "empty"): D1Database {
  const nothing = { success: true, results: [], meta: {} };
  const withSession = (place: string) => {
    const session = env.DB.withSession(place === PRIMARY ? PRIMARY : "first-unconstrained");
    const isEmpty = place !== PRIMARY && copy === "empty";
    const onSession = ({ query, values }: Asked) => session.prepare(query).bind(...values);
    let nth = 0;
    const hears = async <T>(answer: () => Promise<T>, ifEmpty: T): Promise<T> => {
      // A session promises the primary for its first statement alone.
      asked.push(place === PRIMARY && nth > 0 ? "a copy" : place);
      nth += 1;
      return isEmpty ? ifEmpty : answer();
    };
    const prepare = (
      query: string,
      values: unknown[] = [],
    ): Asked & Partial<D1PreparedStatement> => ({
      query,
      values,
      bind: (...given: unknown[]) => prepare(query, given) as unknown as D1PreparedStatement,
      all: async () => hears(async () => onSession({ query, values }).all(), nothing as never),
      run: async () => hears(async () => onSession({ query, values }).run(), nothing as never),
    });
    return {
      prepare,
      batch: async (statements: Asked[]) =>
        hears(
          async () => session.batch(statements.map(onSession)),
          statements.map(() => nothing) as never,
        ),
      getBookmark: () => session.getBookmark(),
    };
  };
  const primary = { prepare: env.DB.prepare.bind(env.DB), batch: env.DB.batch.bind(env.DB) };
  return { ...primary, withSession } as unknown as D1Database;
}

const bearer = (key: string, more: Record<string, string> = {}) => ({
  headers: { authorization: `Bearer ${key}`, ...more },
});
const near = (key: string) => bearer(key, { "x-d1-bookmark": BOOKMARK });
const post = (key: string, body: unknown, more: Record<string, string> = {}): RequestInit => ({
  ...bearer(key, { "content-type": "application/json", ...more }),
  body: JSON.stringify(body),
});

describe("a bookmark", () => {
  it("is in answers to who is known, and grows with each change", async () => {
    const first = await send("GET", "/templates", bearer(tenant.key));
    const change = await send("POST", "/templates", post(tenant.key, { name: "bookmarked" }));
    expect(change.status, change.text).toBe(201);
    const [before, after] = [first, change].map(({ headers }) => headers.get("x-d1-bookmark"));
    expect(before).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{8}){2}-[0-9a-f]{32}$/);
    expect(`${after}` > `${before}`).toBe(true);
    expect(first.headers.getSetCookie()).toEqual([]);
  });

  it("is in no answer to a stranger", async () => {
    for (const [path, init] of [
      ["/health", {}],
      ["/health", near(tenant.key)],
      ["/templates", {}],
      ["/templates", near("cpk_nonsense")],
    ] as const) {
      const { headers } = await send("GET", path, init);
      expect([path, headers.get("x-d1-bookmark"), headers.getSetCookie()]).toEqual([
        path,
        null,
        [],
      ]);
    }
  });
});

describe("a read", () => {
  it("with a bookmark is answered by a copy that knows as much, in one round trip", async () => {
    const answer = await send("GET", "/templates", near(tenant.key));
    expect([answer.status, asked]).toEqual([200, [BOOKMARK]]);
  });

  it.for([
    ["none", {}],
    ["a word", { "x-d1-bookmark": "first-unconstrained" }],
    ["an empty one", { "x-d1-bookmark": "" }],
    ["two", { "x-d1-bookmark": `${BOOKMARK}, ${BOOKMARK}` }],
    ["one in another case", { "x-d1-bookmark": BOOKMARK.toUpperCase() }],
  ] as const)("with %s is answered by the primary", async ([, headers]) => {
    const answer = await send("GET", "/templates", bearer(tenant.key, headers));
    expect([answer.status, asked]).toEqual([200, [PRIMARY]]);
  });

  it("finds what the copy does not know yet, its own key included", async () => {
    const templateId = await makeTemplate(tenant, SOURCE);
    const lagging = appWith({ DB: replicated("empty") });
    const found = await lagging("GET", `/templates/${templateId}`, near(tenant.key));
    expect([found.status, found.body.id]).toEqual([200, templateId]);
    expect(asked).toEqual([BOOKMARK, PRIMARY]);
  });

  it("is refused by the primary alone", async () => {
    const other = await makeTenant();
    const templateId = await makeTemplate(other, SOURCE);
    const lagging = appWith({ DB: replicated("empty") });
    for (const [path, key, status] of [
      [`/templates/${templateId}`, tenant.key, 404],
      ["/templates?limit=x", tenant.key, 400],
      ["/templates", "cpk_nonsense", 401],
      ["/operations/runs", tenant.key, 403],
    ] as const) {
      asked = [];
      const answer = await lagging("GET", path, near(key));
      expect(answer.status, answer.text).toBe(status);
      expect(asked.slice(1).filter((place) => place !== PRIMARY)).toEqual([]);
      if (asked.length > 0) expect(asked.at(-1)).toBe(PRIMARY);
    }
  });
});

describe("a change", () => {
  it("is made at the primary, in every round trip, whatever bookmark comes with it", async () => {
    const more = { "x-d1-bookmark": BOOKMARK, "idempotency-key": crypto.randomUUID() };
    const made = await send("POST", "/templates", post(tenant.key, { name: "near" }, more));
    expect(made.status, made.text).toBe(201);
    expect(new Set(asked)).toEqual(new Set([PRIMARY]));
  });

  it("is answered by the primary after its run has ended", async () => {
    const source = "resources:\n  box: { type: mock:Bucket, properties: { name: near } }\n";
    const targetId = await makeTarget(tenant);
    const instanceId = await makeInstance(tenant, await makeTemplate(tenant, source), targetId);
    asked = [];
    const more = { "x-d1-bookmark": BOOKMARK, prefer: "wait=20" };
    const ended = await send("POST", `/instances/${instanceId}/deploy`, post(tenant.key, {}, more));
    expect(ended.body.state, ended.text).toBe("SUCCEEDED");
    expect(asked.length).toBeGreaterThan(2);
    expect(new Set(asked)).toEqual(new Set([PRIMARY]));
  });
});

describe("a browser", () => {
  const cookieIn = (answer: { headers: Headers }): string | undefined =>
    answer.headers.getSetCookie().find((cookie) => cookie.includes("control_bookmark"));

  it("keeps the bookmark of its changes in a cookie, and reads by it", async () => {
    const session = await signedIn([tenant.tenantId, "CustomerAdmin"]);
    const own = headersOf(session);
    const change = await send("POST", "/templates", {
      headers: { ...own, "content-type": "application/json" },
      body: JSON.stringify({ name: "by a person", tenantId: tenant.tenantId }),
    });
    expect(change.status, change.text).toBe(201);
    const cookie = cookieIn(change);
    for (const part of [
      /^__Host-control_bookmark=/,
      /HttpOnly/,
      /Secure/,
      /SameSite=Lax/i,
      /Path=\//,
    ])
      expect(cookie).toMatch(part);
    const bookmark = change.headers.get("x-d1-bookmark");
    expect(cookie).toContain(`=${bookmark};`);

    asked = [];
    const kept = { ...own, cookie: `${own["cookie"]}; ${cookie?.split(";")[0]}` };
    const read = await send("GET", "/templates", { headers: kept });
    expect([read.status, asked]).toEqual([200, [bookmark]]);
    expect(cookieIn(read), "it has one").toBeUndefined();
  });

  it("gets one with its first read, and is answered by the primary if two came", async () => {
    const own = headersOf(await signedIn([tenant.tenantId, "CustomerViewer"]));
    expect(cookieIn(await send("GET", "/templates", { headers: own }))).toContain(
      "control_bookmark",
    );
    asked = [];
    const two = ["a", "b"].map((end) => `__Host-control_bookmark=${BOOKMARK.slice(0, -1)}${end}`);
    const cookie = [own["cookie"], ...two].join("; ");
    const answer = await send("GET", "/templates", { headers: { ...own, cookie } });
    expect([answer.status, asked]).toEqual([200, [PRIMARY]]);
  });

  it("is no browser if it has a key", async () => {
    for (const key of [tenant.key, OPERATOR_KEY])
      expect(cookieIn(await send("GET", "/templates", bearer(key)))).toBeUndefined();
  });
});
