/** What a deployment says about its origin: who requested it, why, and which version it deploys. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { makeTenant, operator, send, stranger, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run, untilOver } from "#test/support/cloud.ts";
import { headersOf, signedIn, signedInOperator } from "#test/support/sessions.ts";
import { SOURCE } from "#test/support/templates.ts";
import { sweep } from "#test/support/triggers.ts";
import { makeKey } from "#test/support/world.ts";

let tenant: TestTenant;
let targetId: string;
let templateId: string;
beforeAll(async () => {
  tenant = await makeTenant();
  [targetId, templateId] = await Promise.all([makeTarget(tenant), makeTemplate(tenant, SOURCE)]);
});
const instance = () =>
  makeInstance(tenant, templateId, targetId, { variables: { password: "correct horse battery" } });

describe("a request", () => {
  it("keeps its message and labels with the deployment, for every operation", async () => {
    const id = await instance();
    const said = { message: "Ticket 7 – größer 🚀\nand more", labels: { "ci.example/run": "12" } };
    await run(tenant, id, "deploy");
    await tenant.post(`/templates/${templateId}/versions`, { source: `${SOURCE}# two\n` });
    await tenant.patch(`/instances/${id}`, { templateVersion: 2 });
    for (const operation of ["deploy", "plan", "check-drift"]) {
      const started = await tenant.post(`/instances/${id}/${operation}`, said);
      expect(started.status, started.text).toBe(202);
      expect(started.body).toMatchObject({ ...said, templateVersion: 2 });
      expect((await untilOver(tenant, started.body.id)).body).toMatchObject(said);
      if (operation !== "deploy") continue;
      const back = await tenant.post(`/deployments/${started.body.id}/rollback`, said);
      expect(back.status, back.text).toBe(202);
      expect(back.body).toMatchObject({ ...said, operation: "rollback", templateVersion: 1 });
      await untilOver(tenant, back.body.id);
      await tenant.patch(`/instances/${id}`, { templateVersion: 2 });
    }
    const destroyed = await tenant.post(`/instances/${id}/destroy`, said);
    expect(destroyed.body).toMatchObject({ ...said, templateVersion: null });
    await untilOver(tenant, destroyed.body.id);
  });

  it("works without a body, and with an empty one of whatever type", async () => {
    const id = await instance();
    const nothing = { message: null, labels: {} };
    for (const init of [
      {},
      { body: "" },
      { body: "", headers: { "content-type": "application/x-www-form-urlencoded" } },
      { body: "{}", headers: { "content-type": "application/json" } },
    ]) {
      const headers = { authorization: `Bearer ${tenant.key}`, ...init.headers };
      const started = await send("POST", `/instances/${id}/deploy`, { ...init, headers });
      expect(started.status, started.text).toBe(202);
      expect(started.body).toMatchObject(nothing);
    }
    const form = await send("POST", `/instances/${id}/deploy`, {
      body: "message=x",
      headers: {
        authorization: `Bearer ${tenant.key}`,
        "content-type": "application/x-www-form-urlencoded",
      },
    });
    expect(form.status).toBe(415);
  });

  it("starts nothing when it is not valid", async () => {
    const id = await instance();
    for (const body of [
      { message: 7 },
      { message: "x".repeat(1001) },
      { labels: { "a b": "c" } },
      { labels: { a: null } },
      { labels: ["a"] },
    ])
      expect((await tenant.post(`/instances/${id}/deploy`, body)).status).toBe(400);
    expect((await tenant.get(`/deployments?instanceId=${id}`)).body.data).toEqual([]);
  });
});

describe("who requested a deployment", () => {
  const planBy = async (client: Pick<TestTenant, "post">, headers = {}) => {
    const started = await client.post(`/instances/${await instance()}/plan`, {}, headers);
    expect(started.status, started.text).toBe(202);
    return started.body;
  };
  const shown = async (id: string) => (await tenant.get(`/deployments/${id}`)).body.requestedBy;

  it("is the key by its name at that time, also after it was renamed and revoked", async () => {
    const key = await makeKey(tenant.tenantId);
    const planned = await planBy(key.client);
    const requestedBy = { kind: "key", id: key.id, name: "suite" };
    expect(planned.requestedBy).toEqual(requestedBy);
    expect((await tenant.patch(`/api-keys/${key.id}`, { name: "renamed" })).status).toBe(200);
    expect((await planBy(key.client)).requestedBy.name).toBe("renamed");
    expect((await tenant.delete(`/api-keys/${key.id}`)).status).toBe(204);
    expect(await shown(planned.id)).toEqual(requestedBy);
  });

  it("is the person by the name at that time", async () => {
    const session = await signedIn([tenant.tenantId, "CustomerDeveloper"]);
    const nameless = await planBy(stranger, headersOf(session));
    expect(nameless.requestedBy).toEqual({ kind: "member", id: session.userId, name: null });
    const rename = (name: string) =>
      env.DB.prepare("UPDATE users SET name = ? WHERE id = ?").bind(name, session.userId).run();
    await rename("Ada");
    const named = await planBy(stranger, headersOf(session));
    await rename("Grace");
    expect(await shown(named.id)).toEqual({ kind: "member", id: session.userId, name: "Ada" });
  });

  it("attack: a tenant does not learn which operator acted, by name or id", async () => {
    const session = await signedInOperator();
    await env.DB.prepare("UPDATE users SET name = 'Olga Operator' WHERE id = ?")
      .bind(session.userId)
      .run();
    for (const planned of [await planBy(operator), await planBy(stranger, headersOf(session))]) {
      expect(planned.requestedBy).toEqual({ kind: "operator", id: null, name: "operator" });
      const read = await tenant.get(`/deployments/${planned.id}`);
      for (const secret of ["Olga", session.userId, "bootstrap"])
        expect(read.text).not.toContain(secret);
    }
  });

  it("is the trigger by its kind", async () => {
    const id = await instance();
    const made = await tenant.post(`/instances/${id}/triggers`, { kind: "inbound_webhook" });
    await send("POST", made.body.url.replace("/api/v1", ""));
    await sweep(tenant, Date.now() + 1);
    const [started] = (await tenant.get(`/deployments?instanceId=${id}`)).body.data;
    expect(started).toMatchObject({
      trigger: "inbound_webhook",
      requestedBy: { kind: "trigger", id: null, name: "inbound_webhook" },
      message: null,
      labels: {},
      templateVersion: expect.any(Number),
    });
  });
});

it("does not tell webhooks the message and labels", async () => {
  const id = await instance();
  const planned = await tenant.post(`/instances/${id}/plan`, {
    message: "only for readers of the deployment",
    labels: { "only.example/for": "readers" },
  });
  await untilOver(tenant, planned.body.id);
  const { results } = await env.DB.prepare("SELECT payload FROM events WHERE resource_id = ?")
    .bind(planned.body.id)
    .all<{ payload: string }>();
  expect(results.length).toBeGreaterThan(1);
  for (const { payload } of results) expect(payload).not.toMatch(/only/);
});
