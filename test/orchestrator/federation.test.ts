/** Runs without stored credentials: their tokens, the policies that accept these, and their secrecy. */
import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import { makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
import { everythingStored, FederatedCloud } from "#test/support/federated-cloud.ts";
import { makeIdentityKey } from "#test/support/identity-key.ts";
import { messagesOf, runnerOf } from "#test/support/runner.ts";

const URL_OF_ISSUER = "https://control.example";
const source = `name: federated
runtime: yaml
resources:
  one: { type: mock:Bucket, properties: { name: one } }
  two: { type: mock:Bucket, properties: { name: two }, options: { dependsOn: [one] } }
`;

let [first, second] = ["", ""];
beforeAll(async () => {
  [first, second] = [await makeIdentityKey(), await makeIdentityKey()];
});

let cloud: FederatedCloud;
let lines: string[];
beforeEach(() => {
  lines = [];
  for (const method of ["log", "warn", "error"] as const)
    vi.spyOn(console, method).mockImplementation((...parts: unknown[]) => {
      lines.push(parts.map(String).join(" "));
    });
});
afterEach(() => {
  cloud.restore();
  vi.restoreAllMocks();
});

const useCloud = (style: "aws" | "azure" | "gcp" | "oci" = "gcp") =>
  (cloud = new FederatedCloud(style, { PUBLIC_URL: URL_OF_ISSUER, IDENTITY_KEYS: first }));

async function makeScene(
  tenant: TestTenant,
  more: JsonMap = {},
  config: JsonMap = { identity: "role" },
) {
  const targetId = await makeTarget(tenant, config, more);
  const instanceId = await makeInstance(tenant, await makeTemplate(tenant, source), targetId);
  await cloud.useIn(instanceId);
  const subject = `tenant:${tenant.tenantId}:target:${targetId}`;
  return { targetId, instanceId, subject };
}

const verify = (tenant: TestTenant, targetId: string) =>
  appWith(cloud.settings)("POST", `/cloud/targets/${targetId}/verify`, {
    headers: { authorization: `Bearer ${tenant.key}` },
  });

describe("a run without a stored credential", () => {
  it.each(["aws", "azure", "gcp", "oci"] as const)(
    "is let in by the trust policy that the target's answer shows: %s",
    async (style) => {
      useCloud(style);
      const tenant = await makeTenant();
      const { instanceId, targetId, subject } = await makeScene(tenant, { environment: "staging" });
      const shown = await appWith(cloud.settings)("GET", `/cloud/targets/${targetId}`, {
        headers: { authorization: `Bearer ${tenant.key}` },
      });
      const { identity } = shown.body;
      expect(identity.subject).toBe(subject);
      cloud.service.trust = {
        issuer: identity.issuer,
        subject: identity.trust.policy.subject,
        audience: identity.trust.policy.audiences[0],
        claims: { environment: "staging", tenant_id: tenant.tenantId, target_id: targetId },
      };
      const { body } = await run(tenant, instanceId, "deploy");
      expect(body.state, JSON.stringify(body.error)).toBe("SUCCEEDED");
      expect([...cloud.service.sessions]).toHaveLength(1);
    },
  );

  it("says in its token which run it is, and each run gets a session of its own", async () => {
    useCloud();
    const tenant = await makeTenant();
    const { instanceId, subject } = await makeScene(tenant);
    cloud.service.trust.subject = subject;
    const deployed = await run(tenant, instanceId, "deploy");
    expect(deployed.body.state).toBe("SUCCEEDED");
    const destroyed = await run(tenant, instanceId, "destroy");
    expect(destroyed.body.state).toBe("SUCCEEDED");
    const given = [...cloud.service.sessions];
    expect(given.map(([, { operation, deployment_id }]) => [operation, deployment_id])).toEqual([
      ["deploy", deployed.body.id],
      ["destroy", destroyed.body.id],
    ]);
    for (const [, claims] of given) expect(claims["instance_id"]).toBe(instanceId);
    expect(new Set(cloud.used)).toEqual(new Set(given.map(([session]) => session)));
    expect(new Set(cloud.service.seen).size).toBe(2);
  });

  it("attack: a destroy does not use the session that a deploy was given", async () => {
    useCloud();
    const tenant = await makeTenant();
    const { instanceId, subject } = await makeScene(tenant);
    cloud.service.trust = { ...cloud.service.trust, subject, claims: { operation: "deploy" } };
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    expect((await run(tenant, instanceId, "destroy")).body.state).toBe("FAILED");
    expect([...cloud.service.sessions]).toHaveLength(1);
  });

  it("goes on while keys are rotated in its middle, before the last key is dropped", async () => {
    useCloud();
    const tenant = await makeTenant();
    const { instanceId, subject } = await makeScene(tenant);
    cloud.service.trust.subject = subject;
    cloud.rotate(`${first},${second}`);
    let calls = 0;
    cloud.before = () => {
      calls += 1;
      if (calls !== 2) return;
      // The cloud ends the sessions, and the next key signs from now on.
      cloud.service.sessions.clear();
      cloud.rotate(`${second},${first}`);
    };
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    // Tokens of the old key are valid until it is dropped.
    const [old = "", next = "", ...more] = cloud.service.seen;
    expect(more).toEqual([]);
    await expect(cloud.service.verify(old)).resolves.toMatchObject({ sub: subject });
    cloud.rotate(second);
    await expect(cloud.service.verify(old)).rejects.toThrow("The signing key is unknown.");
    await expect(cloud.service.verify(next)).resolves.toMatchObject({ sub: subject });
  });

  it("attack: its token is refused by another target's, tenant's and audience's policy", async () => {
    useCloud();
    const [one, other] = [await makeTenant(), await makeTenant()];
    const mine = await makeScene(one);
    const also = await makeScene(one);
    const theirs = await makeScene(other);
    cloud.service.trust.subject = mine.subject;
    await run(one, mine.instanceId, "deploy");
    const token = cloud.service.seen[0] ?? "";
    const own = { ...cloud.service.trust };
    await expect(cloud.service.verify(token)).resolves.toBeDefined();
    for (const [changed, why] of [
      [{ subject: also.subject }, "The subject does not match."],
      [{ subject: theirs.subject }, "The subject does not match."],
      [{ audience: "sts.amazonaws.com" }, "jwt audience invalid"],
      [{ issuer: "https://other.example" }, "The issuer is another one."],
      [{ claims: { operation: "destroy" } }, "The attribute condition on operation"],
    ] as const) {
      cloud.service.trust = { ...own, ...changed };
      await expect(cloud.service.verify(token)).rejects.toThrow(why);
    }
    cloud.service.trust = own;
    const { body } = await run(other, theirs.instanceId, "deploy");
    expect(body.state).toBe("FAILED");
    expect([...cloud.service.sessions]).toHaveLength(1);
  });

  it("attack: a token with another key, no algorithm or a header of its own is no token of ours", async () => {
    useCloud();
    const tenant = await makeTenant();
    const { instanceId, subject } = await makeScene(tenant);
    cloud.service.trust.subject = subject;
    await run(tenant, instanceId, "deploy");
    const [header = "", claims = "", signature = ""] = (cloud.service.seen[0] ?? "").split(".");
    const encode = (part: object) => btoa(JSON.stringify(part)).replaceAll("=", "");
    const { kid } = JSON.parse(atob(header)) as { kid: string };
    for (const forged of [
      `${encode({ alg: "none", typ: "JWT", kid })}.${claims}.`,
      `${encode({ alg: "HS256", typ: "JWT", kid })}.${claims}.${signature}`,
      `${encode({ alg: "RS256", typ: "JWT", kid: "../../x' OR 1=1" })}.${claims}.${signature}`,
      `${header}.${encode({ sub: subject, exp: 9e9 })}.${signature}`,
    ])
      await expect(cloud.service.verify(forged), forged.slice(0, 60)).rejects.toThrow(
        /jwt|signature|signing key|algorithm/,
      );
  });

  it("attack: at a platform target no tenant's policy accepts it, and the platform's does", async () => {
    useCloud();
    const tenant = await makeTenant();
    const made = await operator.post("/cloud/targets", {
      provider: "mock",
      name: `shared ${crypto.randomUUID()}`,
      config: { identity: "role" },
      allowedRegions: ["local-1"],
      defaultRegion: "local-1",
    });
    expect(made.status, made.text).toBe(201);
    const instanceId = await makeInstance(tenant, await makeTemplate(tenant, source), made.body.id);
    await cloud.useIn(instanceId);
    cloud.service.trust.subject = `tenant:${tenant.tenantId}:target:${made.body.id}`;
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("FAILED");
    cloud.service.trust = {
      ...cloud.service.trust,
      subject: `tenant:platform:target:${made.body.id}`,
      claims: { tenant_id: tenant.tenantId },
    };
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
  });

  it.each([
    ["no identity in the config", false, {}, "names no identity"],
    ["no issuer", true, { PUBLIC_URL: "" }, "has not set PUBLIC_URL"],
    ["no keys", true, { IDENTITY_KEYS: "" }, "has not set IDENTITY_KEYS"],
  ])("ends with what is missing: %s", async (_, named, settings, problem) => {
    useCloud();
    Object.assign(cloud.settings, settings);
    const tenant = await makeTenant();
    const scene = await makeScene(tenant, {}, named ? { identity: "role" } : {});
    const { body } = await run(tenant, scene.instanceId, "deploy");
    expect(body).toMatchObject({ state: "FAILED", error: { code: "credential_unavailable" } });
    expect(body.error.message).toContain(problem);
    const checked = await verify(tenant, scene.targetId);
    expect([checked.status, checked.body.ok]).toEqual([200, false]);
    expect(checked.body.message).toContain(problem);
    expect(cloud.service.seen).toEqual([]);
  });

  it("attack: neither its token nor its session is in an answer, log, row or event, also when the cloud quotes it", async () => {
    useCloud();
    const tenant = await makeTenant();
    const { instanceId, targetId, subject } = await makeScene(tenant);
    const texts: string[] = [];
    for (const trusted of ["somebody else", subject]) {
      cloud.service.trust.subject = trusted;
      const { body, text } = await run(tenant, instanceId, "deploy");
      texts.push(text, (await messagesOf(tenant, body.id)).join("\n"));
      texts.push((await verify(tenant, targetId)).text);
    }
    expect(cloud.service.seen.length).toBeGreaterThanOrEqual(4);
    expect(texts.join()).toContain("The subject does not match.");
    const own = await runInDurableObject(runnerOf(instanceId), (_, { storage: { sql } }) =>
      sql
        .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
        .toArray()
        .filter(({ name }) => !name.startsWith("_cf_"))
        .map(({ name }) => JSON.stringify(sql.exec(`SELECT * FROM "${name}"`).toArray())),
    );
    const all = [...texts, await everythingStored(), ...own, ...lines].join("\n");
    for (const token of cloud.service.seen)
      for (const part of token.split(".")) expect(all).not.toContain(part.slice(0, 24));
    expect(all).not.toContain("canary-session");
  });
});

describe("the check of a target without a stored credential", () => {
  it("says which condition does not match, and asks with a new session each time", async () => {
    useCloud();
    const tenant = await makeTenant();
    const { targetId, subject } = await makeScene(tenant);
    const refused = await verify(tenant, targetId);
    expect([refused.status, refused.body.ok, refused.body.means]).toEqual([200, false, "denied"]);
    expect(refused.body.hint).toContain(
      `does not match the subject of the token: it has to be ${subject}, exactly`,
    );
    cloud.service.trust.subject = subject;
    expect((await verify(tenant, targetId)).body).toMatchObject({ ok: true });
    cloud.service.trust.audience = "another";
    const again = await verify(tenant, targetId);
    expect(again.body.ok).toBe(false);
    expect(again.body.hint).toContain("does not match the audience");
    expect([...cloud.service.sessions.values()].map(({ operation }) => operation)).toEqual([
      "verify",
    ]);
  });
});
