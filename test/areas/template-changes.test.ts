import { describe, expect, it } from "vitest";
import { CreateInstanceBody } from "#areas/instances/contract.ts";
import { createInstance } from "#areas/instances/create-instance.ts";
import { deleteTemplate } from "#areas/templates/delete-template.ts";
import { faultsOf, roundTripsOf } from "#test/support/answers.ts";
import { makeTenant, operator, send } from "#test/support/api.ts";
import { makeInstance, makeTarget } from "#test/support/cloud.ts";
import { interruptedCall } from "#test/support/interrupted-call.ts";
import { expectRefusals } from "#test/support/refusals.ts";
import { eventsOf, makeTemplate, SOURCE, sourceOf } from "#test/support/templates.ts";

const tenant = await makeTenant();

describe("changing a template", () => {
  it.for([
    { name: "ab" },
    { name: "a".repeat(80) },
    { description: "" },
    { description: "d".repeat(2000) },
    { name: "new", description: "new" },
  ])("changes %j and leaves the rest", async (change) => {
    const made = await makeTemplate(tenant, { description: "old", source: SOURCE });
    const path = `/templates/${made.body.id}`;
    const changed = await tenant.patch(path, change);
    expect(changed.status, changed.text).toBe(200);
    const { diagnostics: _, ...stored } = made.body;
    expect(changed.body).toEqual({ ...stored, ...change, updatedAt: changed.body.updatedAt });
    expect(changed.headers.get("etag")).not.toBe(made.headers.get("etag"));
    expect((await tenant.get(path)).text).toBe(changed.text);
    expect(roundTripsOf(changed)).toBe(2);
  });

  it("changes nothing for an empty body", async () => {
    const made = await makeTemplate(tenant);
    for (const empty of [{}, undefined]) {
      const same = await tenant.patch(`/templates/${made.body.id}`, empty);
      expect({ ...same.body, diagnostics: [] }).toEqual(made.body);
      expect(same.headers.get("etag")).toBe(made.headers.get("etag"));
    }
  });

  it.for([
    ["/name", { name: "a" }],
    ["/name", { name: "a".repeat(81) }],
    ["/name", { name: null }],
    ["/description", { description: "d".repeat(2001) }],
    ["/description", { description: null }],
  ] as const)("rejects %s in %j", async ([pointer, change]) => {
    const made = await makeTemplate(tenant);
    const refused = await tenant.patch(`/templates/${made.body.id}`, change);
    expect(refused.status).toBe(400);
    expect(faultsOf(refused)).toEqual([pointer]);
  });

  it("requires the version that the caller read, and JSON", async () => {
    const { body, headers } = await makeTemplate(tenant);
    const path = `/templates/${body.id}`;
    expect((await tenant.patch(path, { name: "new" }, { "if-match": '"9"' })).status).toBe(412);
    const fresh = { "if-match": headers.get("etag") ?? "" };
    expect((await tenant.patch(path, { name: "new" }, fresh)).status).toBe(200);
    const plain = await send("PATCH", path, {
      headers: { authorization: `Bearer ${tenant.key}`, "content-type": "text/plain" },
      body: "{}",
    });
    expect(plain.status).toBe(415);
  });

  it("is refused without the role, the scope or the tenant", async () => {
    const { body } = await makeTemplate(tenant);
    await expectRefusals({
      send: (client, id) => client.patch(`/templates/${id}`, { name: "mine now" }),
      id: body.id,
      scope: "templates:write",
    });
    const catalogue = await makeTemplate(operator);
    const path = `/templates/${catalogue.body.id}`;
    expect((await tenant.patch(path, { name: "mine now" })).status).toBe(403);
    expect((await operator.patch(path, { name: "new" })).status).toBe(200);
  });
});

describe("deleting a template", () => {
  it("deletes it with its versions, and sends an event", async () => {
    const { body } = await makeTemplate(tenant, { source: SOURCE });
    const path = `/templates/${body.id}`;
    const gone = await tenant.delete(path);
    expect(gone.status).toBe(204);
    expect(roundTripsOf(gone)).toBe(2);
    for (const at of [path, `${path}/versions`, `${path}/versions/1`])
      expect((await tenant.get(at)).status).toBe(404);
    expect(await eventsOf(body.id)).toEqual([
      ["template.created", 1],
      ["template.version_created", 2],
      ["template.deleted", 3],
    ]);
  });

  it("is refused while an instance of any tenant uses it", async () => {
    const { body } = await makeTemplate(operator, { source: "name: a\n" });
    const user = await makeTenant();
    const instanceId = await makeInstance(user, body.id, await makeTarget(user));
    const refused = await operator.delete(`/templates/${body.id}`);
    expect(refused.status).toBe(409);
    expect(refused.body.code).toBe("in_use");
    const { name } = (await user.get(`/instances/${instanceId}`)).body;
    expect(refused.body.detail).toContain(`The template is used by instance "${name}". Delete`);
    expect((await user.get(`/templates/${body.id}/versions/1`)).status).toBe(200);
    expect((await user.delete(`/instances/${instanceId}`)).status).toBe(204);
    expect((await operator.delete(`/templates/${body.id}`)).status).toBe(204);
  });

  it("is refused while a listing offers it", async () => {
    const { body } = await makeTemplate(tenant, { source: "name: a\n" });
    const listing = await tenant.post("/marketplace/listings", {
      templateId: body.id,
      slug: `l-${crypto.randomUUID()}`,
      title: "A listing",
      summary: "A listing of a template",
      categories: ["network"],
    });
    expect(listing.status, listing.text).toBe(201);
    expect((await tenant.delete(`/templates/${body.id}`)).body.code).toBe("in_use");
  });

  it("leaves no instance that was created at the same time", async () => {
    const targetId = await makeTarget(tenant);
    const { body } = await makeTemplate(tenant, { source: "name: a\n" });
    const call = interruptedCall(tenant.tenantId, async () => {
      expect((await tenant.delete(`/templates/${body.id}`)).status).toBe(204);
    });
    const given = CreateInstanceBody.parse({ name: "race", templateId: body.id, targetId });
    await expect(createInstance(call, given)).rejects.toMatchObject({ code: "not_found" });
    const left = await tenant.get(`/instances?templateId=${body.id}`);
    expect(left.body.data).toEqual([]);
  });

  it("fails if an instance is created at the same time", async () => {
    const targetId = await makeTarget(tenant);
    const { body } = await makeTemplate(tenant, { source: "name: a\n" });
    const call = interruptedCall(tenant.tenantId, () => makeInstance(tenant, body.id, targetId));
    await expect(deleteTemplate(call, body.id)).rejects.toMatchObject({ code: "in_use" });
    expect((await tenant.get(`/templates/${body.id}/versions/1`)).status).toBe(200);
  });

  it("requires the version that the caller read, and the rights", async () => {
    const { body } = await makeTemplate(tenant);
    const path = `/templates/${body.id}`;
    expect((await tenant.delete(path, { "if-match": '"9"' })).status).toBe(412);
    await expectRefusals({
      send: (client, id) => client.delete(`/templates/${id}`),
      id: body.id,
      scope: "templates:write",
    });
    const catalogue = await makeTemplate(operator);
    expect((await tenant.delete(`/templates/${catalogue.body.id}`)).status).toBe(403);
  });
});

describe("deprecating a template version", () => {
  it("removes it from `latest`, keeps it usable by number, and sends an event", async () => {
    const { body } = await makeTemplate(tenant, { source: SOURCE });
    const path = `/templates/${body.id}/versions`;
    await tenant.post(path, { source: sourceOf(50) });
    const deprecated = await tenant.post(`${path}/2/deprecate`);
    expect(deprecated.status, deprecated.text).toBe(200);
    expect(deprecated.body.deprecatedAt).toEqual(expect.any(String));
    expect(roundTripsOf(deprecated)).toBe(2);
    expect((await tenant.get(`${path}/latest`)).body.version).toBe(1);
    const read = await tenant.get(`${path}/2`);
    expect(read.body).toMatchObject(deprecated.body);
    expect(read.headers.get("etag")).toBe(deprecated.headers.get("etag"));
    expect(await eventsOf(body.id)).toEqual([
      ["template.created", 1],
      ["template.version_created", 2],
      ["template.version_created", 3],
      ["template.version_deprecated", 4],
    ]);
    const again = await tenant.post(`${path}/2/deprecate`);
    expect(again.text).toBe(deprecated.text);
    expect(await eventsOf(body.id)).toHaveLength(4);
    expect((await tenant.post(path, { source: SOURCE })).body.version).toBe(3);
  });

  it("deprecates `latest` one after the other, until there is none", async () => {
    const { body } = await makeTemplate(tenant, { source: SOURCE });
    const path = `/templates/${body.id}/versions`;
    await tenant.post(path, { source: SOURCE });
    expect((await tenant.post(`${path}/latest/deprecate`)).body.version).toBe(2);
    expect((await tenant.post(`${path}/latest/deprecate`)).body.version).toBe(1);
    expect((await tenant.post(`${path}/latest/deprecate`)).status).toBe(404);
  });

  it("is not offered to instances as a newer version", async () => {
    const { body } = await makeTemplate(tenant, { source: "name: a\n" });
    const path = `/templates/${body.id}/versions`;
    await tenant.post(path, { source: "name: b\n" });
    const given = {
      name: "one",
      templateId: body.id,
      templateVersion: 1,
      targetId: await makeTarget(tenant),
    };
    const before = await tenant.post("/instances", given);
    expect(before.body.availableVersion).toBe(2);
    await tenant.post(`${path}/2/deprecate`);
    expect((await tenant.get(`/instances/${before.body.id}`)).body.availableVersion).toBeNull();
    expect((await tenant.post("/instances", given)).body.availableVersion).toBeNull();
  });

  it("answers 404 for an unknown version, and requires the version that the caller read", async () => {
    const { body } = await makeTemplate(tenant, { source: SOURCE });
    const path = `/templates/${body.id}/versions`;
    for (const version of ["0", "2", "01", "1.0", "first", "__proto__", "99999999999"])
      expect((await tenant.post(`${path}/${version}/deprecate`)).status).toBe(404);
    const stale = await tenant.post(`${path}/1/deprecate`, undefined, { "if-match": '"9"' });
    expect(stale.status).toBe(412);
  });

  it("is refused without the role, the scope or the tenant", async () => {
    const { body } = await makeTemplate(tenant, { source: SOURCE });
    await expectRefusals({
      send: (client, id) => client.post(`/templates/${id}/versions/1/deprecate`),
      id: body.id,
      scope: "templates:write",
    });
    const catalogue = await makeTemplate(operator, { source: SOURCE });
    const refused = await tenant.post(`/templates/${catalogue.body.id}/versions/1/deprecate`);
    expect(refused.status).toBe(403);
  });
});
