/** What the page of an instance shows of its variables, resources and bindings. In a browser: test/browser/console-instance.test.ts. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run, untilOver } from "#test/support/cloud.ts";
import {
  escapedHostile,
  expectHarmless,
  hostile,
  mainOf,
  memberOf,
  openInstance,
} from "#test/support/console-pages.ts";

/** Every type, with a text of a tenant wherever there may be one. */
const source = `
config:
  text: { type: string, default: ${JSON.stringify(hostile)} }
  choice: { type: string, enum: [${JSON.stringify(hostile)}, small], default: small }
  count: { type: integer, default: 1 }
  ratio: { type: number, default: 0.5 }
  flag: { type: boolean, default: false }
  names: { type: array, default: [] }
  settings: { type: object, default: {} }
  secret: { type: string, secret: true, default: s }
  secretSettings: { type: object, secret: true, default: {} }
resources:
  net: { type: mock:Network, properties: { name: net, cidr: 10.0.0.0/16 } }
  db: { type: mock:Database, properties: { name: db, engine: postgres-18, network: "\${net.id}" } }
outputs:
  networkId: \${net.id}
  secretId:
    fn::secret: \${net.id}
`;

describe("the page of an instance", () => {
  let tenant: TestTenant;
  let targetId: string;
  let instanceId: string;
  let text: string;

  async function read(
    id: string,
    role: "CustomerAdmin" | "CustomerDeveloper" | "CustomerViewer",
  ): Promise<string> {
    const tabs = await openInstance(id, await memberOf(tenant.tenantId, role));
    for (const tab of tabs) expectHarmless(`/instances/${id}`, tab);
    return tabs.map(mainOf).join("\n");
  }

  beforeAll(async () => {
    tenant = await makeTenant();
    targetId = await makeTarget(tenant);
    const templateId = await makeTemplate(tenant, source);
    instanceId = await makeInstance(tenant, templateId, targetId, {
      name: "upstream",
      labels: { team: "web" },
      variables: { secret: "correct horse", secretSettings: { key: "battery" }, count: 3 },
    });
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    await makeInstance(tenant, templateId, targetId, {
      name: `reader ${hostile}`,
      bindings: { text: { instanceId, output: "networkId" } },
    });
    text = await read(instanceId, "CustomerAdmin");
  });

  it.for([
    ["text", "text", "text"],
    ["count", "number", "number"],
    ["ratio", "number", "number"],
    ["secret", "secret", "password"],
    ["secretSettings", "json", "password"],
  ])("has for the variable %s an input that sends %s", ([name, kind, type]) => {
    const input = inputOf(text, name);
    expect(input).toContain(`data-kind="${kind}"`);
    expect(input).toContain(`type="${type}"`);
  });

  it.for([
    ["choice", "json"],
    ["flag", "json"],
    ["names", "json"],
    ["settings", "json"],
  ])("has for the variable %s an input that sends %s", ([name, kind]) => {
    expect(inputOf(text, name)).toContain(`data-kind="${kind}"`);
  });

  it("shows no secret, and values as what they are", () => {
    expect(text).not.toMatch(/correct horse|battery/);
    expect(inputOf(text, "count")).toContain('value="3"');
    expect(text).toContain('<td data-column="Value"><span class="tag">secret</span></td>');
    // An output that was marked as secret is masked as variables are.
    expect(text).toMatch(/secretId<\/td><td data-column="Value"><span class="tag">secret/);
  });

  it("takes texts of tenants as texts", () => {
    expect(text).toContain(`Default: ${escapedHostile}`);
    expect(text).toContain(
      `<option value="&quot;&lt;img src=x onerror=alert(1)&gt;\\&quot;&#39;&quot;">`,
    );
  });

  it("says what depends on what, which others read its outputs, and of which version it was read", async () => {
    const [, graph = ""] = /data-graph="([^"]*)"/.exec(text) ?? [];
    expect(JSON.parse(graph.replaceAll("&quot;", '"'))).toEqual([
      {
        id: "net",
        name: "net",
        type: "mock:Network",
        dependsOn: [],
        mark: { words: "ready", tone: "good" },
      },
      {
        id: "db",
        name: "db",
        type: "mock:Database",
        dependsOn: ["net"],
        mark: { words: "ready", tone: "good" },
      },
    ]);
    expect(text).toContain(`<a href="#resource-net">net</a>`);
    expect(text).toContain(
      `reader ${escapedHostile}</a></td><td data-column="As the variable">text</td>`,
    );
    const { headers } = await tenant.get(`/instances/${instanceId}`);
    expect(text).toContain(`data-etag="${headers.get("etag")?.replaceAll('"', "&quot;")}"`);
  });

  it("offers to bind the variables that are not bound to outputs of others of the tenant, and sends the version", async () => {
    const other = await makeTenant();
    const elsewhere = await makeInstance(
      other,
      await makeTemplate(other, source),
      await makeTarget(other),
    );
    const { body } = await tenant.get("/instances");
    const reader = body.data.find(({ name }: { name: string }) => name.startsWith("reader")).id;
    const page = await read(reader, "CustomerDeveloper");
    const [form = ""] =
      /<form(?:(?!<form).)*?name="bindings\.\{variable\}\.output".*?<\/form>/s.exec(page) ?? [];
    const optionsOf = (name: string) => {
      const [select = ""] = new RegExp(`<select name="${name}".*?</select>`, "s").exec(form) ?? [];
      return [...select.matchAll(/<option value="([^"]*)"/g)].map(([, value]) => value);
    };
    expect(optionsOf("variable")).toEqual(
      "choice count ratio flag names settings secret secretSettings".split(" "),
    );
    expect(optionsOf("bindings\\.\\{variable\\}\\.instanceId")).toEqual([instanceId]);
    expect(form).toContain('<option value="networkId">upstream</option>');
    const { headers } = await tenant.get(`/instances/${reader}`);
    expect(form).toContain(`data-etag="${headers.get("etag")?.replaceAll('"', "&quot;")}"`);
    expect(page).not.toContain(elsewhere);
  });

  it("offers a viewer nothing, and hides no value that the API shows", async () => {
    const seen = await read(instanceId, "CustomerViewer");
    expect(seen).not.toMatch(/data-(act|form)=/);
    expect(seen).toContain('<td data-column="Value"><code>3</code></td>');
  });

  it("marks resources that drifted, by the last check", async () => {
    expect(text).not.toContain("drifted");
    const { body } = await tenant.get(`/instances/${instanceId}/resources`);
    const { id } = body.data.find(({ name }: { name: string }) => name === "net");
    const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId));
    await cloud.fetch(`https://mock.cloud.invalid/v1/networks/${id}`, {
      method: "PATCH",
      body: JSON.stringify({ name: "other" }),
      headers: { "content-type": "application/json" },
    });
    const asked = await tenant.post(`/instances/${instanceId}/check-drift`);
    expect((await untilOver(tenant, asked.body.id)).body.state).toBe("SUCCEEDED");
    const seen = await read(instanceId, "CustomerViewer");
    expect(seen).toMatch(/href="\/deployments\/[^"]*">1 resource has drifted</);
    const marks = marksIn(seen);
    expect(marks).toEqual({ net: "drifted", db: "ready" });
  });

  it.for([
    ["always", "any", "Every plan waits until another person approves it."],
    ["destructive", "any", "Plans that replace or delete something wait for approval."],
    [undefined, "production", "Plans that replace or delete something wait for approval."],
    ["auto", "production", undefined],
    [undefined, "sandbox", undefined],
  ] as const)("says which plans wait: %s at %s", async ([approvalMode, environment, words]) => {
    const at = await makeTarget(tenant, {}, { environment });
    const templateId = await makeTemplate(tenant, source);
    const id = await makeInstance(tenant, templateId, at, {
      name: `waits ${approvalMode} ${environment}`,
      variables: { secret: "correct horse", secretSettings: {} },
      ...(approvalMode === undefined ? {} : { approvalMode }),
    });
    const found = /(?:Every plan waits|Plans that replace)[^<]*/.exec(
      await read(id, "CustomerAdmin"),
    );
    expect(found?.[0]).toBe(words);
  });
});

function marksIn(text: string): Record<string, string> {
  const [, graph = ""] = /data-graph="([^"]*)"/.exec(text) ?? [];
  const nodes = JSON.parse(graph.replaceAll("&quot;", '"')) as {
    id: string;
    mark: { words: string };
  }[];
  return Object.fromEntries(nodes.map(({ id, mark }) => [id, mark.words]));
}

/** The whole tag of a variable's input. */
function inputOf(text: string, name = ""): string {
  const found = new RegExp(`<(?:input|select|textarea)[^>]* name="variables.${name}"[^>]*>`).exec(
    text,
  );
  if (found !== null) return found[0];
  const [other] = new RegExp(`<[^>]*name="variables.${name}"[^>]*>`).exec(text) ?? [""];
  return other;
}
