/** A change that is for one version only (`If-Match`), and a change of the object between its read and its commit. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import type { Endpoint } from "#http/endpoint.ts";
import { OPERATOR_KEY, operator } from "#test/support/api.ts";
import { ask } from "#test/support/declared.ts";
import { rowsOf } from "#test/support/tenant-rows.ts";
import { overtaken } from "#test/support/together.ts";
import {
  answerEveryReceiver,
  makeWorld,
  pathIn,
  sampleBody,
  titleOf,
  type World,
} from "#test/support/world.ts";

answerEveryReceiver();
const world = await makeWorld();
const { tenant, tenantId, templateId } = world;

/** The rows of an object, by its collection: `?1` is the last id of its path, `?2` the first. */
const rows: Readonly<Record<string, readonly string[]>> = {
  "/api-keys": ["api_keys WHERE id = ?1"],
  "/cloud/targets": ["cloud_targets WHERE id = ?1"],
  "/feature-flags": ["feature_flags WHERE key = ?1"],
  "/imports": ["imports WHERE id = ?1"],
  "/incidents": ["incidents WHERE id = ?1"],
  "/instances": ["instances WHERE id = ?1"],
  "/instances/{id}/triggers": ["triggers WHERE id = ?1"],
  "/marketplace/listings": ["listings WHERE id = ?1"],
  "/profiles": ["profiles WHERE id = ?1"],
  "/templates": ["templates WHERE id = ?1"],
  // A change of a version is one of its template too.
  "/templates/{id}/versions": [
    "template_versions WHERE number = ?1 AND template_id = ?2",
    "templates WHERE id = ?2",
  ],
  "/tenants": ["tenants WHERE id = ?1"],
  "/tenants/{tenantId}/invitations": ["invitations WHERE id = ?1"],
  "/tenants/{tenantId}/members": ["members WHERE user_id = ?1 AND tenant_id = ?2"],
  "/webhooks": ["webhooks WHERE id = ?1"],
};

/** Objects in the state that the endpoint needs, where the world's is in another one. */
const objects: Readonly<Record<string, (world: World) => Promise<string>>> = {
  // Only its own person rotates a key.
  rotateApiKey: async () => {
    const made = await tenant.post("/api-keys", { name: "races", scopes: ["tenants:read"] });
    expect(made.status, made.text).toBe(201);
    return made.body.id;
  },
  submitListing: draft,
  reviewListing: async () => {
    const id = await draft();
    expect((await tenant.post(`/marketplace/listings/${id}/submit`)).status).toBe(200);
    return id;
  },
  rotateInstanceTrigger: async ({ instanceId }) => {
    const hook = { kind: "inbound_webhook" };
    const made = await tenant.post(`/instances/${instanceId}/triggers`, hook);
    expect(made.status, made.text).toBe(201);
    return made.body.id;
  },
};

async function draft(): Promise<string> {
  const made = await tenant.post("/marketplace/listings", {
    title: "Web server",
    summary: "A web server.",
    categories: ["web"],
    slug: `l-${crypto.randomUUID().slice(0, 13)}`,
    templateId,
  });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

const takesIfMatch = ({ method, access, problems = [] }: Endpoint) =>
  access !== "public" &&
  access.role !== "session" &&
  (method === "PATCH" || method === "DELETE" || problems.includes("precondition_failed"));

async function pathOf(endpoint: Endpoint): Promise<string> {
  const path = pathIn(world, endpoint);
  const make = objects[endpoint.operationId];
  if (make === undefined) return path;
  const at = endpoint.path.split("/").findLastIndex((part) => part.startsWith("{"));
  return path
    .split("/")
    .with(at, await make(world))
    .join("/");
}

/** Another version of the object of the path. */
async function change(endpoint: Endpoint, path: string): Promise<void> {
  const ids = idsIn(endpoint, path);
  for (const row of rows[endpoint.path.slice(0, endpoint.path.lastIndexOf("/{"))] ?? []) {
    const sql = `UPDATE ${row.replace(" WHERE", " SET version = version + 1 WHERE")}`;
    const bound = env.DB.prepare(sql).bind(ids.at(-1), ...(row.includes("?2") ? [ids[0]] : []));
    expect((await bound.run()).meta.changes, row).toBeGreaterThan(0);
  }
}

const idsIn = (endpoint: Endpoint, path: string) => {
  const parts = path.split("/");
  return endpoint.path
    .split("/")
    .flatMap((part, at) => (part.startsWith("{") ? [parts[at] ?? ""] : []));
};

const request = (endpoint: Endpoint, path: string, ifMatch: string) =>
  ask(endpoint, path, {
    key:
      endpoint.access !== "public" && endpoint.access.role === "operator"
        ? OPERATOR_KEY
        : tenant.key,
    body: endpoint.body && JSON.stringify(sampleBody(world, endpoint)),
    headers: { "if-match": ifMatch },
  });

async function tagOf(path: string): Promise<string> {
  for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const etag = (await operator.get(at)).headers.get("etag");
    if (etag !== null) return etag;
  }
  throw new Error(`${path} is about nothing that has an ETag`);
}

describe.each(
  endpoints
    .filter(takesIfMatch)
    .map((endpoint): [title: string, Endpoint] => [titleOf(endpoint), endpoint]),
)("%s", (_, endpoint) => {
  it("is 412 and changes nothing if the object changes between its read and its commit", async () => {
    const path = await pathOf(endpoint);
    const tag = await tagOf(path);
    const ids = idsIn(endpoint, path);
    const about = ids.find((id) => id.length > 3 && id !== tenantId) ?? tenantId;
    let before: unknown;
    const [answer] = await overtaken<unknown>(
      about,
      () => request(endpoint, path, tag),
      async () => {
        await change(endpoint, path);
        before = await rowsOf(tenantId);
      },
    );
    expect(answer).toMatchObject({ status: 412, body: { code: "precondition_failed" } });
    expect(await rowsOf(tenantId)).toEqual(before);
  });
});

it("takes `If-Match: *` for any version, also for one of a moment ago", async () => {
  const path = `/profiles/${world.profileId}`;
  const [answer] = await overtaken(
    world.profileId,
    () => tenant.patch(path, { name: "late" }, { "if-match": "*" }),
    () => tenant.patch(path, { variables: { when: "early" } }),
  );
  expect([answer?.status, answer?.body.name, answer?.body.variables]).toEqual([
    200,
    "late",
    { when: "early" },
  ]);
});
