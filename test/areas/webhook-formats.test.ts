/** Webhooks whose format is a chat's: what Slack and Teams receive, through the path of all deliveries. */
import { Webhook } from "standardwebhooks";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Answer, makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
import { makeLab, scene } from "#test/support/delivery-lab.ts";
import { until } from "#test/support/runner.ts";
import { SOURCE } from "#test/support/templates.ts";

interface Received {
  url: string;
  headers: Record<string, string>;
  body: string;
}
const received: Received[] = [];
beforeAll(() => {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    const { url, headers } = request;
    received.push({ url, headers: Object.fromEntries(headers), body: await request.text() });
    return new Response("ok");
  });
});

let tenant: TestTenant;
beforeEach(async () => {
  tenant = await makeTenant();
});

let made = 0;
async function makeWebhook(
  more: Record<string, unknown>,
  of: Pick<TestTenant, "post"> = tenant,
): Promise<Answer["body"]> {
  const url = `https://chat.example.com/in/${(made += 1)}-${crypto.randomUUID()}`;
  const answer = await of.post("/webhooks", { url, events: ["*"], ...more });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

/** What the webhook received of this kind; waits until there is as much. */
async function told({ url }: { url: string }, text: string, count = 1): Promise<Received[]> {
  const found = () => received.filter((one) => one.url === url && one.body.includes(text));
  await until(`${count} of ${JSON.stringify(text)} at ${url}`, async () => found().length >= count);
  return found();
}

const headers = (slackBody: string): string[] =>
  JSON.parse(slackBody).blocks.map((block: { text?: { text: string } }) => block.text?.text);

describe("a webhook with a chat format", () => {
  it("says so in every answer; without one it is `standard`, and no other is taken", async () => {
    const plain = await makeWebhook({});
    expect(plain.format).toBe("standard");
    const slack = await makeWebhook({ format: "slack" });
    expect(slack.format).toBe("slack");
    expect((await tenant.get(`/webhooks/${slack.id}`)).body.format).toBe("slack");
    const moved = await tenant.patch(`/webhooks/${slack.id}`, { format: "teams" });
    expect(moved.body).toMatchObject({ format: "teams", events: ["*"], url: slack.url });
    expect(moved.headers.get("etag")).toBe('"2"');
    for (const refused of [
      await tenant.post("/webhooks", { url: slack.url, events: ["*"], format: "discord" }),
      await tenant.patch(`/webhooks/${slack.id}`, { format: null }),
    ])
      expect(refused.body).toMatchObject({
        code: "validation_failed",
        errors: [{ pointer: "/format" }],
      });
  });

  it("tells of a deployment with the names that the payload leaves out, signed like any other", async () => {
    const events = ["deployment.succeeded"];
    const [standard, slack, teams] = await Promise.all([
      makeWebhook({ events }),
      makeWebhook({ events, format: "slack" }),
      makeWebhook({ events, format: "teams" }),
    ]);
    const [targetId, templateId] = await Promise.all([
      makeTarget(tenant),
      makeTemplate(tenant, SOURCE),
    ]);
    const id = await makeInstance(tenant, templateId, targetId, {
      name: "<!channel> shop",
      variables: { password: "correct horse battery" },
    });
    await run(tenant, id, "deploy");
    const [[event], [message], [card]] = await Promise.all([
      told(standard, "deployment.succeeded"),
      told(slack, "succeeded"),
      told(teams, "succeeded"),
    ]);
    if (event === undefined || message === undefined || card === undefined)
      throw new Error("Nothing was received");
    expect(headers(message.body)).toEqual([
      "Deploy of &lt;!channel&gt; shop succeeded.",
      expect.stringMatching(/^Plan: \d+ to create\.$/),
      expect.stringMatching(/^Requested by \S.*\.$/),
      undefined,
    ]);
    expect(card.body).toContain('"text":"Deploy of <!channel> shop succeeded."');
    expect(event.body).not.toContain("<!channel>");
    for (const [one, { secret }] of [
      [event, standard],
      [message, slack],
      [card, teams],
    ] as const) {
      expect(new Webhook(secret).verify(one.body, one.headers)).toEqual(JSON.parse(one.body));
      expect(one.headers["webhook-id"]).toBe(JSON.parse(event.body).id);
      expect(one.headers["content-type"]).toBe("application/json");
      expect(one.body).not.toContain("correct horse");
    }
    const moved = await tenant.patch(`/webhooks/${slack.id}`, { format: "teams" });
    expect(moved.status).toBe(200);
    const { data } = (await tenant.get(`/webhooks/${slack.id}/deliveries`)).body;
    await tenant.post(`/webhooks/${slack.id}/deliveries/${data[0].id}/redeliver`);
    const [, again] = await told(slack, "succeeded", 2);
    expect(again?.body).toContain("AdaptiveCard");
    expect(again?.headers["webhook-id"]).toBe(message.headers["webhook-id"]);
  });

  it("sends a test that says what it is", async () => {
    const slack = await makeWebhook({ format: "slack", description: "ops", events: ["import.*"] });
    expect((await tenant.post(`/webhooks/${slack.id}/test`)).status).toBe(202);
    const [test] = await told(slack, "test");
    expect(JSON.parse(test?.body ?? "")).toMatchObject({
      text: "Webhook ops works: this is a test.",
    });
  });

  it("still knows the name of what was deleted", async () => {
    const slack = await makeWebhook({ format: "slack" });
    const [targetId, templateId] = await Promise.all([
      makeTarget(tenant, {}, { name: "spare" }),
      makeTemplate(tenant, SOURCE),
    ]);
    const id = await makeInstance(tenant, templateId, targetId, {
      name: "gone",
      variables: { password: "correct horse battery" },
    });
    const profile = await tenant.post("/profiles", { name: "small", variables: {} });
    for (const path of [
      `/instances/${id}`,
      `/cloud/targets/${targetId}`,
      `/templates/${templateId}`,
      `/profiles/${profile.body.id}`,
    ])
      expect((await tenant.delete(path)).status, path).toBe(204);
    for (const sentence of [
      "Instance gone was deleted.",
      "Target spare was deleted.",
      "Template suite template was deleted.",
      "Profile small was deleted.",
    ])
      expect(await told(slack, `"text":"${sentence}"`), sentence).toHaveLength(1);
  });

  it("of the platform says whose event it is", async () => {
    const events = ["instance.created"];
    const slack = await makeWebhook({ format: "slack", events }, operator);
    const own = await makeWebhook({ format: "slack", events });
    const name = `acme ${crypto.randomUUID()}`;
    await operator.patch(`/tenants/${tenant.tenantId}`, { name });
    const [targetId, templateId] = await Promise.all([
      makeTarget(tenant),
      makeTemplate(tenant, SOURCE),
    ]);
    await makeInstance(tenant, templateId, targetId, {
      variables: { password: "correct horse battery" },
    });
    const [message] = await told(slack, name);
    expect(message?.body).toContain(`tenant ${name}`);
    const [ownMessage] = await told(own, "instance.created");
    expect(ownMessage?.body).not.toContain(name);
    await operator.delete(`/webhooks/${slack.id}`);
  });

  it("waits as long as Slack asks, and shows what it answered", async () => {
    const { lab, mine, webhook, delivery, log } = await scene();
    await mine.patch(`/webhooks/${webhook.id}`, { format: "slack" });
    lab.outside = () =>
      new Response("rate_limited", { status: 429, headers: { "retry-after": "90" } });
    await lab.run([delivery]);
    expect(JSON.parse(lab.received[0]?.body ?? "")).toMatchObject({ blocks: expect.any(Array) });
    const first = await log();
    expect(first).toMatchObject({
      state: "RETRYING",
      attempts: [{ status: 429, answer: "rate_limited" }],
    });
    expect(Date.parse(first.nextTryAt) - lab.nowMs).toBeGreaterThanOrEqual(60_000);
    lab.nowMs += 10 * 60_000;
    lab.outside = () => new Response("ok");
    await lab.run([delivery]);
    expect(await log()).toMatchObject({
      state: "SUCCEEDED",
      attempts: [{ status: 429 }, { status: 200, answer: "ok" }],
    });
    const [before, after] = lab.received;
    expect(after?.headers["webhook-id"]).toBe(before?.headers["webhook-id"]);
    expect(after?.body).toBe(before?.body);
  });

  it("closes the circuit when its format changes: the receiver refused the other one", async () => {
    const lab = makeLab();
    const webhook = await makeWebhook({ events: ["instance.*"] });
    lab.outside = () => new Response("invalid_payload", { status: 400 });
    for (const delivery of await lab.publish(tenant.tenantId, "instance.created", 10))
      await lab.run([delivery]);
    const state = async () => (await tenant.get(`/webhooks/${webhook.id}`)).body.circuit;
    expect(await state()).toBe("open");
    await tenant.patch(`/webhooks/${webhook.id}`, { format: "standard" });
    expect(await state()).toBe("open");
    await tenant.patch(`/webhooks/${webhook.id}`, { format: "slack" });
    expect(await state()).toBe("closed");
  });
});
