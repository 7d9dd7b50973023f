import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { roundTripsOf } from "#test/support/answers.ts";
import { clientOf, makeTenant, operator } from "#test/support/api.ts";
import { expectRefusals } from "#test/support/refusals.ts";

const tenant = await makeTenant();

const network = `
variable "region" { default = "fra1" }
resource "digitalocean_vpc" "main" {
  name   = "shop"
  region = var.region
}
`;
const shop = `
variable "admin_token" { sensitive = true, default = "canary-token" }
variable "servers" { default = 2 }
resource "digitalocean_droplet" "web" {
  count  = var.servers
  name   = "web"
}
resource "digitalocean_domain" "shop" { name = "shop.example" }
output "zone" { value = digitalocean_domain.shop.id }
`;
const files = [
  { path: "main.tf", content: network },
  { path: "shop/main.tf", content: shop },
];

async function imported(query = "", body: object = { files }) {
  const made = await tenant.post(`/imports${query}`, body);
  expect(made.status, made.text.slice(0, 800)).toBe(201);
  return made;
}

describe("the draft of an import", () => {
  it("is that of the first root module, or of the one that is asked for", async () => {
    const made = await imported();
    expect(roundTripsOf(made)).toBe(2);
    expect(made.body.draft).toMatchObject({ module: ".", mapped: 1, notMapped: 0 });
    expect(made.body.drafts).toHaveLength(2);
    const read = await tenant.get(`/imports/${made.body.id}?module=shop`);
    expect(roundTripsOf(read)).toBe(1);
    expect(read.body.draft).toMatchObject({ module: "shop", mapped: 2, notMapped: 0 });
    expect(read.body.draft.source).toContain("forEach: ${lists.range(servers)");
    const posted = await imported("?module=shop");
    expect(posted.body.draft).toEqual(read.body.draft);
    expect((await tenant.get(`/imports/${made.body.id}?module=none`)).status).toBe(404);
  });

  it("uses a component, whose template is made first, with its release", async () => {
    const { body } = await imported("", {
      files: [
        {
          path: "main.tf",
          content:
            'variable "nets" { default = {} }\nmodule "net" {\n source = "./mods/net"\n for_each = var.nets\n name = each.key\n}',
        },
        {
          path: "mods/net/main.tf",
          content:
            'variable "name" {}\nresource "digitalocean_vpc" "main" {\n name = var.name\n region = "fra1"\n}',
        },
      ],
    });
    const template = (name: string, module: string) =>
      tenant.post(`/imports/${body.id}/template`, { name, module });
    const early = await template("root", ".");
    expect([early.status, early.text]).toEqual([400, expect.stringContaining("unknown_component")]);
    const component = await template("mods-net", "mods/net");
    expect(component.status, component.text).toBe(201);
    const version = await tenant.get(`/templates/${component.body.id}/versions/1`);
    expect(version.body).toMatchObject({ release: "1.0.0" });
    expect((await template("root", ".")).status).toBe(201);
  });

  it("passes the check of templates, and becomes one", async () => {
    const { body } = await imported();
    const made = await tenant.post(`/imports/${body.id}/template`, { name: "Shop" });
    expect(made.status, made.text).toBe(201);
    expect(roundTripsOf(made)).toBe(2);
    expect(made.body).toMatchObject({ name: "Shop", tenantId: tenant.tenantId, latestVersion: 1 });
    const version = await tenant.get(`/templates/${made.body.id}/versions/1`);
    expect(version.body.source).toBe(body.draft.source);
    const checked = await tenant.post("/templates/validate", { source: body.draft.source });
    expect(checked.body).toMatchObject({ valid: true });
    const events = await env.DB.prepare("SELECT type FROM events WHERE resource_id = ?")
      .bind(made.body.id)
      .all();
    expect(events.results.map(({ type }) => type)).toEqual([
      "template.created",
      "template.version_created",
    ]);
  });

  it("is none where nothing can be converted, and then no template can be made", async () => {
    const { body } = await imported("", {
      files: [{ path: "a.tf", content: 'resource "null_resource" "x" {}' }],
    });
    expect(body.draft).toBeNull();
    expect(body.drafts).toMatchObject([{ module: ".", mapped: 0, notMapped: 1 }]);
    const refused = await tenant.post(`/imports/${body.id}/template`, { name: "None" });
    expect(refused.body.code).toBe("invalid_state");
  });

  it("needs the right to read imports and to write templates, in the tenant of the import", async () => {
    const { body } = await imported();
    await expectRefusals({
      send: (client, id) => client.post(`/imports/${id}/template`, { name: "Mine" }),
      id: body.id,
      scope: "templates:write",
    });
    const key = await operator.post("/api-keys", {
      name: "half",
      scopes: ["templates:write"],
      tenantId: tenant.tenantId,
    });
    const half = clientOf(key.body.key);
    const refused = await half.post(`/imports/${body.id}/template`, { name: "Mine" });
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      expect.stringContaining("imports:read"),
    ]);
  });
});

describe("a dry run", () => {
  it("answers the same and stores nothing", async () => {
    const mine = await makeTenant();
    const dry = await mine.post("/imports?dryRun=true", { files });
    expect(dry.status).toBe(200);
    expect(dry.headers.get("location")).toBeNull();
    expect(dry.body).toMatchObject({ id: null, draft: { module: "." } });
    expect((await mine.get("/imports")).body.data).toEqual([]);
    const made = await mine.post("/imports", { files });
    const own = { id: null, createdAt: dry.body.createdAt, nextCursors: dry.body.nextCursors };
    expect(dry.body).toEqual({ ...made.body, ...own });
    const left = await env.DB.prepare(
      "SELECT count(*) AS n FROM events WHERE tenant_id = ? AND type LIKE 'import.%'",
    )
      .bind(mine.tenantId)
      .first("n");
    expect(left).toBe(2);
  });
});
