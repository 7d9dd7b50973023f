/** Credentials in AWS Secrets Manager: read for each run, waited for, and shown nowhere. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isJsonMap } from "#platform/json.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import { makeInstance, makeTarget, makeTemplate, run, untilOver } from "#test/support/cloud.ts";
import { messagesOf, runnerOf, start, until } from "#test/support/runner.ts";

const CANARY = "canary-5ecre7-of-the-cloud";
const OWN_CANARY = "canary-own-key-of-the-installation";
const source = `name: credentials
runtime: yaml
resources:
  box: { type: mock:Bucket, properties: { name: box } }
`;

type Reply = (name: string) => Response | Error;
const holds: Reply = (Name) =>
  Response.json({ Name, SecretString: JSON.stringify({ token: CANARY }) });
const refuses =
  (type: string, status = 400): Reply =>
  () =>
    Response.json({ __type: type, Message: `the token is ${CANARY}` }, { status });

let asked: string[];
let replies: Reply[];
let lines: string[];
beforeEach(() => {
  [asked, replies, lines] = [[], [], []];
  for (const method of ["log", "warn", "error"] as const)
    vi.spyOn(console, method).mockImplementation((...parts: unknown[]) => {
      lines.push(parts.map(String).join(" "));
    });
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const request = input as Request;
    if (!request.url.startsWith("https://secrets.example")) return Response.json({ data: [] });
    const body: unknown = await request.json();
    const id = isJsonMap(body) ? body["SecretId"] : undefined;
    const name = typeof id === "string" ? id : "";
    asked.push(name);
    const reply = (replies.shift() ?? holds)(name);
    if (reply instanceof Error) throw reply;
    return reply;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const restore of restores.splice(0)) restore();
});

const restores: (() => void)[] = [];
const settings = {
  AWS_SM_REGION: "eu-central-1",
  AWS_SM_ACCESS_KEY_ID: "AKIDEXAMPLE",
  AWS_SM_SECRET_ACCESS_KEY: OWN_CANARY,
  PROVIDER_ENDPOINTS: '{"aws-sm":"https://secrets.example"}',
};

async function makeScene(tenant: TestTenant) {
  const credentialRef = `aws-sm://control/${tenant.tenantId}/prod/key`;
  const targetId = await makeTarget(tenant, {}, { credentialRef });
  const instanceId = await makeInstance(tenant, await makeTemplate(tenant, source), targetId);
  await runInDurableObject(runnerOf(instanceId), (runner) => {
    const own = (runner as unknown as { env: Record<string, unknown> }).env;
    const before = Object.fromEntries(Object.keys(settings).map((key) => [key, own[key]]));
    Object.assign(own, settings);
    restores.push(() => void Object.assign(own, before));
  });
  return { targetId, instanceId, name: credentialRef.slice("aws-sm://".length) };
}

/** Every table of D1 and of the instance's runner, as text. */
async function stored(instanceId: string): Promise<string> {
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'",
  ).all<{ name: string }>();
  const rows = await Promise.all(
    results.map(
      async ({ name }) => (await env.DB.prepare(`SELECT * FROM "${name}"`).all()).results,
    ),
  );
  const own = await runInDurableObject(runnerOf(instanceId), (_, { storage: { sql } }) =>
    sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .toArray()
      .filter(({ name }) => !name.startsWith("_cf_"))
      .map(({ name }) => sql.exec(`SELECT * FROM "${name}"`).toArray()),
  );
  return JSON.stringify([rows, own]);
}

describe("a credential in AWS Secrets Manager", () => {
  it("is read once for a run, and again for the next, so that a rotated one counts", async () => {
    const tenant = await makeTenant();
    const { instanceId, name } = await makeScene(tenant);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    expect(asked).toEqual([name]);
    await run(tenant, instanceId, "destroy");
    expect(asked).toEqual([name, name]);
  });

  it("is waited for while it cannot be reached, and the log says so once", async () => {
    const tenant = await makeTenant();
    const { instanceId } = await makeScene(tenant);
    replies = [
      refuses("ThrottlingException"),
      refuses("InternalServiceError", 500),
      () => new Error("The network is away"),
    ];
    const id = await start(tenant, instanceId);
    // A woken runner tries at once, so the test skips the delays.
    await until("it was read", async () => {
      await runnerOf(instanceId).wake();
      return asked.length > 3;
    });
    expect((await untilOver(tenant, id)).body.state).toBe("SUCCEEDED");
    const waits = (await messagesOf(tenant, id)).filter((line) => line.includes("Waiting for the"));
    expect(waits).toEqual([
      expect.stringContaining("AWS Secrets Manager cannot be reached now: it answered 400 Throttl"),
    ]);
  });

  it("that is waited for does not keep a run from being canceled", async () => {
    const tenant = await makeTenant();
    const { instanceId } = await makeScene(tenant);
    replies = Array.from({ length: 500 }, () => refuses("InternalServiceError", 500));
    const id = await start(tenant, instanceId);
    await until("it waits", () => asked.length > 0);
    await tenant.post(`/deployments/${id}/cancel`);
    expect((await untilOver(tenant, id)).body.state).toBe("CANCELED");
  });

  it("that is missing ends the run, with its name", async () => {
    const tenant = await makeTenant();
    const { instanceId, name } = await makeScene(tenant);
    replies = [refuses("ResourceNotFoundException")];
    const { body } = await run(tenant, instanceId, "deploy");
    expect(body).toMatchObject({
      state: "FAILED",
      error: { code: "credential_unavailable", fault: "user" },
    });
    expect(body.error.message).toContain(`There is no secret ${name}`);
  });

  it("attack: is in no log, row, event or answer, whatever AWS and the run do", async () => {
    const tenant = await makeTenant();
    const { instanceId, targetId } = await makeScene(tenant);
    const ends: string[] = [];
    const broken: Reply = (Name) => Response.json({ Name, SecretString: `{"token":"${CANARY}` });
    for (const reply of [holds, broken, refuses("AccessDeniedException"), refuses(CANARY)]) {
      replies = [reply];
      const { body, text } = await run(tenant, instanceId, "deploy");
      ends.push(body.state);
      expect(text).not.toMatch(/canary/);
      expect((await messagesOf(tenant, body.id)).join("\n")).not.toMatch(/canary/);
    }
    expect(ends).toEqual(["SUCCEEDED", "FAILED", "FAILED", "FAILED"]);
    const send = appWith(settings);
    const headers = { authorization: `Bearer ${tenant.key}` };
    for (const reply of [holds, broken, refuses("InternalServiceError", 500)]) {
      replies = [reply];
      const verified = await send("POST", `/cloud/targets/${targetId}/verify`, { headers });
      expect(verified.text).not.toMatch(/canary/);
    }
    expect(asked.length).toBeGreaterThanOrEqual(7);
    expect(await stored(instanceId)).not.toMatch(/canary/);
    expect(lines.join("\n")).not.toMatch(/canary/);
  });

  it("that cannot be reached says nothing about the target when it is verified", async () => {
    const tenant = await makeTenant();
    const { targetId } = await makeScene(tenant);
    const send = appWith(settings);
    const headers = { authorization: `Bearer ${tenant.key}` };
    const verify = () => send("POST", `/cloud/targets/${targetId}/verify`, { headers });
    replies = [refuses("InternalServiceError", 500)];
    const unknown = await verify();
    expect([unknown.status, unknown.body.code]).toEqual([502, "provider_error"]);
    expect(unknown.body.detail).toContain("cannot be reached");
    replies = [refuses("ResourceNotFoundException")];
    const missing = await verify();
    expect([missing.status, missing.body.ok]).toEqual([200, false]);
    expect(missing.body.message).toContain("There is no secret");
  });
});
