/** The pages of imports: who sees what, and what of it they may press. In a browser: test/browser/console-imports.test.ts. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  createImportEndpoint,
  createTemplateOfImportEndpoint,
  deleteImportEndpoint,
  getImportEndpoint,
  listImportsEndpoint,
} from "#areas/imports/contract.ts";
import { tenantRoles } from "#schema/lists/roles.ts";
import { makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import {
  allowedTo,
  escapedHostile,
  expectHarmless,
  expectSignInFirst,
  hostile,
  memberOf,
  offersOf,
  openPage,
} from "#test/support/console-pages.ts";
import { makeSession, makeUser, signedInOperator } from "#test/support/sessions.ts";

const quoted = JSON.stringify(hostile);
const files = [
  {
    path: "shop <img src=x>/main.tf",
    content: `
provider "digitalocean" {
  region = "nyc3"
}
variable "name" {
  description = ${quoted}
  default     = ${quoted}
}
resource "digitalocean_vpc" "net" {
  name   = var.name
  region = "nyc3"
}
resource "digitalocean_droplet" "web" {
  name     = ${quoted}
  image    = "ubuntu-24-04-x64"
  region   = "nyc3"
  size     = "s-1vcpu-1gb"
  vpc_uuid = digitalocean_vpc.net.id
  tags     = [upper(data.digitalocean_region.here.slug)]
}
resource "digitalocean_record" "more" {
  for_each = toset(var.names)
  domain   = ${quoted}
}
data "digitalocean_region" "here" {
  slug = "nyc3"
}
output "web" {
  description = ${quoted}
  value       = digitalocean_droplet.web.id
}
module "other" {
  source = ${quoted}
}
`,
  },
  { path: `${hostile}.txt`, content: hostile },
];
/** `name=value` of a report counts as a secret, so that it is hidden. */
const hostileFinding = "<b>\"'";
const report = {
  results: {
    failed_checks: [
      {
        check_id: hostileFinding,
        check_name: hostileFinding,
        resource: hostileFinding,
        file_path: `/${hostileFinding}`,
        file_line_range: [3, 4],
        severity: "HIGH",
      },
    ],
  },
  summary: { failed: 1, passed: 2 },
};
const parts = [
  "coverage",
  "warnings",
  "resources",
  "graph",
  "files",
  "modules",
  "clouds",
  "moduleCalls",
  "variables",
  "outputs",
  "providers",
  "findings",
];

describe("the pages of imports", () => {
  let tenant: TestTenant;
  let id: string;
  let pages: readonly string[];

  beforeAll(async () => {
    tenant = await makeTenant();
    const made = await tenant.post("/imports", { files, report });
    expect(made.status, made.text.slice(0, 500)).toBe(201);
    ({ id } = made.body);
    pages = [
      "/imports",
      "/imports/new",
      `/imports/${id}`,
      ...parts.map((part) => `/imports/${id}?part=${part}`),
    ];
  });

  it("send whoever is not signed in to sign in, and back", async () => {
    for (const path of pages)
      for (const session of [undefined, { token: "x".repeat(43) }])
        await expectSignInFirst(path, session);
  });

  it("show a developer what there is, as text", async () => {
    const developer = await memberOf(tenant.tenantId, "CustomerDeveloper");
    for (const path of pages) {
      const answer = await openPage(path, developer);
      expectHarmless(path, answer);
      if (path.includes(id))
        expect([path, answer.text]).toEqual([
          path,
          expect.stringMatching(/&lt;(img src=x( onerror|&gt;)|b&gt;)/),
        ]);
    }
    for (const path of pages.filter((one) => /variables|outputs|files/.test(one)))
      expect((await openPage(path, developer)).text).toContain(escapedHostile);
    for (const path of pages.filter((one) => one.includes("findings")))
      expect((await openPage(path, developer)).text).toContain("&lt;b&gt;&quot;&#39;");
    const textOf = async (part: string) =>
      (await openPage(`/imports/${id}?part=${part}`, developer)).text;
    expect(await textOf("clouds")).toMatch(/digitalocean.*nyc3/s);
    expect(await textOf("coverage")).toContain("digitalocean_record");
    expect(await textOf("findings")).toMatch(/failed 1.*passed 2/s);
    const draft = (await openPage(`/imports/${id}`, developer)).text;
    expect(draft).toContain("digitalocean:Vpc");
    expect(draft).toContain("Line 32");
  });

  it("show nothing of it to another tenant's members, nor to a viewer", async () => {
    const other = await makeTenant();
    const owner = await memberOf(other.tenantId, "CustomerOwner");
    const viewer = await memberOf(tenant.tenantId, "CustomerViewer");
    const nobody = await makeSession(await makeUser());
    for (const session of [owner, viewer, nobody])
      for (const path of pages) {
        const { status, text } = await openPage(path, session);
        if (path.includes(id))
          expect([path, status]).toEqual([path, session === owner ? 404 : 403]);
        expect(text.replaceAll(`part=`, "")).not.toContain(`/imports/${id}"`);
        expect(text).not.toContain(escapedHostile);
      }
  });

  it.for([...tenantRoles])("offer to a %s what the API lets them do, and no more", async (role) => {
    const session = await memberOf(tenant.tenantId, role);
    const may = (endpoint: Parameters<typeof allowedTo>[1][number][1]) =>
      allowedTo(role, [["it", endpoint]]).length === 1;
    const form = (await openPage("/imports/new", session)).text;
    expect(form.includes(`id="import"`)).toBe(may(createImportEndpoint));
    const home = (await openPage("/", session)).text;
    expect(home.includes(`href="/imports"`)).toBe(may(listImportsEndpoint));
    expect((await openPage("/imports", session)).text.includes(`href="/imports/new"`)).toBe(
      may(createImportEndpoint),
    );
    const page = await openPage(`/imports/${id}`, session);
    expect(page.status).toBe(may(getImportEndpoint) ? 200 : 403);
    expect(offersOf(page)).toEqual(
      allowedTo(role, [
        [`DELETE /imports/${id}`, deleteImportEndpoint],
        [`POST /imports/${id}/template`, createTemplateOfImportEndpoint],
      ]),
    );
  });

  it("lead to the first import where there is none, and page through many", async () => {
    const empty = await makeTenant();
    const developer = await memberOf(empty.tenantId, "CustomerDeveloper");
    const { text } = await openPage("/imports", developer);
    expect(text).toContain("There is no import yet.");
    expect(text).toContain(`href="/imports/new"`);
    const many = Array.from({ length: 130 }, (_, at) => ({ path: `f${at}.txt`, content: "" }));
    const made = await empty.post("/imports", { files: many });
    const first = await openPage(`/imports/${made.body.id}?part=files`, developer);
    const next = /href="([^"]*cursor=[^"]*)"/.exec(first.text)?.[1]?.replaceAll("&amp;", "&");
    const second = await openPage(next ?? "", developer);
    for (const [{ text: shown }, has, lacks] of [
      [first, "f99.txt", "f100.txt"],
      [second, "f129.txt", "f99.txt"],
    ] as const) {
      expect(shown).toContain(`>${has}<`);
      expect(shown).not.toContain(`>${lacks}<`);
    }
    const filtered = await openPage("/imports?state=FAILED", developer);
    expect(filtered.text).toContain("No import is like that.");
  });

  it("say that nothing could be converted where there is no draft", async () => {
    const made = await tenant.post("/imports", { files: [{ path: "a.txt", content: "" }] });
    const developer = await memberOf(tenant.tenantId, "CustomerDeveloper");
    const page = await openPage(`/imports/${made.body.id}`, developer);
    expect(page.text).toContain("There is no draft");
    expect(offersOf(page)).toEqual([`DELETE /imports/${made.body.id}`]);
  });

  it("show the draft of each root module, and make the template of the one that is shown", async () => {
    const both = ["one", "two"].map((name) => ({
      path: `${name}/main.tf`,
      content: `resource "digitalocean_vpc" "${name}" {\n  name   = "${name}"\n  region = "nyc3"\n}\n`,
    }));
    const made = await tenant.post("/imports", { files: both });
    const developer = await memberOf(tenant.tenantId, "CustomerDeveloper");
    const path = `/imports/${made.body.id}`;
    const first = await openPage(path, developer);
    expect(first.text).toContain(`href="${path}?module=two"`);
    const second = await openPage(`${path}?module=two`, developer);
    expect(second.text).toContain(`data-body="{&quot;module&quot;:&quot;two&quot;}"`);
    expect(second.text).toMatch(/class="draft-source"[^]*name: two/);
    expect((await openPage(`${path}?module=three`, developer)).status).toBe(404);
  });

  it("show operators the imports of the platform, and let them name a tenant", async () => {
    const session = await signedInOperator();
    const made = await operator.post("/imports", { files });
    expect((await openPage(`/imports/${made.body.id}`, session)).status).toBe(200);
    expect((await openPage("/imports/new", session)).text).toContain(
      '<fieldset name="tenantId" data-kind="owner">',
    );
  });

  it("have in the graph what needs what, and modules that are called", async () => {
    const resource = (name: string, more = "") =>
      `resource "digitalocean_vpc" "${name}" {\n  name   = "${name}"\n  region = "nyc3"\n${more}}\n`;
    const rest = "  description = module.net.name\n  depends_on  = [digitalocean_vpc.first]\n";
    const many = Array.from({ length: 120 }, (_, at) => resource(`n${at}`)).join("");
    const made = await tenant.post("/imports", {
      files: [
        {
          path: "main.tf",
          content: `${resource("first")}${resource("last", rest)}module "net" {\n  source = "./net"\n}\n`,
        },
        { path: "net/main.tf", content: many },
      ],
    });
    const developer = await memberOf(tenant.tenantId, "CustomerDeveloper");
    const { text } = await openPage(`/imports/${made.body.id}?part=graph`, developer);
    const json = /data-graph="([^"]*)"/.exec(text)?.[1]?.replaceAll("&quot;", '"') ?? "[]";
    const nodes = JSON.parse(json) as { id: string; group: string; dependsOn: string[] }[];
    expect(nodes).toHaveLength(123);
    expect(nodes.find(({ id }) => id === "digitalocean_vpc.last")).toMatchObject({
      group: ".",
      dependsOn: expect.arrayContaining(["module.net", "digitalocean_vpc.first"]),
    });
    expect(nodes.find(({ id }) => id === "module.net")).toMatchObject({ group: "net" });
    expect(nodes.find(({ id }) => id === "net/digitalocean_vpc.n119")).toMatchObject({
      group: "net",
    });
    expect(text).not.toContain("The graph has the first");
  });

  it("say what is wrong with their address", async () => {
    const developer = await memberOf(tenant.tenantId, "CustomerDeveloper");
    for (const [path, expected] of [
      [`/imports/${crypto.randomUUID()}`, 404],
      ["/imports/%3Cb%3E", 404],
      [`/imports/${id}?part=nothing`, 404],
      [`/imports/${id}?part=files&cursor=forged`, 400],
      ["/imports?state=NONE", 400],
      ["/imports?cursor=forged", 400],
    ] as const)
      expect([path, (await openPage(path, developer)).status]).toEqual([path, expected]);
  });
});
