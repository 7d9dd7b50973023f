import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { Bindings } from "#kernel/bindings.ts";
import { sealerFrom } from "#platform/crypto/seal.ts";
import { openMap, sealedNames } from "#platform/crypto/sealed-map.ts";
import { faultsOf, idOf, problemOf } from "#test/support/answers.ts";
import { makeTenant, operator, send, stranger, type TestTenant } from "#test/support/api.ts";
import {
  ledger,
  living,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
} from "#test/support/cloud.ts";
import { overtaken } from "#test/support/together.ts";

const PATH = "/profiles";
const bindings: Bindings = env;
const tenant = await makeTenant();
const trips = ({ headers }: { headers: Headers }): string | undefined =>
  /d1;desc="([^"]*)"/.exec(headers.get("server-timing") ?? "")?.[1];

const SOURCE = `name: web
runtime: yaml
config:
  cidr: { type: string, default: 10.0.0.0/16 }
  size: { type: string, default: small }
  password: { type: string, secret: true }
resources:
  net: { type: "mock:Network", properties: { name: net, cidr: "\${cidr}" } }
  db: { type: "mock:Database", properties: { name: "db-\${size}", password: "\${password}" } }
outputs:
  size: \${size}
`;

async function makeProfile(client: Pick<TestTenant, "post">, more: object = {}): Promise<string> {
  const made = await client.post(PATH, { name: "defaults", ...more });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

async function eventsOf(id: string): Promise<[string, number][]> {
  const { results } = await env.DB.prepare(
    "SELECT type, payload FROM events WHERE resource_id = ? ORDER BY payload ->> '$.sequence'",
  )
    .bind(id)
    .all<{ type: string; payload: string }>();
  return results.map(({ type, payload }) => [type, JSON.parse(payload).sequence]);
}

async function inputsOf(deploymentId: string): Promise<Record<string, unknown>> {
  const row = await env.DB.prepare("SELECT inputs FROM deployments WHERE id = ?")
    .bind(deploymentId)
    .first<{ inputs: string }>();
  return JSON.parse(row?.inputs ?? "{}").variables;
}

describe("creating a profile", () => {
  it("fills in the defaults, and reads it back", async () => {
    const made = await tenant.post(PATH, { name: "defaults" });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toEqual({
      id: expect.any(String),
      tenantId: tenant.tenantId,
      name: "defaults",
      variables: {},
      secretNames: [],
      targetId: null,
      createdAt: expect.any(String),
      updatedAt: made.body.createdAt,
    });
    expect(made.headers.get("location")).toBe(`/api/v1${PATH}/${made.body.id}`);
    const read = await tenant.get(`${PATH}/${made.body.id}`);
    expect(read.text).toBe(made.text);
    expect(read.headers.get("etag")).toBe('"1"');
    const known = await tenant.get(`${PATH}/${made.body.id}`, { "if-none-match": '"1"' });
    expect(known.status).toBe(304);
  });

  it.for<object>([
    { name: "ab" },
    { name: "n".repeat(80) },
    { variables: { a: { b: [1, null, "x"] }, constructor: 1, "": 0 } },
    { variables: { a: 1 }, secretNames: ["a", "not there"] },
    { tenantId: tenant.tenantId },
  ])("accepts %j", async (more) => {
    const made = await tenant.post(PATH, { name: "defaults", ...more });
    expect(made.status, made.text).toBe(201);
  });

  it.for<[string, object]>([
    ["/name", { name: undefined }],
    ["/name", { name: "n" }],
    ["/name", { name: "n".repeat(81) }],
    ["/name", { name: 7 }],
    ["/variables", { variables: [] }],
    ["/variables", { variables: "a" }],
    ["/variables", { variables: null }],
    ["/secretNames", { secretNames: "a" }],
    ["/secretNames/0", { secretNames: [""] }],
    ["/targetId", { targetId: "" }],
    ["/targetId", { targetId: null }],
    ["/tenantId", { tenantId: "acme" }],
  ])("rejects %s as in case %#", async ([pointer, more]) => {
    const refused = await tenant.post(PATH, { name: "defaults", ...more });
    expect(refused.status, refused.text).toBe(400);
    expect(faultsOf(refused)).toEqual([pointer]);
  });

  it("stores secret values sealed, and shows them to nobody", async () => {
    const variables = { password: "hunter2hunter2", size: "large", fake: { $sealed: "v1.x" } };
    const id = await makeProfile(tenant, { variables, secretNames: ["password"] });
    const read = await tenant.get(`${PATH}/${id}`);
    expect(read.body.variables).toEqual({
      password: "[secret]",
      size: "large",
      fake: "[secret]",
    });
    expect(read.body.secretNames).toEqual(["fake", "password"]);
    const row = await env.DB.prepare("SELECT variables FROM profiles WHERE id = ?")
      .bind(id)
      .first<{ variables: string }>();
    expect(row?.variables).not.toContain("hunter2");
    expect(row?.variables).not.toContain("v1.x");
    const patched = await tenant.patch(`${PATH}/${id}`, {
      variables: { password: "hunter3hunter3", fake: null },
    });
    expect(patched.body.variables).toEqual({ password: "[secret]", size: "large" });
    expect((await tenant.get(`${PATH}?limit=100`)).text).not.toContain("hunter");
    const more = await tenant.patch(`${PATH}/${id}`, { secretNames: ["size"] });
    expect(more.body.variables).toEqual({ password: "[secret]", size: "[secret]" });
  });

  it("answers a repeated request with the stored answer and creates one profile", async () => {
    const mine = await makeTenant();
    const headers = { "idempotency-key": "one" };
    const answers = await Promise.all(
      [1, 2, 3].map(() => mine.post(PATH, { name: "again" }, headers)),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await mine.get(`${PATH}?tenantId=${mine.tenantId}`)).body.data).toHaveLength(1);
    const reused = await mine.post(PATH, { name: "other" }, headers);
    expect(reused.body.code).toBe("idempotency_key_reused");
  });
});

describe("changing a profile", () => {
  it("merges the variables, replaces the rest, and sends an event", async () => {
    const targetId = await makeTarget(tenant);
    const id = await makeProfile(tenant, { variables: { a: { x: 1, y: 2 }, b: 1 }, targetId });
    const patched = await tenant.patch(`${PATH}/${id}`, {
      name: "changed",
      variables: { a: { x: null, z: 3 }, b: null, c: [1] },
      targetId: null,
    });
    expect(patched.status, patched.text).toBe(200);
    expect(patched.body).toMatchObject({
      name: "changed",
      variables: { a: { y: 2, z: 3 }, c: [1] },
      targetId: null,
    });
    expect(patched.headers.get("etag")).toBe('"2"');
    expect(await eventsOf(id)).toEqual([["profile.updated", 2]]);
  });

  it("changes nothing for an empty body", async () => {
    const id = await makeProfile(tenant);
    for (const body of [{}, undefined]) {
      const patched = await tenant.patch(`${PATH}/${id}`, body);
      expect([patched.status, patched.headers.get("etag")]).toEqual([200, '"1"']);
    }
    expect(await eventsOf(id)).toEqual([]);
  });

  it("requires the version that the caller read", async () => {
    const id = await makeProfile(tenant);
    const stale = { "if-match": '"9"' };
    expect((await tenant.patch(`${PATH}/${id}`, { name: "no" }, stale)).status).toBe(412);
    expect((await tenant.delete(`${PATH}/${id}`, stale)).status).toBe(412);
    const fresh = await tenant.patch(`${PATH}/${id}`, { name: "yes" }, { "if-match": '"1"' });
    expect(fresh.status).toBe(200);
    expect((await tenant.delete(`${PATH}/${id}`, { "if-match": '"2"' })).status).toBe(204);
  });

  it("loses none of many simultaneous changes", async () => {
    const id = await makeProfile(tenant);
    const names = ["a", "b", "c", "d", "e", "f"];
    const patches = await Promise.all(
      names.map((name) => tenant.patch(`${PATH}/${id}`, { variables: { [name]: 1 } })),
    );
    expect(patches.map(({ status }) => status)).toEqual(names.map(() => 200));
    const { variables } = (await tenant.get(`${PATH}/${id}`)).body;
    expect(Object.keys(variables).sort()).toEqual(names);
  });

  it("rejects a target that the profile's instances cannot use", async () => {
    const other = await makeTenant();
    const foreign = await makeTarget(other);
    const id = await makeProfile(tenant);
    for (const targetId of [foreign, "none"]) {
      expect((await tenant.patch(`${PATH}/${id}`, { targetId })).status).toBe(404);
      expect((await tenant.post(PATH, { name: "no", targetId })).status).toBe(404);
      const asked = { name: "no", targetId, tenantId: tenant.tenantId };
      expect((await operator.post(PATH, asked)).status).toBe(404);
    }
    const platform = await operator.post(PATH, { name: "no", targetId: foreign });
    expect(platform.status).toBe(404);
  });
});

describe("the owner of a profile", () => {
  it("hides it from other tenants as if it did not exist", async () => {
    const other = await makeTenant();
    const id = await makeProfile(tenant, { variables: { a: 1 } });
    const missing = crypto.randomUUID();
    for (const ask of [
      (one: string) => other.get(`${PATH}/${one}`),
      (one: string) => other.patch(`${PATH}/${one}`, { name: "mine now" }),
      (one: string) => other.delete(`${PATH}/${one}`),
    ]) {
      const foreign = await ask(id);
      expect(foreign.status).toBe(404);
      expect(problemOf(foreign)).toEqual(problemOf(await ask(missing)));
    }
    expect((await other.get(`${PATH}?tenantId=${tenant.tenantId}`)).body.data).toEqual([]);
    expect((await tenant.get(`${PATH}/${id}`)).body.name).toBe("defaults");
    const theirs = { name: "theirs", tenantId: other.tenantId };
    expect((await tenant.post(PATH, theirs)).status).toBe(404);
    expect((await operator.post(PATH, theirs)).body.tenantId).toBe(other.tenantId);
    const nowhere = { name: "nowhere", tenantId: crypto.randomUUID() };
    expect((await operator.post(PATH, nowhere)).status).toBe(404);
  });

  it("lets every tenant read and use a platform profile, and only operators change it", async () => {
    const id = await makeProfile(operator, { variables: { size: "large" } });
    const read = await tenant.get(`${PATH}/${id}`);
    expect(read.body).toMatchObject({ tenantId: null, variables: { size: "large" } });
    expect((await tenant.get(PATH)).body.data.map(idOf)).toContain(id);
    const patched = await tenant.patch(`${PATH}/${id}`, { name: "mine" });
    expect([patched.status, patched.body.code]).toEqual([403, "forbidden"]);
    expect((await tenant.delete(`${PATH}/${id}`)).status).toBe(403);
    expect((await operator.patch(`${PATH}/${id}`, { name: "ours" })).status).toBe(200);
    expect((await operator.delete(`${PATH}/${id}`)).status).toBe(204);
  });

  it("requires the scope and JSON", async () => {
    const id = await makeProfile(tenant);
    const reader = await makeTenant(["profiles:read"]);
    const blind = await makeTenant(["targets:write"]);
    expect((await stranger.get(PATH)).status).toBe(401);
    expect((await stranger.post(PATH, { name: "no" })).status).toBe(401);
    expect((await blind.get(PATH)).status).toBe(403);
    expect((await reader.get(PATH)).status).toBe(200);
    for (const refused of [
      await reader.post(PATH, { name: "no" }),
      await reader.patch(`${PATH}/${id}`, { name: "no" }),
      await reader.delete(`${PATH}/${id}`),
    ]) {
      expect(refused.status).toBe(403);
      expect(refused.body.detail).toContain("profiles:write");
    }
    for (const [method, path] of [
      ["POST", PATH],
      ["PATCH", `${PATH}/${id}`],
    ] as const) {
      const plain = await send(method, path, {
        headers: { authorization: `Bearer ${tenant.key}`, "content-type": "text/plain" },
        body: '{"name":"plain"}',
      });
      expect(plain.status).toBe(415);
    }
  });

  it("costs one round trip to read, two to change", async () => {
    const made = await tenant.post(PATH, { name: "counted" });
    const path = `${PATH}/${made.body.id}`;
    expect(trips(made)).toMatch(/\/2$/);
    expect(trips(await tenant.get(path))).toMatch(/\/1$/);
    expect(trips(await tenant.get(PATH))).toMatch(/\/1$/);
    expect(trips(await tenant.patch(path, { name: "changed" }))).toMatch(/\/2$/);
    expect(trips(await tenant.delete(path))).toMatch(/\/2$/);
  });
});

describe("listing profiles", () => {
  it("pages through the tenant's own and the platform's in one order, each once", async () => {
    const mine = await makeTenant();
    const made: string[] = [];
    for (const client of [mine, operator, mine, operator, mine])
      made.unshift(await makeProfile(client));
    const seen: string[] = [];
    let cursor = "";
    do {
      const page = await mine.get(`${PATH}?limit=2${cursor}`);
      expect(page.status, page.text).toBe(200);
      seen.push(...page.body.data.map(idOf));
      cursor = page.body.nextCursor === null ? "" : `&cursor=${page.body.nextCursor}`;
    } while (cursor !== "");
    expect(seen.slice(0, 5)).toEqual(made);
    expect(new Set(seen).size).toBe(seen.length);
    const first = await mine.get(`${PATH}?limit=2`);
    const moved = `${PATH}?tenantId=${mine.tenantId}&cursor=${first.body.nextCursor}`;
    expect((await mine.get(moved)).body.code).toBe("invalid_cursor");
    expect((await mine.get(`${PATH}?title=x`)).body.code).toBe("unknown_parameter");
    const own = await mine.get(`${PATH}?tenantId=${mine.tenantId}`);
    expect(own.body.data).toHaveLength(3);
  });
});

describe("an instance with a profile", () => {
  let templateId: string;
  let targetId: string;
  beforeAll(async () => {
    templateId = await makeTemplate(tenant, SOURCE);
    targetId = await makeTarget(tenant);
  });

  const create = (client: Pick<TestTenant, "post">, more: object) =>
    client.post("/instances", { name: "web", templateId, ...more });

  it("uses the profile's target if it names none", async () => {
    const profileId = await makeProfile(tenant, { targetId });
    const made = await create(tenant, { profileId });
    expect(made.status, made.text).toBe(201);
    expect(made.body).toMatchObject({ profileId, targetId });
    expect(trips(made)).toMatch(/\/2$/);
    const another = await makeTarget(tenant);
    const named = await create(tenant, { profileId, targetId: another });
    expect(named.body.targetId).toBe(another);
    await tenant.patch(`${PATH}/${profileId}`, { targetId: another });
    expect((await tenant.get(`/instances/${made.body.id}`)).body.targetId).toBe(targetId);
  });

  it("needs a target, its own or the profile's", async () => {
    const profileId = await makeProfile(tenant);
    for (const body of [{}, { profileId }]) {
      const refused = await create(tenant, body);
      expect(refused.status).toBe(400);
      expect(faultsOf(refused)).toEqual(["/targetId"]);
    }
  });

  it("cannot use another tenant's profile, nor an unknown one", async () => {
    const other = await makeTenant();
    const foreign = await makeProfile(other, { targetId: await makeTarget(other) });
    const instanceId = await makeInstance(tenant, templateId, targetId);
    const missing = crypto.randomUUID();
    for (const body of [{ targetId }, {}]) {
      const refused = await create(tenant, { profileId: foreign, ...body });
      expect(refused.status).toBe(404);
      const none = await create(tenant, { profileId: missing, ...body });
      expect(problemOf(refused)).toEqual(problemOf(none));
    }
    const asked = { profileId: foreign, targetId, tenantId: tenant.tenantId };
    expect((await create(operator, asked)).status).toBe(404);
    for (const profileId of [foreign, missing])
      for (const client of [tenant, operator])
        expect((await client.patch(`/instances/${instanceId}`, { profileId })).status).toBe(404);
    expect((await tenant.get(`/instances/${instanceId}`)).body.profileId).toBeNull();
  });

  it("gets the profile's values for the variables that its template declares and it does not set", async () => {
    const profileId = await makeProfile(tenant, {
      variables: {
        cidr: "10.9.0.0/16",
        size: "large",
        password: "hunter2hunter2",
        unrelated: "elsewhere",
      },
      secretNames: ["password", "unrelated"],
    });
    const instanceId = await makeInstance(tenant, templateId, targetId, {
      profileId,
      variables: { size: "tiny" },
    });
    const deployed = await run(tenant, instanceId, "deploy");
    expect(deployed.body.state, JSON.stringify(deployed.body.error)).toBe("SUCCEEDED");
    const variables = await inputsOf(deployed.body.id);
    expect(Object.keys(variables).sort()).toEqual(["cidr", "password", "size"]);
    expect(variables).toMatchObject({ cidr: "10.9.0.0/16", size: "tiny" });
    expect(JSON.stringify(variables)).not.toContain("hunter2");
    expect(living(await ledger(targetId))).toEqual(["databases/db-tiny", "networks/net"]);
    const read = await tenant.get(`/instances/${instanceId}`);
    expect(read.body).toMatchObject({ outputs: { size: "tiny" }, variables: { size: "tiny" } });

    await tenant.patch(`${PATH}/${profileId}`, { variables: { cidr: "10.8.0.0/16" } });
    const again = await run(tenant, instanceId, "plan");
    const plan = await tenant.get(`/deployments/${again.body.id}/plan`);
    expect(plan.text).toContain("10.8.0.0/16");
    expect(plan.text).not.toContain("hunter2");
    const destroyed = await run(tenant, instanceId, "destroy");
    expect(destroyed.body.state).toBe("SUCCEEDED");
  });

  it.for(["profiles", "instances"])(
    "keeps the secrets of %s that are sent back masked",
    async (table) => {
      const variables = { password: "hunter2hunter2", size: "large" };
      const id =
        table === "profiles"
          ? await makeProfile(tenant, { variables, secretNames: ["password"] })
          : await makeInstance(tenant, templateId, targetId, { variables });
      const shown = (await tenant.get(`/${table}/${id}`)).body.variables;
      const patched = await tenant.patch(`/${table}/${id}`, { variables: { ...shown, size: "s" } });
      expect(patched.body.variables, patched.text).toEqual({ password: "[secret]", size: "s" });
      const row = await env.DB.prepare(`SELECT variables FROM ${table} WHERE id = ?`)
        .bind(id)
        .first<{ variables: string }>();
      const place = { table, tenantId: tenant.tenantId, row: id, column: "variables" };
      const kept = await openMap(
        JSON.parse(row?.variables ?? ""),
        sealerFrom(bindings.SEALING_KEYS),
        place,
      );
      expect(kept).toEqual({ password: "hunter2hunter2", size: "s" });

      const copy = {
        name: "copy",
        variables: shown,
        ...(table === "profiles" ? { secretNames: ["password"] } : { templateId, targetId }),
      };
      const refused = await tenant.post(`/${table}`, copy);
      expect([refused.status, ...faultsOf(refused)]).toEqual([400, "/variables/password"]);
    },
  );

  it("seals what is secret in the template or in the profile", async () => {
    const profileId = await makeProfile(tenant, {
      variables: { password: "open-in-the-profile", cidr: "secret-range" },
      secretNames: ["cidr"],
    });
    const instanceId = await makeInstance(tenant, templateId, targetId, { profileId });
    const planned = await run(tenant, instanceId, "plan");
    expect(planned.body.state, JSON.stringify(planned.body.error)).toBe("SUCCEEDED");
    const variables = await inputsOf(planned.body.id);
    expect(sealedNames(variables as never)).toEqual(new Set(["password", "cidr"]));
    const plan = await tenant.get(`/deployments/${planned.body.id}/plan`);
    expect(plan.text).not.toContain("secret-range");
    expect(plan.text).not.toContain("open-in-the-profile");
  });

  it("uses another profile, or none, from its next deployment on", async () => {
    const first = await makeProfile(tenant, { variables: { size: "first", password: "p" } });
    const second = await makeProfile(operator, { variables: { size: "second", password: "p" } });
    const instanceId = await makeInstance(tenant, templateId, targetId, { profileId: first });
    const sizeOf = async () =>
      (await inputsOf((await run(tenant, instanceId, "plan")).body.id))["size"];
    expect(await sizeOf()).toBe("first");
    const changed = await tenant.patch(`/instances/${instanceId}`, { profileId: second });
    expect(changed.body.profileId).toBe(second);
    expect(trips(changed)).toMatch(/\/2$/);
    expect(await sizeOf()).toBe("second");
    const kept = await tenant.patch(`/instances/${instanceId}`, { name: "renamed" });
    expect(kept.body.profileId).toBe(second);
    const none = await tenant.patch(`/instances/${instanceId}`, { profileId: null });
    expect(none.body.profileId).toBeNull();
    expect(await sizeOf()).toBeUndefined();
    expect((await operator.delete(`${PATH}/${second}`)).status).toBe(204);
  });

  it("prevents the deletion of its profile and of the profile's target", async () => {
    const ownTarget = await makeTarget(tenant);
    const profileId = await makeProfile(tenant, { targetId: ownTarget });
    const inUse = await tenant.delete(`/cloud/targets/${ownTarget}`);
    expect([inUse.status, inUse.body.code]).toEqual([409, "in_use"]);
    expect(inUse.body.detail).toMatch(/^The cloud target is used by profile ".+"\. /);
    const made = await create(tenant, { profileId, targetId });
    const refused = await tenant.delete(`${PATH}/${profileId}`);
    expect([refused.status, refused.body.code]).toEqual([409, "in_use"]);
    expect(refused.body.detail).toContain(`is used by instance "${made.body.name}". Change their`);
    for (let more = 0; more < 6; more += 1)
      expect((await create(tenant, { profileId, targetId })).status).toBe(201);
    const { detail } = (await tenant.delete(`${PATH}/${profileId}`)).body;
    expect(detail.match(/instance "/g)).toHaveLength(5);
    expect(detail).toContain(" and others. ");
    await env.DB.prepare("UPDATE instances SET profile_id = NULL WHERE profile_id = ? AND id <> ?")
      .bind(profileId, made.body.id)
      .run();
    expect((await tenant.get(`${PATH}/${profileId}`)).status).toBe(200);
    await tenant.patch(`/instances/${made.body.id}`, { profileId: null });
    expect((await tenant.delete(`${PATH}/${profileId}`)).status).toBe(204);
    expect(await eventsOf(profileId)).toEqual([["profile.deleted", 2]]);
    expect((await tenant.delete(`${PATH}/${profileId}`)).status).toBe(404);
    expect((await tenant.delete(`/cloud/targets/${ownTarget}`)).status).toBe(204);
  });

  it("also prevents the deletion of a platform profile", async () => {
    const profileId = await makeProfile(operator);
    const made = await create(tenant, { profileId, targetId });
    expect(made.status, made.text).toBe(201);
    expect((await operator.delete(`${PATH}/${profileId}`)).body.code).toBe("in_use");
  });

  it("cannot take a profile that is deleted at the same time", async () => {
    const instanceId = await makeInstance(tenant, templateId, targetId);
    for (const take of [
      (profileId: string) => create(tenant, { profileId }),
      (profileId: string) => tenant.patch(`/instances/${instanceId}`, { profileId }),
    ]) {
      const profileId = await makeProfile(tenant, { targetId });
      const [taken, removed] = await overtaken(
        profileId,
        () => take(profileId),
        () => tenant.delete(`${PATH}/${profileId}`),
      );
      expect([taken?.status, removed?.status], taken?.text).toEqual([404, 204]);
    }
    expect((await tenant.get(`/instances/${instanceId}`)).body.profileId).toBeNull();
  });

  it("prevents the deletion of the profile that it takes at the same time", async () => {
    const profileId = await makeProfile(tenant, { targetId });
    const [removed, taken] = await overtaken(
      profileId,
      () => tenant.delete(`${PATH}/${profileId}`),
      () => create(tenant, { profileId }),
    );
    expect([removed?.status, removed?.body.code, taken?.status]).toEqual([409, "in_use", 201]);
  });
});

describe("the target of a profile", () => {
  it("cannot be one that is deleted at the same time", async () => {
    const id = await makeProfile(tenant);
    for (const take of [
      (targetId: string) => tenant.post(PATH, { name: "late", targetId }),
      (targetId: string) => tenant.patch(`${PATH}/${id}`, { targetId }),
    ]) {
      const targetId = await makeTarget(tenant);
      const [taken, removed] = await overtaken(
        targetId,
        () => take(targetId),
        () => tenant.delete(`/cloud/targets/${targetId}`),
      );
      expect([taken?.status, removed?.status], taken?.text).toEqual([404, 204]);
    }
    expect((await tenant.get(`${PATH}/${id}`)).body.targetId).toBeNull();
  });
});
