/** The pages of webhooks: who sees what of them, and what of it they may press. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  redeliverEndpoint,
  rotateWebhookSecretEndpoint,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from "#areas/webhooks/contract.ts";
import { recoverWebhookEndpoint } from "#areas/webhooks/recovery-contract.ts";
import { isAtLeast } from "#kernel/access/access.ts";
import { tenantRoles } from "#schema/lists/roles.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import {
  allowedTo,
  escapedHostile,
  expectHarmless,
  expectSignInFirst,
  hostile,
  memberOf,
  offersOf,
  openPage,
} from "#test/support/console-pages.ts";
import { makeLab, silenceRealQueue } from "#test/support/delivery-lab.ts";
import { signedIn, signedInOperator } from "#test/support/sessions.ts";

const url = "https://hooks.example.com/in?token=hidden-token";

beforeAll(silenceRealQueue);

describe("the pages of webhooks", () => {
  let tenant: TestTenant;
  let page: string;
  let delivery: string;

  beforeAll(async () => {
    tenant = await makeTenant();
    const { body: webhook } = await tenant.post("/webhooks", {
      url,
      description: hostile,
      events: ["instance.*"],
      format: "teams",
    });
    page = `/webhooks/${webhook.id}`;
    const lab = makeLab();
    lab.outside = () => new Response(hostile, { status: 503, headers: { "x-note": hostile } });
    const [made] = await lab.publish(tenant.tenantId);
    await lab.run([made]);
    delivery = `${page}/deliveries/${made?.id}`;
  });

  it("ask whoever is not signed in to sign in", async () => {
    for (const path of ["/webhooks", page, delivery, `${page}?status=EXHAUSTED`])
      await expectSignInFirst(path);
  });

  it("show every member whether events arrive, as text", async () => {
    for (const role of tenantRoles) {
      const session = await memberOf(tenant.tenantId, role);
      for (const path of ["/webhooks", page, delivery]) {
        const answer = await openPage(path, session);
        expectHarmless(path, answer);
        expect(answer.text).toContain(escapedHostile);
        const seesAll = isAtLeast(role, "CustomerAdmin");
        if (path !== delivery) expect(answer.text.includes("hidden-token")).toBe(seesAll);
        else expect(answer.text.includes(`<pre>${escapedHostile}`)).toBe(seesAll);
      }
      const { text } = await openPage(delivery, session);
      expect((await openPage(page, session)).text).toContain("a message for a workflow of");
      expect(text).toContain("Attempt 1");
      expect(text).toContain("The receiver&#39;s answer is no success.");
      expect(text).toContain("The next attempt was planned for");
    }
  });

  it.for([...tenantRoles])("offer to a %s what the API lets them do, and no more", async (role) => {
    const session = await memberOf(tenant.tenantId, role);
    expect(offersOf(await openPage("/webhooks", session))).toEqual(
      allowedTo(role, [["POST /webhooks", createWebhookEndpoint]]),
    );
    expect(offersOf(await openPage(page, session))).toEqual(
      allowedTo(role, [
        [`POST ${page}/test`, testWebhookEndpoint],
        [`PATCH ${page}`, updateWebhookEndpoint],
        [`DELETE ${page}`, deleteWebhookEndpoint],
        [`POST ${page}/recover`, recoverWebhookEndpoint],
        [
          `POST ${page}/rotate-secret?overlapSeconds={overlapSeconds}&signature={signature}`,
          rotateWebhookSecretEndpoint,
        ],
        [`PATCH ${page}`, updateWebhookEndpoint],
      ]),
    );
    expect(offersOf(await openPage(delivery, session))).toEqual(
      allowedTo(role, [[`POST ${delivery}/redeliver`, redeliverEndpoint]]),
    );
  });

  it("send the version that they show with what changes it", async () => {
    const { headers } = await tenant.get(page);
    const etag = (headers.get("etag") ?? "").replaceAll('"', "&quot;");
    const { text } = await openPage(page, await memberOf(tenant.tenantId, "CustomerOwner"));
    expect(etag).not.toBe("");
    expect(text.split(`data-etag="${etag}"`).length - 1).toBe(3);
  });

  it("show nothing of it to another tenant's members", async () => {
    const other = await makeTenant();
    const stranger = await memberOf(other.tenantId, "CustomerOwner");
    const list = await openPage("/webhooks", stranger);
    expect(list.text).not.toContain(escapedHostile);
    expect(list.text).toContain("There is no webhook yet.");
    for (const path of [page, delivery]) {
      const { status, text } = await openPage(path, stranger);
      expect([path, status]).toEqual([path, 404]);
      expect(text).not.toContain(escapedHostile);
    }
  });

  it("ask members of several tenants, and operators, whose a new one is", async () => {
    const other = await makeTenant();
    const [viewed, both, operator] = [
      await signedIn([tenant.tenantId, "CustomerAdmin"], [other.tenantId, "CustomerViewer"]),
      await signedIn([tenant.tenantId, "CustomerAdmin"], [other.tenantId, "CustomerAdmin"]),
      await signedInOperator(),
    ];
    const optionsIn = (text: string) => {
      const field = /<select name="tenantId" data-kind="choice">(.*?)<\/select>/s.exec(text)?.[1];
      return new Set([...(field ?? "").matchAll(/value="([^"]*)"/g)].map(([, id]) => id));
    };
    expect(optionsIn((await openPage("/webhooks", viewed)).text)).toEqual(
      new Set([tenant.tenantId]),
    );
    expect(optionsIn((await openPage("/webhooks", both)).text)).toEqual(
      new Set([tenant.tenantId, other.tenantId]),
    );
    expect((await openPage("/webhooks", operator)).text).toContain(`name="tenantId" data-kind`);
  });

  it("filter deliveries, and say what is wrong with the address", async () => {
    const admin = await memberOf(tenant.tenantId, "CustomerAdmin");
    const found = async (query: string) => (await openPage(`${page}?${query}`, admin)).text;
    const link = `href="${delivery}"`;
    expect(await found("status=RETRYING&eventType=instance.created")).toContain(link);
    expect(await found("status=SUCCEEDED")).not.toContain(link);
    expect(await found("since=2020-01-01T00:00")).toContain(link);
    expect(await found("since=9000-01-01T00:00")).toContain("No delivery is like that.");
    for (const query of ["status=NONE", "eventType=%3Cb%3E", "since=then", "cursor=forged"]) {
      const { status, text } = await openPage(`${page}?${query}`, admin);
      expect([query, status]).toEqual([query, 400]);
      expect(text).toContain("cannot be shown");
    }
    for (const path of ["/webhooks/none", `${page}/deliveries/none`, `${page}/recoveries/none`])
      expect((await openPage(path, admin)).status).toBe(404);
  });

  it("show the public key of a webhook that signs with one", async () => {
    const made = await tenant.post("/webhooks", { url, events: ["*"], signature: "v1a" });
    const viewer = await memberOf(tenant.tenantId, "CustomerViewer");
    const { text } = await openPage(`/webhooks/${made.body.id}`, viewer);
    expect(made.body.publicKey).toMatch(/^whpk_/);
    expect(text).toContain(`<code>${made.body.publicKey}</code>`);
    expect((await openPage(page, viewer)).text).not.toContain("whpk_");
  });

  it("show how far the repetition of failed deliveries is", async () => {
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const { body } = await tenant.post(`${page}/recover`, { since });
    const viewer = await memberOf(tenant.tenantId, "CustomerViewer");
    const { status, text } = await openPage(`${page}/recoveries/${body.id}`, viewer);
    expect([status, text.includes("0 events are sent once more")]).toEqual([200, true]);
  });
});
