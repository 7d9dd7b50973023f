/** `If-Match` and `If-None-Match` (RFC 9110) at every endpoint whose object has versions. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import type { Endpoint } from "#http/endpoint.ts";
import { OPERATOR_KEY, operator } from "#test/support/api.ts";
import { ask } from "#test/support/declared.ts";
import { makeMembership } from "#test/support/sessions.ts";
import { SOURCE } from "#test/support/templates.ts";
import { rowsOf } from "#test/support/tenant-rows.ts";
import {
  answerEveryReceiver,
  makeWorld,
  nothingToDo,
  pathIn,
  sampleBody,
  titleOf,
} from "#test/support/world.ts";

answerEveryReceiver();
const world = await makeWorld();
const byRole = (endpoint: Endpoint) => endpoint.access !== "public" && endpoint.access.role;
const request = (endpoint: Endpoint, headers: Record<string, string>) =>
  ask(endpoint, pathIn(world, endpoint), {
    key: byRole(endpoint) === "operator" ? OPERATOR_KEY : world.tenant.key,
    body: endpoint.body && JSON.stringify(sampleBody(world, endpoint)),
    headers,
  });
const titled = (list: readonly Endpoint[]) =>
  list.map((endpoint): [string, Endpoint] => [titleOf(endpoint), endpoint]);

/** The ETag of the endpoint's object, read at its path or at the path of the object that it acts on. */
async function tagOf(endpoint: Endpoint): Promise<string> {
  for (
    let path = pathIn(world, endpoint);
    path !== "";
    path = path.slice(0, path.lastIndexOf("/"))
  ) {
    const etag = (await operator.get(path)).headers.get("etag");
    if (etag !== null) return etag;
  }
  throw new Error(`${titleOf(endpoint)} is about nothing that has an ETag`);
}

/** Without endpoints for sessions, whose objects have no versions. */
const ofKeys = endpoints.filter((endpoint) => byRole(endpoint) !== "session");
const versioned = ofKeys.filter(
  ({ method, problems = [], operationId }) =>
    (method === "PATCH" || method === "DELETE" || problems.includes("precondition_failed")) &&
    !Object.hasOwn(nothingToDo, operationId),
);

describe.each(titled(versioned))("%s", (_, endpoint) => {
  it("changes nothing unless `If-Match` names the current version strongly", async () => {
    const before = await rowsOf(world.tenantId);
    const strong = await tagOf(endpoint);
    const weak = `W/${strong}`;
    for (const header of ['"999999"', weak, strong.replaceAll('"', ""), '"999999", *']) {
      const answer = await request(endpoint, { "if-match": header });
      expect([answer.status, answer.body.code], header).toEqual([412, "precondition_failed"]);
    }
    for (const header of ["*", weak, strong, `"999999", ${weak}`]) {
      const answer = await request(endpoint, { "if-none-match": header });
      expect([answer.status, answer.body.code], header).toEqual([412, "precondition_failed"]);
    }
    expect(await rowsOf(world.tenantId)).toEqual(before);
  });
});

const readable = ofKeys.filter(
  ({ method, etag, access }) => method === "GET" && etag && access !== "public",
);

describe.each(titled(readable))("%s", (_, endpoint) => {
  it("answers 304 for a current ETag, also a weak one", async () => {
    const etag = (await request(endpoint, {})).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const header of [etag, `W/${etag}`, `"other", W/${etag}`, "*"]) {
      const answer = await request(endpoint, { "if-none-match": header });
      expect([answer.status, answer.text, answer.headers.get("etag")], header).toEqual([
        304,
        "",
        etag,
      ]);
    }
    for (const header of ['"other"', 'W/"other"', etag.replaceAll('"', ""), `"other", *`])
      expect((await request(endpoint, { "if-none-match": header })).status, header).toBe(200);
  });
});

/** What changes an answer without a change of the object's own row. */
const changes: readonly (readonly [
  what: string,
  path: () => string,
  change: () => Promise<unknown>,
])[] = [
  [
    "a member goes and comes back as something else",
    () => `/tenants/${world.tenantId}/members/${world.memberUserId}`,
    async () => {
      const members = `/tenants/${world.tenantId}/members`;
      expect((await operator.delete(`${members}/${world.memberUserId}`)).status).toBe(204);
      await makeMembership(world.memberUserId, world.tenantId, "CustomerAdmin");
    },
  ],
  [
    "a flag is made anew",
    () => `/feature-flags/${world.flagKey}`,
    async () => {
      await operator.delete(`/feature-flags/${world.flagKey}`);
      const made = await operator.put(`/feature-flags/${world.flagKey}`, { type: "boolean" });
      expect(made.status).toBe(200);
    },
  ],
  [
    "an instance could take a newer version of its template",
    () => `/instances/${world.instanceId}`,
    async () => {
      const { templateId } = (await operator.get(`/instances/${world.instanceId}`)).body;
      const made = await operator.post(`/templates/${templateId}/versions`, { source: SOURCE });
      expect(made.status, made.text).toBe(201);
    },
  ],
  [
    "the overlap of a rotated secret ends",
    () => `/webhooks/${world.webhookId}`,
    () =>
      env.DB.prepare(
        "UPDATE webhooks SET old_secrets = (SELECT json_group_array(json_set(value, '$.expiresAtMs', 1)) FROM json_each(old_secrets)) WHERE id = ?",
      )
        .bind(world.webhookId)
        .run(),
  ],
];

it.each(changes)("has another ETag when %s", async (_, pathOf, change) => {
  const rotated = await operator.post(`/webhooks/${world.webhookId}/rotate-secret`);
  expect(rotated.status).toBe(200);
  const before = await operator.get(pathOf());
  const etag = before.headers.get("etag") ?? "";
  await change();
  const after = await operator.get(pathOf(), { "if-none-match": etag });
  expect([after.status, after.text === before.text]).toEqual([200, false]);
  expect((await operator.delete(pathOf(), { "if-match": etag })).status).toBe(412);
});

it("creates only if there is no object, or replaces only if there is one", async () => {
  const path = `/feature-flags/${crypto.randomUUID()}`;
  const flag = {
    type: "boolean",
    enabled: true,
    variants: { on: true, off: false },
    defaultVariant: "on",
  };
  const put = async (headers: Record<string, string>) =>
    (await operator.put(path, flag, headers)).status;
  expect(await put({ "if-match": "*" })).toBe(412);
  expect(await put({ "if-none-match": "*" })).toBe(200);
  expect(await put({ "if-none-match": "*" })).toBe(412);
  expect(await put({ "if-match": 'W/"1"' })).toBe(412);
  expect(await put({ "if-match": "*" })).toBe(200);
  expect(await put({ "if-none-match": '"7"' })).toBe(200);
});
