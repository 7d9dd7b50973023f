/** Webhooks that sign with Ed25519: what answers show, what is stored, and how the kind of the signature changes. */
import { env } from "cloudflare:workers";
import { createPublicKey, verify } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Answer, makeTenant, type TestTenant } from "#test/support/api.ts";
import { makeLab, silenceRealQueue } from "#test/support/delivery-lab.ts";
import { makeMember } from "#test/support/members.ts";

beforeAll(silenceRealQueue);

let tenant: TestTenant;
beforeEach(async () => {
  tenant = await makeTenant();
});

async function makeWebhook(more: Record<string, unknown> = {}): Promise<Answer["body"]> {
  const url = `https://hooks.example.com/${crypto.randomUUID()}`;
  const made = await tenant.post("/webhooks", { url, events: ["instance.*"], ...more });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

async function rotate({ id }: { id: string }, query: string): Promise<Answer> {
  return tenant.post(`/webhooks/${id}/rotate-secret?${query}`);
}

interface Received {
  headers: Record<string, string>;
  body: string;
}

/** What the webhook receives of an event now, or so much later. */
async function receive(afterMs = 0): Promise<Received> {
  const lab = makeLab();
  lab.nowMs += afterMs;
  await lab.run(await lab.publish(tenant.tenantId));
  const [received] = lab.received;
  if (received === undefined) throw new Error("Nothing was sent");
  return received;
}

function isSignedBy(publicKey: string, { headers, body }: Received): boolean {
  const x = Buffer.from(publicKey.slice("whpk_".length), "base64").toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return (headers["webhook-signature"] ?? "")
    .split(" ")
    .filter((one) => one.startsWith("v1a,"))
    .some((one) => verify(null, Buffer.from(content), key, Buffer.from(one.slice(4), "base64")));
}

const kinds = ({ headers }: Received) =>
  (headers["webhook-signature"] ?? "").split(" ").map((one) => one.split(",")[0]);

describe("a webhook that signs with Ed25519", () => {
  it("shows its public key to every member, and its private key to nobody", async () => {
    const webhook = await makeWebhook({ signature: "v1a" });
    expect(webhook).toMatchObject({
      signature: "v1a",
      publicKey: expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/),
      secret: null,
    });
    const viewer = await makeMember(tenant.tenantId, "CustomerViewer");
    for (const who of [tenant, viewer]) {
      const seen = await who.get(`/webhooks/${webhook.id}`);
      expect(seen.body).toMatchObject({ signature: "v1a", publicKey: webhook.publicKey });
      expect(seen.text).not.toMatch(/whsk_|whsec_/);
    }
    expect(await makeWebhook()).toMatchObject({
      signature: "v1",
      publicKey: null,
      secret: expect.stringMatching(/^whsec_/),
    });
    const refused = await tenant.patch(`/webhooks/${webhook.id}`, { signature: "v1" });
    expect(refused.body).toMatchObject({ code: "unknown_parameter" });
  });

  it("keeps its private key sealed", async () => {
    const { id } = await makeWebhook({ signature: "v1a" });
    const row = await env.DB.prepare("SELECT * FROM webhooks WHERE id = ?").bind(id).first();
    expect(row?.["secret"]).toMatch(/^v1\.[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(JSON.stringify(row)).not.toContain("whsk_");
  });

  it("signs so that the public key verifies, and no other", async () => {
    const webhook = await makeWebhook({ signature: "v1a" });
    const received = await receive();
    expect(kinds(received)).toEqual(["v1a"]);
    expect(isSignedBy(webhook.publicKey, received)).toBe(true);
    expect(isSignedBy(webhook.publicKey, { ...received, body: `${received.body} ` })).toBe(false);
    const other = await makeWebhook({ signature: "v1a" });
    expect(isSignedBy(other.publicKey, received)).toBe(false);
  });

  it("is rotated like any other: both keys sign until the overlap ends", async () => {
    const webhook = await makeWebhook({ signature: "v1a" });
    const rotated = await rotate(webhook, "overlapSeconds=60");
    expect(rotated.body).toMatchObject({ signature: "v1a", secret: null });
    expect(rotated.body.publicKey).not.toBe(webhook.publicKey);
    const during = await receive();
    expect(kinds(during)).toEqual(["v1a", "v1a"]);
    for (const { publicKey } of [webhook, rotated.body])
      expect(isSignedBy(publicKey, during)).toBe(true);
    const after = await receive(61_000);
    expect(isSignedBy(rotated.body.publicKey, after)).toBe(true);
    expect(isSignedBy(webhook.publicKey, after)).toBe(false);
  });

  it("comes from `v1` and goes back to it by a rotation, with both kinds meanwhile", async () => {
    const webhook = await makeWebhook();
    const moved = (await rotate(webhook, "overlapSeconds=60&signature=v1a")).body;
    expect(moved).toMatchObject({ signature: "v1a", secret: null });
    const during = await receive();
    expect(kinds(during)).toEqual(["v1a", "v1"]);
    expect(isSignedBy(moved.publicKey, during)).toBe(true);
    expect(new Webhook(webhook.secret).verify(during.body, during.headers)).toBeDefined();
    expect(kinds(await receive(61_000))).toEqual(["v1a"]);
    const back = (await rotate(webhook, "overlapSeconds=0&signature=v1")).body;
    expect(back).toMatchObject({ signature: "v1", publicKey: null });
    const last = await receive();
    expect(kinds(last)).toEqual(["v1"]);
    expect(new Webhook(back.secret).verify(last.body, last.headers)).toBeDefined();
    const refused = await rotate(webhook, "signature=v2");
    expect(refused.body).toMatchObject({ code: "validation_failed" });
  });

  it("signs chat messages too", async () => {
    const webhook = await makeWebhook({ signature: "v1a", format: "slack" });
    const received = await receive();
    expect(JSON.parse(received.body)).toHaveProperty("blocks");
    expect(isSignedBy(webhook.publicKey, received)).toBe(true);
  });
});
