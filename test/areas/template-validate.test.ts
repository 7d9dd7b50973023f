/** Validation of sources that are no template yet, and what creates answer about theirs. */
import { describe, expect, it } from "vitest";
import { faultsOf, roundTripsOf } from "#test/support/answers.ts";
import { makeTenant, operator, send, stranger, type TestTenant } from "#test/support/api.ts";
import { makeTarget } from "#test/support/cloud.ts";
import { emptyDatabase } from "#test/support/empty-database.ts";
import { makeMember } from "#test/support/members.ts";
import { BROKEN, codesOf, makeTemplate, SOURCE, sourceOf } from "#test/support/templates.ts";

// A platform target of another suite would serve every tenant.
await emptyDatabase();

const PATH = "/templates/validate";
const tenant = await makeTenant();
/** One warning and no error. */
const ODD = `${SOURCE}variables: { unused: 1 }\n`;

const sendAs = (contentType: string, body: BodyInit, path = PATH, client: TestTenant = tenant) =>
  send("POST", path, {
    headers: { authorization: `Bearer ${client.key}`, "content-type": contentType },
    body,
  });

describe("POST /templates/validate", () => {
  it("describes a valid source and stores nothing", async () => {
    const mine = await makeTenant();
    const checked = await mine.post(PATH, { source: SOURCE });
    expect([checked.status, roundTripsOf(checked)]).toEqual([200, 1]);
    expect(checked.body).toMatchObject({
      valid: true,
      diagnostics: [],
      config: { required: ["password"] },
      resources: [
        {
          name: "net",
          type: "mock:Network",
          component: null,
          range: null,
          conditional: false,
          repeats: false,
          dependsOn: [],
        },
        {
          name: "db",
          type: "mock:Database",
          component: null,
          range: null,
          conditional: false,
          repeats: false,
          dependsOn: ["net"],
        },
      ],
      outputs: ["network", "database"],
    });
    expect((await mine.get(`/templates?tenantId=${mine.tenantId}`)).body.data).toEqual([]);
  });

  it("answers all diagnostics, errors first", async () => {
    const checked = await tenant.post(PATH, { source: `variables: { unused: 1 }\n${BROKEN}` });
    expect([checked.status, checked.body.valid]).toEqual([200, false]);
    expect(codesOf(checked.body.diagnostics)).toEqual([
      "unknown_type",
      "unknown_reference",
      "unused_variable",
    ]);
    expect(checked.body.diagnostics[1].hint).toBe('Did you mean "net"?');
  });

  it("says where the text in question ends, and what is made on a condition or repeatedly", async () => {
    const source = `config: { on: { type: boolean } }
resources:
  net: { type: mock:Network, when: "\${on}", forEach: [a], properties: { name: "\${each.keyy + 1}" } }
  part: { component: nowhere, version: ^1.2 }
outputs: { o: "\${on && nopee}" }
`;
    const { body } = await tenant.post(PATH, { source });
    expect(body.resources).toEqual([
      {
        name: "net",
        type: "mock:Network",
        component: null,
        range: null,
        conditional: true,
        repeats: true,
        dependsOn: [],
      },
      {
        name: "part",
        type: null,
        component: "nowhere",
        range: "^1.2",
        conditional: false,
        repeats: false,
        dependsOn: [],
      },
    ]);
    expect(body.diagnostics).toContainEqual(
      expect.objectContaining({
        code: "unknown_reference",
        line: 5,
        column: 24,
        endLine: 5,
        endColumn: 29,
      }),
    );
  });

  it.for([
    "application/yaml",
    "application/yaml; charset=utf-8",
    "Application/YAML",
    "application/x-yaml",
    "text/yaml",
    "text/x-yaml",
  ])("takes the file itself as %s", async (type) => {
    const checked = await sendAs(type, SOURCE);
    const asJson = await tenant.post(PATH, { source: SOURCE });
    expect([checked.status, checked.text]).toEqual([200, asJson.text]);
    expect(roundTripsOf(checked)).toBe(1);
  });

  it("takes a YAML body for YAML, whatever it looks like", async () => {
    const looksLikeJson = await sendAs("application/yaml", '{"source": "resources: {}"}');
    expect(codesOf(looksLikeJson.body.diagnostics)).toEqual(["unknown_key"]);
    const looksLikeYaml = await sendAs("application/json", SOURCE);
    expect([looksLikeYaml.status, looksLikeYaml.body.code]).toEqual([400, "malformed_json"]);
    const deep = await sendAs("application/yaml", `a: ${"[".repeat(50)}${"]".repeat(50)}`);
    expect(deep.body.diagnostics).toMatchObject([
      { code: "unknown_key" },
      { code: "nesting_too_deep" },
    ]);
  });

  it.for<[string, BodyInit, number, string]>([
    ["no body", "", 400, "validation_failed"],
    ["too long a source", sourceOf(200_001), 400, "validation_failed"],
    ["too long a body", "#".repeat(1024 * 1024 + 1), 413, "payload_too_large"],
    ["bytes that are no text", Uint8Array.from([0x61, 0xff]), 400, "malformed_json"],
  ])("refuses %s as YAML", async ([, body, status, code]) => {
    const refused = await sendAs("application/yaml", body);
    expect([refused.status, refused.body.code]).toEqual([status, code]);
  });

  it("names both media types to who sends another", async () => {
    const refused = await sendAs("text/plain", SOURCE);
    expect([refused.status, refused.body.detail]).toEqual([
      415,
      'Send the body with Content-Type: application/json or application/yaml; the request has "text/plain".',
    ]);
    const elsewhere = await sendAs("application/yaml", SOURCE, "/templates");
    expect([elsewhere.status, elsewhere.body.detail]).toEqual([
      415,
      'Send the body with Content-Type: application/json; the request has "application/yaml".',
    ]);
  });

  it("requires a source", async () => {
    const refused = await tenant.post(PATH, {});
    expect([refused.status, faultsOf(refused)]).toEqual([400, ["/source"]]);
  });

  it("also says what a tenant lacks, to those who may deploy for it", async () => {
    const bare = await makeTenant();
    const { tenantId } = bare;
    const lacking = await bare.post(PATH, { source: SOURCE, tenantId });
    expect([codesOf(lacking.body.diagnostics), roundTripsOf(lacking)]).toEqual([["no_target"], 1]);
    await makeTarget(bare);
    const asked = { source: SOURCE, tenantId };
    expect((await bare.post(PATH, asked)).body.diagnostics).toEqual([]);
    expect((await operator.post(PATH, asked)).body.diagnostics).toEqual([]);
    expect((await tenant.post(PATH, asked)).status).toBe(404);
    const viewer = await makeMember(tenantId, "CustomerViewer");
    expect((await viewer.post(PATH, asked)).status).toBe(403);
    expect((await viewer.post(PATH, { source: SOURCE })).status).toBe(403);
    expect((await stranger.post(PATH, { source: SOURCE })).status).toBe(401);
  });

  it("is not mistaken for a template called validate", async () => {
    expect((await tenant.get(PATH)).status).toBe(404);
    expect((await tenant.delete(PATH)).status).toBe(404);
  });
});

it("POST /templates/{id}/validate takes the file itself too", async () => {
  const { body } = await makeTemplate(tenant, { source: SOURCE });
  const checked = await sendAs("application/yaml", BROKEN, `/templates/${body.id}/validate`);
  expect([checked.status, checked.body.valid]).toEqual([200, false]);
});

describe("the warnings of a source", () => {
  it("are answered when a template or a version is created", async () => {
    const made = await makeTemplate(tenant, { source: ODD });
    expect(made.body.diagnostics).toMatchObject([
      { severity: "warning", code: "unused_variable", line: SOURCE.split("\n").length },
    ]);
    const added = await tenant.post(`/templates/${made.body.id}/versions`, { source: ODD });
    expect([added.status, added.body.diagnostics]).toEqual([201, made.body.diagnostics]);
    const headers = { "idempotency-key": crypto.randomUUID() };
    const [first, again] = [
      await tenant.post("/templates", { name: "web", source: ODD }, headers),
      await tenant.post("/templates", { name: "web", source: ODD }, headers),
    ];
    expect([first.body.diagnostics, again.text]).toEqual([made.body.diagnostics, first.text]);
  });

  it("come after the errors in a refusal", async () => {
    const refused = await tenant.post("/templates", {
      name: "web",
      source: `variables: { unused: 1 }\n${BROKEN}`,
    });
    expect(refused.body.errors.map(({ code }: { code: string }) => code)).toEqual([
      "unknown_type",
      "unknown_reference",
      "unused_variable",
    ]);
  });
});
