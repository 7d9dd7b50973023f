/** Hostile or broken requests to every endpoint, apart from bodies: queries, cursors, headers, paths. */
import { exports } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import { type Endpoint, isMutation, takesIdempotencyKey } from "#http/endpoint.ts";
import { makeKey as inventKey } from "#kernel/authn/api-key.ts";
import { newId } from "#platform/ids.ts";
import { type Answer, OPERATOR_KEY, send } from "#test/support/api.ts";
import {
  ask,
  type Asked,
  expectProblem,
  expectRefused,
  expectSecured,
  fieldsOf,
  isForeignFailure,
} from "#test/support/declared.ts";
import { inTurns } from "#test/support/depth.ts";
import {
  answerEveryReceiver,
  deletesLast,
  inParts,
  makeRoomForTriggers,
  makeWorld,
  pathIn,
  sampleBody,
} from "#test/support/world.ts";

answerEveryReceiver();
const world = await makeWorld();
beforeEach(({ task }) => makeRoomForTriggers(world, task));
const unknownKey = inventKey(newId(), false);

// A tenant's keys end with it: after its deletion they always get 401.
const keyFor = ({ access, operationId }: Endpoint) =>
  operationId === "deleteTenant" || (access !== "public" && access.role === "operator")
    ? OPERATOR_KEY
    : world.tenant.key;
const request = (endpoint: Endpoint, asked: Asked): Promise<Answer> =>
  ask(endpoint, pathIn(world, endpoint), { key: keyFor(endpoint), ...asked });

const paged = endpoints.filter(({ query }) => fieldsOf(query).includes("cursor"));
const asList = (endpoint: Endpoint, query: string, key = keyFor(endpoint)) =>
  ask(endpoint, `${pathIn(world, endpoint)}?${query}`, { key });

describe.each(inParts(paged))("%s", (_, endpoint, part) => {
  it.each(
    part(["limit=0", "limit=101", "limit=-1", "limit=1.5", "limit=abc", "limit=", "limit=NaN"]),
  )("refuses %s", async (query) => {
    const answer = await asList(endpoint, query);
    expect([answer.status, answer.body.code]).toEqual([400, "validation_failed"]);
    expect(answer.body.errors).toMatchObject([{ in: "query", pointer: "limit" }]);
  });

  it("accepts the smallest and the largest limit, in digits, and not two limits", async () => {
    expect((await asList(endpoint, "limit=1")).status).toBe(200);
    expect((await asList(endpoint, "limit=100")).status).toBe(200);
    expect((await asList(endpoint, "limit=1&limit=2")).status).toBe(400);
    for (const spelling of part(["1e1", "0x10", "%205", "05", "+5"]))
      expect((await asList(endpoint, `limit=${spelling}`)).status, spelling).toBe(400);
  });

  it.each(part(["page=2", "Limit=1", "__proto__=1", "constructor=1", "limit[]=1", "%00=1", "=1"]))(
    "rejects the parameter %s",
    async (query) => {
      const answer = await asList(endpoint, query);
      expect([answer.status, answer.body.code]).toEqual([400, "unknown_parameter"]);
    },
  );

  it.each(part(["", "x", "a.b", ".", "..", "%00", "a.b.c", "🚀", "x".repeat(2000), "-1", "1e309"]))(
    "rejects the cursor %s",
    async (cursor) => {
      const answer = await asList(endpoint, `cursor=${encodeURIComponent(cursor)}`);
      expect(answer.status, answer.text).toBe(400);
      expect(["invalid_cursor", "validation_failed"]).toContain(answer.body.code);
    },
  );

  it.each(part(["limit=0", "page=2", "cursor=a.b"]))(
    "reveals nothing of %s to an unauthenticated caller",
    async (query) => {
      expect((await asList(endpoint, query, unknownKey)).status).toBe(401);
    },
  );
});

describe("a cursor", () => {
  const keys = endpoints.find(({ operationId }) => operationId === "listApiKeys") as Endpoint;

  it("is valid only unchanged, for the same list and filters", async () => {
    const first = await asList(keys, "limit=1");
    const cursor: string = first.body.nextCursor;
    expect((await asList(keys, `cursor=${cursor}`)).status).toBe(200);
    const [position = "", signature = ""] = cursor.split(".");
    const spoiled = [
      `${cursor}.x`,
      `${cursor}x`,
      `.${signature}`,
      `${position}.`,
      `${position.slice(0, -1)}.${signature}`,
      `${position}.${signature.slice(0, -1)}`,
      `${signature}.${position}`,
    ];
    for (const text of spoiled)
      expect((await asList(keys, `cursor=${text}`)).body.code, text).toBe("invalid_cursor");
    const filtered = await asList(keys, `cursor=${cursor}&tenantId=${world.tenantId}`);
    expect(filtered.body.code).toBe("invalid_cursor");
    for (const other of paged.filter((list) => list !== keys))
      expect((await asList(other, `cursor=${cursor}`)).status, other.path).toBe(400);
  });

  it("is also in the Link header, with the filters of the request", async () => {
    const query = `limit=1&tenantId=${world.tenantId}`;
    const first = await asList(keys, query);
    expect(first.headers.get("link")).toBe(
      `</api/v1/api-keys?${query}&cursor=${first.body.nextCursor}>; rel="next"`,
    );
    const next = /<\/api\/v1\/api-keys\?(.+)>/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    const second = await asList(keys, next);
    expect(second.status, second.text).toBe(200);
    expect(second.body.data[0].id).not.toBe(first.body.data[0].id);
    const all = await asList(keys, "limit=100");
    expect(all.headers.has("link")).toBe(false);
  });
});

const oddHeaders: readonly (readonly [string, string])[] = [
  ["if-match", '"0"'],
  ["if-match", "garbage"],
  ["if-match", ","],
  ["if-none-match", 'W/"x", garbage, *'],
  ["accept", "image/png;q=nonsense"],
  ["accept-encoding", "nothing"],
  ["traceparent", "00-zz-zz-zz"],
  ["prefer", "wait=99999999999999"],
  ["last-event-id", "-1"],
  ["range", "bytes=5-1"],
  ["cookie", "control_session=%%%; ; =x"],
  ["origin", "null"],
  ["x-http-method-override", "DELETE"],
  ["x-forwarded-for", "'; DROP TABLE tenants"],
  ["content-encoding", "gzip"],
];

/** What is the same at every endpoint: at a third of them, at the next third of the next question. */
const isDue = inTurns(3);

describe.each(inParts(deletesLast(endpoints)))("%s", (_, endpoint, part) => {
  const body = () =>
    endpoint.body === undefined ? {} : { body: JSON.stringify(sampleBody(world, endpoint)) };

  it.runIf(isDue())("handles unusual headers", async () => {
    for (const [name, value] of part(oddHeaders)) {
      const answer = await request(endpoint, { ...body(), headers: { [name]: value } });
      expect(answer.status, `${name}: ${value}`).toBeLessThan(500);
    }
  });

  it.runIf(isDue())("keeps a valid X-Request-Id and replaces any other", async () => {
    for (const [sent, kept] of part([
      ["abc-1.2_X", true],
      ["a".repeat(64), true],
      ["a".repeat(65), false],
      ["has space", false],
      ["a/b", false],
      ["", false],
    ] as const)) {
      const answer = await request(endpoint, { ...body(), headers: { "x-request-id": sent } });
      expect(answer.headers.get("x-request-id") === sent, sent).toBe(kept);
    }
  });

  if (takesIdempotencyKey(endpoint))
    it.runIf(isDue())("rejects an invalid Idempotency-Key", async () => {
      for (const key of part(["", "has space", "x".repeat(256), "tab\there"])) {
        const headers = { "idempotency-key": key };
        const answer = await request(endpoint, { ...body(), headers });
        expect(answer.status, key).toBe(400);
        if (!isForeignFailure(endpoint, answer))
          expect(answer.body.errors).toMatchObject([{ in: "header", pointer: "Idempotency-Key" }]);
        const strange = await request(endpoint, { ...body(), headers, key: unknownKey });
        expect(strange.status).toBe(endpoint.access === "public" ? 400 : 401);
      }
    });

  if (endpoint.body === undefined && endpoint.openBody !== true && isMutation(endpoint.method))
    it("refuses a body, unless it is empty or the caller is lenient", async () => {
      for (const body of part(["not JSON", "[]", "null", "1", '{"x', "x".repeat(70_000)]))
        for (const type of ["text/plain", "application/json"]) {
          const asked = { body, headers: { "content-type": type } };
          const answer = await request(endpoint, asked);
          expect([answer.status, answer.body.code]).toEqual([400, "validation_failed"]);
          expect(answer.body.detail).toContain("takes no body");
          const strange = await request(endpoint, { ...asked, key: unknownKey });
          expect(strange.status).toBe(endpoint.access === "public" ? 400 : 401);
        }
      const named = await request(endpoint, { body: '{"dryRun":true}' });
      expect([named.status, named.body.code]).toEqual([400, "unknown_parameter"]);
      expect(named.body.errors).toMatchObject([
        { in: "body", pointer: "/dryRun", detail: "This endpoint takes no body." },
      ]);
      for (const asked of part([
        { body: "" },
        { body: " {} " },
        { body: '{"dryRun":true}', headers: { prefer: "handling=lenient" } },
      ])) {
        const answer = await request(endpoint, asked);
        expect([400, 413, 415], answer.text).not.toContain(answer.status);
      }
    });

  if (endpoint.openQuery !== true)
    it.runIf(isDue())("refuses an unknown query parameter", async () => {
      const path = `${pathIn(world, endpoint)}?dry_run=true`;
      const answer = await ask(endpoint, path, { key: keyFor(endpoint), ...body() });
      expectRefused(endpoint, answer, [400, "unknown_parameter"]);
      if (!isForeignFailure(endpoint, answer))
        expect(answer.body.errors).toMatchObject([{ in: "query", pointer: "dry_run" }]);
      const strange = await ask(endpoint, path, { key: unknownKey, ...body() });
      expect(strange.status).toBe(endpoint.access === "public" ? 400 : 401);
    });

  if (endpoint.method === "GET")
    it.runIf(isDue())("answers HEAD like GET, without the body", async () => {
      const headers = { authorization: `Bearer ${keyFor(endpoint)}` };
      const path = pathIn(world, endpoint);
      const [got, head] = [
        await send("GET", path, { headers }),
        await send("HEAD", path, { headers }),
      ];
      expect([head.status, head.text]).toEqual([got.status, ""]);
      for (const name of ["content-type", "etag", "cache-control", "link"])
        expect(head.headers.get(name)).toBe(got.headers.get(name));
      expectSecured(head);
      const etag = got.headers.get("etag");
      if (etag === null) return;
      for (const method of ["GET", "HEAD"]) {
        const same = await send(method, path, { headers: { ...headers, "if-none-match": etag } });
        expect([same.status, same.text, same.headers.get("etag")]).toEqual([304, "", etag]);
      }
    });
});

describe("paths and methods", () => {
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
  const paths = [...new Set(endpoints.map(({ path }) => path))];

  it.each(paths)("%s answers other methods with 405 and the allowed ones", async (path) => {
    const sample = pathIn(world, { path });
    const declared = endpoints
      .filter((it) => new RegExp(`^${it.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(sample))
      .map(({ method }): string => method);
    const allowed = new Set(declared.includes("GET") ? [...declared, "HEAD"] : declared);
    for (const method of methods.filter((it) => !allowed.has(it))) {
      const answer = await send(method, sample);
      expectProblem(answer);
      expectSecured(answer);
      expect([answer.status, answer.body.code]).toEqual([405, "method_not_allowed"]);
      expect((answer.headers.get("allow") ?? "").split(", ").sort()).toEqual([...allowed].sort());
    }
  });

  it.each([
    "",
    "/",
    "/nothing",
    "/templates/",
    "//templates",
    "/Templates",
    "/templates%2f",
    "/api-keys/a/b/c",
    "/%00",
    "/%",
    "/constructor",
    "/__proto__",
    `/${"a/".repeat(2000)}`,
  ])("answers 404 at %s", async (path) => {
    const answer = await send("GET", path);
    expectProblem(answer);
    expectSecured(answer);
    expect([answer.status, answer.body.code]).toEqual([404, "not_found"]);
  });

  it("answers 404 outside the API", async () => {
    for (const path of ["/", "/favicon.ico", "/api", "/api/v2/templates"]) {
      const answer = await exports.default.fetch(new Request(`https://control.test${path}`));
      expect(answer.status, path).toBe(404);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });
});
