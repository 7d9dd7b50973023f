/**
 * A developer writes templates and may not read sealed values: what the platform's profile, an admin's profile or an
 * admin's variable sealed must not come out by any way round. Decision 0052.
 */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import { addVersion, makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
import { partOf } from "#test/support/depth.ts";
import { makeMember } from "#test/support/members.ts";

const VALUE = "tr0ub4dor-and-3";
/** The value, and what a template can compute from it. */
const TRACES = [
  VALUE,
  btoa(VALUE),
  "tr0ub",
  // SHA-1 of the value.
  await digest(VALUE),
];

async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const tenant = await makeTenant();
const targetId = await makeTarget(tenant);
let developer: TestTenant;
const profiles: { [owner: string]: string } = {};

beforeAll(async () => {
  developer = { ...tenant, ...(await makeMember(tenant.tenantId, "CustomerDeveloper")) };
  const sealed = { name: "sealed", variables: { token: VALUE }, secretNames: ["token"] };
  for (const [owner, client] of Object.entries({ platform: operator, admin: tenant })) {
    const made = await client.post("/profiles", sealed);
    expect(made.status, made.text).toBe(201);
    profiles[owner] = made.body.id;
  }
});

const CONFIG = "config: { token: { type: string, default: none } }\n";

/** Deploys the source with the owner's profile; a template that is refused at once counts as failed. */
async function deploy(source: string, owner = "platform") {
  const templateId = await makeTemplate(developer, source);
  const instanceId = await makeInstance(developer, templateId, targetId, {
    profileId: profiles[owner] ?? "",
  });
  return { templateId, instanceId, ended: await run(developer, instanceId, "deploy") };
}

/** Everything that a member can read of the instance and its deployments. */
async function readable(instanceId: string, ended: Answer): Promise<string> {
  const pages = await Promise.all(
    [
      `/instances/${instanceId}`,
      `/deployments?instanceId=${instanceId}`,
      `/deployments/${ended.body.id}`,
      `/deployments/${ended.body.id}/plan`,
      `/deployments/${ended.body.id}/log?limit=100`,
    ].map(async (path) => (await tenant.get(path)).text),
  );
  const { results } = await env.DB.prepare("SELECT payload FROM events WHERE resource_id IN (?, ?)")
    .bind(instanceId, ended.body.id)
    .all<{ payload: string }>();
  return [...pages, ...results.map(({ payload }) => payload)].join("\n");
}

async function expectNoTrace(instanceId: string, ended: Answer): Promise<void> {
  const text = await readable(instanceId, ended);
  for (const trace of TRACES) expect(text).not.toContain(trace);
}

const unsecret = (value: string) => `{ fn::unsecret: ${value} }`;
const token = unsecret('"${token}"');

describe("a sealed value stays [secret] in an output", () => {
  it.for(
    partOf<[string, string]>(
      [
        ["as it is", '"${token}"'],
        ["by fn::unsecret", token],
        ["by fn::unsecret of a whole map", unsecret('{ a: ["${token}"] }')],
        ["by fn::secret and then fn::unsecret", unsecret('{ fn::secret: "${token}" }')],
        ["by fn::unsecret inside fn::toJSON", `{ fn::toJSON: [${token}] }`],
        ["by fn::unsecret outside fn::toJSON", unsecret('{ fn::toJSON: ["${token}"] }')],
        ["by fn::join", unsecret('{ fn::join: ["-", ["a", "${token}"]] }')],
        ["by fn::toBase64", unsecret('{ fn::toBase64: "${token}" }')],
        ["by fn::sha1", unsecret('{ fn::sha1: "${token}" }')],
        ["by fn::select", unsecret('{ fn::select: [0, ["${token}"]] }')],
        ["inside a longer text", unsecret('"see ${token}"')],
        ["by a variable", '"${open}"'],
        ["through a property that the cloud repeats", unsecret('"${db.password}"')],
        ["through a part of a property", unsecret('"${db.environment.inner[0]}"')],
        ["through the whole property", unsecret('"${db.environment}"')],
      ],
      5,
    ),
  )("%s", async ([, output]) => {
    const { instanceId, ended } = await deploy(`${CONFIG}variables: { open: ${token} }
resources:
  db:
    type: mock:Database
    properties: { name: db, password: ${token}, environment: { inner: ["\${token}"] } }
outputs: { o: ${output}, used: "\${open}" }
`);
    expect(ended.body.state, JSON.stringify(ended.body.error)).toBe("SUCCEEDED");
    const { outputs } = (await tenant.get(`/instances/${instanceId}`)).body;
    expect(JSON.stringify(outputs.o)).toContain("[secret]");
    await expectNoTrace(instanceId, ended);
  });

  it.for(["platform", "admin"])("whoever owns the profile: %s", async (owner) => {
    const { instanceId, ended } = await deploy(`${CONFIG}outputs: { o: ${token} }\n`, owner);
    expect(ended.body.state).toBe("NO_CHANGES");
    expect((await tenant.get(`/instances/${instanceId}`)).body.outputs).toEqual({ o: "[secret]" });
    await expectNoTrace(instanceId, ended);
  });

  it("after a new version no longer declares an admin's variable as secret", async () => {
    const declared = (more: string) => `config: { token: { type: string${more} } }
outputs: { o: ${token} }
`;
    const templateId = await makeTemplate(developer, declared(", secret: true"));
    const instanceId = await makeInstance(tenant, templateId, targetId, {
      variables: { token: VALUE },
    });
    for (const source of [declared(", secret: true"), declared("")]) {
      await addVersion(developer, instanceId, templateId, source);
      const ended = await run(developer, instanceId, "deploy");
      expect(ended.body.state).not.toBe("FAILED");
      expect((await tenant.get(`/instances/${instanceId}`)).body.outputs).toEqual({
        o: "[secret]",
      });
      await expectNoTrace(instanceId, ended);
    }
  });

  it("in an instance that reads it by a binding", async () => {
    const upstream = await deploy(`${CONFIG}outputs: { o: "\${token}" }\n`);
    const templateId = await makeTemplate(
      developer,
      `${CONFIG}resources:
  db: { type: mock:Database, properties: { name: db, password: "\${token}" } }
outputs: { o: ${token}, echo: ${unsecret('"${db.password}"')} }
`,
    );
    const instanceId = await makeInstance(developer, templateId, targetId, {
      bindings: { token: { instanceId: upstream.instanceId, output: "o" } },
    });
    const ended = await run(developer, instanceId, "deploy");
    expect(ended.body.state, JSON.stringify(ended.body.error)).toBe("SUCCEEDED");
    expect((await tenant.get(`/instances/${instanceId}`)).body.outputs).toEqual({
      o: "[secret]",
      echo: "[secret]",
    });
    await expectNoTrace(instanceId, ended);
  });

  it("when the cloud still repeats a property that the template no longer sets", async () => {
    const source = (property: string) => `${CONFIG}resources:
  db:
    type: mock:Database
    properties: { name: db${property} }
    options: { ignoreChanges: [password] }
outputs: { o: ${unsecret('"${db}"')}, unused: "\${token}" }
`;
    const { templateId, instanceId, ended } = await deploy(source(', password: "${token}"'));
    expect(ended.body.state).toBe("SUCCEEDED");
    await addVersion(developer, instanceId, templateId, source(", size: big"));
    const again = await run(developer, instanceId, "deploy");
    expect(again.body.state, JSON.stringify(again.body.error)).toBe("SUCCEEDED");
    await expectNoTrace(instanceId, again);
  });
});

describe("a sealed value is refused where a cloud shows it", () => {
  it.for(
    partOf<[string, string]>(
      [
        ["in a name", `name: ${token}`],
        ["in a part of a name", 'name: "db-${token}"'],
        ["hashed in a name", 'name: { fn::sha1: "${token}" }'],
        ["in a tag", `name: db, tags: [a, ${token}]`],
        ["in a label", `name: db, labels: { token: ${token} }`],
        ["in the region", `name: db, region: ${token}`],
        ["through another resource's property", 'name: "${other.password}"'],
      ],
      4,
    ),
  )("%s", async ([, properties]) => {
    const { instanceId, ended } = await deploy(`${CONFIG}resources:
  other: { type: mock:Database, properties: { name: other, password: "\${token}" } }
  db: { type: mock:Bucket, properties: { ${properties} } }
`);
    expect(ended.body).toMatchObject({ state: "FAILED", error: { code: "sealed_value" } });
    expect(ended.body.error.message).toContain("Use the sealed value in another property");
    await expectNoTrace(instanceId, ended);
  });

  it("and a secret of the config is refused when the template is written", async () => {
    const made = await developer.post("/templates", {
      name: "shown",
      source: `config: { token: { type: string, secret: true } }
resources:
  db: { type: mock:Bucket, properties: { name: "\${token}" } }
`,
    });
    expect([made.status, made.body.code]).toEqual([400, "template_invalid"]);
    expect(made.body.errors).toMatchObject([{ code: "sealed_value" }]);
  });
});

describe("a plan does not tell by failing what a sealed value is", () => {
  it.for(
    partOf<[string, string, string]>(
      [
        [
          "a character by fn::split",
          'config: { token: { type: string, default: none } }\noutputs: { o: { fn::select: [1, { fn::split: ["4", "${token}"] }] } }\n',
          'config: { token: { type: string, default: none } }\noutputs: { o: { fn::select: [1, { fn::split: ["Z", "${token}"] }] } }\n',
        ],
        [
          "bytes by fn::fromBase64",
          'config: { token: { type: string, default: none } }\noutputs: { o: { fn::fromBase64: { fn::toBase64: "${token}" } } }\n',
          'config: { token: { type: string, default: none } }\noutputs: { o: { fn::fromBase64: "${token}" } }\n',
        ],
        [
          "a prefix by the pattern of a declaration",
          'config: { token: { type: string, default: tr0, pattern: "^tr0" } }\noutputs: { o: "${token}" }\n',
          'config: { token: { type: string, default: zzz, pattern: "^zzz" } }\noutputs: { o: "${token}" }\n',
        ],
        [
          "the value by the enum of a declaration",
          `config: { token: { type: string, default: a, enum: [a, ${VALUE}] } }\noutputs: { o: "\${token}" }\n`,
          'config: { token: { type: string, default: a, enum: [a, b] } }\noutputs: { o: "${token}" }\n',
        ],
        [
          "a length by fn::length and fn::select",
          'config: { token: { type: string, default: "" } }\noutputs: { o: { fn::select: [{ fn::length: "${token}" }, [a]] } }\n',
          'config: { token: { type: string, default: "" } }\noutputs: { o: { fn::select: [{ fn::length: "${token}" }, [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t]] } }\n',
        ],
        [
          "the length by the limits of a declaration",
          'config: { token: { type: string, default: "", maxLength: 15 } }\noutputs: { o: "${token}" }\n',
          'config: { token: { type: string, default: "", maxLength: 14 } }\noutputs: { o: "${token}" }\n',
        ],
      ],
      5,
    ),
  )("%s", async ([, right, wrong]) => {
    const [one, other] = await Promise.all([deploy(right), deploy(wrong)]);
    const told = ({ ended }: typeof one) => [ended.body.state, ended.body.error];
    expect(told(one)).toEqual(told(other));
  });
});

it("a secret that the template itself makes can be shown again", async () => {
  const { instanceId, ended } = await deploy(`variables: { mine: { fn::secret: my-own-secret } }
resources:
  db: { type: mock:Database, properties: { name: db, password: "\${mine}" } }
outputs: { o: ${unsecret('"${mine}"')}, echo: ${unsecret('"${db.password}"')}, kept: "\${mine}" }
`);
  expect(ended.body.state, JSON.stringify(ended.body.error)).toBe("SUCCEEDED");
  const { outputs } = (await tenant.get(`/instances/${instanceId}`)).body;
  expect(outputs).toEqual({ o: "my-own-secret", echo: "my-own-secret", kept: "[secret]" });
});
