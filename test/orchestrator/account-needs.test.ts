/** The check of a target with a template: what the account lacks for the types of it and of its components. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { CLIENT_SECRET } from "#test/providers/azure/arm-cloud.ts";
import { roundTripsOf } from "#test/support/answers.ts";
import { clientOf, makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import { azureScene, azureTarget } from "#test/support/azure-target.ts";
import { makeTarget, makeTemplate } from "#test/support/cloud.ts";

const scene = azureScene();
let tenant: TestTenant;
let path: string;
let templateId: string;

beforeAll(async () => {
  tenant = await makeTenant();
  const variable = `TARGET_${tenant.tenantId.replaceAll("-", "").toUpperCase()}_AZURE`;
  Object.assign(env, { [variable]: CLIENT_SECRET });
  const target = await tenant.post(
    "/cloud/targets",
    azureTarget({ credentialRef: `env://${variable}` }),
  );
  expect(target.status, target.text).toBe(201);
  path = `/cloud/targets/${target.body.id}/verify`;
  const component = await tenant.post("/templates", {
    name: "logs",
    release: "1.0.0",
    source: `name: logs
runtime: yaml
resources:
  logs: { type: azure:Microsoft.OperationalInsights/workspaces, properties: { name: logs } }
`,
  });
  expect(component.status, component.text).toBe(201);
  templateId = await makeTemplate(
    tenant,
    `name: app
runtime: yaml
resources:
  app: { type: azure:Microsoft.ManagedIdentity/userAssignedIdentities, properties: { name: app } }
  logs: { component: logs, version: ^1.0 }
`,
  );
});

describe("a check with a template", () => {
  it("tells all that the account lacks, also for components, at once", async () => {
    scene.cloud.unregistered.add("Microsoft.ManagedIdentity").add("Microsoft.OperationalInsights");
    const checked = await tenant.post(path, { templateId });
    expect(checked.status, checked.text).toBe(200);
    expect(checked.body).toMatchObject({
      ok: true,
      lacks: [
        {
          fix: expect.stringContaining(
            "az provider register --namespace Microsoft.ManagedIdentity",
          ),
          types: ["Microsoft.ManagedIdentity/userAssignedIdentities"],
        },
        { types: ["Microsoft.OperationalInsights/workspaces"] },
      ],
      unread: [],
    });
    expect(roundTripsOf(checked)).toBe(2);
  });

  it("tells the quotas that the template's objects exceed", async () => {
    scene.cloud.unregistered.clear();
    scene.cloud.usages.set("Microsoft.Network", [
      { name: "VirtualNetworks", currentValue: 49, limit: 50 },
    ]);
    const nets = await makeTemplate(
      tenant,
      `name: nets
runtime: yaml
resources:
  own:
    type: azure:Microsoft.Network/virtualNetworks
    properties: { name: own, properties: { addressSpace: { addressPrefixes: [10.1.0.0/16] } } }
  second:
    type: azure:Microsoft.Network/virtualNetworks
    properties: { name: second, properties: { addressSpace: { addressPrefixes: [10.2.0.0/16] } } }
`,
    );
    const checked = await tenant.post(path, { templateId: nets });
    scene.cloud.usages.clear();
    expect(checked.body).toMatchObject({
      lacks: [
        {
          what: expect.stringContaining("at least 2 of the quota VirtualNetworks"),
          fix: expect.stringContaining("--limit-object value=51"),
          types: ["Microsoft.Network/virtualNetworks"],
        },
      ],
      unread: [],
    });
  });

  it("says so when nothing is missing, and nothing of it without a template", async () => {
    scene.cloud.unregistered.clear();
    expect((await tenant.post(path, { templateId })).body).toMatchObject({ lacks: [], unread: [] });
    expect((await tenant.post(path, { templateId, templateVersion: 1 })).body.lacks).toEqual([]);
    expect((await tenant.post(path)).body).toMatchObject({ ok: true, lacks: null, unread: null });
  });

  it("says nothing of it when the credential does not work, or the provider is not asked", async () => {
    scene.answer = (request) =>
      new URL(request.url).pathname.includes("/providers/")
        ? undefined
        : Response.json({}, { status: 403 });
    expect((await tenant.post(path, { templateId })).body).toMatchObject({
      ok: false,
      lacks: null,
    });
    scene.answer = () => undefined;
    const mock = await makeTarget(tenant);
    const checked = await tenant.post(`/cloud/targets/${mock}/verify`, { templateId });
    expect(checked.body).toMatchObject({ ok: true, lacks: null });
  });

  it("knows no template of another tenant, and no version that is not there", async () => {
    const other = await makeTenant();
    const foreign = await makeTemplate(other, "name: theirs\nruntime: yaml\n");
    for (const body of [
      { templateId: foreign },
      { templateId: crypto.randomUUID() },
      { templateId, templateVersion: 7 },
    ])
      expect((await tenant.post(path, body)).status).toBe(404);
    expect((await other.post(path, { templateId: foreign })).status).toBe(404);
    expect((await tenant.post(path, { templateVersion: 1 })).status).toBe(400);
  });

  it("takes the right to read templates", async () => {
    const key = await operator.post("/api-keys", {
      name: "targets",
      scopes: ["targets:write"],
      tenantId: tenant.tenantId,
    });
    const narrow = clientOf(key.body.key);
    expect((await narrow.post(path)).status).toBe(200);
    const refused = await narrow.post(path, { templateId });
    expect(refused.status).toBe(403);
    expect(refused.body.detail).toContain("templates:read");
  });

  it("holds back the target's runs, and asks no further, once the cloud takes no more calls", async () => {
    const before = scene.cloud.requests.length;
    let sent = 0;
    scene.answer = (request) => {
      if (!request.url.includes("/providers/Microsoft.")) return undefined;
      sent += 1;
      const headers = { "retry-after": "120" };
      const error = { code: "TooManyRequests", message: "Slow down." };
      return Response.json({ error }, { status: 429, headers });
    };
    const checked = await tenant.post(path, { templateId });
    scene.answer = () => undefined;
    expect(checked.body).toMatchObject({
      ok: true,
      lacks: [],
      unread: [
        expect.stringContaining("resource providers"),
        expect.stringContaining("rights"),
        "azure takes no more calls from this account now. Try again in 120 s.",
      ],
    });
    expect([sent, scene.cloud.requests.length - before]).toEqual([1, 1]);
    const again = await tenant.post(path, { templateId });
    expect(again.status).toBe(429);
  });
});
