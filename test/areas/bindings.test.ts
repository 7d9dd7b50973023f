import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { deleteInstance } from "#areas/instances/delete-instance.ts";
import { updateInstance } from "#areas/instances/update-instance.ts";
import type { Json } from "#platform/json.ts";
import { problemOf, roundTripsOf } from "#test/support/answers.ts";
import { type Answer, makeTenant, operator } from "#test/support/api.ts";
import {
  addVersion,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
  untilOver,
} from "#test/support/cloud.ts";
import { interruptedCall } from "#test/support/interrupted-call.ts";
import { rowsOf } from "#test/support/tenant-rows.ts";
import { together } from "#test/support/together.ts";

const tenant = await makeTenant();
const targetId = await makeTarget(tenant);
const SECRET = "correct horse battery staple";
const templateId = await makeTemplate(
  tenant,
  `config:
  in: { type: string, default: none }
  password: { type: string, secret: true, default: unset }
resources:
  rec: { type: mock:Record, properties: { name: rec, value: "\${in}" } }
outputs:
  out: "\${in}"
  fixed: always
  password: "\${password}"
  both: { user: me, password: "\${password}" }
`,
);

const instance = (more: { [key: string]: Json } = {}) =>
  makeInstance(tenant, templateId, targetId, more);
const reading = (instanceId: string, output = "out") => ({ in: { instanceId, output } });
const bind = (id: string, upstream: string, variable = "in"): Promise<Answer> =>
  tenant.patch(`/instances/${id}`, {
    bindings: { [variable]: { instanceId: upstream, output: "out" } },
  });
const read = async (id: string) => (await tenant.get(`/instances/${id}`)).body;

async function chain(length: number): Promise<string[]> {
  const ids = [await instance({ name: "link 0" })];
  while (ids.length < length)
    ids.push(
      await instance({ name: `link ${ids.length}`, bindings: reading(ids.at(-1) as string) }),
    );
  return ids;
}

describe("a binding", () => {
  it("names an instance of the same tenant, whose output need not exist yet", async () => {
    const upstream = await instance();
    const made = await tenant.post("/instances", {
      name: "reader",
      templateId,
      targetId,
      bindings: reading(upstream, "not yet"),
    });
    expect([made.status, roundTripsOf(made)]).toEqual([201, 2]);
    expect(made.body.bindings).toEqual(reading(upstream, "not yet"));
    const moved = await bind(made.body.id, upstream);
    expect([moved.status, roundTripsOf(moved)]).toEqual([200, 2]);
    expect(moved.body.bindings).toEqual(reading(upstream));
    expect((await tenant.delete(`/instances/${upstream}`)).body.code).toBe("in_use");
    await tenant.patch(`/instances/${made.body.id}`, { bindings: { in: null } });
    expect((await read(made.body.id)).bindings).toEqual({});
    expect((await tenant.delete(`/instances/${upstream}`)).status).toBe(204);
  });

  it("to another tenant's instance is answered exactly like one to an unknown instance", async () => {
    const other = await makeTenant();
    const foreign = await makeInstance(
      other,
      await makeTemplate(other, "resources: {}"),
      await makeTarget(other),
    );
    const id = await instance();
    const create = (upstream: string) =>
      tenant.post("/instances", {
        name: "reader",
        templateId,
        targetId,
        bindings: reading(upstream),
      });
    const byOperator = (upstream: string) =>
      operator.patch(`/instances/${id}`, { bindings: reading(upstream) });
    for (const ask of [create, (upstream: string) => bind(id, upstream), byOperator]) {
      const [refused, missing] = [await ask(foreign), await ask(crypto.randomUUID())];
      expect(refused.status, refused.text).toBe(404);
      expect(problemOf(refused)).toEqual(problemOf(missing));
    }
    expect((await read(id)).bindings).toEqual({});
  });

  it.for([["constructor"], ['a."b"[0]']])("can set a variable named %s", async ([name = ""]) => {
    const upstream = await instance();
    const id = await instance();
    const text = `{"bindings":{${JSON.stringify(name)}:{"instanceId":"${upstream}","output":"out"}}}`;
    expect((await tenant.patch(`/instances/${id}`, JSON.parse(text))).status).toBe(200);
    const row = await env.DB.prepare(
      "SELECT variable, upstream_id, output FROM instance_bindings WHERE reader_id = ?",
    )
      .bind(id)
      .first();
    expect(row).toEqual({ variable: name, upstream_id: upstream, output: "out" });
  });

  it("is limited to fifty per instance", async () => {
    const upstream = await instance();
    const many = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          `v${at}`,
          { instanceId: upstream, output: "out" },
        ]),
      );
    const id = await instance();
    expect((await tenant.patch(`/instances/${id}`, { bindings: many(50) })).status).toBe(200);
    const refused = await bind(id, upstream);
    expect(refused.body.code).toBe("quota_exceeded");
  });
});

describe("a circle of bindings", () => {
  it("is refused with its path, also from an instance to itself", async () => {
    const [a = "", b = "", c = ""] = await chain(3);
    const refused = await bind(a, c);
    expect(refused.status).toBe(409);
    expect(refused.body.detail).toContain("link 0 → link 2 → link 1 → link 0");
    expect((await bind(b, b)).body.detail).toContain("link 1 → link 1.");
    expect((await read(a)).bindings).toEqual({});
    expect((await bind(c, a, "other")).status).toBe(200);
  });

  it("is not closed by two simultaneous requests: exactly one succeeds", async () => {
    const [a, b] = [await instance({ name: "aa" }), await instance({ name: "bb" })];
    const answers = await together(
      JSON.stringify([a]),
      () => bind(a, b),
      () => bind(b, a),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.detail).toMatch(
      /aa → bb → aa|bb → aa → bb/,
    );
    const left = [await read(a), await read(b)].flatMap(({ bindings }) => Object.keys(bindings));
    expect(left).toEqual(["in"]);
  });

  it("is detected in chains of fifty, and longer chains are refused", async () => {
    const [top = "", low = "", lower = "", lowest = ""] = await chain(4);
    const [across, aside] = [await instance({ name: "across" }), await instance()];
    const far = Array.from({ length: 46 }, () => crypto.randomUUID());
    const links = [[aside, far[0]], ...[top, ...far.slice(0, -1)].map((id, at) => [id, far[at]])];
    await env.DB.batch(
      links.map(([reader, upstream]) =>
        env.DB.prepare("INSERT INTO instance_bindings VALUES (?, ?, 'in', ?, 'out')").bind(
          tenant.tenantId,
          reader as string,
          upstream as string,
        ),
      ),
    );
    // The longest chain now has fifty instances.
    expect((await bind(lowest, lower)).status).toBe(200);
    expect((await bind(across, low)).status).toBe(200);
    expect((await bind(across, lowest)).body.detail).toContain("a chain of 51 instances");
    expect((await bind(top, aside, "in2")).body.detail).toContain("a chain of 51 instances");
    const closing = await bind(top, lowest);
    expect(closing.body.detail).toContain("circle");
    expect(roundTripsOf(closing)).toBe(1);
  });
});

describe("an instance that others read", () => {
  it("cannot be deleted, and the error names its readers", async () => {
    const upstream = await instance();
    for (let at = 0; at < 7; at += 1)
      await instance({ name: `reader ${at}`, bindings: reading(upstream) });
    const refused = await tenant.delete(`/instances/${upstream}`);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({ code: "in_use" });
    expect(refused.body.detail).toContain(
      'instance "reader 3", instance "reader 4" and others. They read its outputs',
    );
  });

  it("cannot be deleted while it is being bound to, nor bound to while it is being deleted", async () => {
    const [upstream, reader] = [await instance(), await instance()];
    const bound = deleteInstance(
      interruptedCall(tenant.tenantId, () => bind(reader, upstream)),
      upstream,
    );
    await expect(bound).rejects.toMatchObject({ code: "in_use" });
    const late = await instance();
    const binding = updateInstance(
      interruptedCall(tenant.tenantId, () => tenant.delete(`/instances/${late}`)),
      upstream,
      { bindings: reading(late) },
    );
    await expect(binding).rejects.toMatchObject({ code: "not_found" });
    expect((await read(upstream)).bindings).toEqual({});
  });

  it("is named in the error when it is destroyed or lacks the output", async () => {
    const upstream = await instance({ name: "source", variables: { in: "first" } });
    const reader = await instance({ bindings: reading(upstream) });
    const early = await tenant.post(`/instances/${reader}/deploy`);
    expect(early.status).toBe(409);
    expect(early.body.detail).toContain(
      "(source), which has no output of that name. Deploy that instance first.",
    );
    await run(tenant, upstream, "deploy");
    const misspelt = await instance({ bindings: reading(upstream, "uot") });
    const asked = await tenant.post(`/instances/${misspelt}/deploy`);
    expect(asked.body.detail).toContain("no output of that name. Did you mean out?");
    expect((await run(tenant, reader, "deploy")).body.state).toBe("SUCCEEDED");
    expect((await read(reader)).outputs.out).toBe("first");
    await run(tenant, upstream, "destroy");
    const late = await tenant.post(`/instances/${reader}/deploy`);
    expect(late.body.detail).toContain("(source), which is destroyed");
    expect((await run(tenant, reader, "destroy")).body.state).toBe("SUCCEEDED");
  });

  it("is ignored if the reader has its own value", async () => {
    const upstream = await instance();
    const reader = await instance({ bindings: reading(upstream), variables: { in: "own" } });
    expect((await run(tenant, reader, "deploy")).body.state).toBe("SUCCEEDED");
    expect((await read(reader)).outputs.out).toBe("own");
  });
});

describe("a secret output", () => {
  it("reaches its readers, and stays secret everywhere but at the provider", async () => {
    const upstream = await instance({ variables: { password: SECRET } });
    await run(tenant, upstream, "deploy");
    expect((await read(upstream)).outputs).toMatchObject({
      password: "[secret]",
      both: { user: "me", password: "[secret]" },
    });
    const reader = await instance({
      bindings: {
        in: { instanceId: upstream, output: "password" },
        password: { instanceId: upstream, output: "both" },
      },
    });
    const wrongType = await run(tenant, reader, "deploy");
    expect(wrongType.body.error.code).toBe("invalid_variables");
    await tenant.patch(`/instances/${reader}`, { bindings: { password: null } });
    const deployed = await run(tenant, reader, "deploy");
    expect(deployed.body.state).toBe("SUCCEEDED");
    expect((await read(reader)).outputs.out).toBe("[secret]");
    const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId));
    const records = await (await cloud.fetch("https://mock.cloud.invalid/v1/records")).text();
    expect(records).toContain(SECRET);
    const path = `/deployments/${deployed.body.id}`;
    for (const told of [path, `${path}/plan`, `${path}/log`, `/instances/${reader}/resources`])
      expect((await tenant.get(told)).text).not.toContain(SECRET);
    expect(JSON.stringify(await rowsOf(tenant.tenantId))).not.toContain("horse battery");
  });

  it("cannot be forged by an output that looks like a sealed one", async () => {
    const row = await env.DB.prepare(
      "SELECT json_extract(secret_outputs, '$.password.$sealed') AS sealed FROM instances WHERE tenant_id = ? AND secret_outputs IS NOT NULL",
    )
      .bind(tenant.tenantId)
      .first<{ sealed: string }>();
    expect(row?.sealed).toMatch(/^v1\./);
    const forging = await makeTemplate(
      tenant,
      `resources: {}\noutputs: { out: { $sealed: "${row?.sealed}" } }\n`,
    );
    const upstream = await makeInstance(tenant, forging, targetId);
    await run(tenant, upstream, "deploy");
    const taking = await makeTemplate(
      tenant,
      'config: { in: { type: object } }\nresources: {}\noutputs: { out: "${in}" }\n',
    );
    const reader = await makeInstance(tenant, taking, targetId, { bindings: reading(upstream) });
    await run(tenant, reader, "deploy");
    expect(JSON.stringify((await read(reader)).outputs)).not.toContain("horse");
  });
});

describe("the hashes of outputs", () => {
  it("show which outputs changed, and reveal nothing of their values", async () => {
    const own = await makeTemplate(tenant, await sourceOf(1));
    const id = await makeInstance(tenant, own, targetId, { variables: { password: SECRET } });
    const twin = await makeInstance(tenant, own, targetId, { variables: { password: SECRET } });
    await run(tenant, id, "deploy");
    await run(tenant, twin, "deploy");
    expect(await changedBy(id)).toEqual([["a", "b", "password"]]);
    const [hashes, others] = [await hashesOf(id), await hashesOf(twin)];
    expect(Object.keys(hashes).sort()).toEqual(["a", "b", "password"]);
    expect(Object.values(hashes).filter((hash) => Object.values(others).includes(hash))).toEqual(
      [],
    );
    await run(tenant, id, "deploy");
    expect(await hashesOf(id)).toEqual(hashes);
    await addVersion(tenant, id, own, await sourceOf(2));
    await tenant.patch(`/instances/${id}`, { variables: { password: "another" } });
    await run(tenant, id, "deploy");
    expect(await changedBy(id)).toEqual([
      ["a", "b", "password"],
      ["b", "c", "password"],
    ]);
    expect((await hashesOf(id))["a"]).toBe(hashes["a"]);
  });

  it("are not stored for outputs that are too large: the plan fails with an error", async () => {
    const large = await makeTemplate(
      tenant,
      `variables: { x: ${"x".repeat(100_000)} }\nresources: {}\noutputs: { a: "\${x}", b: "\${x}", c: "\${x}", d: "\${x}" }\n`,
    );
    const id = await makeInstance(tenant, large, targetId);
    const { body } = await run(tenant, id, "deploy");
    expect(body).toMatchObject({ state: "FAILED", error: { code: "outputs_too_large" } });
  });

  const sourceOf = async (version: number) => `config: { password: { type: string, secret: true } }
resources:
  rec: { type: mock:Record, properties: { name: rec, value: v${version} } }
outputs:
  a: always
  ${version === 1 ? "b: one" : "c: new"}
  password: "\${password}"
`;
  const hashesOf = async (id: string): Promise<Record<string, string>> =>
    JSON.parse(
      (await env.DB.prepare("SELECT output_hashes AS h FROM instances WHERE id = ?")
        .bind(id)
        .first("h")) ?? "{}",
    );

  async function changedBy(id: string): Promise<string[][]> {
    const { results } = await env.DB.prepare(
      "SELECT payload ->> '$.data.outputs' AS names FROM events WHERE resource_id = ? AND type = 'instance.outputs_changed' ORDER BY id",
    )
      .bind(id)
      .all<{ names: string }>();
    return results.map(({ names }) => JSON.parse(names));
  }
});

it("refuses a deploy whose variables and bindings are too large together", async () => {
  const source = await makeTemplate(
    tenant,
    `variables: { x: ${"x".repeat(100_000)} }\nresources: {}\noutputs: { out: "\${x}\${x}" }\n`,
  );
  const upstream = await makeInstance(tenant, source, targetId);
  await untilOver(tenant, (await tenant.post(`/instances/${upstream}/deploy`)).body.id);
  const reader = await instance({
    bindings: { ...reading(upstream), other: { instanceId: upstream, output: "out" } },
  });
  const refused = await tenant.post(`/instances/${reader}/deploy`);
  expect([refused.status, refused.body.code]).toEqual([409, "invalid_state"]);
  expect(refused.body.detail).toContain("300 KB");
});
