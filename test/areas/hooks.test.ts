import { env } from "cloudflare:workers";
import { encodeHex } from "oslo/encoding";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { newId } from "#platform/ids.ts";
import { problemOf, roundTripsOf } from "#test/support/answers.ts";
import { type Answer, makeTenant, send } from "#test/support/api.ts";
import { appWith } from "#test/support/app-with.ts";
import { makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
import { makeMember } from "#test/support/members.ts";
import { expectRefusals } from "#test/support/refusals.ts";
import { until } from "#test/support/runner.ts";
import { rowsOf } from "#test/support/tenant-rows.ts";
import { overtaken } from "#test/support/together.ts";
import { sweep } from "#test/support/triggers.ts";

const tenant = await makeTenant();
const targetId = await makeTarget(tenant);
const templateId = await makeTemplate(
  tenant,
  'config: { v: { type: string, default: a } }\nresources: { net: { type: mock:Network, properties: { name: net, v: "${v}" } } }\n',
);

const instance = (more: object = {}) => makeInstance(tenant, templateId, targetId, { ...more });
const addHook = async (id: string, body: object = {}): Promise<Answer> => {
  const made = await tenant.post(`/instances/${id}/triggers`, { kind: "inbound_webhook", ...body });
  expect(made.status, made.text).toBe(201);
  return made;
};
const pathOf = (url: string) => url.replace("/api/v1", "");
const call = (url: string, init: RequestInit = {}) => send("POST", pathOf(url), init);
const triggerOf = async (id: string) =>
  (await tenant.get(`/instances/${id}/triggers`)).body.data[0];
const deploymentsOf = async (
  id: string,
): Promise<{ id: string; trigger: string; state: string }[]> =>
  (await tenant.get(`/deployments?instanceId=${id}`)).body.data;
const untilIdle = (id: string) =>
  until("the trigger was looked at and all is over", async () => {
    if ((await triggerOf(id)).nextFireAt !== null) return false;
    const open = new Set(["QUEUED", "PLANNING", "APPLYING"]);
    return (await deploymentsOf(id)).every(({ state }) => !open.has(state));
  });

/** An app whose trigger queue is not consumed: the tests process triggers themselves. */
const withoutConsumer = appWith({
  TRIGGERS_QUEUE: { sendBatch: async () => undefined } as unknown as Queue,
});

describe("an inbound trigger", () => {
  it("has a secret URL that is shown once and not stored", async () => {
    const id = await instance();
    const { body, headers } = await addHook(id, {});
    expect(body).toMatchObject({ kind: "inbound_webhook", condition: {}, nextFireAt: null });
    expect(body.url).toMatch(/^\/api\/v1\/hooks\/[A-Za-z0-9_-]{43}$/);
    const one = await tenant.get(headers.get("location")?.replace("/api/v1", "") ?? "");
    const { url, ...rest } = body;
    expect(one.body).toEqual(rest);
    const token = url.split("/").at(-1);
    expect(JSON.stringify(await rowsOf(tenant.tenantId))).not.toContain(token);
    const key = { "idempotency-key": "once" };
    const [first, again] = [
      await tenant.post(`/instances/${id}/triggers`, { kind: "inbound_webhook" }, key),
      await tenant.post(`/instances/${id}/triggers`, { kind: "inbound_webhook" }, key),
    ];
    expect(again.text).toBe(first.text);
    const stored = await env.DB.prepare(
      "SELECT body FROM idempotency_keys WHERE key = 'once'",
    ).first("body");
    expect(stored).not.toContain(first.body.url);
    for (const role of ["CustomerDeveloper", "CustomerViewer"] as const) {
      const member = await makeMember(tenant.tenantId, role);
      const made = await member.post(`/instances/${id}/triggers`, { kind: "inbound_webhook" });
      expect(made.status).toBe(role === "CustomerDeveloper" ? 201 : 403);
      expect((await member.get(`/instances/${id}/triggers`)).text).not.toContain("/hooks/");
    }
  });

  it("deploys when its URL is called, whatever the body", async () => {
    const id = await instance();
    const { body } = await addHook(id);
    const called = await call(body.url, {
      body: "<any>thing</any>",
      headers: { "content-type": "text/xml" },
    });
    expect([called.status, called.text]).toEqual([202, '{"accepted":true}']);
    expect(roundTripsOf(called)).toBe(2);
    await untilIdle(id);
    const [deployment, ...more] = await deploymentsOf(id);
    expect(more).toEqual([]);
    expect(deployment).toMatchObject({ trigger: "inbound_webhook", state: "SUCCEEDED" });
    expect(await triggerOf(id)).toMatchObject({
      lastDeploymentId: deployment?.id,
      lastFiredAt: expect.any(String),
      suppressedReason: null,
    });
    for (const headers of [{ authorization: "Basic eDp5" }, { authorization: "Bearer nonsense" }])
      expect((await call(body.url, { headers })).status).toBe(202);
    await untilIdle(id);
  });

  it("answers callers without a valid token alike, whatever was wrong", async () => {
    const id = await instance();
    const { body } = await addHook(id);
    const unknown = await send("POST", `/hooks/${"A".repeat(43)}`);
    expect(unknown.status).toBe(404);
    const changed = body.url.slice(0, -1) + (body.url.endsWith("A") ? "B" : "A");
    const path = `/instances/${id}/triggers/${body.id}`;
    const answers = [await call(changed), await send("POST", "/hooks/short")];
    await tenant.patch(path, { enabled: false });
    answers.push(await call(body.url));
    await tenant.patch(path, { enabled: true });
    expect((await withoutConsumer("POST", pathOf(body.url))).status).toBe(202);
    await tenant.delete(path);
    answers.push(await call(body.url));
    for (const answer of answers) {
      expect(problemOf(answer)).toEqual(problemOf(unknown));
      expect(answer.body.instance).toBe(unknown.body.instance);
      expect(answer.headers.get("content-type")).toBe(unknown.headers.get("content-type"));
    }
    expect(roundTripsOf(answers[1] as Answer)).toBe(0);
    expect(await deploymentsOf(id)).toEqual([]);
  });

  it("gets a new URL on rotation, and the old one stops working at once", async () => {
    const id = await instance();
    const { body } = await addHook(id, { condition: { signature: "github" } });
    const path = `/instances/${id}/triggers/${body.id}/rotate`;
    const rotated = await tenant.post(path);
    expect(rotated.status).toBe(200);
    expect(rotated.body).toMatchObject({ id: body.id, kind: "inbound_webhook" });
    expect(rotated.body.url).not.toBe(body.url);
    expect(rotated.body.signingKey).not.toBe(body.signingKey);
    expect((await call(body.url)).status).toBe(404);
    expect((await call(rotated.body.url)).status).toBe(401);
    expect((await tenant.post(path, undefined, { "if-match": '"1"' })).status).toBe(412);
    await expectRefusals({
      send: (client, of) => client.post(`/instances/${of}/triggers/${body.id}/rotate`),
      id,
      scope: "instances:write",
    });
    const nightly = await tenant.post(`/instances/${id}/triggers`, {
      kind: "schedule",
      condition: { cron: "0 2 * * *" },
    });
    const none = await tenant.post(`/instances/${id}/triggers/${nightly.body.id}/rotate`);
    expect([none.status, none.body.code]).toEqual([409, "invalid_state"]);
    const signed = await tenant.patch(`/instances/${id}/triggers/${body.id}`, { condition: {} });
    expect(signed.body.code).toBe("invalid_state");
  });

  it("accepts a body of one megabyte and no more", async () => {
    const { body } = await addHook(await instance({ name: "large" }));
    const sized = (bytes: number) =>
      withoutConsumer("POST", pathOf(body.url), { body: "x".repeat(bytes) });
    expect((await sized(1024 * 1024)).status).toBe(202);
    expect((await sized(1024 * 1024 + 1)).status).toBe(413);
  });

  it("has its own rate limit per minute", async () => {
    const [first, second] = [await addHook(await instance()), await addHook(await instance())];
    const used = new Map<string, number>();
    const limited = appWith({
      RATE_LIMITS: "on",
      TRIGGERS_QUEUE: { sendBatch: async () => undefined } as unknown as Queue,
      RATE_LIMITER: {
        limit: async ({ key }: { key: string }) => {
          used.set(key, (used.get(key) ?? 0) + 1);
          return { success: !key.startsWith("hook:") || (used.get(key) ?? 0) <= 2 };
        },
      },
    });
    const statuses: number[] = [];
    for (const { body } of [first, first, first, second])
      statuses.push((await limited("POST", pathOf(body.url))).status);
    expect(statuses).toEqual([202, 202, 429, 202]);
    expect([...used.keys()].join()).not.toContain(first.body.url.split("/").at(-1));
  });
});

describe("several calls", () => {
  it("start one deployment, and another if a call came after it started", async () => {
    const id = await instance();
    const { body } = await addHook(id);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => withoutConsumer("POST", pathOf(body.url))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    const now = Date.now() + 1;
    await Promise.all([1, 2, 3].map(() => sweep(tenant, now)));
    expect(await deploymentsOf(id)).toHaveLength(1);
    await untilIdle(id);
    // The call arrives after the trigger was read: it must not be lost.
    await withoutConsumer("POST", pathOf(body.url));
    await overtaken(
      id,
      () => sweep(tenant, Date.now() + 1),
      async () => {
        await tenant.patch(`/instances/${id}`, { variables: { v: "b" } });
        await withoutConsumer("POST", pathOf(body.url));
      },
    );
    await sweep(tenant, Date.now() + 1);
    await untilIdle(id);
    const frozen = await env.DB.prepare(
      "SELECT json_extract(inputs, '$.variables.v') AS v FROM deployments WHERE instance_id = ? ORDER BY id DESC LIMIT 1",
    )
      .bind(id)
      .first("v");
    expect(frozen).toBe("b");
  });

  it("replace a queued deployment of a trigger, never a manual one", async () => {
    const id = await instance();
    const { body } = await addHook(id);
    await env.DB.prepare(
      `INSERT INTO deployments (id, tenant_id, instance_id, target_id, operation, state, "trigger",
        requested_by, inputs, timestamps, projected, version, created_at_ms, updated_at_ms)
        VALUES (?1, ?2, ?3, ?4, 'deploy', 'APPLYING', 'manual', 'x',
          json_object('target', json_object('id', ?4, 'name', 'mock', 'provider', 'mock', 'environment', 'any')),
          '{"PLANNING":1}', 0, 1, 1, ?5)`,
    )
      .bind(newId(), tenant.tenantId, id, targetId, Date.now() + 3_600_000)
      .run();
    const mute = { ...env, DEPLOYMENTS_QUEUE: { send: async () => undefined } } as unknown as Env;
    const manual = await appWith({ DEPLOYMENTS_QUEUE: mute.DEPLOYMENTS_QUEUE })(
      "POST",
      `/instances/${id}/deploy`,
      { headers: { authorization: `Bearer ${tenant.key}` } },
    );
    expect(manual.status).toBe(202);
    for (let at = 0; at < 3; at += 1) {
      await withoutConsumer("POST", pathOf(body.url));
      await sweep(tenant, Date.now() + 1, mute);
    }
    const states = (await deploymentsOf(id)).map(({ trigger, state }) => `${trigger} ${state}`);
    expect(states).toEqual([
      "inbound_webhook QUEUED",
      "inbound_webhook SUPERSEDED",
      "inbound_webhook SUPERSEDED",
      "manual QUEUED",
      "manual APPLYING",
    ]);
    await env.DB.prepare("UPDATE deployments SET state = 'CANCELED' WHERE instance_id = ?")
      .bind(id)
      .run();
  });

  it("count once per delivery id, in whichever header it is sent", async () => {
    const id = await instance();
    const { body } = await addHook(id);
    for (const name of ["idempotency-key", "webhook-id", "x-github-delivery"]) {
      const again = () =>
        withoutConsumer("POST", pathOf(body.url), { headers: { [name]: `${name}-1` } });
      const [first, ...others] = [await again(), ...(await Promise.all([again(), again()]))];
      for (const other of others) {
        expect(other.text).toBe(first?.text);
        expect(other.headers.get("idempotent-replayed")).toBe("true");
      }
      const version = (await tenant.get(`/instances/${id}/triggers/${body.id}`)).headers.get(
        "etag",
      );
      await again();
      const after = await tenant.get(`/instances/${id}/triggers/${body.id}`);
      expect(after.headers.get("etag")).toBe(version);
    }
    expect((await tenant.get(`/instances/${id}/triggers/${body.id}`)).headers.get("etag")).toBe(
      '"4"',
    );
  });

  it("with one delivery id at two hooks count at each", async () => {
    const hooks = await Promise.all(
      [await instance(), await instance()].map(async (id) => ({ id, ...(await addHook(id)) })),
    );
    for (const name of ["idempotency-key", "webhook-id", "x-github-delivery"])
      for (const { body } of hooks) {
        const sent = { headers: { [name]: `shared-${name}-${targetId}` } };
        const called = await withoutConsumer("POST", pathOf(body.url), sent);
        expect([called.status, called.headers.get("idempotent-replayed")]).toEqual([202, null]);
      }
    for (const { id, body } of hooks) {
      const after = await tenant.get(`/instances/${id}/triggers/${body.id}`);
      expect(after.headers.get("etag")).toBe('"4"');
      expect(after.body.nextFireAt).not.toBeNull();
    }
  });

  it("accept equal deliveries that arrive together, and count them once", async () => {
    const id = await instance();
    const { body } = await addHook(id);
    const send = () =>
      withoutConsumer("POST", pathOf(body.url), { headers: { "webhook-id": "together" } });
    const answers = await Promise.all([send(), send(), send()]);
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const after = await tenant.get(`/instances/${id}/triggers/${body.id}`);
    expect(after.headers.get("etag")).toBe('"2"');
  });

  it("do not deploy a destroyed instance, nor one whose plan waits for approval", async () => {
    const gone = await instance();
    await run(tenant, gone, "deploy");
    await run(tenant, gone, "destroy");
    const { body } = await addHook(gone);
    await withoutConsumer("POST", pathOf(body.url));
    await sweep(tenant, Date.now() + 1);
    expect(await triggerOf(gone)).toMatchObject({ suppressedReason: "instance_destroyed" });
    const waiting = await instance({ approvalMode: "always" });
    await run(tenant, waiting, "deploy");
    const hook = await addHook(waiting);
    await withoutConsumer("POST", pathOf(hook.body.url));
    const now = Date.now() + 1;
    await sweep(tenant, now);
    expect(await triggerOf(waiting)).toMatchObject({
      suppressedReason: "approval",
      nextFireAt: new Date(now + 60_000).toISOString(),
    });
    expect(await deploymentsOf(waiting)).toHaveLength(1);
  });
});

describe("a call that must be signed", () => {
  it("is accepted with a current Standard Webhooks signature of its body", async () => {
    const { body } = await addHook(await instance(), { condition: { signature: "standard" } });
    expect(body.signingKey).toMatch(/^whsec_/);
    const signer = new Webhook(body.signingKey);
    const sent = (id: string, text: string, at: Date, signature = signer.sign(id, at, text)) =>
      withoutConsumer("POST", pathOf(body.url), {
        body: text,
        headers: {
          "webhook-id": id,
          "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
          "webhook-signature": signature,
        },
      });
    const now = new Date();
    const good = signer.sign("1", now, '{"ä":1}');
    expect((await sent("1", '{"ä":1}', now, `v1,AAAA ${good}`)).status).toBe(202);
    const refused = [
      await sent("2", '{"ä":1}', now, good),
      await sent("1", '{"ä":2}', now, good),
      await sent("3", "{}", new Date(now.getTime() - 301_000)),
      await sent("4", "{}", new Date(now.getTime() + 310_000)),
      await sent("5", "{}", now, ""),
      await withoutConsumer("POST", pathOf(body.url)),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 401));
  });

  it("is accepted whatever its bytes are, and not with other bytes that read the same", async () => {
    // No UTF-8, and a mark that decoders drop.
    const [latin, other] = [new Uint8Array([0xe4, 0x31]), new Uint8Array([0xf6, 0x31])];
    const marked = new Uint8Array([0xef, 0xbb, 0xbf, 0x31]);
    const hmacOf = async (key: Uint8Array<ArrayBuffer>, ...parts: Uint8Array[]) => {
      const algorithm = { name: "HMAC", hash: "SHA-256" };
      const hmac = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
      const bytes = new Uint8Array(parts.flatMap((one) => [...one]));
      return new Uint8Array(await crypto.subtle.sign("HMAC", hmac, bytes));
    };
    const text = (part: string) => new Uint8Array(new TextEncoder().encode(part));
    const github = await addHook(await instance(), { condition: { signature: "github" } });
    const standard = await addHook(await instance(), { condition: { signature: "standard" } });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const answers = async (signed: Uint8Array<ArrayBuffer>, sent = signed) => {
      const secret = Uint8Array.from(atob(standard.body.signingKey.slice(6)), (one) =>
        one.charCodeAt(0),
      );
      const id = crypto.randomUUID();
      const mac = await hmacOf(secret, text(`${id}.${timestamp}.`), signed);
      const hex = encodeHex(await hmacOf(text(github.body.signingKey), signed));
      const calls = [
        withoutConsumer("POST", pathOf(github.body.url), {
          body: sent,
          headers: { "x-hub-signature-256": `sha256=${hex}` },
        }),
        withoutConsumer("POST", pathOf(standard.body.url), {
          body: sent,
          headers: {
            "webhook-id": id,
            "webhook-timestamp": timestamp,
            "webhook-signature": `v1,${btoa(String.fromCharCode(...mac))}`,
          },
        }),
      ];
      return (await Promise.all(calls)).map(({ status }) => status);
    };
    expect(await answers(latin)).toEqual([202, 202]);
    expect(await answers(marked)).toEqual([202, 202]);
    expect(await answers(latin, other)).toEqual([401, 401]);
    expect(await answers(marked, text("1"))).toEqual([401, 401]);
  });

  it("is accepted with a GitHub signature", async () => {
    const { body } = await addHook(await instance(), { condition: { signature: "github" } });
    const signed = async (text: string, key: string) => {
      const hmac = await crypto.subtle.importKey(
        "raw",
        new TextEncoder().encode(key),
        { name: "HMAC", hash: "SHA-256" },
        false,
        ["sign"],
      );
      const bytes = await crypto.subtle.sign("HMAC", hmac, new TextEncoder().encode(text));
      return `sha256=${[...new Uint8Array(bytes)].map((b) => b.toString(16).padStart(2, "0")).join("")}`;
    };
    const sent = (text: string, signature: string) =>
      withoutConsumer("POST", pathOf(body.url), {
        body: text,
        headers: { "x-hub-signature-256": signature },
      });
    expect((await sent("{}", await signed("{}", body.signingKey))).status).toBe(202);
    expect((await sent("{ }", await signed("{}", body.signingKey))).status).toBe(401);
    expect((await sent("{}", await signed("{}", "another key"))).status).toBe(401);
    expect((await sent("{}", "")).status).toBe(401);
  });
});
