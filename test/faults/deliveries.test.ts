import { createMessageBatch, createExecutionContext, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { FAILING_LIMIT_MS } from "#areas/webhooks/delivery/after-attempt.ts";
import { LEASE_MS } from "#areas/webhooks/delivery/claim.ts";
import { sweepWebhooks } from "#areas/webhooks/sweep.ts";
import { recordLostMessages } from "#kernel/dead-letters/dead-letters.ts";
import type { DeliveryRef } from "#kernel/outbox/outbox.ts";
import { newId, PLATFORM } from "#platform/ids.ts";
import { makeTenant, operator } from "#test/support/api.ts";
import {
  failingDb,
  makeLab,
  makeWebhook,
  observedDb,
  type Received,
  type QueuedMessage,
  scene,
  silenceRealQueue,
  url,
} from "#test/support/delivery-lab.ts";
import { emptyDatabase } from "#test/support/empty-database.ts";
import worker from "#worker.ts";

await emptyDatabase();

const MINUTE_MS = 60_000;

beforeAll(silenceRealQueue);

describe("a message", () => {
  it("that is duplicated, in a batch, concurrently or later, sends once", async () => {
    const { lab, delivery, log } = await scene();
    const results = await Promise.all([lab.run([delivery, delivery]), lab.run([delivery])]);
    await lab.run([delivery]);
    lab.nowMs += LEASE_MS + 1;
    await lab.run([delivery]);
    expect(lab.received).toHaveLength(1);
    expect(results.flatMap((result) => result.retryMessages)).toEqual([]);
    expect((await log()).attempts).toHaveLength(1);
  });

  it("that is poison is acknowledged and blocks no other", async () => {
    const { lab, delivery } = await scene();
    const poison = [null, "x", 5, {}, { tenantId: 1, id: 2 }, { tenantId: "", id: "" }];
    const result = await lab.run([...poison, delivery]);
    expect(lab.received).toHaveLength(1);
    expect(result.explicitAcks).toHaveLength(poison.length);
    expect(result.retryMessages).toEqual([]);
  });

  it("for a delivery that does not exist, or names another tenant, sends nothing", async () => {
    const { lab, mine, delivery } = await scene();
    const other = await makeTenant();
    const result = await lab.run([
      { tenantId: mine.tenantId, id: newId() },
      { tenantId: other.tenantId, id: delivery.id },
      { tenantId: "__proto__", id: "constructor" },
    ]);
    expect(lab.received).toEqual([]);
    expect(result.retryMessages).toEqual([]);
  });

  it("that arrives before the delivery is due sends nothing", async () => {
    const { lab, delivery } = await scene();
    lab.nowMs -= 5_000;
    await lab.run([delivery]);
    expect(lab.received).toEqual([]);
  });
});

describe("a sent request", () => {
  it("has a valid signature and the event's id, and is logged without a secret", async () => {
    const { lab, webhook, delivery, log } = await scene();
    await lab.run([delivery]);
    const [{ headers, body, url: to }] = lab.received as [Received];
    expect(to).toBe(url);
    expect(headers["user-agent"]).toBe("control-api-webhooks/1");
    const payload = new Webhook(webhook.secret).verify(body, headers);
    expect(payload).toMatchObject({ id: headers["webhook-id"], type: "instance.created" });
    const logged = await log();
    expect(logged).toMatchObject({
      state: "SUCCEEDED",
      attemptCount: 1,
      nextTryAt: null,
      eventId: headers["webhook-id"],
    });
    expect(logged.attempts[0].requestHeaders).toEqual({
      "content-type": "application/json",
      "control-api-hops": "1",
      "user-agent": headers["user-agent"],
      "webhook-id": headers["webhook-id"],
      "webhook-timestamp": headers["webhook-timestamp"],
      "webhook-signature": headers["webhook-signature"],
    });
    expect(JSON.stringify(logged)).not.toContain("whsec_");
  });

  it("has two signatures while a rotation overlaps, one after it", async () => {
    const { lab, mine, webhook, delivery } = await scene();
    const rotated = await mine.post(`/webhooks/${webhook.id}/rotate-secret?overlapSeconds=60`);
    lab.nowMs = Date.now();
    await lab.run([delivery]);
    const [during] = lab.received as [Received];
    const [first, second, ...rest] = during.headers["webhook-signature"]?.split(" ") ?? [];
    expect(rest).toEqual([]);
    for (const [secret, signature] of [
      [rotated.body.secret, first],
      [webhook.secret, second],
    ] as const) {
      const alone = { ...during.headers, "webhook-signature": signature ?? "" };
      expect(new Webhook(secret).verify(during.body, alone)).toBeTruthy();
    }
    lab.nowMs = Date.now() + 61_000;
    await lab.run(await lab.publish(mine.tenantId));
    const after = lab.received[1] as Received;
    expect(after.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
    expect(new Webhook(rotated.body.secret).verify(after.body, after.headers)).toBeTruthy();
    expect(() => new Webhook(webhook.secret).verify(after.body, after.headers)).toThrow(
      /signature/,
    );
  });

  it("goes to the subscribed webhooks only", async () => {
    const lab = makeLab();
    const [mine, other] = [await makeTenant(), await makeTenant()];
    const off = await makeWebhook(mine, ["*"]);
    await mine.patch(`/webhooks/${off.id}`, { enabled: false });
    const asked = [
      await makeWebhook(mine, ["instance.created"]),
      await makeWebhook(mine, ["instance.*"]),
      await makeWebhook(mine, ["deployment.started", "*"]),
      await makeWebhook(operator, ["*"]),
    ];
    onTestFinished(async () => {
      await operator.delete(`/webhooks/${asked[3]?.id}`);
    });
    const silent = [
      await makeWebhook(mine, ["instance.deleted", "deployment.*"]),
      await makeWebhook(other, ["*"]),
    ];
    const deliveries = await lab.publish(mine.tenantId);
    expect(deliveries.map(({ tenantId }) => tenantId).sort()).toEqual(
      [mine.tenantId, mine.tenantId, mine.tenantId, PLATFORM].sort(),
    );
    await lab.run(deliveries);
    expect(lab.received).toHaveLength(4);
    expect(new Set(lab.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(lab.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    for (const { id } of asked) {
      const got = await operator.get(`/webhooks/${id}/deliveries?status=SUCCEEDED`);
      expect(got.body.data, id).toHaveLength(1);
    }
    for (const { id } of [...silent, off])
      expect((await operator.get(`/webhooks/${id}/deliveries`)).body.data).toEqual([]);
    expect(await lab.publish(PLATFORM)).toMatchObject([{ tenantId: PLATFORM }]);
  });
});

describe("a crash", () => {
  it("before the claim leaves the delivery to the redelivered message", async () => {
    const { lab, delivery } = await scene();
    const broken = { ...lab.env, DB: failingDb(1, "before") };
    const result = await lab.run([delivery], { env: broken });
    expect(result.retryMessages).toHaveLength(1);
    expect(lab.received).toEqual([]);
    await lab.run([delivery]);
    expect(lab.received).toHaveLength(1);
  });

  it("after the claim's commit leaves it to the sweep once the lease has lapsed", async () => {
    const { lab, delivery } = await scene();
    await lab.run([delivery], { env: { ...lab.env, DB: failingDb(1, "after") } });
    await lab.run([delivery]);
    expect(lab.received).toEqual([]);
    lab.nowMs += LEASE_MS;
    await sweepWebhooks(lab.env, lab.nowMs);
    const queued = lab.queued.filter(({ id }) => id === delivery.id);
    expect(queued).toHaveLength(1);
    await lab.run(queued);
    expect(lab.received).toHaveLength(1);
  });

  it("between send and record sends again after the lease, with the same id and bytes", async () => {
    const { lab, webhook, delivery, log } = await scene();
    const result = await lab.run([delivery], { env: { ...lab.env, DB: failingDb(2, "before") } });
    expect(result.retryMessages).toEqual([]);
    expect((await log()).attempts).toEqual([]);
    lab.nowMs += LEASE_MS - 1;
    await lab.run([delivery]);
    expect(lab.received).toHaveLength(1);
    lab.nowMs += 1;
    await sweepWebhooks(lab.env, lab.nowMs);
    await lab.run(lab.queued.filter(({ id }) => id === delivery.id));
    const [first, second, ...rest] = lab.received as [Received, Received];
    expect(rest).toEqual([]);
    expect(second.body).toBe(first.body);
    expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
    expect(second.headers["webhook-timestamp"]).not.toBe(first.headers["webhook-timestamp"]);
    for (const { body, headers } of [first, second])
      expect(new Webhook(webhook.secret).verify(body, headers)).toBeTruthy();
    expect(await log()).toMatchObject({ state: "SUCCEEDED", attemptCount: 1 });
  });

  it("after the record changes nothing more", async () => {
    const { lab, delivery, log } = await scene();
    await lab.run([delivery], { env: { ...lab.env, DB: failingDb(2, "after") } });
    lab.nowMs += LEASE_MS + 1;
    await lab.run([delivery]);
    expect(lab.received).toHaveLength(1);
    expect(await log()).toMatchObject({ state: "SUCCEEDED", attemptCount: 1 });
  });

  it("that lasts longer than its lease does not overwrite the record of the sender that took over", async () => {
    const { lab, delivery, log } = await scene();
    lab.outside = async () => {
      lab.nowMs += LEASE_MS;
      lab.outside = () => new Response("second");
      await lab.run([delivery]);
      return new Response("first", { status: 500 });
    };
    await lab.run([delivery]);
    expect(lab.received).toHaveLength(2);
    const logged = await log();
    expect(logged).toMatchObject({ state: "SUCCEEDED", attemptCount: 1 });
    expect(logged.attempts).toMatchObject([{ answer: "second" }]);
  });

  it("of the queue loses no delivery: the sweep notifies it again", async () => {
    const { lab, delivery, log } = await scene();
    lab.outside = () => new Response(null, { status: 500 });
    const mute = { sendBatch: () => Promise.reject(new Error("no queue")) } as unknown as Queue;
    const result = await lab.run([delivery], { env: { ...lab.env, WEBHOOKS_QUEUE: mute } });
    expect(result.retryMessages).toEqual([]);
    expect((await log()).state).toBe("RETRYING");
    lab.nowMs += 5_000;
    await sweepWebhooks(lab.env, lab.nowMs);
    expect(lab.queued.filter(({ id }) => id === delivery.id)).toHaveLength(1);
  });
});

describe("a failure", () => {
  it("is retried on schedule, up to twelve attempts with one id", async () => {
    const { lab, delivery, log, state } = await scene();
    lab.outside = () => new Response("busy", { status: 500 });
    const startedMs = lab.nowMs;
    const waits: number[] = [];
    for (let runs = 1; runs <= 20; runs += 1) {
      const before = lab.received.length;
      await lab.run([delivery]);
      const [next] = lab.queued.splice(0);
      if (next === undefined) break;
      expect(next).toMatchObject({ ...delivery, queue: "fast" });
      // After ten failures in a row it becomes the probe of an open circuit before it is sent.
      if (lab.received.length > before) waits.push(next.delaySeconds);
      lab.nowMs += next.delaySeconds * 1000;
    }
    expect(waits).toEqual([5, 300, 1800, 7200, 18_000, ...Array(6).fill(36_000)]);
    expect(lab.received).toHaveLength(12);
    expect(new Set(lab.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(lab.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    const logged = await log();
    expect(logged).toMatchObject({ state: "EXHAUSTED", attemptCount: 12, nextTryAt: null });
    expect(logged.attempts.map((a: { number: number }) => a.number)).toEqual(
      Array.from({ length: 12 }, (_, at) => at + 1),
    );
    expect(logged.attempts[0]).toMatchObject({
      status: 500,
      errorClass: "http_status",
      answer: "busy",
      nextTryAt: new Date(startedMs + 5_000).toISOString(),
    });
    expect((await state()).state).toBe("ENABLED");
  });

  it("followed by a success is not retried", async () => {
    const { lab, delivery, log } = await scene();
    lab.outside = () => new Response(null, { status: 503, headers: { "retry-after": "8" } });
    await lab.run([delivery]);
    expect(lab.queued).toMatchObject([{ delaySeconds: 8 }]);
    expect(await log()).toMatchObject({ state: "RETRYING", attemptCount: 1 });
    lab.outside = () => new Response(null, { status: 204 });
    lab.nowMs += 8_000;
    await lab.run([delivery]);
    expect(await log()).toMatchObject({ state: "SUCCEEDED", attemptCount: 2 });
  });

  it("is a redirect, which is not followed", async () => {
    const { lab, delivery, log } = await scene();
    lab.outside = () =>
      new Response(null, { status: 307, headers: { location: "https://169.254.169.254/" } });
    await lab.run([delivery]);
    expect(lab.received).toHaveLength(1);
    expect((await log()).attempts).toMatchObject([{ status: 307, errorClass: "redirect" }]);
  });

  it("is a response that times out; the next attempt waits a minute in the slow queue", async () => {
    const { lab, delivery, log } = await scene({ timeoutMs: 10 });
    lab.outside = () => new Promise(() => undefined);
    await lab.run([delivery]);
    expect((await log()).attempts).toMatchObject([{ status: null, errorClass: "timeout" }]);
    expect(lab.queued).toMatchObject([{ ...delivery, queue: "slow", delaySeconds: 60 }]);
  });

  it("is a URL that the guard now rejects; nothing is sent", async () => {
    const { lab, webhook, delivery, log } = await scene();
    await env.DB.prepare("UPDATE webhooks SET url = 'https://10.0.0.1/' WHERE id = ?")
      .bind(webhook.id)
      .run();
    await lab.run([delivery]);
    expect(lab.received).toEqual([]);
    expect((await log()).attempts).toMatchObject([
      { status: null, errorClass: "url_not_allowed", requestHeaders: {} },
    ]);
  });

  it("stores 16 KiB of an endless response", async () => {
    const { lab, delivery, log } = await scene();
    let canceled = false;
    lab.outside = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(3_000).fill(0x61)),
          cancel: () => {
            canceled = true;
          },
        }),
      );
    await lab.run([delivery]);
    const [attempt] = (await log()).attempts;
    expect(attempt).toMatchObject({ status: 200, errorClass: null, answerCut: true });
    expect(attempt.answer).toBe("a".repeat(16_384));
    expect(canceled).toBe(true);
  });

  it("of a manual delivery is not retried", async () => {
    const { lab, mine, webhook, delivery, log } = await scene();
    await lab.run([delivery]);
    // Written as the endpoint does, which would notify the real queue.
    const { eventId } = await log();
    const manual = { tenantId: mine.tenantId, id: newId() };
    await env.DB.prepare(
      `INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_tenant_id, event_id, event_type, state,
        attempts, manual, due_at_ms, lease_until_ms, created_at_ms, updated_at_ms)
       VALUES (?1, ?2, ?3, ?1, ?4, 'instance.created', 'PENDING', 0, 1, ?5, 0, ?5, ?5)`,
    )
      .bind(manual.tenantId, manual.id, webhook.id, eventId, lab.nowMs)
      .run();
    lab.outside = () => new Response(null, { status: 500 });
    await lab.run([manual]);
    expect(await log(manual)).toMatchObject({ state: "EXHAUSTED", attemptCount: 1, manual: true });
    expect(lab.queued).toEqual([]);
    expect(lab.received[1]?.body).toBe(lab.received[0]?.body);
  });
});

describe("a webhook", () => {
  it("that answers 410 is disabled at once, and the tenant's other webhooks get an event", async () => {
    const { lab, mine, delivery, log, state } = await scene();
    const listener = await makeWebhook(mine, ["webhook.disabled"]);
    const waiting = await lab.publish(mine.tenantId);
    lab.outside = () => new Response("gone", { status: 410 });
    await lab.run([delivery]);
    expect(await state()).toMatchObject({ state: "DISABLED", disabledReason: "gone" });
    expect(await log()).toMatchObject({ state: "EXHAUSTED", attemptCount: 1 });
    const told = await mine.get(`/webhooks/${listener.id}/deliveries`);
    expect(told.body.data).toMatchObject([{ eventType: "webhook.disabled", state: "PENDING" }]);
    expect(lab.queued).toMatchObject([{ id: told.body.data[0].id }]);
    await lab.run(waiting);
    expect(lab.received).toHaveLength(1);
    expect(await log(waiting[0])).toMatchObject({ state: "CANCELED", attempts: [] });
  });

  it("that answers 410 twice concurrently is disabled once", async () => {
    const { lab, mine, delivery, state } = await scene();
    const listener = await makeWebhook(mine, ["webhook.disabled"]);
    const second = await lab.publish(mine.tenantId);
    lab.outside = () => new Response(null, { status: 410 });
    await Promise.all([lab.run([delivery, ...second]), lab.run(await lab.publish(mine.tenantId))]);
    expect((await state()).state).toBe("DISABLED");
    const listed = await mine.get(`/webhooks/${listener.id}/deliveries`);
    expect(listed.body.data).toHaveLength(1);
    expect(lab.received.length).toBeGreaterThan(1);
  });

  it("that was changed while it answered 410 stays enabled", async () => {
    const { lab, mine, webhook, delivery, log, state } = await scene();
    lab.outside = async () => {
      await mine.patch(`/webhooks/${webhook.id}`, { url: "https://new.example.com/" });
      return new Response(null, { status: 410 });
    };
    await lab.run([delivery]);
    expect((await state()).state).toBe("ENABLED");
    expect(await log()).toMatchObject({ state: "EXHAUSTED", attemptCount: 1 });
  });

  it("without a success for five days is disabled by an exhausted delivery", async () => {
    const { lab, mine, webhook, delivery, state } = await scene();
    lab.outside = () => new Response(null, { status: 500 });
    await lab.run([delivery]);
    lab.nowMs += FAILING_LIMIT_MS;
    const last = await lab.publish(mine.tenantId);
    await env.DB.prepare("UPDATE webhook_deliveries SET attempts = 11 WHERE id = ?")
      .bind(last[0]?.id ?? "")
      .run();
    await lab.run(last);
    expect(await state()).toMatchObject({ state: "DISABLED", disabledReason: "failing" });
    const enabled = await mine.patch(`/webhooks/${webhook.id}`, { enabled: true });
    expect(enabled.body.state).toBe("ENABLED");
  });

  it("half-way to that sends the tenant's other webhooks one warning until its next success", async () => {
    const { lab, mine, webhook, delivery } = await scene();
    await mine.patch(`/webhooks/${webhook.id}`, { events: ["*"] });
    const listener = await makeWebhook(mine, ["webhook.failing"]);
    const listed = async () => (await mine.get(`/webhooks/${listener.id}/deliveries`)).body.data;
    const fail = async (...deliveries: DeliveryRef[]) => {
      lab.outside = () => new Response(null, { status: 500 });
      await lab.run(deliveries);
    };
    const publish = async () => (await lab.publish(mine.tenantId))[0] as DeliveryRef;
    const startedMs = lab.nowMs;
    await fail(delivery);
    lab.nowMs += FAILING_LIMIT_MS / 2 - 1;
    await fail(await publish());
    expect(await listed()).toEqual([]);
    lab.nowMs += 1;
    const [one, two, three] = [await publish(), await publish(), await publish()];
    lab.queued.length = 0;
    await Promise.all([fail(one, two), fail(three)]);
    const [warning, ...more] = await listed();
    expect(more).toEqual([]);
    expect(lab.queued).toContainEqual(expect.objectContaining({ id: warning.id, delaySeconds: 0 }));
    lab.nowMs += MINUTE_MS;
    await fail(await publish());
    expect(await listed()).toHaveLength(1);
    // The failing webhook subscribes to all events, but gets none about itself.
    const own = await mine.get(`/webhooks/${webhook.id}/deliveries?eventType=webhook.failing`);
    expect(own.body.data).toEqual([]);
    const event = await env.DB.prepare("SELECT payload FROM events WHERE id = ?")
      .bind(warning.eventId)
      .first<{ payload: string }>();
    expect(JSON.parse(event?.payload ?? "")).toMatchObject({
      type: "webhook.failing",
      data: {
        failingSince: new Date(startedMs).toISOString(),
        disabledAfter: new Date(startedMs + FAILING_LIMIT_MS).toISOString(),
        resource: { type: "webhook", id: webhook.id },
      },
    });
    lab.outside = () => new Response("ok");
    await lab.run([await publish()]);
    await fail(await publish());
    lab.nowMs += FAILING_LIMIT_MS / 2;
    await fail(await publish());
    expect(await listed()).toHaveLength(2);
  });

  it("with one success in those five days is not disabled", async () => {
    const { lab, mine, delivery, state } = await scene();
    lab.outside = () => new Response(null, { status: 500 });
    await lab.run([delivery]);
    lab.nowMs += FAILING_LIMIT_MS - 1;
    const good = await lab.publish(mine.tenantId);
    lab.outside = () => new Response("ok");
    await lab.run(good);
    lab.nowMs += 1;
    const last = await lab.publish(mine.tenantId);
    await env.DB.prepare("UPDATE webhook_deliveries SET attempts = 11 WHERE id = ?")
      .bind(last[0]?.id ?? "")
      .run();
    lab.outside = () => new Response(null, { status: 500 });
    await lab.run(last);
    expect((await state()).state).toBe("ENABLED");
  });

  it("that is slow moves to the slow queue, without using an attempt, until it is fast again", async () => {
    const { lab, mine, delivery } = await scene();
    lab.outside = () => {
      lab.nowMs += 5_001;
      return new Response("at last");
    };
    await lab.run([delivery]);
    const next = await lab.publish(mine.tenantId);
    lab.outside = () => new Response("ok");
    await lab.run(next);
    expect(lab.received).toHaveLength(1);
    expect(lab.queued).toEqual([{ ...next[0], queue: "slow", delaySeconds: 0 }]);
    lab.lane = "slow";
    await lab.run(next);
    expect(lab.received).toHaveLength(2);
    lab.lane = "fast";
    await lab.run(await lab.publish(mine.tenantId));
    expect(lab.received).toHaveLength(3);
  });

  it("that was deleted gets nothing more", async () => {
    const { lab, mine, webhook, delivery } = await scene();
    await mine.delete(`/webhooks/${webhook.id}`);
    await lab.run([delivery]);
    expect(lab.received).toEqual([]);
    const row = await env.DB.prepare("SELECT state, due_at_ms FROM webhook_deliveries WHERE id = ?")
      .bind(delivery.id)
      .first();
    expect(row).toEqual({ state: "CANCELED", due_at_ms: null });
  });

  it("does not wait for another one that hangs", async () => {
    const { lab, mine, delivery, log } = await scene();
    const [hanging] = await lab.publish(mine.tenantId);
    const { eventId } = await log(hanging);
    const { promise: late, resolve: answerLate } = Promise.withResolvers<Response>();
    lab.outside = (request) =>
      request.headers.get("webhook-id") === eventId ? late : new Response("quick");
    const states: unknown[] = [];
    const recorded = async (batch: number): Promise<void> => {
      // The claim of both is the first batch, the record of the quick one the second.
      if (batch !== 2) return;
      states.push((await log()).state, (await log(hanging)).state);
      answerLate(new Response("late"));
    };
    await lab.run([delivery, hanging], { env: { ...lab.env, DB: observedDb(recorded) } });
    expect(states).toEqual(["SUCCEEDED", "PENDING"]);
  });
});

describe("a batch", () => {
  it("records attempts that end while others are being recorded", async () => {
    const { lab, mine, delivery, log } = await scene();
    const [late] = await lab.publish(mine.tenantId);
    const { promise, resolve: answerLate } = Promise.withResolvers<Response>();
    const { eventId } = await log(late);
    lab.outside = (request) =>
      request.headers.get("webhook-id") === eventId ? promise : new Response("ok");
    let batches = 0;
    const recorded = async (batch: number): Promise<void> => {
      batches = batch;
      if (batch !== 2) return;
      answerLate(new Response("late"));
      // Long enough for the other attempt to end.
      for (let at = 0; at < 5; at += 1) await env.DB.prepare("SELECT 1").run();
    };
    await lab.run([delivery, late], { env: { ...lab.env, DB: observedDb(recorded) } });
    expect([(await log()).state, (await log(late)).state]).toEqual(["SUCCEEDED", "SUCCEEDED"]);
    expect(batches).toBe(3);
  });

  it("of six attempts that end together takes fewer round trips than one each", async () => {
    const { lab, mine, webhook, delivery } = await scene();
    const deliveries = [delivery];
    while (deliveries.length < 6) deliveries.push(...(await lab.publish(mine.tenantId)));
    let roundTrips = 0;
    const counting = observedDb((batch) => {
      roundTrips = batch;
    });
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    lab.outside = async () => {
      if (lab.received.length === 6) open();
      await gate;
      return new Response("ok");
    };
    await lab.run(deliveries, { env: { ...lab.env, DB: counting } });
    expect(lab.received).toHaveLength(6);
    expect(roundTrips).toBeLessThanOrEqual(3);
    const done = await mine.get(`/webhooks/${webhook.id}/deliveries`);
    expect(done.body.data.map((d: { state: string }) => d.state)).toEqual(
      Array(6).fill("SUCCEEDED"),
    );
  });
});

describe("an invocation", () => {
  it("waits for at most six responses at once and sends the rest afterwards", async () => {
    const { lab, mine, delivery } = await scene();
    const deliveries = [delivery];
    while (deliveries.length < 10) deliveries.push(...(await lab.publish(mine.tenantId)));
    let [open, most] = [0, 0];
    lab.outside = async () => {
      most = Math.max(most, (open += 1));
      // Long enough for the others to start, if they may.
      await env.DB.prepare("SELECT 1").run();
      open -= 1;
      return new Response("ok");
    };
    await lab.run(deliveries);
    expect(lab.received).toHaveLength(10);
    expect(most).toBe(6);
  });
});

describe("the sweep", () => {
  it("notifies each due delivery's own queue, and skips leased and waiting ones", async () => {
    const { lab, mine, delivery } = await scene();
    await lab.run([delivery], { newId, fetch: () => Promise.reject(new Error("refused")) });
    const [held] = await lab.publish(mine.tenantId);
    await lab.run([held], { env: { ...lab.env, DB: failingDb(1, "after") } });
    const [due] = await lab.publish(mine.tenantId);
    const other = await scene({ timeoutMs: 1 });
    other.lab.outside = () => new Promise(() => undefined);
    await other.lab.run([other.delivery]);
    const sweepAt = async (atMs: number): Promise<QueuedMessage[]> => {
      lab.queued.length = 0;
      await sweepWebhooks(lab.env, atMs);
      const own = new Set([mine.tenantId, other.mine.tenantId]);
      return lab.queued.filter(({ tenantId }) => own.has(tenantId));
    };
    expect(await sweepAt(lab.nowMs)).toEqual([{ ...due, queue: "fast", delaySeconds: 0 }]);
    const later = await sweepAt(Math.max(lab.nowMs, other.lab.nowMs) + 2 * MINUTE_MS);
    expect(new Map(later.map(({ id, queue }) => [id, queue]))).toEqual(
      new Map([
        [delivery.id, "fast"],
        [held?.id, "fast"],
        [due?.id, "fast"],
        [other.delivery.id, "slow"],
      ]),
    );
    expect(later).toHaveLength(4);
  });

  it("notifies thousands in a minute, as a restore of the database leaves them", async () => {
    const { lab, mine, delivery } = await scene();
    const lost = Array.from({ length: 4_500 }, () => newId());
    await env.DB.prepare(
      `INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_tenant_id, event_id, event_type, state,
         attempts, manual, due_at_ms, lease_until_ms, created_at_ms, updated_at_ms)
       SELECT tenant_id, lost.value, webhook_id, event_tenant_id, event_id, event_type, state,
         attempts, manual, due_at_ms, lease_until_ms, created_at_ms, updated_at_ms
       FROM webhook_deliveries, json_each(?2) lost WHERE webhook_deliveries.id = ?1`,
    )
      .bind(delivery.id, JSON.stringify(lost))
      .run();
    lab.queued.length = 0;
    await sweepWebhooks(lab.env, lab.nowMs);
    const notified = lab.queued.filter(({ tenantId }) => tenantId === mine.tenantId);
    expect(new Set(notified.map(({ id }) => id))).toEqual(new Set([delivery.id, ...lost]));
    await env.DB.prepare("DELETE FROM webhook_deliveries WHERE tenant_id = ?")
      .bind(mine.tenantId)
      .run();
  });

  it("deletes attempts, deliveries and events after exactly thirty days", async () => {
    const { lab, mine, delivery } = await scene();
    await lab.run([delivery]);
    const count = async (): Promise<number[]> => {
      const tables = ["webhook_attempts", "webhook_deliveries", "events"];
      const counts = await env.DB.batch<{ n: number }>(
        tables.map((table) =>
          env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE tenant_id = ?`).bind(
            mine.tenantId,
          ),
        ),
      );
      return counts.map(({ results }) => results[0]?.n ?? -1);
    };
    const before = await count();
    expect(before.slice(0, 2)).toEqual([1, 1]);
    const dayMs = 24 * 60 * MINUTE_MS;
    await sweepWebhooks(lab.env, lab.nowMs + 29 * dayMs);
    expect(await count()).toEqual(before);
    await sweepWebhooks(lab.env, lab.nowMs + 31 * dayMs);
    expect(await count()).toEqual([0, 0, 0]);
  });
});

describe("retention", () => {
  it("deletes a bounded amount at a time, recoveries too", async () => {
    const { lab, mine, webhook } = await scene();
    const since = new Date().toISOString();
    await mine.post(`/webhooks/${webhook.id}/recover`, { since });
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5200)
       INSERT INTO events (tenant_id, id, type, resource_type, resource_id, payload, created_at_ms)
       SELECT ?, printf('00000000-0000-7000-8000-%012d', i), 'x', 'x', 'x', '{}', i FROM n`,
    )
      .bind(mine.tenantId)
      .run();
    const count = async (table: string) =>
      (
        await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE tenant_id = ?`)
          .bind(mine.tenantId)
          .first<{ n: number }>()
      )?.n ?? -1;
    const others = (await count("events")) - 5_200;
    await sweepWebhooks(lab.env, lab.nowMs);
    expect(await count("events")).toBe(others + 200);
    await sweepWebhooks(lab.env, lab.nowMs);
    expect(await count("events")).toBe(others);
    expect(await count("webhook_recoveries")).toBe(1);
    await sweepWebhooks(lab.env, lab.nowMs + 31 * 24 * 60 * MINUTE_MS);
    expect(await count("webhook_recoveries")).toBe(0);
  });
});

describe("a lost message", () => {
  /** The platform's events about lost messages. */
  const lostEvents = async (): Promise<{ payload: string; id: string }[]> =>
    (
      await env.DB.prepare(
        "SELECT id, payload FROM events WHERE tenant_id = ? AND type = 'message.dead_lettered' ORDER BY id",
      )
        .bind(PLATFORM)
        .all<{ payload: string; id: string }>()
    ).results;
  const entries = async (): Promise<string[]> =>
    (await operator.get("/audit-events?limit=100")).body.data
      .filter(({ action }: { action: string }) => action === "message.dead_letter")
      .map(({ resourceId }: { resourceId: string }) => resourceId);

  const deadLetters = async (bodies: readonly unknown[], parts: { db?: D1Database } = {}) => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const batch = createMessageBatch(
      "control-dead-letters",
      bodies.map((body, at) => ({
        id: `letter-${at}-${newId()}`,
        timestamp: new Date(5),
        attempts: 6,
        body,
      })),
    );
    const context = createExecutionContext();
    await worker.queue(batch, { ...env, DB: parts.db ?? env.DB }, context);
    const result = await getQueueResult(batch, context);
    const lines = logged.mock.calls.map(([line]) => String(line));
    logged.mockRestore();
    return { result, lines, ids: batch.messages.map(({ id }) => id) };
  };

  it("is logged in short, recorded as an audit entry and an event, and acknowledged", async () => {
    const listener = await makeWebhook(operator, ["message.dead_lettered"]);
    onTestFinished(async () => {
      await operator.delete(`/webhooks/${listener.id}`);
    });
    const work = { tenantId: newId(), id: newId() };
    const before = await lostEvents();
    const { result, lines, ids } = await deadLetters([{ ...work, secret: "s" }, "x".repeat(5_000)]);
    expect(result.explicitAcks).toEqual(ids);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ id: ids[0], attempts: 6, sentAtMs: 5 });
    expect(lines[1]?.length).toBeLessThan(1_000);
    expect(await entries()).toEqual(expect.arrayContaining(ids));
    const events = (await lostEvents()).filter(
      ({ id }) => !before.some((known) => known.id === id),
    );
    const payloads = events.map(({ payload }) => JSON.parse(payload));
    expect(payloads).toHaveLength(2);
    expect(payloads.find(({ data }) => data.resource.id === ids[0])).toMatchObject({
      type: "message.dead_lettered",
      tenantId: null,
      data: { queue: "control-dead-letters", attempts: 6, work },
    });
    expect(JSON.stringify(payloads)).not.toMatch(/"secret"|xxx/);
    const deliveries = await operator.get(`/webhooks/${listener.id}/deliveries`);
    expect(deliveries.body.data).toHaveLength(2);
  });

  it("about the same work writes one event an hour, and none for a redelivered batch", async () => {
    const body = { tenantId: newId(), id: newId() };
    const messages = [body, body].map((same, at) => ({
      id: `same-${at}`,
      timestamp: new Date(5),
      attempts: 6,
      body: same,
    }));
    const before = (await lostEvents()).length;
    const hourMs = 60 * MINUTE_MS;
    const start = Math.floor(Date.now() / hourMs) * hourMs;
    const counts: number[] = [];
    for (const nowMs of [start, start + hourMs - 1, start + hourMs]) {
      const batch = createMessageBatch("control-dead-letters", messages);
      await recordLostMessages(batch.messages, {
        env,
        queue: batch.queue,
        nowMs,
        after: () => undefined,
      });
      counts.push((await lostEvents()).length - before);
    }
    expect(counts).toEqual([1, 1, 2]);
  });

  it("about the delivery of such an event writes none", async () => {
    const listener = await makeWebhook(operator, ["message.*"]);
    onTestFinished(async () => {
      await operator.delete(`/webhooks/${listener.id}`);
    });
    await deadLetters([{ tenantId: newId(), id: newId() }]);
    const [{ id }] = (await operator.get(`/webhooks/${listener.id}/deliveries`)).body.data;
    const before = (await lostEvents()).length;
    const { result, ids } = await deadLetters([{ tenantId: PLATFORM, id }]);
    expect(result.explicitAcks).toEqual(ids);
    expect((await lostEvents()).length).toBe(before);
  });

  it("stays in the queue while it cannot be recorded", async () => {
    const { result } = await deadLetters([{ id: newId() }], { db: failingDb(1, "before") });
    expect(result.explicitAcks).toEqual([]);
    expect(result.retryMessages).toHaveLength(1);
  });

  it("that is poison is recorded too", async () => {
    const { lab } = await scene();
    const id = newId();
    const before = (await lostEvents()).length;
    await lab.run([{ deploymentId: id }]);
    const payloads = (await lostEvents()).map(({ payload }) => JSON.parse(payload));
    expect(payloads.length - before).toBe(1);
    expect(payloads.find(({ data }) => data.work.deploymentId === id)).toMatchObject({
      data: { queue: "control-webhooks" },
    });
  });
});
