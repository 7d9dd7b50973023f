/** The links to the console's pages: in every answer that shows a deployment, and in the events. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Answer, makeTenant, OPERATOR_KEY, type TestTenant } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import { makeInstance, makeTarget, makeTemplate, untilOver } from "#test/support/cloud.ts";
import { makeMember } from "#test/support/members.ts";
import { runnerOf } from "#test/support/runner.ts";
import { SOURCE } from "#test/support/templates.ts";

const PUBLIC_URL = "https://control.example.com";
const variables = { variables: { password: "correct horse battery" } };

let tenant: TestTenant;
let targetId: string;
let templateId: string;
beforeAll(async () => {
  tenant = await makeTenant();
  [targetId, templateId] = await Promise.all([makeTarget(tenant), makeTemplate(tenant, SOURCE)]);
});

const served = appWith({ PUBLIC_URL });

/** A request to an installation that knows its address, from a sender who calls it otherwise. */
async function ask(
  method: string,
  path: string,
  body?: unknown,
  key = tenant.key,
): Promise<Answer> {
  return served(method, path, {
    headers: {
      authorization: `Bearer ${key}`,
      "x-forwarded-host": "evil.example",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const restores: (() => void)[] = [];
afterEach(() => {
  for (const restore of restores.splice(0)) restore();
});

/** An instance whose runner has the same settings until the test ends. */
async function instance(more: Record<string, unknown> = {}): Promise<string> {
  const id = await makeInstance(tenant, templateId, targetId, { ...variables, ...more });
  await runInDurableObject(runnerOf(id), (runner) => {
    const own = (runner as unknown as { env: Record<string, unknown> }).env;
    const before = own["PUBLIC_URL"];
    own["PUBLIC_URL"] = PUBLIC_URL;
    restores.push(() => void (own["PUBLIC_URL"] = before));
  });
  return id;
}

async function payloadsAbout(id: string): Promise<{ type: string; data: { pageUrl?: unknown } }[]> {
  const { results } = await env.DB.prepare("SELECT payload FROM events WHERE resource_id = ?")
    .bind(id)
    .all<{ payload: string }>();
  return results.map(({ payload }) => JSON.parse(payload));
}

describe("the page of a deployment", () => {
  it("is in every answer that shows it", async () => {
    const instanceId = await instance({ approvalMode: "always" });
    const start = async (operation: string) => {
      const started = await ask("POST", `/instances/${instanceId}/${operation}`);
      expect(started.status, started.text).toBe(202);
      const { id } = started.body;
      expect(started.body.pageUrl).toBe(`${PUBLIC_URL}/deployments/${id}`);
      await untilOver(tenant, id);
      return id;
    };
    const expectPage = (answer: Answer, id: string, shown = answer.body) => {
      expect(answer.status, answer.text).toBeLessThan(300);
      expect(shown.pageUrl).toBe(`${PUBLIC_URL}/deployments/${id}`);
    };
    const discarded = await start("deploy");
    expectPage(await ask("POST", `/deployments/${discarded}/discard`), discarded);
    const first = await start("deploy");
    const path = `/deployments/${first}/approve`;
    const scopes = ["deployments:approve", "deployments:write"];
    const approver = await makeMember(tenant.tenantId, "CustomerAdmin", scopes);
    expectPage(await ask("POST", path, undefined, approver.key), first);
    await untilOver(tenant, first);
    await start("check-drift");
    const plan = await start("plan");
    expectPage(await ask("GET", `/deployments/${plan}`), plan);
    expectPage(await ask("GET", `/deployments/${plan}?include=instance`), plan);
    const list = await ask("GET", `/deployments?instanceId=${instanceId}`);
    expectPage(list, plan, list.body.data[0]);
    const free = { approvalMode: "auto", variables: { password: "another battery" } };
    const freed = await ask("PATCH", `/instances/${instanceId}`, free, OPERATOR_KEY);
    expect(freed.status, freed.text).toBe(200);
    const second = await start("deploy");
    const including = await ask("GET", `/instances/${instanceId}?include=deployment`);
    expectPage(including, second, including.body.deployment);
    const back = await ask("POST", `/deployments/${second}/rollback`);
    expectPage(back, back.body.id);
    await untilOver(tenant, back.body.id);
    // It is not over before it is canceled.
    const slowTarget = await makeTarget(tenant, { readyAfterMs: 3_600_000 });
    const slow = await makeInstance(tenant, templateId, slowTarget, variables);
    const { body } = await ask("POST", `/instances/${slow}/deploy`);
    expectPage(await ask("POST", `/deployments/${body.id}/cancel`), body.id);
  });

  it("is in the events of a request and of the run, and none names the sender's host", async () => {
    const id = await instance();
    const { body } = await ask("POST", `/instances/${id}/deploy`);
    await untilOver(tenant, body.id);
    const told = await payloadsAbout(body.id);
    expect(told.map(({ type }) => type).sort()).toEqual(
      ["queued", "started", "planned", "applying", "succeeded"]
        .map((verb) => `deployment.${verb}`)
        .sort(),
    );
    for (const { type, data } of told)
      expect(data.pageUrl, type).toBe(`${PUBLIC_URL}/deployments/${body.id}`);
    const patched = await ask("PATCH", `/instances/${id}`, { labels: { a: "b" } });
    expect(patched.status, patched.text).toBe(200);
    const ofInstance = await payloadsAbout(id);
    const pages = Object.fromEntries(ofInstance.map(({ type, data }) => [type, data.pageUrl]));
    expect(pages).toMatchObject({
      "instance.outputs_changed": `${PUBLIC_URL}/instances/${id}`,
      "instance.updated": `${PUBLIC_URL}/instances/${id}`,
    });
    expect(JSON.stringify([told, ofInstance])).not.toMatch(/evil|control\.test/);
  });

  it("is not told of a deleted instance", async () => {
    const id = await makeInstance(tenant, templateId, targetId, variables);
    expect((await ask("DELETE", `/instances/${id}`)).status).toBe(204);
    const deleted = (await payloadsAbout(id)).find(({ type }) => type === "instance.deleted");
    expect(deleted?.data).not.toHaveProperty("pageUrl");
  });

  it("is null where the installation does not know its address, whatever the request says", async () => {
    const id = await makeInstance(tenant, templateId, targetId, variables);
    const started = await tenant.post(`/instances/${id}/deploy`, {}, { host: "evil.example" });
    expect(started.body).toMatchObject({ state: "QUEUED", pageUrl: null });
    await untilOver(tenant, started.body.id);
    for (const { type, data } of await payloadsAbout(started.body.id))
      expect(data.pageUrl, type).toBeNull();
  });
});
