/** Cross-origin requests: what listed origins can do, and that other origins get no CORS headers. */
import { describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import { type Answer, makeTenant, OPERATOR_KEY } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import { d1Spend } from "#test/support/declared.ts";
import { MISSING_ID, titleOf } from "#test/support/world.ts";

const LISTED = "https://console.example";
const send = appWith({ ALLOWED_ORIGINS: `${LISTED}, http://localhost:5173` });
const unlisted = appWith({ ALLOWED_ORIGINS: "" });

const foreign = [
  "https://evil.example",
  "https://console.example.evil.example",
  "https://evil-console.example",
  "http://console.example",
  "https://console.example:8443",
  "https://CONSOLE.example",
  "null",
];

const corsOf = ({ headers }: Answer) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-")));

const paths = [...new Set(endpoints.map(({ path }) => path))].map((path) =>
  path.replace(/\{\w+\}/g, MISSING_ID),
);
const preflight = (origin: string, method = "POST") => ({
  headers: {
    origin,
    "access-control-request-method": method,
    "access-control-request-headers": "authorization, content-type",
  },
});

describe("a preflight", () => {
  it.each(paths)("of %s lists the methods of the path, and uses no database", async (path) => {
    const answer = await send("OPTIONS", path, preflight(LISTED));
    expect([answer.status, answer.text, d1Spend(answer)]).toEqual([204, "", "0/0"]);
    const taken = endpoints
      .filter((it) => new RegExp(`^${it.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(path))
      .flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    expect(corsOf(answer)).toEqual({
      "access-control-allow-origin": LISTED,
      "access-control-allow-credentials": "true",
      "access-control-allow-methods": expect.any(String),
      "access-control-allow-headers": expect.any(String),
      "access-control-max-age": "600",
    });
    const list = (name: string) => (answer.headers.get(name) ?? "").split(", ").sort();
    expect(list("access-control-allow-methods")).toEqual([...new Set(taken)].sort());
    expect(list("access-control-allow-headers")).toEqual([
      "authorization",
      "content-type",
      "idempotency-key",
      "if-match",
      "if-none-match",
      "last-event-id",
      "prefer",
      "traceparent",
      "tracestate",
      "x-d1-bookmark",
      "x-request-id",
      "x-service-csrf",
    ]);
    expect(answer.headers.get("vary")).toBe("Origin");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("of an unknown path lets the page read the 404", async () => {
    for (const path of ["/nothing", "https://control.test/nothing"]) {
      const answer = await send("OPTIONS", path, preflight(LISTED, "PATCH"));
      expect([answer.status, d1Spend(answer)]).toEqual([204, "0/0"]);
      expect(answer.headers.get("access-control-allow-methods")).toContain("PATCH");
    }
  });

  it.each(foreign)("from %s gets no CORS headers", async (origin) => {
    for (const path of ["/templates", "/nothing"]) {
      const answer = await send("OPTIONS", path, preflight(origin));
      expect([corsOf(answer), d1Spend(answer)]).toEqual([{}, "0/0"]);
      expect([404, 405]).toContain(answer.status);
      expect(answer.headers.get("vary")).toBe("Origin");
    }
  });

  it("gets no CORS headers if no origin is listed", async () => {
    expect(corsOf(await unlisted("OPTIONS", "/templates", preflight(LISTED)))).toEqual({});
  });

  it("needs a requested method: any other OPTIONS is 405", async () => {
    const answer = await send("OPTIONS", "/templates", { headers: { origin: LISTED } });
    expect([answer.status, answer.body.code]).toEqual([405, "method_not_allowed"]);
    expect(answer.headers.get("access-control-allow-origin")).toBe(LISTED);
  });
});

const tenant = await makeTenant();
const bearer = { authorization: `Bearer ${tenant.key}` };

/** Every way in which an answer is created. */
const answers: readonly (readonly [number, string, string, RequestInit])[] = [
  [200, "GET", "/health", {}],
  [200, "GET", "/templates", { headers: bearer }],
  [304, "GET", "/openapi.json", { headers: { "if-none-match": "*" } }],
  [400, "GET", "/templates?limit=0", { headers: bearer }],
  [401, "GET", "/templates", {}],
  [401, "GET", "/templates", { headers: { authorization: "Bearer nonsense" } }],
  [403, "POST", `/marketplace/listings/${MISSING_ID}/review`, { headers: bearer }],
  [404, "GET", `/templates/${MISSING_ID}`, { headers: bearer }],
  [404, "GET", "/nothing", {}],
  [405, "PUT", "/templates", {}],
  [415, "POST", "/templates", { headers: bearer, body: "x" }],
];

const withOrigin = (init: RequestInit, origin: string): RequestInit => ({
  ...init,
  headers: { ...(init.headers as Record<string, string>), origin },
});

describe("an answer", () => {
  it.each(answers)(
    "%i to %s %s can be read by listed origins",
    async (status, method, path, init) => {
      const answer = await send(method, path, withOrigin(init, LISTED));
      expect(answer.status, answer.text).toBe(status);
      expect(corsOf(answer)).toEqual({
        "access-control-allow-origin": LISTED,
        "access-control-allow-credentials": "true",
        "access-control-expose-headers": expect.any(String),
      });
      const exposed = answer.headers
        .get("access-control-expose-headers")
        ?.toLowerCase()
        .split(", ");
      expect(exposed).toEqual(
        expect.arrayContaining(
          "etag link location ratelimit ratelimit-policy retry-after x-request-id idempotent-replayed server-timing".split(
            " ",
          ),
        ),
      );
      expect(answer.headers.get("vary")).toBe("Origin");
    },
  );

  it.each(answers)(
    "%i to %s %s cannot be read by other origins",
    async (status, method, path, init) => {
      for (const origin of [...foreign, undefined]) {
        const asked = origin === undefined ? init : withOrigin(init, origin);
        const answer = await send(method, path, asked);
        expect([answer.status, corsOf(answer)]).toEqual([status, {}]);
        expect(answer.headers.get("vary")).toBe("Origin");
      }
    },
  );

  it("500 can be read by listed origins too", async () => {
    const broken = {
      prepare: () => {
        throw new Error("broken");
      },
      batch: () => {
        throw new Error("broken");
      },
    };
    const failing = appWith({ ALLOWED_ORIGINS: LISTED, DB: broken as unknown as D1Database });
    const answer = await failing("GET", "/templates", {
      headers: { origin: LISTED, authorization: `Bearer ${OPERATOR_KEY}` },
    });
    expect([answer.status, answer.body.code]).toEqual([500, "internal"]);
    expect(answer.headers.get("access-control-allow-origin")).toBe(LISTED);
  });
});

it.each(endpoints.map((endpoint) => [titleOf(endpoint), endpoint] as const))(
  "%s lets a listed origin read the 401",
  async (_, endpoint) => {
    if (endpoint.access === "public") return;
    const answer = await send(endpoint.method, endpoint.path.replace(/\{\w+\}/g, MISSING_ID), {
      headers: { origin: LISTED },
    });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([
      401,
      LISTED,
    ]);
  },
);
