/** Variables are checked in the request that gives them, and nobody learns from the check what others gave. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { roundTripsOf } from "#test/support/answers.ts";
import { type Answer, makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
import { makeMember } from "#test/support/members.ts";

const tenant = await makeTenant();
const targetId = await makeTarget(tenant);
let templateId: string;
let developer: TestTenant;

const SOURCE = `config:
  region: { type: string, default: nyc3, enum: [nyc3, fra1] }
  size: { type: integer, default: 1, minimum: 1 }
  password: { type: string, secret: true, minLength: 12 }
  login: { type: object, secret: true, default: {}, properties: { user: { type: string, maxLength: 3 } } }
outputs: { o: "\${region} \${size}", p: ["\${password}", "\${login}"] }
`;

beforeAll(async () => {
  templateId = await makeTemplate(tenant, SOURCE);
  developer = { ...tenant, ...(await makeMember(tenant.tenantId, "CustomerDeveloper")) };
});

const create = (variables: object, more: object = {}) =>
  tenant.post("/instances", { name: "given", templateId, targetId, variables, ...more });
const faults = ({ body }: Answer): [string, string][] =>
  body.errors.map(({ pointer, detail }: { pointer: string; detail: string }) => [pointer, detail]);

const wrong: [string, object, string, string][] = [
  ["a wrong type", { size: "big" }, "/variables/size", "It must be a whole number, not a string."],
  [
    "a value outside the enum",
    { region: "nyc4" },
    "/variables/region",
    'It must be one of "nyc3", "fra1". Did you mean "nyc3"?',
  ],
  [
    "a secret that is too short",
    { password: "hunter2" },
    "/variables/password",
    "It must have at least 12 characters.",
  ],
  [
    "a part of a map",
    { login: { user: "hunter2" } },
    "/variables/login/user",
    "It must have at most 3 characters.",
  ],
  [
    "an unknown name",
    { sise: 3 },
    "/variables/sise",
    'The template declares no variable "sise". Did you mean "size"?',
  ],
  [
    "an unknown name that is like no other",
    { "a/b": 3 },
    "/variables/a~1b",
    'The template declares no variable "a/b". There are region, size, password, login.',
  ],
  [
    "the removal of an unknown name",
    { sise: null },
    "/variables/sise",
    'The template declares no variable "sise". Did you mean "size"?',
  ],
];

describe("variables of an instance", () => {
  it.for(wrong)("with %s are refused at create", async ([, variables, pointer, detail]) => {
    const refused = await create(variables);
    expect([refused.status, refused.body.code]).toEqual([400, "validation_failed"]);
    expect(faults(refused)).toEqual([[pointer, detail]]);
    expect(refused.text).not.toContain("hunter2");
  });

  it.for(wrong)(
    "with %s are refused at PATCH, and nothing changes",
    async ([, variables, ...fault]) => {
      const made = await create({ size: 2 });
      const path = `/instances/${made.body.id}`;
      const refused = await tenant.patch(path, { name: "changed", variables });
      expect([refused.status, refused.body.code]).toEqual([400, "validation_failed"]);
      expect(faults(refused)).toEqual([fault]);
      expect(refused.text).not.toContain("hunter2");
      expect((await tenant.get(path)).text).toBe(made.text);
    },
  );

  it("are reported together", async () => {
    const refused = await create({ size: 0, sise: 1, region: 7, password: "x" });
    expect(faults(refused).map(([pointer]) => pointer)).toEqual([
      "/variables/size",
      "/variables/sise",
      "/variables/region",
      "/variables/password",
    ]);
  });

  it("may be missing until a deploy, which requires them", async () => {
    const made = await create({});
    expect([made.status, roundTripsOf(made)]).toEqual([201, 2]);
    const ended = await run(tenant, made.body.id, "deploy");
    expect(ended.body).toMatchObject({ state: "FAILED", error: { code: "invalid_variables" } });
    expect(ended.body.error.message).toContain('"password"');
    const given = await tenant.patch(`/instances/${made.body.id}`, {
      variables: { password: "long enough it is" },
    });
    expect([given.status, roundTripsOf(given)]).toEqual([200, 2]);
    expect((await run(tenant, made.body.id, "deploy")).body.state).toBe("NO_CHANGES");
  });

  it("are checked against the version of the same request", async () => {
    const own = await makeTemplate(tenant, SOURCE);
    const made = await create({ region: "fra1", size: 2 }, { templateId: own });
    const next = SOURCE.replace("nyc3, fra1", "nyc3, ams3").replace("size:", "count:");
    const added = await tenant.post(`/templates/${own}/versions`, {
      source: next.replace("${size}", "${count}"),
    });
    expect(added.status, added.text).toBe(201);
    const path = `/instances/${made.body.id}`;
    const stays = await tenant.patch(path, { variables: { count: 3 } });
    expect(faults(stays).map(([pointer]) => pointer)).toEqual(["/variables/count"]);
    const refused = await tenant.patch(path, { templateVersion: 2 });
    expect(faults(refused)).toEqual([["/variables/region", 'It must be one of "nyc3", "ams3".']]);
    const moved = await tenant.patch(path, {
      templateVersion: 2,
      variables: { region: "ams3", count: 3, size: null },
    });
    expect(moved.status, moved.text).toBe(200);
    expect(moved.body.variables).toEqual({ region: "ams3", count: 3 });
    // An older version, a variable of which is no longer declared: it stays, unused, and can be removed.
    const back = await tenant.patch(path, { templateVersion: 1, variables: { region: "fra1" } });
    expect(back.body.variables).toEqual({ region: "fra1", count: 3 });
    const removed = await tenant.patch(path, { variables: { count: null } });
    expect(removed.body.variables).toEqual({ region: "fra1" });
  });

  it("are not checked where nothing is given", async () => {
    const made = await create({ password: "long enough it is" });
    const path = `/instances/${made.body.id}`;
    const masked = await tenant.patch(path, { variables: (await tenant.get(path)).body.variables });
    expect(masked.status, masked.text).toBe(200);
    expect((await tenant.patch(path, { name: "renamed" })).status).toBe(200);
  });
});

describe("a sealed variable is not told by a check", () => {
  const SECRET = "tr0ub4dor-and-3";
  const declares = (more: string) =>
    `config: { login: { type: object, secret: true${more} }, pin: { type: string, secret: true } }
outputs: { o: ["\${login}", "\${pin}"] }
`;
  const guess = (pattern: string) =>
    declares(`, properties: { password: { type: string, pattern: "^${pattern}" } }`);

  async function sealedInstance(source: string) {
    const own = await makeTemplate(developer, source);
    const instanceId = await makeInstance(tenant, own, targetId, {
      variables: { login: { password: SECRET }, pin: SECRET },
    });
    return { own, path: `/instances/${instanceId}` };
  }

  it("of a new version's pattern", async () => {
    const { own, path } = await sealedInstance(declares(""));
    for (const [version, pattern] of [
      [2, "tr0"],
      [3, "zzz"],
    ] as const) {
      await developer.post(`/templates/${own}/versions`, { source: guess(pattern) });
      const moved = await developer.patch(path, { templateVersion: version });
      expect([version, moved.status]).toEqual([version, 200]);
    }
  });

  it("of a pattern, when a member is merged into it", async () => {
    const { own, path } = await sealedInstance(declares(""));
    await developer.post(`/templates/${own}/versions`, { source: guess("zzz") });
    const merged = await developer.patch(path, {
      templateVersion: 2,
      variables: { login: { user: "me" } },
    });
    expect(merged.status, merged.text).toBe(200);
  });

  it("but one that is given whole is checked whole", async () => {
    const { path } = await sealedInstance(guess("tr0"));
    const refused = await developer.patch(path, { variables: { pin: 5 } });
    expect(faults(refused)).toEqual([["/variables/pin", "It must be a string, not a number."]]);
  });
});

describe("a sealed variable whose key is lost", () => {
  const loseKey = async (table: "instances" | "profiles", id: string) =>
    env.DB.prepare(
      `UPDATE ${table} SET variables = replace(variables, '"v1.', '"v1.gone') WHERE id = ? AND tenant_id = ?`,
    )
      .bind(id, tenant.tenantId)
      .run();
  const password = "correct horse";

  it("is said to be lost, and can be given again or removed: in an instance", async () => {
    const { body } = await create({ password, login: { user: "ada" } });
    await loseKey("instances", body.id);
    const path = `/instances/${body.id}`;
    expect((await tenant.get(path)).body.variables.password).toBe("[secret]");
    for (const variables of [{ size: 2 }, { password }, { login: { user: "bob" } }]) {
      const refused = await tenant.patch(path, { variables });
      expect([refused.status, refused.body.code]).toEqual([503, "unavailable"]);
      expect(refused.body.detail).toContain("SEALING_KEYS");
    }
    const given = await tenant.patch(path, { variables: { password, login: null } });
    expect(given.status, given.text).toBe(200);
    expect(given.body.variables).toEqual({ password: "[secret]" });
    expect((await tenant.patch(path, { variables: { size: 2 } })).status).toBe(200);
    expect((await run(tenant, body.id, "deploy")).body.state).toBe("NO_CHANGES");
  });

  it("is said to be lost, and can be given again: in a profile", async () => {
    const profile = { name: "lost", variables: { password }, secretNames: ["password"] };
    const { body } = await tenant.post("/profiles", profile);
    await loseKey("profiles", body.id);
    const path = `/profiles/${body.id}`;
    expect((await tenant.patch(path, { variables: { size: 2 } })).status).toBe(503);
    const given = await tenant.patch(path, { variables: { password, size: 2 } });
    expect(given.status, given.text).toBe(200);
    expect((await tenant.patch(path, { variables: { size: 3 } })).status).toBe(200);
  });
});

describe("variables of a profile", () => {
  const profile = async (client: Pick<TestTenant, "post">, more: object = {}) =>
    (await client.post("/profiles", { name: "shared", ...more })).body.id as string;

  it("are checked against the templates of the instances that use it", async () => {
    const profileId = await profile(tenant, { variables: { sise: "unused" } });
    const path = `/profiles/${profileId}`;
    expect((await tenant.patch(path, { variables: { size: "big" } })).status).toBe(200);
    await create({}, { profileId });
    const refused = await tenant.patch(path, {
      variables: { size: "hunter2", regoin: "nyc3", password: "hunter2", "for-later": 1 },
      secretNames: ["password"],
    });
    expect([refused.status, refused.body.code]).toEqual([400, "validation_failed"]);
    const used = " An instance with this profile uses version 1 of the template suite template.";
    expect(faults(refused)).toEqual([
      ["/variables/size", `It must be a whole number, not a string.${used}`],
      ["/variables/password", `It must have at least 12 characters.${used}`],
      [
        "/variables/regoin",
        'No template of an instance with this profile declares "regoin". Did you mean "region"?',
      ],
    ]);
    expect(refused.text).not.toContain("hunter2");
    const accepted = await tenant.patch(path, {
      variables: { size: 3, region: "fra1", "for-later": 1, sise: null },
    });
    expect([accepted.status, roundTripsOf(accepted)]).toEqual([200, 2]);
    expect((await tenant.patch(path, { name: "renamed" })).status).toBe(200);
  });

  it("of the platform are refused by no tenant's template", async () => {
    const profileId = await profile(operator);
    await create({}, { profileId });
    const changed = await operator.patch(`/profiles/${profileId}`, {
      variables: { size: "big", regoin: "nyc3" },
    });
    expect(changed.status, changed.text).toBe(200);
  });
});
