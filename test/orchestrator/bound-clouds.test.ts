/** Instances at two clouds. One reads the other's outputs: in order, and again when these change. */
import { afterEach, expect, it, vi } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { makeTenant } from "#test/support/api.ts";
import type { FakeCloud } from "#test/support/fake-cloud/fake-cloud.ts";
import { textOf } from "#test/support/fake-cloud/text-of.ts";
import { until } from "#test/support/runner.ts";
import { renderAccount, supabaseAccount, vercelAccount, vultrAccount } from "./cloud-accounts.ts";
import { answerAt, type CloudAccount, exampleAt } from "./example-life.ts";

const CANARY = "canary-given-as-a-secret";

type Account = CloudAccount & { cloud: { fake: FakeCloud; violations: readonly unknown[] } };

interface Scene {
  /** The template of the upstream instance. */
  made: { account: Account; source: string; variables: JsonMap; changed: JsonMap };
  reader: { account: Account; source: string };
  /** The reader's variables, by output. */
  reads: Record<string, string>;
  /** The upstream's values at the reader's cloud, and the expected ones. */
  has: () => unknown;
  wants: () => unknown;
}

const backend = `config:
  region: { type: string, default: eu-central-1 }
  password: { type: string, secret: true }
resources:
  project:
    type: supabase:Project
    properties: { name: shop, region: "\${region}", db_pass: "\${password}" }
  key:
    type: supabase:ApiKey
    properties: { ref: "\${project.ref}", name: backend, type: secret }
outputs:
  url: https://\${project.ref}.supabase.example
  key: \${key.api_key}
`;

const pages = `config:
  backendUrl: { type: string }
  backendKey: { type: string, secret: true }
resources:
  project:
    type: vercel:Project
    properties: { name: shop-pages }
  url:
    type: vercel:EnvVar
    properties: { projectId: "\${project.id}", key: URL, type: plain, target: [production], value: "\${backendUrl}" }
  key:
    type: vercel:EnvVar
    properties: { projectId: "\${project.id}", key: KEY, type: encrypted, target: [production], value: "\${backendKey}" }
`;

const database = `config:
  login: { type: string, default: shop }
resources:
  database:
    type: vultr:Database
    properties: { label: shop, region: ewr, database_engine: pg, database_engine_version: "16", plan: small }
  user:
    type: vultr:DatabaseUser
    properties: { database_id: "\${database.id}", username: "\${login}" }
outputs:
  uri: postgres://\${user.username}:\${user.password}@\${database.host}
`;

const group = `config:
  databaseUri: { type: string, secret: true }
resources:
  shared:
    type: render:EnvGroup
    properties: { name: shop, envVars: [{ key: DATABASE_URL, value: "\${databaseUri}" }] }
`;

const scenes: Record<string, () => Scene> = {
  "Vercel reads Supabase": () => {
    const [maker, reader] = [supabaseAccount(), vercelAccount()];
    const { fake } = maker.cloud;
    return {
      made: {
        account: maker,
        source: backend,
        variables: { password: CANARY },
        changed: { password: CANARY, region: "us-east-1" },
      },
      reader: { account: reader, source: pages },
      reads: { backendUrl: "url", backendKey: "key" },
      has: () =>
        Object.fromEntries(
          reader.cloud.fake
            .living("/projects/{p1}/env")
            .map(({ shown }) => [textOf(shown["key"]), shown["value"]]),
        ),
      wants: () => ({
        URL: `https://${fake.living("/v1/projects")[0]?.key}.supabase.example`,
        KEY: fake.living("/v1/projects/{ref}/api-keys")[0]?.shown["api_key"],
      }),
    };
  },
  "Render reads Vultr": () => {
    const [maker, reader] = [vultrAccount(), renderAccount()];
    const [databases, users] = ["/v2/databases", "/v2/databases/{database-id}/users"];
    const shown = (collection: string) => maker.cloud.fake.living(collection)[0]?.shown ?? {};
    return {
      made: { account: maker, source: database, variables: {}, changed: { login: "other" } },
      reader: { account: reader, source: group },
      reads: { databaseUri: "uri" },
      has: () => reader.cloud.fake.living("/v1/env-groups").map((one) => one.shown["envVars"]),
      wants: () => {
        const { username, password } = shown(users);
        const host = textOf(shown(databases)["host"]);
        const value = `postgres://${textOf(username)}:${textOf(password)}@${host}`;
        return [[{ key: "DATABASE_URL", value }]];
      },
    };
  },
};

afterEach(() => {
  vi.restoreAllMocks();
});

it.for(Object.entries(scenes))("%s", { timeout: 60_000 }, async ([, scene]) => {
  const { made, reader, reads, has, wants } = scene();
  answerAt(made.account, reader.account);
  const tenant = await makeTenant();
  const upstream = await exampleAt(tenant, made.account, made.source, {
    variables: made.variables,
  });
  const { instanceId } = upstream;
  const downstream = await exampleAt(tenant, reader.account, reader.source, {
    name: "shop reader",
    bindings: Object.fromEntries(
      Object.entries(reads).map(([variable, output]) => [variable, { instanceId, output }]),
    ),
  });
  const path = `/instances/${downstream.instanceId}`;
  const follow = await tenant.post(`${path}/triggers`, { kind: "upstream_output" });
  expect(follow.status, follow.text).toBe(201);

  // The reader makes nothing while the output is missing.
  const early = await tenant.post(`${path}/deploy`);
  expect(early.body).toMatchObject({
    code: "invalid_state",
    detail: expect.stringContaining("Deploy that instance first"),
  });
  expect(reader.account.cloud.fake.ledger).toEqual([]);

  await upstream.go("deploy");
  await downstream.go("deploy");
  expect(has()).toEqual(wants());
  const before = has();

  await upstream.go("deploy", made.changed);
  const deployments = async (): Promise<{ id: string; trigger: string; state: string }[]> =>
    (await tenant.get(`/deployments?instanceId=${downstream.instanceId}`)).body.data;
  await until("the reader has followed", async () =>
    (await deployments()).some(
      (one) => one.trigger === "upstream_output" && one.state === "SUCCEEDED",
    ),
  );
  const [last] = await deployments();
  expect(Object.values(await downstream.changesOf(last?.id ?? ""))).toEqual(["update"]);
  expect(has()).toEqual(wants());
  expect(has()).not.toEqual(before);

  await downstream.go("destroy");
  await upstream.go("destroy");
  for (const { cloud } of [made.account, reader.account]) {
    expect(cloud.fake.living()).toEqual([]);
    expect(cloud.violations).toEqual([]);
  }
  await upstream.expectNothingTold();
  await downstream.expectNothingTold();
});
