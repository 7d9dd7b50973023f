import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { installListing } from "#areas/marketplace/install-listing.ts";
import { findListings, findPublishedVersion } from "#areas/marketplace/store.ts";
import type { Actor } from "#kernel/access/access.ts";
import { Call } from "#kernel/call/call.ts";
import { openDb, runBatch } from "#platform/db/client.ts";
import { newId, PLATFORM } from "#platform/ids.ts";
import { listings } from "#schema/listings.ts";
import { faultsOf, idOf, problemOf } from "#test/support/answers.ts";
import {
  type Answer,
  type Client,
  clientOf,
  makeTenant,
  operator,
  send,
  stranger,
  type TestTenant,
} from "#test/support/api.ts";
import { makeTemplate, SOURCE } from "#test/support/templates.ts";
import { overtaken } from "#test/support/together.ts";

const PATH = "/marketplace/listings";
const tenant = await makeTenant();
const other = await makeTenant();
const template: string = (await makeTemplate(tenant, { source: SOURCE })).body.id;

let slugs = 0;
function freshSlug(): string {
  slugs += 1;
  return `web-${slugs}-${crypto.randomUUID().slice(0, 8)}`;
}

const body = (more: object = {}) => ({
  templateId: template,
  slug: freshSlug(),
  title: "Web server",
  summary: "A web server with a database.",
  categories: ["web"],
  ...more,
});

async function made(more: object = {}, client: Client = tenant): Promise<Answer> {
  const answer = await client.post(PATH, body(more));
  expect(answer.status, answer.text).toBe(201);
  return answer;
}

async function ok(answer: Promise<Answer>): Promise<Answer> {
  const received = await answer;
  expect(received.status, received.text).toBe(200);
  return received;
}

const act = (client: Client, id: string, verb: string, sent?: object) =>
  client.post(`${PATH}/${id}/${verb}`, sent);
const review = (id: string, decision: string, more: object = {}) =>
  act(operator, id, "review", { decision, ...more });

async function published(more: object = {}): Promise<string> {
  const { body: listing } = await made(more);
  await ok(act(tenant, listing.id, "submit"));
  await ok(review(listing.id, "approve"));
  return listing.id;
}

async function eventsOf(id: string): Promise<[string, number][]> {
  const { results } = await env.DB.prepare(
    "SELECT type, payload FROM events WHERE resource_id = ? ORDER BY payload ->> '$.sequence'",
  )
    .bind(id)
    .all<{ type: string; payload: string }>();
  return results.map(({ type, payload }) => [type, JSON.parse(payload).sequence]);
}

describe("creating a listing", () => {
  it("answers a draft with the defaults in two round trips, and reads it back in one", async () => {
    const sent = body({});
    const answer = await tenant.post(PATH, sent);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toEqual({
      id: expect.any(String),
      tenantId: tenant.tenantId,
      templateId: template,
      templateVersion: null,
      slug: sent.slug,
      title: sent.title,
      summary: sent.summary,
      description: "",
      categories: ["web"],
      tags: [],
      badges: [],
      status: "DRAFT",
      revision: null,
      reviewNotes: null,
      submittedAt: null,
      submittedRevision: null,
      publishedRevision: null,
      publishedAt: null,
      createdAt: expect.any(String),
      updatedAt: answer.body.createdAt,
    });
    expect(answer.headers.get("location")).toBe(`/api/v1${PATH}/${answer.body.id}`);
    expect(answer.headers.get("server-timing")).toMatch(/d1;desc="\d+\/2"/);
    const read = await tenant.get(`${PATH}/${answer.body.id}`);
    expect(read.text).toBe(answer.text);
    expect(read.headers.get("server-timing")).toMatch(/d1;desc="\d+\/1"/);
    const headers = { "if-none-match": answer.headers.get("etag") ?? "" };
    expect((await tenant.get(`${PATH}/${answer.body.id}`, headers)).status).toBe(304);
  });

  it.for([
    { slug: `a${crypto.randomUUID().slice(0, 2)}` },
    { slug: `a${crypto.randomUUID()}-${crypto.randomUUID()}`.slice(0, 63) },
    { title: "abc" },
    { title: "a".repeat(80) },
    { summary: "a".repeat(10) },
    { summary: "a".repeat(240) },
    { description: "" },
    { description: "d".repeat(8000) },
    { categories: ["a"] },
    { categories: ["a", "b", "c", "d"] },
    { categories: [{ slug: "web" }, 7] },
    { tags: [] },
    { tags: ["1", "2", "3", "4", "5", "6", "7", "8"] },
    { tenantId: tenant.tenantId },
  ])("accepts case %#", async (more) => {
    expect((await made(more)).body).toMatchObject(more);
  });

  it.for([
    ["/slug", { slug: "ab" }],
    ["/slug", { slug: `a${"b".repeat(63)}` }],
    ["/slug", { slug: "1abc" }],
    ["/slug", { slug: "Abc" }],
    ["/slug", { slug: "a_bc" }],
    ["/slug", { slug: "abc\n" }],
    ["/slug", { slug: undefined }],
    ["/title", { title: "ab" }],
    ["/title", { title: "a".repeat(81) }],
    ["/title", { title: undefined }],
    ["/summary", { summary: "a".repeat(9) }],
    ["/summary", { summary: "a".repeat(241) }],
    ["/summary", { summary: undefined }],
    ["/description", { description: "d".repeat(8001) }],
    ["/description", { description: null }],
    ["/categories", { categories: [] }],
    ["/categories", { categories: ["1", "2", "3", "4", "5"] }],
    ["/categories", { categories: undefined }],
    ["/categories", { categories: "web" }],
    ["/tags", { tags: ["1", "2", "3", "4", "5", "6", "7", "8", "9"] }],
    ["/tags", { tags: null }],
    ["/templateId", { templateId: undefined }],
    ["/tenantId", { tenantId: "acme" }],
  ] as const)("rejects %s as in case %#", async ([pointer, more]) => {
    const refused = await tenant.post(PATH, body(more));
    expect(refused.status, refused.text).toBe(400);
    expect(refused.body.code).toBe("validation_failed");
    expect(faultsOf(refused)).toEqual([pointer]);
  });

  it("accepts only the publisher's own template", async () => {
    const catalogue = (await makeTemplate(operator, { source: SOURCE })).body.id;
    const refused = await tenant.post(PATH, body({ templateId: catalogue }));
    expect([refused.status, refused.body.code]).toEqual([403, "forbidden"]);
    const foreign = await other.post(PATH, body());
    const missing = await other.post(PATH, body({ templateId: "nosuch" }));
    expect(foreign.status).toBe(404);
    expect(problemOf(foreign)).toEqual(problemOf(missing));
    expect((await operator.post(PATH, body())).status).toBe(404);
    expect((await made({ templateId: catalogue }, operator)).body.tenantId).toBeNull();
    const forThem = await made({ tenantId: tenant.tenantId }, operator);
    expect(forThem.body.tenantId).toBe(tenant.tenantId);
    expect((await tenant.post(PATH, body({ tenantId: other.tenantId }))).status).toBe(404);
    expect((await operator.post(PATH, body({ tenantId: crypto.randomUUID() }))).status).toBe(404);
  });

  it("gives a slug only once, also to simultaneous requests", async () => {
    const slug = freshSlug();
    const answers = await Promise.all([1, 2, 3, 4].map(() => tenant.post(PATH, body({ slug }))));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 409, 409, 409,
    ]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe("slug_taken");
    const theirs = (await makeTemplate(other, { source: SOURCE })).body.id;
    const refused = await other.post(PATH, body({ slug, templateId: theirs }));
    expect(refused.body.code).toBe("slug_taken");
  });

  it("fails if its template is deleted at the same time", async () => {
    const templateId = (await makeTemplate(tenant, { source: SOURCE })).body.id;
    const [late, deleted] = await overtaken(
      templateId,
      () => tenant.post(PATH, body({ templateId })),
      () => tenant.delete(`/templates/${templateId}`),
    );
    expect([late?.status, deleted?.status]).toEqual([404, 204]);
  });

  it("answers a repeated request with the stored answer", async () => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const sent = body();
    const answers = await Promise.all([1, 2, 3].map(() => tenant.post(PATH, sent, headers)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect((await tenant.post(PATH, body(), headers)).body.code).toBe("idempotency_key_reused");
  });
});

describe("access", () => {
  it("names the missing scope, or requires a key", async () => {
    const { id } = (await made()).body;
    for (const [method, below, scope] of [
      ["GET", "", "listings:read"],
      ["GET", `/${id}`, "listings:read"],
      ["POST", "", "listings:write"],
      ["PATCH", `/${id}`, "listings:write"],
      ["DELETE", `/${id}`, "listings:write"],
      ["POST", `/${id}/submit`, "listings:write"],
      ["POST", `/${id}/review`, "listings:review"],
      ["POST", `/${id}/install`, "templates:write"],
    ] as const) {
      const blind = await blindTenant();
      const ask = (authorization?: string) =>
        send(method, `${PATH}${below}`, {
          headers: {
            ...(authorization === undefined ? {} : { authorization }),
            "content-type": "application/json",
          },
          ...(method === "POST" || method === "PATCH"
            ? {
                body: JSON.stringify(below.endsWith("review") ? { decision: "approve" } : body()),
              }
            : {}),
        });
      expect((await ask()).status, `${method} ${below}`).toBe(401);
      const refused = await ask(`Bearer ${blind.key}`);
      expect(refused.status, `${method} ${below}`).toBe(403);
      expect(refused.body.detail).toContain(scope);
    }
  });

  it("lets only operators review, whatever the scopes of a tenant's key", async () => {
    const { id } = (await made()).body;
    await ok(act(tenant, id, "submit"));
    const refused = await act(tenant, id, "review", { decision: "approve" });
    expect([refused.status, refused.body.code]).toEqual([403, "forbidden"]);
    expect((await tenant.get(`${PATH}/${id}`)).body.status).toBe("PENDING_REVIEW");
    const key = await operator.post("/api-keys", { name: "reader", scopes: ["listings:write"] });
    const reader = clientOf(key.body.key);
    expect((await act(reader, id, "review", { decision: "approve" })).body.detail).toContain(
      "listings:review",
    );
  });

  it("accepts JSON only", async () => {
    const id = await published();
    for (const [method, below] of [
      ["POST", ""],
      ["PATCH", `/${id}`],
      ["POST", `/${id}/review`],
      ["POST", `/${id}/install`],
    ] as const) {
      const plain = await send(method, `${PATH}${below}`, {
        headers: { authorization: "Bearer test-operator-key", "content-type": "text/plain" },
        body: JSON.stringify(body()),
      });
      expect(plain.status, below).toBe(415);
    }
  });

  it("hides a draft from other tenants as if it did not exist", async () => {
    const { id } = (await made()).body;
    for (const [method, below] of [
      ["get", ""],
      ["patch", ""],
      ["delete", ""],
      ["post", "/submit"],
      ["post", "/install"],
    ] as const) {
      const ask = (asked: string): Promise<Answer> => {
        const path = `${PATH}/${asked}${below}`;
        if (method === "get") return other.get(path);
        if (method === "delete") return other.delete(path);
        return method === "patch" ? other.patch(path, { title: "Mine" }) : other.post(path);
      };
      const foreign = await ask(id);
      expect(foreign.status, method + below).toBe(404);
      expect(problemOf(foreign)).toEqual(problemOf(await ask(crypto.randomUUID())));
    }
    expect((await other.get(`${PATH}/__proto__`)).status).toBe(404);
    expect((await tenant.get(`${PATH}/${id}`)).body.title).toBe("Web server");
  });

  it("shows published listings to every tenant, without the publisher's own fields", async () => {
    const id = await published();
    await ok(tenant.patch(`${PATH}/${id}`, { title: "A secret plan" }));
    await ok(review(id, "reject", { notes: "A secret note." }));
    const seen = await ok(other.get(`${PATH}/${id}`));
    expect(seen.body).toMatchObject({
      tenantId: null,
      templateId: null,
      templateVersion: 1,
      revision: null,
      reviewNotes: null,
      submittedAt: null,
      title: "Web server",
    });
    expect(seen.text).not.toContain("secret");
    expect((await tenant.get(`${PATH}/${id}`)).body).toMatchObject({
      tenantId: tenant.tenantId,
      reviewNotes: "A secret note.",
      revision: { title: "A secret plan", status: "REJECTED" },
    });
    for (const answer of [
      await other.patch(`${PATH}/${id}`, { title: "Mine" }),
      await other.delete(`${PATH}/${id}`),
      await act(other, id, "submit"),
    ])
      expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
    expect((await ok(operator.get(`${PATH}/${id}`))).body.tenantId).toBe(tenant.tenantId);
  });
});

describe("editing a listing", () => {
  it("accepts an empty object and a missing body, and changes nothing", async () => {
    const { body: listing, text } = await made({ description: "d", tags: ["t"] });
    expect((await ok(tenant.patch(`${PATH}/${listing.id}`, {}))).text).toBe(text);
    expect((await ok(tenant.patch(`${PATH}/${listing.id}`))).text).toBe(text);
    await ok(act(tenant, listing.id, "submit"));
    expect((await ok(tenant.patch(`${PATH}/${listing.id}`, {}))).body.status).toBe(
      "PENDING_REVIEW",
    );
  });

  it.for([
    { slug: "a-b" },
    { title: "Other" },
    { summary: "Another summary." },
    { description: "" },
    { categories: ["x", "y"] },
    { tags: [] },
    { title: "Both", tags: ["one"] },
  ])("replaces the fields in the body and leaves the rest in case %#", async (changes) => {
    const { body: before } = await made({ description: "d", tags: ["t"] });
    const slug = "slug" in changes ? { slug: freshSlug() } : {};
    const sent = { ...changes, ...slug };
    const after = await ok(tenant.patch(`${PATH}/${before.id}`, sent));
    expect(after.headers.get("server-timing")).toMatch(/d1;desc="\d+\/2"/);
    expect(after.body).toEqual({ ...before, ...sent, updatedAt: after.body.updatedAt });
    expect((await tenant.get(`${PATH}/${before.id}`)).text).toBe(after.text);
  });

  it.for([
    ["/slug", { slug: "ab" }],
    ["/slug", { slug: null }],
    ["/title", { title: "ab" }],
    ["/title", { title: "a".repeat(81) }],
    ["/summary", { summary: "a".repeat(9) }],
    ["/summary", { summary: "a".repeat(241) }],
    ["/description", { description: "d".repeat(8001) }],
    ["/categories", { categories: [] }],
    ["/categories", { categories: ["1", "2", "3", "4", "5"] }],
    ["/tags", { tags: ["1", "2", "3", "4", "5", "6", "7", "8", "9"] }],
  ] as const)("rejects %s as in case %#", async ([pointer, changes]) => {
    const { body: before } = await made();
    const refused = await tenant.patch(`${PATH}/${before.id}`, changes);
    expect(refused.status).toBe(400);
    expect(faultsOf(refused)).toEqual([pointer]);
  });

  it("rejects a body that is not an object, and an outdated version", async () => {
    const answer = await made();
    const path = `${PATH}/${answer.body.id}`;
    expect((await tenant.patch(path, [])).status).toBe(400);
    const stale = { "if-match": '"99"' };
    expect((await tenant.patch(path, { title: "New" }, stale)).status).toBe(412);
    expect((await tenant.delete(path, stale)).status).toBe(412);
    expect((await tenant.post(`${path}/submit`, undefined, stale)).status).toBe(412);
    const fresh = { "if-match": answer.headers.get("etag") ?? "" };
    expect((await tenant.patch(path, { title: "New" }, fresh)).status).toBe(200);
    expect((await tenant.patch(path, { title: "Newer" }, fresh)).status).toBe(412);
  });

  it("keeps all of many simultaneous edits", async () => {
    const { id } = (await made()).body;
    const changes = [{ title: "New" }, { summary: "A new summary." }, { description: "new" }];
    for (const answer of await Promise.all(
      changes.map((one) => tenant.patch(`${PATH}/${id}`, one)),
    ))
      expect(answer.status, answer.text).toBe(200);
    expect((await tenant.get(`${PATH}/${id}`)).body).toMatchObject(Object.assign({}, ...changes));
  });

  it("rejects the slug of another listing or revision, and releases the old one", async () => {
    const { body: one } = await made();
    const live = await published();
    const wanted = freshSlug();
    await ok(tenant.patch(`${PATH}/${live}`, { slug: wanted }));
    for (const slug of [wanted, (await tenant.get(`${PATH}/${live}`)).body.slug]) {
      const refused = await tenant.patch(`${PATH}/${one.id}`, { slug });
      expect([refused.status, refused.body.code]).toEqual([409, "slug_taken"]);
    }
    await ok(tenant.patch(`${PATH}/${live}`, { slug: freshSlug() }));
    await ok(tenant.patch(`${PATH}/${one.id}`, { slug: wanted }));
    await made({ slug: one.slug });
    const again = await tenant.patch(`${PATH}/${one.id}`, { slug: one.slug });
    expect(again.body.code).toBe("slug_taken");
  });
});

describe("the life of a listing", () => {
  it("is published with the submitted content", async () => {
    const own = (await makeTemplate(tenant, { source: SOURCE })).body.id;
    await tenant.post(`/templates/${own}/versions`, { source: SOURCE });
    const { id } = (await made({ templateId: own })).body;
    const waiting = await ok(act(tenant, id, "submit"));
    expect(waiting.headers.get("server-timing")).toMatch(/d1;desc="\d+\/2"/);
    expect(waiting.body).toMatchObject({
      status: "PENDING_REVIEW",
      templateVersion: 2,
      submittedAt: expect.any(String),
    });
    await tenant.post(`/templates/${own}/versions`, { source: SOURCE });
    const live = await ok(review(id, "approve", { badges: ["verified", { by: "us" }] }));
    expect(live.headers.get("server-timing")).toMatch(/d1;desc="\d+\/2"/);
    expect(live.body).toMatchObject({
      status: "PUBLISHED",
      templateVersion: 2,
      badges: ["verified", { by: "us" }],
      publishedAt: expect.any(String),
      publishedRevision: 1,
    });
    expect(live.headers.get("etag")).toBe('"3"');
    expect(await eventsOf(id)).toEqual([
      ["listing.submitted", 2],
      ["listing.published", 3],
    ]);
  });

  it("cannot be submitted without a template version", async () => {
    const empty = (await makeTemplate(tenant)).body.id;
    const { id } = (await made({ templateId: empty })).body;
    const refused = await act(tenant, id, "submit");
    expect([refused.status, refused.body.code]).toEqual([409, "invalid_state"]);
  });

  it("becomes a draft again when it is edited after a rejection", async () => {
    const { id } = (await made()).body;
    await ok(act(tenant, id, "submit"));
    const rejected = await ok(review(id, "reject", { notes: "Say more.", badges: ["no"] }));
    expect(rejected.body).toMatchObject({
      status: "REJECTED",
      reviewNotes: "Say more.",
      badges: [],
    });
    expect((await act(tenant, id, "submit")).body.code).toBe("invalid_state");
    const edited = await ok(tenant.patch(`${PATH}/${id}`, { description: "More." }));
    expect(edited.body.status).toBe("DRAFT");
    await ok(act(tenant, id, "submit"));
    expect(await eventsOf(id)).toEqual([
      ["listing.submitted", 2],
      ["listing.rejected", 3],
      ["listing.updated", 4],
      ["listing.submitted", 5],
    ]);
  });

  it("keeps the live copy until the revision is approved", async () => {
    const id = await published();
    const slug = freshSlug();
    const sent = { title: "Version two", slug, tags: ["new"] };
    const pending = await ok(tenant.patch(`${PATH}/${id}`, sent));
    expect(pending.body).toMatchObject({
      status: "PUBLISHED",
      title: "Web server",
      revision: { title: "Version two", tags: ["new"], slug, status: "PENDING_REVIEW" },
    });
    expect((await other.get(`${PATH}/${id}`)).body.title).toBe("Web server");
    expect((await tenant.get(`${PATH}?q=version%20two`)).body.data.map(idOf)).not.toContain(id);
    const ifMatch = pending.headers.get("etag") ?? "";
    const live = await ok(
      operator.post(`${PATH}/${id}/review`, { decision: "approve" }, { "if-match": ifMatch }),
    );
    expect(live.body).toMatchObject({
      title: "Version two",
      tags: ["new"],
      slug,
      revision: null,
      publishedRevision: 2,
    });
    expect((await other.get(`${PATH}/${id}`)).body.title).toBe("Version two");
    expect((await other.get(`${PATH}?q=VERSION%20two`)).body.data.map(idOf)).toContain(id);
    expect((await review(id, "approve")).body.code).toBe("invalid_state");
  });

  describe("an attack by changing what waits for review", () => {
    const approve = (id: string, ifMatch?: string) =>
      operator.post(
        `${PATH}/${id}/review`,
        { decision: "approve" },
        ifMatch === undefined ? {} : { "if-match": ifMatch },
      );
    const seen = (answer: Answer) => [answer.status, answer.body.code];
    const patch = (id: string, title: string) => tenant.patch(`${PATH}/${id}`, { title });

    it("withdraws a first submission", async () => {
      const { id } = (await made()).body;
      await ok(act(tenant, id, "submit"));
      expect((await ok(patch(id, "Harmful"))).body.status).toBe("DRAFT");
      expect(seen(await approve(id))).toEqual([409, "invalid_state"]);
      const again = await ok(act(tenant, id, "submit"));
      expect(again.body).toMatchObject({ status: "PENDING_REVIEW", submittedRevision: 2 });
    });

    it("withdraws a revision, also for a reviewer who names its version", async () => {
      const id = await published();
      const read = await ok(patch(id, "Harmless"));
      const withdrawn = await ok(patch(id, "Harmful"));
      expect(withdrawn.body.revision).toMatchObject({ status: "DRAFT", title: "Harmful" });
      expect(seen(await approve(id, read.headers.get("etag") ?? ""))[0]).toBe(412);
      expect(seen(await approve(id))).toEqual([409, "invalid_state"]);
      expect((await other.get(`${PATH}/${id}`)).body.title).toBe("Web server");
      expect((await eventsOf(id)).map(([type]) => type).slice(2)).toEqual([
        "listing.submitted",
        "listing.updated",
      ]);
    });

    it.each([
      ["a first submission", made().then(({ body: listing }) => String(listing.id)), true],
      ["a revision", published(), false],
    ])("and submitting %s again needs a reviewer who has read it", async (_, listing, isFirst) => {
      const id = await listing;
      if (isFirst) await ok(act(tenant, id, "submit"));
      else await ok(patch(id, "Harmless"));
      await ok(patch(id, "Harmful"));
      const again = await ok(act(tenant, id, "submit"));
      for (const ifMatch of [undefined, "*", " * "]) {
        const unread = await approve(id, ifMatch);
        expect(seen(unread)).toEqual([409, "invalid_state"]);
        expect(unread.body.detail).toMatch(/submitted again.*Read it, then approve it/);
      }
      const etag = again.headers.get("etag") ?? "";
      const live = await ok(approve(id, etag));
      expect(live.body).toMatchObject({ title: "Harmful", status: "PUBLISHED" });
      expect(live.body.publishedRevision).toBe(again.body.submittedRevision);
    });

    it("and submitting a rejected one again needs a reviewer who has read it", async () => {
      const { id } = (await made()).body;
      await ok(act(tenant, id, "submit"));
      await ok(review(id, "reject"));
      await ok(patch(id, "Harmful"));
      await ok(act(tenant, id, "submit"));
      expect(seen(await approve(id))).toEqual([409, "invalid_state"]);
    });

    it("does not reach a reviewer who approves twice in a row", async () => {
      const { id } = (await made()).body;
      await ok(act(tenant, id, "submit"));
      await ok(approve(id));
      const pending = await ok(patch(id, "Harmful"));
      const twice = await approve(id);
      expect(seen(twice)).toEqual([409, "invalid_state"]);
      expect(twice.body.detail).toMatch(/Read it, then approve it/);
      expect((await other.get(`${PATH}/${id}`)).body.title).toBe("Web server");
      const read = await ok(approve(id, pending.headers.get("etag") ?? ""));
      expect(read.body.title).toBe("Harmful");
    });

    it("does not reach a reviewer who wants to list the live copy again", async () => {
      const id = await published();
      await ok(review(id, "unlist"));
      await ok(patch(id, "Harmful"));
      expect(seen(await approve(id))).toEqual([409, "invalid_state"]);
    });

    it("ends after ten minutes: what stood so long is approved without a version", async () => {
      const id = await published();
      await ok(patch(id, "One"));
      await ok(patch(id, "Two"));
      await ok(act(tenant, id, "submit"));
      await env.DB.prepare(
        "UPDATE listings SET resubmitted_at_ms = resubmitted_at_ms - 600000 WHERE id = ? AND tenant_id IS NOT NULL",
      )
        .bind(id)
        .run();
      expect((await ok(approve(id))).body.title).toBe("Two");
    });
  });

  it("is unlisted and listed again", async () => {
    const id = await published();
    expect((await ok(review(id, "unlist", { notes: "Broken." }))).body.status).toBe("UNLISTED");
    expect((await other.get(`${PATH}/${id}`)).status).toBe(404);
    expect((await act(tenant, id, "install")).body.code).toBe("invalid_state");
    expect((await review(id, "unlist")).body.code).toBe("invalid_state");
    expect((await ok(review(id, "approve"))).body.status).toBe("PUBLISHED");
    expect((await other.get(`${PATH}/${id}`)).status).toBe(200);
    expect((await eventsOf(id)).map(([type]) => type).slice(2)).toEqual([
      "listing.unlisted",
      "listing.published",
    ]);
  });

  it.for([
    [{ decision: "approve" }, 409],
    [{ decision: "reject" }, 409],
    [{ decision: "unlist" }, 409],
    [{ decision: "publish" }, 400],
    [{ decision: "APPROVE" }, 400],
    [{}, 400],
    [{ decision: "approve", notes: "n".repeat(2001) }, 400],
    [{ decision: "approve", notes: "n".repeat(2000) }, 409],
    [{ decision: "approve", badges: "gold" }, 400],
  ] as const)("answers a review of a draft in case %#", async ([sent, status]) => {
    const { id } = (await made()).body;
    const answer = await act(operator, id, "review", sent);
    expect(answer.status, answer.text).toBe(status);
    expect(answer.body.code).toBe(status === 409 ? "invalid_state" : "validation_failed");
  });

  it("is reviewed once by two simultaneous reviews", async () => {
    const { id } = (await made()).body;
    await ok(act(tenant, id, "submit"));
    const answers = await Promise.all([review(id, "approve"), review(id, "reject")]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  it("ends with its deletion, which releases the slug", async () => {
    const id = await published();
    const { slug } = (await tenant.get(`${PATH}/${id}`)).body;
    const gone = await tenant.delete(`${PATH}/${id}`);
    expect(gone.status).toBe(204);
    expect(gone.headers.get("server-timing")).toMatch(/d1;desc="\d+\/2"/);
    expect((await tenant.delete(`${PATH}/${id}`)).status).toBe(404);
    await made({ slug });
  });
});

describe("installing a listing", () => {
  it("copies the published version into the caller's tenant", async () => {
    const own = (await makeTemplate(tenant, { source: SOURCE })).body.id;
    const id = await published({ templateId: own, title: "To install" });
    await tenant.post(`/templates/${own}/versions`, { source: "name: later\n" });
    const installed = await act(other, id, "install");
    expect(installed.status, installed.text).toBe(201);
    expect(installed.headers.get("server-timing")).toMatch(/d1;desc="\d+\/2"/);
    expect(installed.body).toMatchObject({
      tenantId: other.tenantId,
      name: "To install",
      latestVersion: 1,
    });
    expect(installed.headers.get("location")).toBe(`/api/v1/templates/${installed.body.id}`);
    const read = await other.get(`/templates/${installed.body.id}`);
    expect(read.text).toBe(installed.text);
    expect(read.headers.get("etag")).toBe(installed.headers.get("etag"));
    const version = await other.get(`/templates/${installed.body.id}/versions/1`);
    expect(version.body).toMatchObject({ source: SOURCE, tenantId: other.tenantId, version: 1 });
    expect(
      (await other.post(`/templates/${installed.body.id}/versions`, { source: SOURCE })).status,
    ).toBe(201);
    expect((await tenant.get(`/templates/${installed.body.id}`)).status).toBe(404);
    expect((await other.get(`/templates/${own}`)).status).toBe(404);
    expect((await eventsOf(id)).at(-1)).toEqual(["listing.installed", 4]);
    expect(await eventsOf(installed.body.id)).toEqual([
      ["template.created", 1],
      ["template.version_created", 2],
      ["template.version_created", 3],
    ]);
    const { results } = await env.DB.prepare(
      "SELECT tenant_id, payload FROM events WHERE type = 'listing.installed' AND resource_id = ?",
    )
      .bind(id)
      .all<{ tenant_id: string; payload: string }>();
    expect(results.map((row) => row.tenant_id)).toEqual([tenant.tenantId]);
    expect(results[0]?.payload).not.toContain(other.tenantId);
  });

  it("accepts a name and a tenant, and sends an event for every installation", async () => {
    const id = await published();
    const named = await act(other, id, "install", { name: "Mine", tenantId: other.tenantId });
    expect(named.body.name).toBe("Mine");
    expect((await act(other, id, "install", { tenantId: tenant.tenantId })).status).toBe(404);
    expect((await act(other, id, "install", { name: "a" })).status).toBe(400);
    expect((await act(operator, id, "install", { tenantId: other.tenantId })).body.tenantId).toBe(
      other.tenantId,
    );
    expect((await act(operator, id, "install")).body.tenantId).toBeNull();
    await Promise.all([1, 2, 3].map(() => act(other, id, "install")));
    await ok(tenant.patch(`${PATH}/${id}`, { title: "After" }));
    const sequences = (await eventsOf(id)).map(([, sequence]) => sequence);
    expect(sequences).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it("executes a repeated request once", async () => {
    const id = await published();
    const headers = { "idempotency-key": crypto.randomUUID() };
    const answers = await Promise.all(
      [1, 2].map(() => other.post(`${PATH}/${id}/install`, {}, headers)),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  it("refuses an unpublished listing, without reading its version", async () => {
    const { id } = (await made()).body;
    await ok(act(tenant, id, "submit"));
    expect((await act(tenant, id, "install")).body.code).toBe("invalid_state");
    const call = callOf({ kind: "operator", name: "o", scopes: ["*"] });
    expect(await runBatch(call.db, [findPublishedVersion(call, id)])).toEqual([[]]);
    await ok(review(id, "approve"));
    expect((await runBatch(call.db, [findPublishedVersion(call, id)]))[0]).toHaveLength(1);
  });

  it("creates nothing if the listing is unlisted at the same time", async () => {
    const id = await published();
    const mine = await makeTenant();
    const call = callOf({
      kind: "key",
      name: "k",
      tenantId: mine.tenantId,
      scopes: ["*"],
      role: "CustomerOwner",
    });
    const read = call.read.bind(call);
    call.read = async (...statements) => {
      const rows = await read(...statements);
      await ok(review(id, "unlist"));
      return rows;
    };
    await expect(installListing(call, id, {})).rejects.toMatchObject({ code: "conflict" });
    expect((await mine.get(`/templates?tenantId=${mine.tenantId}`)).body.data).toEqual([]);
  });
});

describe("listing listings", () => {
  async function shop(): Promise<{ mine: TestTenant; query: string }> {
    const mine = await makeTenant();
    const templateId = (await makeTemplate(mine, { source: SOURCE })).body.id;
    for (const more of [
      { title: "Café Web", categories: ["web", "shop"], tags: ["fast"] },
      { title: "alpha", categories: ["db"], tags: ["fast", "Small"] },
      { title: "Zebra", categories: ["web"] },
      { title: "alpha", categories: ["web"] },
    ])
      await made({ ...more, templateId, summary: "Just for the list." }, mine);
    return { mine, query: `tenantId=${mine.tenantId}` };
  }

  it("finds by text, category, tag and status", async () => {
    const { mine, query } = await shop();
    const titles = async (more: string) =>
      (await ok(mine.get(`${PATH}?${query}&${more}`))).body.data.map(
        ({ title }: { title: string }) => title,
      );
    expect(await titles("")).toEqual(["alpha", "Zebra", "alpha", "Café Web"]);
    expect(await titles("q=CAF%C3%89")).toEqual(["Café Web"]);
    expect(await titles("q=cafe%CC%81")).toEqual(["Café Web"]);
    expect(await titles("q=small")).toEqual(["alpha"]);
    expect(await titles("q=for%20the%20LIST")).toHaveLength(4);
    expect(await titles("q=%25")).toEqual([]);
    expect(await titles("category=web")).toEqual(["alpha", "Zebra", "Café Web"]);
    expect(await titles("category=we")).toEqual([]);
    expect(await titles("tag=fast")).toEqual(["alpha", "Café Web"]);
    expect(await titles("tag=fast&category=db")).toEqual(["alpha"]);
    expect(await titles("status=DRAFT")).toHaveLength(4);
    expect(await titles("status=PUBLISHED")).toEqual([]);
    expect(await titles("sort=createdAt")).toEqual(["Café Web", "alpha", "Zebra", "alpha"]);
    expect(await titles("sort=-createdAt")).toEqual(["alpha", "Zebra", "alpha", "Café Web"]);
    expect(await titles("sort=title")).toEqual(["alpha", "alpha", "Café Web", "Zebra"]);
    expect(await titles("sort=-title")).toEqual(["Zebra", "Café Web", "alpha", "alpha"]);
  });

  it("shows a tenant published listings and its own, and operators all", async () => {
    const { mine } = await shop();
    const live = await published();
    const { body: draft } = await made();
    const seen = (await mine.get(`${PATH}?limit=100`)).body.data.map(idOf);
    expect(seen).toContain(live);
    expect(seen).not.toContain(draft.id);
    expect(seen).toHaveLength(new Set(seen).size);
    expect((await mine.get(`${PATH}?limit=100&status=DRAFT`)).body.data).toHaveLength(4);
    expect((await operator.get(`${PATH}?limit=100`)).body.data.map(idOf)).toContain(draft.id);
    const own = (await tenant.get(`${PATH}?limit=100`)).body.data.map(idOf);
    expect(own).toHaveLength(new Set(own).size);
    expect(own).toEqual(expect.arrayContaining([live, draft.id]));
    expect((await ok(mine.get(PATH))).headers.get("server-timing")).toMatch(/d1;desc="\d\/1"/);
    const of = async (client: Client) =>
      (await ok(client.get(`${PATH}?limit=100&tenantId=${tenant.tenantId}`))).body.data.map(idOf);
    for (const client of [tenant, operator]) expect(await of(client)).toContain(live);
    // Other tenants cannot filter by publisher.
    expect(await of(mine)).toEqual([]);
  });

  it("shows an unlisted listing to its publisher and operators only, whatever is searched for", async () => {
    const title = `Unlisted ${crypto.randomUUID()}`;
    const id = await published({ title });
    const find = async (client: Client, query: string) =>
      (await ok(client.get(`${PATH}?q=${encodeURIComponent(title)}&${query}`))).body.data.map(idOf);
    const queries = ["", "status=UNLISTED", "status=PUBLISHED,UNLISTED", "category=web"];
    expect(await find(other, "")).toEqual([id]);
    await ok(review(id, "unlist"));
    for (const query of queries) expect(await find(other, query), query).toEqual([]);
    for (const client of [tenant, operator])
      expect(await find(client, "status=UNLISTED")).toEqual([id]);
    await ok(review(id, "approve"));
    expect(await find(other, "status=PUBLISHED")).toEqual([id]);
  });

  it.for(["createdAt", "-createdAt", "title", "-title"])(
    "pages through %s in one order, each once",
    async (sort) => {
      const { mine } = await shop();
      const whole = (await mine.get(`${PATH}?limit=100&sort=${sort}`)).body.data.map(idOf);
      const seen: string[] = [];
      let cursor = "";
      do {
        const page = await ok(mine.get(`${PATH}?limit=3&sort=${sort}${cursor}`));
        seen.push(...page.body.data.map(idOf));
        cursor = page.body.nextCursor === null ? "" : `&cursor=${page.body.nextCursor}`;
      } while (cursor !== "");
      expect(seen).toEqual(whole);
      expect(seen.length).toBeGreaterThanOrEqual(4);
    },
  );

  it("rejects unknown parameters", async () => {
    const { mine } = await shop();
    for (const bad of [
      "sort=slug",
      "sort=",
      "status=draft",
      "limit=0",
      "limit=101",
      "tenantId=x",
      `q=${"a".repeat(81)}`,
      `category=${"a".repeat(201)}`,
    ])
      expect((await mine.get(`${PATH}?${bad}`)).body.code, bad).toBe("validation_failed");
    expect((await mine.get(`${PATH}?title=x`)).body.code).toBe("unknown_parameter");
    const first = await mine.get(`${PATH}?limit=1`);
    const moved = await mine.get(`${PATH}?limit=1&sort=title&cursor=${first.body.nextCursor}`);
    expect(moved.body.code).toBe("invalid_cursor");
    expect((await stranger.get(PATH)).status).toBe(401);
  });

  it("reads only a page of rows, however many there are", async () => {
    const [mine, theirs] = [await makeTenant(), await makeTenant()];
    await fill(mine.tenantId, "DRAFT");
    await fill(theirs.tenantId, "DRAFT");
    await fill(PLATFORM, "PUBLISHED");
    for (const actor of [
      { kind: "key", name: "k", tenantId: mine.tenantId, scopes: ["*"], role: "CustomerViewer" },
      { kind: "operator", name: "o", scopes: ["*"] },
    ] as const)
      for (const sort of ["createdAt", "-createdAt", "title", "-title"] as const)
        for (const after of [{}, { afterId: newId(), afterKey: "m" }]) {
          const call = callOf(actor);
          const { sql, params } = findListings(call, { limit: 5, ...after, sort }, {}).toSQL();
          const { meta } = await env.DB.prepare(sql)
            .bind(...params)
            .all();
          expect(meta.rows_read, `${actor.kind} ${sort}`).toBeLessThanOrEqual(25);
        }
  });
});

function callOf(actor: Actor): Call {
  return new Call({
    env,
    db: openDb(env.DB),
    now: 0,
    newId,
    requestId: "",
    caller: actor,
    access: "public",
    after: () => undefined,
  });
}

async function blindTenant(): Promise<TestTenant> {
  return makeTenant(["webhooks:read"]);
}

async function fill(tenantId: string, status: "DRAFT" | "PUBLISHED"): Promise<void> {
  const db = openDb(env.DB);
  const rows = Array.from({ length: 300 }, (_, at) => ({
    id: newId(),
    tenantId,
    templateId: template,
    templateVersion: 1,
    slug: freshSlug(),
    title: "Filled",
    summary: "Filled in.",
    description: "",
    categories: [],
    tags: [],
    badges: [],
    status,
    revision: null,
    reviewNotes: null,
    installs: 0,
    sortTitle: `${"bcdmxyz"[at % 7] ?? ""}-filled`,
    searchText: "",
    submittedAtMs: null,
    publishedAtMs: null,
    version: 1,
    createdAtMs: 0,
    updatedAtMs: 0,
  }));
  await runBatch(
    db,
    rows.map((values) => db.insert(listings).values(values)),
  );
}
