import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { deleteTarget } from "#areas/cloud-targets/delete-target.ts";
import { CreateInstanceBody } from "#areas/instances/contract.ts";
import { createInstance } from "#areas/instances/create-instance.ts";
import { faultsOf, roundTripsOf } from "#test/support/answers.ts";
import { type Answer, makeTenant, operator, send, type Client } from "#test/support/api.ts";
import { makeInstance, makeTemplate } from "#test/support/cloud.ts";
import { interruptedCall } from "#test/support/interrupted-call.ts";
import { expectRefusals } from "#test/support/refusals.ts";

const PATH = "/cloud/targets";
const minimal = {
  provider: "mock",
  name: "sandbox one",
  config: { color: "blue", inner: { a: 1 } },
  allowedRegions: ["local", "other"],
  defaultRegion: "local",
};
const tenant = await makeTenant();
const prefix = (id: string) => `env://TARGET_${id.replaceAll("-", "").toUpperCase()}_`;

async function makeTarget(client: Client, more: object = {}): Promise<Answer> {
  const made = await client.post(PATH, { ...minimal, ...more });
  expect(made.status, made.text).toBe(201);
  return made;
}

const target = (client: Client = tenant, more: object = {}) => makeTarget(client, more);

async function eventsOf(id: string): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT type FROM events WHERE resource_id = ? ORDER BY payload ->> '$.sequence'",
  )
    .bind(id)
    .all<{ type: string }>();
  return results.map(({ type }) => type);
}

describe("changing a cloud target", () => {
  it.for([
    { name: "ab" },
    { name: "a".repeat(80) },
    ...["production", "staging", "development", "sandbox", "any"].map((environment) => ({
      environment,
    })),
    { credentialRef: `${prefix(tenant.tenantId)}A` },
    { credentialRef: null },
    { allowedRegions: ["*"] },
    { allowedRegions: ["x1"], defaultRegion: "x1" },
    { defaultRegion: "other" },
    { maxConcurrentDeployments: 1 },
    { maxConcurrentDeployments: 20 },
  ])("changes %j and leaves the rest", async (change) => {
    const { body, headers } = await target();
    const changed = await tenant.patch(`${PATH}/${body.id}`, change);
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toEqual({ ...body, ...change, updatedAt: changed.body.updatedAt });
    expect(changed.headers.get("etag")).not.toBe(headers.get("etag"));
    expect((await tenant.get(`${PATH}/${body.id}`)).text).toBe(changed.text);
    expect(roundTripsOf(changed)).toBe(2);
  });

  it("merges the config: null removes, maps merge, the rest stays", async () => {
    const { body } = await target();
    const config = { color: null, inner: { b: 2 } };
    const changed = await tenant.patch(`${PATH}/${body.id}`, { config });
    expect(Object.entries(changed.body.config)).toEqual([["inner", { a: 1, b: 2 }]]);
  });

  it("changes nothing, not even the version, for an empty body", async () => {
    const { body, headers } = await target();
    for (const empty of [{}, undefined]) {
      const same = await tenant.patch(`${PATH}/${body.id}`, empty);
      expect(same.body).toEqual(body);
      expect(same.headers.get("etag")).toBe(headers.get("etag"));
    }
    expect(await eventsOf(body.id)).toEqual(["target.created"]);
  });

  it.for([
    ["/name", { name: "a" }],
    ["/name", { name: "a".repeat(81) }],
    ["/name", { name: null }],
    ["/environment", { environment: "prod" }],
    ["/config", { config: [] }],
    ["/allowedRegions", { allowedRegions: [] }],
    ["/defaultRegion", { defaultRegion: "a" }],
    ["/defaultRegion", { defaultRegion: "elsewhere" }],
    ["/defaultRegion", { allowedRegions: ["elsewhere"] }],
    ["/maxConcurrentDeployments", { maxConcurrentDeployments: 0 }],
    ["/maxConcurrentDeployments", { maxConcurrentDeployments: 21 }],
    ["/credentialRef", { credentialRef: "vault://a" }],
    ["/credentialRef", { credentialRef: "env://TARGET_PLATFORM_A" }],
    ["/credentialRef", { credentialRef: prefix(tenant.tenantId).padEnd(301, "A") }],
  ] as const)("rejects %s in %j", async ([pointer, change]) => {
    const { body } = await target();
    const refused = await tenant.patch(`${PATH}/${body.id}`, change);
    expect(refused.status, refused.text).toBe(400);
    expect(faultsOf(refused)).toEqual([pointer]);
    expect((await tenant.get(`${PATH}/${body.id}`)).body).toEqual(body);
  });

  it("requires the version that the caller read, and JSON", async () => {
    const { body, headers } = await target();
    const stale = { "if-match": '"7"' };
    expect((await tenant.patch(`${PATH}/${body.id}`, { name: "new" }, stale)).status).toBe(412);
    const fresh = { "if-match": headers.get("etag") ?? "" };
    expect((await tenant.patch(`${PATH}/${body.id}`, { name: "new" }, fresh)).status).toBe(200);
    const plain = await send("PATCH", `${PATH}/${body.id}`, {
      headers: { authorization: `Bearer ${tenant.key}`, "content-type": "text/plain" },
      body: "{}",
    });
    expect(plain.status).toBe(415);
  });

  it("resets the verification when the credential, config or default region changes, and only then", async () => {
    const { body } = await target();
    const path = `${PATH}/${body.id}`;
    for (const [change, state] of [
      [{ name: "other" }, "VERIFIED"],
      [{ config: { color: "blue" } }, "VERIFIED"],
      [{ config: { color: "red" } }, "UNVERIFIED"],
      [{ defaultRegion: "other" }, "UNVERIFIED"],
      [{ credentialRef: `${prefix(tenant.tenantId)}B` }, "UNVERIFIED"],
    ] as const) {
      await env.DB.prepare("UPDATE cloud_targets SET verification = 'VERIFIED' WHERE id = ?")
        .bind(body.id)
        .run();
      expect((await tenant.patch(path, change)).body.verification).toBe(state);
    }
  });

  it("loses no change when two are made at once", async () => {
    const { body } = await target();
    const answers = await Promise.all(
      ["a", "b", "c", "d"].map((key) =>
        tenant.patch(`${PATH}/${body.id}`, { config: { [key]: true } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { config } = (await tenant.get(`${PATH}/${body.id}`)).body;
    expect(config).toMatchObject({ a: true, b: true, c: true, d: true });
  });

  it("is refused without the role, the scope or the tenant", async () => {
    const { body } = await target();
    await expectRefusals({
      send: (client, id) => client.patch(`${PATH}/${id}`, { name: "mine now" }),
      id: body.id,
      scope: "targets:write",
    });
    const platform = await target(operator);
    const refused = await tenant.patch(`${PATH}/${platform.body.id}`, { name: "mine now" });
    expect(refused.status).toBe(403);
    expect((await operator.patch(`${PATH}/${platform.body.id}`, { name: "new" })).status).toBe(200);
  });
});

describe("deleting a cloud target", () => {
  it("deletes it, sends an event, and answers 404 from then on", async () => {
    const { body } = await target();
    const gone = await tenant.delete(`${PATH}/${body.id}`);
    expect(gone.status).toBe(204);
    expect(roundTripsOf(gone)).toBe(2);
    expect((await tenant.get(`${PATH}/${body.id}`)).status).toBe(404);
    expect((await tenant.delete(`${PATH}/${body.id}`)).status).toBe(404);
    expect(await eventsOf(body.id)).toEqual(["target.created", "target.deleted"]);
  });

  it("is refused while an instance of any tenant refers to it", async () => {
    const { body } = await target(operator);
    const user = await makeTenant();
    const templateId = await makeTemplate(user, "name: a\n");
    const instanceId = await makeInstance(user, templateId, body.id);
    const refused = await operator.delete(`${PATH}/${body.id}`);
    expect(refused.status).toBe(409);
    expect(refused.body.code).toBe("in_use");
    const { name } = (await user.get(`/instances/${instanceId}`)).body;
    expect(refused.body.detail).toContain(`The cloud target is used by instance "${name}". Delete`);
    expect((await operator.get(`${PATH}/${body.id}`)).status).toBe(200);
    expect((await user.delete(`/instances/${instanceId}`)).status).toBe(204);
    expect((await operator.delete(`${PATH}/${body.id}`)).status).toBe(204);
  });

  it("leaves no instance that was created at the same time", async () => {
    const templateId = await makeTemplate(tenant, "name: a\n");
    const { body } = await target();
    const call = interruptedCall(tenant.tenantId, async () => {
      expect((await tenant.delete(`${PATH}/${body.id}`)).status).toBe(204);
    });
    const given = CreateInstanceBody.parse({ name: "race", templateId, targetId: body.id });
    await expect(createInstance(call, given)).rejects.toMatchObject({ code: "not_found" });
    expect((await tenant.get(`/instances?targetId=${body.id}`)).body.data).toEqual([]);
  });

  it("fails if an instance is created at the same time", async () => {
    const templateId = await makeTemplate(tenant, "name: a\n");
    const { body } = await target();
    const call = interruptedCall(tenant.tenantId, () => makeInstance(tenant, templateId, body.id));
    await expect(deleteTarget(call, body.id)).rejects.toMatchObject({ code: "in_use" });
    expect((await tenant.get(`${PATH}/${body.id}`)).status).toBe(200);
  });

  it("requires the version that the caller read, and the rights", async () => {
    const { body } = await target();
    expect((await tenant.delete(`${PATH}/${body.id}`, { "if-match": '"9"' })).status).toBe(412);
    await expectRefusals({
      send: (client, id) => client.delete(`${PATH}/${id}`),
      id: body.id,
      scope: "targets:write",
    });
    const platform = await target(operator);
    expect((await tenant.delete(`${PATH}/${platform.body.id}`)).status).toBe(403);
    expect((await tenant.get(`${PATH}/${body.id}`)).status).toBe(200);
  });
});

describe("the config of a cloud target", async () => {
  const mine = await makeTenant();
  it.for([
    ["validation_failed", "/config/latencyMs", { latencyMs: -1 }],
    ["validation_failed", "/config/faults/0/on", { faults: [{ kind: "networks", on: "never" }] }],
    ["unknown_parameter", "/config/latencyMS", { latencyMS: 5 }],
    ["unknown_parameter", "/config/readyAfterMss", { readyAfterMss: 5, latencyMs: 1 }],
    [
      "unknown_parameter",
      "/config/faults/0/statsu",
      { faults: [{ kind: "networks", on: "read", statsu: 500 }] },
    ],
  ] as const)("is refused with %s at %s when the target is made or changed", async (given) => {
    const [code, pointer, config] = given;
    const made = await mine.post(PATH, { ...minimal, config });
    expect([made.status, made.body.code, faultsOf(made)]).toEqual([400, code, [pointer]]);
    const { body } = await target(mine);
    const changed = await mine.patch(`${PATH}/${body.id}`, { config });
    expect([changed.status, changed.body.code, faultsOf(changed)]).toEqual([400, code, [pointer]]);
    expect((await mine.get(`${PATH}/${body.id}`)).text).toBe(JSON.stringify(body));
  });

  it("keeps keys that the provider does not know, and all of a provider that is not there", async () => {
    const kept = { costCentre: "r-7", latencyMs: 1 };
    expect((await target(mine, { config: kept })).body.config).toEqual(kept);
    const config = { latencyMS: "x" };
    expect((await target(mine, { provider: "oci", config })).body.config).toEqual(config);
  });

  it("that no longer fits does not keep other fields from changing", async () => {
    const { body } = await target(mine);
    await env.DB.prepare("UPDATE cloud_targets SET config = '{\"latencyMs\":-1}' WHERE id = ?")
      .bind(body.id)
      .run();
    expect((await mine.patch(`${PATH}/${body.id}`, { name: "other" })).status).toBe(200);
    const mended = await mine.patch(`${PATH}/${body.id}`, { config: { latencyMs: 1 } });
    expect(mended.status, mended.text).toBe(200);
  });
});

describe("verifying a cloud target", async () => {
  const tenant = await makeTenant();
  const target = (client: Client = tenant, more: object = {}) => makeTarget(client, more);
  it("asks the provider, stores the result and sends an event", async () => {
    const { body } = await target(tenant, { config: {} });
    const verified = await tenant.post(`${PATH}/${body.id}/verify`);
    expect(verified.status, verified.text).toBe(200);
    expect(verified.body).toEqual({
      ok: true,
      message: "The credential works.",
      means: null,
      permission: null,
      hint: null,
      lacks: null,
      unread: null,
      verifiedAt: expect.any(String),
    });
    expect(roundTripsOf(verified)).toBe(2);
    const read = await tenant.get(`${PATH}/${body.id}`);
    expect(read.body).toMatchObject({
      verification: "VERIFIED",
      verifiedAt: verified.body.verifiedAt,
    });
    expect(await eventsOf(body.id)).toEqual(["target.created", "target.verified"]);
  });

  it("names what the provider does not read of the config", async () => {
    const { body } = await target(tenant, { config: { costCentre: "r-7", latencyMs: 1 } });
    const verified = await tenant.post(`${PATH}/${body.id}/verify`);
    expect(verified.body).toMatchObject({
      ok: true,
      hint: expect.stringContaining('does not read "costCentre" of the config'),
    });
  });

  it.for([
    [
      "a credential that is not there",
      { credentialRef: `${prefix(tenant.tenantId)}NOWHERE` },
      null,
      null,
    ],
    [
      "a provider that does not accept the credential",
      { config: { faults: [{ kind: "networks", on: "read", status: 401 }] } },
      "denied",
      "`credentialRef`",
    ],
    [
      "a provider that misses a permission",
      { config: { faults: [{ kind: "networks", on: "read", status: 403 }] } },
      "denied",
      "Grant",
    ],
    [
      "a provider that does not know the account",
      { config: { faults: [{ kind: "networks", on: "read", status: 404 }] } },
      "gone",
      "region (local)",
    ],
  ] as const)("reports that %s does not work, and what to do", async ([, more, means, hint]) => {
    const { body } = await target(tenant, more);
    const verified = await tenant.post(`${PATH}/${body.id}/verify`);
    expect(verified.status, verified.text).toBe(200);
    expect(verified.body.ok).toBe(false);
    expect(verified.body.message).not.toBe("");
    expect(verified.body.means).toBe(means);
    expect(verified.body.hint ?? "").toContain(hint ?? "");
    expect((await tenant.get(`${PATH}/${body.id}`)).body.verification).toBe("FAILED");
    expect(await eventsOf(body.id)).toEqual(["target.created", "target.verification_failed"]);
  });

  it.for([503, 0])(
    "says nothing about the credential when the provider answers %i",
    async (status) => {
      const faults = [{ kind: "networks", on: "read", status }];
      const { body } = await target(tenant, { config: { faults } });
      const asked = await tenant.post(`${PATH}/${body.id}/verify`);
      expect(asked.status, asked.text).toBe(502);
      expect(asked.body.code).toBe("provider_error");
      expect((await tenant.get(`${PATH}/${body.id}`)).body.verification).toBe("UNVERIFIED");
      expect((await tenant.post(`${PATH}/${body.id}/verify`)).body.ok).toBe(true);
    },
  );

  it("says when to ask again when the provider takes no more calls", async () => {
    const faults = [{ kind: "networks", on: "read", status: 429 }];
    const { body } = await target(tenant, { config: { faults } });
    const asked = await tenant.post(`${PATH}/${body.id}/verify`);
    expect([asked.status, asked.headers.get("retry-after")]).toEqual([502, "1"]);
    expect(asked.body.detail).toMatch(/takes no more calls.*Try again in 1 s\./);
    expect((await tenant.get(`${PATH}/${body.id}`)).body.verification).toBe("UNVERIFIED");
  });

  it("is refused without the role, the scope or the tenant", async () => {
    const { body } = await target();
    await expectRefusals({
      send: (client, id) => client.post(`${PATH}/${id}/verify`),
      id: body.id,
      scope: "targets:write",
    });
    const platform = await target(operator);
    expect((await tenant.post(`${PATH}/${platform.body.id}/verify`)).status).toBe(403);
  });
});

describe("the list of providers", () => {
  it("lists all twelve, and what the available ones need", async () => {
    const { body, status, text, headers } = await tenant.get("/cloud/providers");
    expect(status, text).toBe(200);
    expect(body.nextCursor).toBeNull();
    expect(body.data).toHaveLength(12);
    const mock = body.data.find(({ name }: { name: string }) => name === "mock");
    expect(mock).toMatchObject({ available: true, openTypes: false });
    expect(mock.resourceTypes).toContain("mock:Network");
    expect(mock.config.properties).toHaveProperty("latencyMs");
    for (const { available, credential, config, resourceTypes } of body.data) {
      expect(credential !== null && config !== null).toBe(available);
      expect(resourceTypes.length > 0).toBe(available);
    }
    expect(headers.get("server-timing")).toMatch(/d1;desc="\d\/[01]"/);
    expect((await (await makeTenant(["license:read"])).get("/cloud/providers")).status).toBe(403);
    expect((await send("GET", "/cloud/providers")).status).toBe(401);
  });
});
