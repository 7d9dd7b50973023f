/** The pages of templates: who sees what, what of it they may press, and the form that a version's config makes. */
import { beforeAll, describe, expect, it } from "vitest";
import { createInstanceEndpoint } from "#areas/instances/contract.ts";
import {
  createTemplateEndpoint,
  deleteTemplateEndpoint,
  deprecateTemplateVersionEndpoint,
  updateTemplateEndpoint,
  addTemplateVersionEndpoint,
} from "#areas/templates/contract.ts";
import { PageApi } from "#console/page-api.ts";
import { tenantRoles } from "#schema/lists/roles.ts";
import { makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget } from "#test/support/cloud.ts";
import {
  allowedTo,
  escapedHostile,
  expectHarmless,
  expectSignInFirst,
  hostile,
  mainOf,
  memberOf,
  offersOf,
  openPage,
} from "#test/support/console-pages.ts";
import { signedIn, signedInOperator } from "#test/support/sessions.ts";

const source = `# ${hostile}
config:
  zone: { type: string, enum: [eu-1, ${JSON.stringify(hostile)}], default: eu-1 }
  password: { type: string, secret: true, minLength: 12, description: ${JSON.stringify(hostile)} }
  keys: { type: object, secret: true }
  count: { type: integer, minimum: 1 }
  isOpen: { type: boolean }
  names: { type: List<string>, default: [a, b] }
  ports: { type: List<integer> }
  constructor: { type: string }
resources:
  net:
    type: mock:Network
    properties: { name: "\${zone}\${count}\${constructor}", cidr: 10.0.0.0/16 }
  web:
    type: mock:Server
    properties:
      name: web
      network: \${net.id}
      environment: { a: "\${keys}", b: "\${isOpen}", c: "\${names}", d: "\${ports}", e: "\${password}" }
      colour: red
outputs: { id: "\${web.id}" }
`;

describe("the pages of templates", () => {
  let tenant: TestTenant;
  let templateId: string;
  let place: string;

  beforeAll(async () => {
    tenant = await makeTenant();
    const targetId = await makeTarget(tenant, {}, { name: hostile });
    const made = await tenant.post("/templates", {
      name: hostile,
      description: hostile,
      source,
    });
    expect(made.status, made.text).toBe(201);
    templateId = made.body.id;
    place = `/templates/${templateId}`;
    await makeInstance(tenant, templateId, targetId, { name: hostile });
    await tenant.post(`/templates/${templateId}/versions`, { source: "resources: {}\n" });
    const deprecated = await tenant.post(`/templates/${templateId}/versions/2/deprecate`);
    expect(deprecated.status).toBe(200);
  });

  it("shows a viewer what there is, as text, and nobody else", async () => {
    const viewer = await memberOf(tenant.tenantId, "CustomerViewer");
    const other = await memberOf((await makeTenant()).tenantId, "CustomerAdmin");
    for (const path of ["/templates", place, `${place}?version=1`]) {
      const page = await openPage(path, viewer);
      expectHarmless(path, page);
      expect(page.text).toContain(escapedHostile);
      const foreign = await openPage(path, other);
      expect(foreign.status).toBe(path === "/templates" ? 200 : 404);
      expect(foreign.text).not.toContain(templateId);
      await expectSignInFirst(path);
    }
  });

  it("shows the newest version that is not deprecated, or the one that the address names", async () => {
    const viewer = await memberOf(tenant.tenantId, "CustomerViewer");
    const latest = await openPage(place, viewer);
    expect(latest.text).toContain("Source of version 1");
    expect(latest.text).toContain(`href="${place}?version=2"`);
    expect(latest.text).toContain(`<code>  count: { type: integer, minimum: 1 }</code>`);
    const second = await openPage(`${place}?version=2`, viewer);
    expect(second.text).toContain("Source of version 2");
    expect(second.text).toContain("There are no resources.");

    const none = await tenant.post("/templates", { name: "without a version" });
    const empty = await openPage(`/templates/${none.body.id}`, viewer);
    expect(empty.text).toContain("It has no version yet.");
    await tenant.post(`/templates/${none.body.id}/versions`, { source: "resources: {}\n" });
    await tenant.post(`/templates/${none.body.id}/versions/1/deprecate`);
    const old = await openPage(`/templates/${none.body.id}`, viewer);
    expect(old.text).toContain("Source of version 1");
  });

  it("says at its line what is wrong, to whom the API says it", async () => {
    const said = /<code>      colour: red<\/code><span class="fault">[^<]*colour/;
    const developer = await openPage(place, await memberOf(tenant.tenantId, "CustomerDeveloper"));
    expect(developer.text).toMatch(said);
    expect(developer.text).toContain('<a href="#line-21">Line 21, column 7</a>');
    const viewer = await openPage(place, await memberOf(tenant.tenantId, "CustomerViewer"));
    expect(viewer.text).toContain("<code>      colour: red</code></li>");
  });

  it.for([...tenantRoles])(
    "offers to a %s what the API lets them do, and no more",
    async (role) => {
      const session = await memberOf(tenant.tenantId, role);
      expect(offersOf(await openPage(place, session))).toEqual(
        allowedTo(role, [
          [`DELETE ${place}`, deleteTemplateEndpoint],
          [`PATCH ${place}`, updateTemplateEndpoint],
          [`POST ${place}/versions`, addTemplateVersionEndpoint],
          [`POST ${place}/versions/1/deprecate`, deprecateTemplateVersionEndpoint],
          ["POST /instances", createInstanceEndpoint],
        ]),
      );
      const toCreate = allowedTo(role, [["POST /templates", createTemplateEndpoint]]);
      const list = await openPage("/templates", session);
      expect(list.text.includes(`href="/templates/new"`)).toBe(toCreate.length > 0);
      expect(offersOf(await openPage("/templates/new", session))).toEqual(toCreate);
    },
  );

  it("lets whoever only reads a platform template make an instance of it, in a tenant of theirs", async () => {
    const made = await operator.post("/templates", { name: `platform ${hostile}`, source });
    const path = `/templates/${made.body.id}`;
    const second = await makeTenant();
    const session = await signedIn(
      [tenant.tenantId, "CustomerAdmin"],
      [second.tenantId, "CustomerViewer"],
    );
    const member = await openPage(path, session);
    expect(offersOf(member)).toEqual(["POST /instances"]);
    const [, tenants = ""] =
      /<select name="tenantId"[^>]*>(.*?)<\/select>/.exec(mainOf(member)) ?? [];
    expect(tenants).toContain(tenant.tenantId);
    expect(tenants).not.toContain(second.tenantId);
    const byOperator = offersOf(await openPage(path, await signedInOperator()));
    expect(byOperator).toContain(`DELETE ${path}`);
  });

  it("asks for each variable in the way of its type, and for a secret unseen", async () => {
    const { text } = await openPage(place, await memberOf(tenant.tenantId, "CustomerDeveloper"));
    const input = (name: string) =>
      new RegExp(`<(?:input|select|textarea)[^>]*name="variables\\.${name}"[^>]*>`).exec(text)?.[0];
    expect(input("zone")).toMatch(/<select .*data-kind="json"/);
    expect(text).toContain(`<option value="">default: eu-1</option>`);
    expect(input("password")).toMatch(/data-kind="secret" required="" type="password"/);
    expect(input("keys")).toMatch(/data-kind="json" required="" type="password"/);
    expect(input("count")).toMatch(/data-kind="number" required="" type="number" step="any"/);
    expect(input("isOpen")).toMatch(/<select .*data-kind="json" required=""/);
    expect(input("names")).toMatch(/<textarea .*data-kind="lines"/);
    expect(input("names")).not.toContain("required");
    expect(input("ports")).toMatch(/<textarea .*data-kind="json"/);
    expect(input("constructor")).toMatch(/data-kind="text"/);
  });

  it("says what is wrong with its address", async () => {
    const viewer = await memberOf(tenant.tenantId, "CustomerViewer");
    for (const path of [
      `/templates/${crypto.randomUUID()}`,
      `${place}?version=99`,
      `${place}?version=`,
      `${place}?version=${encodeURIComponent(hostile)}`,
      `${place}?version=..%2F..`,
    ]) {
      const { status, text } = await openPage(path, viewer);
      expect([path, status]).toEqual([path, 404]);
      expect(text).not.toContain("<img");
    }
    for (const path of [
      `${place}?cursor=forged`,
      "/templates?cursor=forged",
      "/templates?tenantId=x",
    ])
      expect([path, (await openPage(path, viewer)).status]).toEqual([path, 400]);
  });

  it("reads nothing by an endpoint that changes something", async () => {
    let isAsked = false;
    const api = new PageApi(
      { url: "https://control.test", requestId: "r", header: () => undefined },
      () => {
        isAsked = true;
        return Response.json({});
      },
    );
    await expect(api.read(deleteTemplateEndpoint, { id: templateId })).rejects.toThrow(
      "not for reading",
    );
    expect(isAsked).toBe(false);
  });
});
