import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { findTemplates, findTemplateVersions } from "#areas/templates/store.ts";
import type { Actor } from "#kernel/access/access.ts";
import { Call } from "#kernel/call/call.ts";
import { openDb, runBatch } from "#platform/db/client.ts";
import { newId, PLATFORM } from "#platform/ids.ts";
import { templates, templateVersions } from "#schema/templates.ts";
import { faultsOf, idOf, problemOf } from "#test/support/answers.ts";
import { clientOf, makeTenant, operator, send, stranger } from "#test/support/api.ts";
import { BROKEN, SOURCE, eventsOf, makeTemplate, sourceOf } from "#test/support/templates.ts";

const PATH = "/templates";
const tenant = await makeTenant();

describe("creating a template", () => {
  it("answers an empty template with the defaults, and reads it back", async () => {
    const made = await tenant.post(PATH, { name: "web" });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toEqual({
      id: expect.any(String),
      tenantId: tenant.tenantId,
      name: "web",
      description: "",
      labels: {},
      latestVersion: null,
      createdAt: expect.any(String),
      updatedAt: made.body.createdAt,
      diagnostics: [],
    });
    expect(made.headers.get("location")).toBe(`/api/v1${PATH}/${made.body.id}`);
    const read = await tenant.get(`${PATH}/${made.body.id}`);
    expect({ ...read.body, diagnostics: [] }).toEqual(made.body);
    expect(read.headers.get("etag")).toBe(made.headers.get("etag"));
    const headers = { "if-none-match": read.headers.get("etag") ?? "" };
    expect((await tenant.get(`${PATH}/${made.body.id}`, headers)).status).toBe(304);
    const versions = await tenant.get(`${PATH}/${made.body.id}/versions`);
    expect(versions.body).toEqual({ data: [], nextCursor: null });
    expect((await tenant.get(`${PATH}/${made.body.id}/versions/latest`)).status).toBe(404);
  });

  it("creates version 1 from a source", async () => {
    const made = await makeTemplate(tenant, { description: "d", source: SOURCE });
    expect(made.body).toMatchObject({ description: "d", latestVersion: 1 });
    const read = await tenant.get(`${PATH}/${made.body.id}`);
    expect({ ...read.body, diagnostics: [] }).toEqual(made.body);
    expect(read.headers.get("etag")).toBe(made.headers.get("etag"));
    const version = await tenant.get(`${PATH}/${made.body.id}/versions/1`);
    expect(version.body.source).toBe(SOURCE);
    const types = await eventsOf(made.body.id);
    expect(types).toEqual([
      ["template.created", 1],
      ["template.version_created", 2],
    ]);
  });

  it("stores nothing of an invalid source", async () => {
    const mine = await makeTenant();
    const refused = await mine.post(PATH, { name: "web", source: BROKEN });
    expect(refused.status).toBe(400);
    expect(refused.body.code).toBe("template_invalid");
    const own = await mine.get(`${PATH}?tenantId=${mine.tenantId}`);
    expect(own.body.data).toEqual([]);
  });

  it.for([
    { name: "ab" },
    { name: "a".repeat(80) },
    { name: "Ämter 🚀" },
    { description: "" },
    { description: "d".repeat(2000) },
    { source: "{}" },
    { source: sourceOf(200_000) },
    { source: '{"name":"json","resources":{}}' },
    { tenantId: tenant.tenantId },
  ])("accepts %s", async (more) => {
    const made = await tenant.post(PATH, { name: "web", ...more });
    expect(made.status, made.text.slice(0, 500)).toBe(201);
  });

  it.for([
    ["/name", { name: "a" }],
    ["/name", { name: "a".repeat(81) }],
    ["/name", { name: undefined }],
    ["/name", { name: 12 }],
    ["/description", { description: "d".repeat(2001) }],
    ["/description", { description: null }],
    ["/source", { source: "" }],
    ["/source", { source: "a".repeat(200_001) }],
    ["/source", { source: { resources: {} } }],
    ["/source", { source: null }],
    ["/tenantId", { tenantId: "acme" }],
  ] as const)("rejects %s as in case %#", async ([pointer, more]) => {
    const refused = await tenant.post(PATH, { name: "web", ...more });
    expect(refused.status, refused.text).toBe(400);
    expect(refused.body.code).toBe("validation_failed");
    expect(faultsOf(refused)).toEqual([pointer]);
  });

  it("accepts only JSON, and only from a caller with the right to write", async () => {
    expect((await stranger.post(PATH, { name: "web" })).status).toBe(401);
    const reader = await makeTenant(["templates:read"]);
    const refused = await reader.post(PATH, { name: "web" });
    expect(refused.status).toBe(403);
    expect(refused.body.detail).toContain("templates:write");
    const blind = await makeTenant(["targets:write"]);
    expect((await blind.get(PATH)).status).toBe(403);
    const made = await makeTemplate(tenant);
    for (const path of [
      PATH,
      `${PATH}/${made.body.id}/versions`,
      `${PATH}/${made.body.id}/validate`,
    ])
      for (const contentType of ["text/plain", "application/x-www-form-urlencoded"]) {
        const plain = await send("POST", path, {
          headers: { authorization: `Bearer ${tenant.key}`, "content-type": contentType },
          body: JSON.stringify({ name: "web", source: "{}" }),
        });
        expect(plain.status).toBe(415);
      }
  });

  it("accepts a body of 1 MiB and not a byte more", async () => {
    const made = await makeTemplate(tenant);
    const body = (path: string, bytes: number) =>
      `{${path === PATH ? '"name":"web",' : ""}"source":"{}"`.padEnd(bytes - 1) + "}";
    for (const path of [
      PATH,
      `${PATH}/${made.body.id}/versions`,
      `${PATH}/${made.body.id}/validate`,
    ]) {
      const sent = (bytes: number) =>
        send("POST", path, {
          headers: { authorization: `Bearer ${tenant.key}`, "content-type": "application/json" },
          body: body(path, bytes),
        });
      expect((await sent(1024 * 1024)).status).toBeLessThan(300);
      expect((await sent(1024 * 1024 + 1)).body.code).toBe("payload_too_large");
    }
  });

  it("answers a repeated request with the stored answer and creates one template", async () => {
    const mine = await makeTenant();
    const headers = { "idempotency-key": "one" };
    const body = { name: "again", source: SOURCE };
    const answers = await Promise.all([1, 2, 3].map(() => mine.post(PATH, body, headers)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const own = await mine.get(`${PATH}?tenantId=${mine.tenantId}`);
    expect(own.body.data).toHaveLength(1);
    expect((await mine.post(PATH, { name: "other" }, headers)).body.code).toBe(
      "idempotency_key_reused",
    );
  });
});

describe("the owner of a template", () => {
  it("hides it from other tenants as if it did not exist", async () => {
    const other = await makeTenant();
    const { body: template } = await makeTemplate(tenant, { source: SOURCE });
    const missing = crypto.randomUUID();
    for (const [method, below, body] of [
      ["get", "", undefined],
      ["get", "/versions", undefined],
      ["get", "/versions/1", undefined],
      ["get", "/versions/latest", undefined],
      ["post", "/versions", { source: SOURCE }],
      ["post", "/versions", { source: BROKEN }],
      ["post", "/validate", {}],
    ] as const) {
      const ask = (id: string) =>
        method === "get"
          ? other.get(`${PATH}/${id}${below}`)
          : other.post(`${PATH}/${id}${below}`, body);
      const foreign = await ask(template.id);
      expect(foreign.status, below).toBe(404);
      expect(problemOf(foreign)).toEqual(problemOf(await ask(missing)));
    }
    expect((await other.get(`${PATH}?tenantId=${tenant.tenantId}`)).body.data).toEqual([]);
    expect((await tenant.get(`${PATH}/${template.id}`)).body.latestVersion).toBe(1);
    const theirs = { name: "web", tenantId: other.tenantId };
    expect((await tenant.post(PATH, theirs)).status).toBe(404);
    const nowhere = { name: "web", tenantId: crypto.randomUUID() };
    expect((await operator.post(PATH, nowhere)).status).toBe(404);
    expect((await operator.post(PATH, theirs)).body.tenantId).toBe(other.tenantId);
  });

  it("lets every tenant read and validate platform templates, and only operators change them", async () => {
    const made = await makeTemplate(operator, { name: "catalogue", source: SOURCE });
    const path = `${PATH}/${made.body.id}`;
    expect(made.body.tenantId).toBeNull();
    expect((await tenant.get(path)).body.id).toBe(made.body.id);
    expect((await tenant.get(`${path}/versions`)).body.data).toHaveLength(1);
    expect((await tenant.get(`${path}/versions/1`)).body.source).toBe(SOURCE);
    expect((await tenant.post(`${path}/validate`, {})).body.valid).toBe(true);
    expect((await tenant.get(`${PATH}?limit=100`)).body.data.map(idOf)).toContain(made.body.id);
    const refused = await tenant.post(`${path}/versions`, { source: SOURCE });
    expect(refused.status).toBe(403);
    expect(refused.body.code).toBe("forbidden");
    expect((await tenant.get(path)).body.latestVersion).toBe(1);
    expect((await operator.post(`${path}/versions`, { source: SOURCE })).body.version).toBe(2);
  });
});

describe("listing templates", () => {
  it("finds names that contain a text, in upper or lower case, with any characters", async () => {
    const mine = await makeTenant();
    for (const name of ["Web shop", "web_100%", "database"]) await makeTemplate(mine, { name });
    const names = async (q: string) =>
      (
        await mine.get(`${PATH}?tenantId=${mine.tenantId}&q=${encodeURIComponent(q)}`)
      ).body.data.map((t: { name: string }) => t.name);
    expect(await names("WEB")).toEqual(["web_100%", "Web shop"]);
    expect(await names("%")).toEqual(["web_100%"]);
    expect(await names("_")).toEqual(["web_100%"]);
    expect(await names("'; --")).toEqual([]);
    expect(await names("")).toHaveLength(3);
    expect(await names("a".repeat(80))).toEqual([]);
    const long = await mine.get(`${PATH}?q=${"a".repeat(81)}`);
    expect(long.body.code).toBe("validation_failed");
    expect((await mine.get(`${PATH}?title=web`)).body.code).toBe("unknown_parameter");
  });

  it("pages through the tenant's own and the platform's in one order, each once", async () => {
    const mine = await makeTenant();
    const made: string[] = [];
    for (const client of [mine, operator, mine, operator, mine])
      made.unshift((await makeTemplate(client)).body.id);
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await mine.get(`${PATH}?limit=2${cursor}`);
      expect(page.status, page.text).toBe(200);
      seen.push(...page.body.data.map(idOf));
      cursor = page.body.nextCursor === null ? "" : `&cursor=${page.body.nextCursor}`;
    } while (cursor !== "");
    expect(seen.slice(0, 5)).toEqual(made);
    expect(new Set(seen).size).toBe(seen.length);
    const first = await mine.get(`${PATH}?limit=2`);
    const moved = await mine.get(`${PATH}?q=web&cursor=${first.body.nextCursor}`);
    expect(moved.body.code).toBe("invalid_cursor");
    const all = await operator.get(`${PATH}?limit=100`);
    expect(all.status, all.text).toBe(200);
    expect(all.body.data.map(idOf).slice(0, 5)).toEqual(made);
  });

  it("reads only a page of rows, however many there are", async () => {
    const [mine, other] = [await makeTenant(), await makeTenant()];
    await fill(other.tenantId, 300);
    await fill(PLATFORM, 300);
    const templateId = await fill(mine.tenantId, 300);
    const statements = (actor: Actor) => {
      const call = new Call({
        env,
        db: openDb(env.DB),
        now: 0,
        newId,
        requestId: "",
        caller: actor,
        access: "public",
        after: () => undefined,
      });
      return [
        findTemplates(call, { limit: 5 }, {}),
        findTemplateVersions(call, templateId, { limit: 5 }),
      ];
    };
    const scopes = ["*"];
    const { tenantId } = mine;
    for (const statement of [
      ...statements({ kind: "key", name: "k", tenantId, scopes, role: "CustomerViewer" }),
      ...statements({ kind: "operator", name: "o", scopes }),
    ]) {
      const { sql, params } = statement.toSQL();
      const { results, meta } = await env.DB.prepare(sql)
        .bind(...params)
        .all();
      expect(results).toHaveLength(6);
      expect(meta.rows_read).toBeLessThanOrEqual(11);
    }
  });
});

describe("the schema for editors", () => {
  it("is public, and not mistaken for a template", async () => {
    const answer = await stranger.get(`${PATH}/schema`);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get("content-type")).toContain("application/json");
    expect(answer.body).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "https://control.test/api/v1/templates/schema",
    });
    expect(answer.text).toContain("mock:Network");
    const headers = { "if-none-match": answer.headers.get("etag") ?? "" };
    expect((await stranger.get(`${PATH}/schema`, headers)).status).toBe(304);
    expect((await clientOf("cpk_nonsense").get(`${PATH}/schema`)).status).toBe(200);
  });
});

/** Creates this many templates, and as many versions of the last one; returns its id. */
async function fill(tenantId: string, count: number): Promise<string> {
  const db = openDb(env.DB);
  const ids = Array.from({ length: count }, () => newId());
  const templateId = ids.at(-1) ?? "";
  await runBatch(
    db,
    ids.flatMap((id, at) => [
      db.insert(templates).values({
        id,
        tenantId,
        name: "filled",
        searchText: "FILLED",
        description: "",
        latestVersion: 0,
        version: 1,
        createdAtMs: 0,
        updatedAtMs: 0,
      }),
      db.insert(templateVersions).values({
        id: newId(),
        tenantId,
        templateId,
        number: at + 1,
        version: 1,
        deprecatedAtMs: null,
        createdAtMs: 0,
        secretNames: [],
        outputs: [],
        resources: [],
        config: {},
        components: { uses: {}, versions: {} },
        source: "{}",
      }),
    ]),
  );
  return templateId;
}
