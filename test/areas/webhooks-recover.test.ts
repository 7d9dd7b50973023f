import { env } from "cloudflare:workers";
import { v7 } from "uuid";
import { beforeAll, describe, expect, it } from "vitest";
import { STEP } from "#areas/webhooks/recovery.ts";
import { sweepRecoveries } from "#areas/webhooks/sweep-recoveries.ts";
import type { Bindings } from "#kernel/bindings.ts";
import type { EventType } from "#schema/lists/event-kinds.ts";
import { type Answer, makeTenant, type TestTenant } from "#test/support/api.ts";
import { dataOf, failingDb, makeWebhook, silenceRealQueue } from "#test/support/delivery-lab.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

beforeAll(silenceRealQueue);

/** Drops messages: recovered deliveries stay pending, as with a slow queue. */
const mute = { sendBatch: async () => undefined } as unknown as Queue;
const quietEnv = { ...env, WEBHOOKS_QUEUE: mute } as Bindings;

type Seed = { state: string; ageMs?: number; type?: EventType; manual?: 0 | 1; event?: false };

/** Inserts deliveries in these states, oldest first. */
async function seed(
  tenantId: string,
  webhookId: string,
  seeds: readonly Seed[],
): Promise<string[]> {
  const nowMs = Date.now();
  const rows = seeds.map(({ ageMs = MINUTE_MS, ...more }, at) => {
    const atMs = nowMs - ageMs;
    const type: EventType = more.type ?? "instance.created";
    const id = v7({ msecs: atMs });
    const resource = { type: "instance", id: webhookId };
    const payload = {
      id,
      type,
      timestamp: new Date(atMs).toISOString(),
      apiVersion: "v1",
      tenantId,
      sequence: 1,
      data: { ...dataOf[type], resource },
    };
    return {
      id: v7({ msecs: atMs, seq: at }),
      eventId: id,
      payload: JSON.stringify(payload),
      atMs,
      type,
      state: more.state,
      manual: more.manual ?? 0,
      event: more.event ?? true,
    };
  });
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO events (tenant_id, id, type, resource_type, resource_id, payload, created_at_ms)
       SELECT ?1, value ->> 'eventId', value ->> 'type', 'instance', 'x', value ->> 'payload', value ->> 'atMs'
       FROM json_each(?2) WHERE value ->> 'event'`,
    ).bind(tenantId, JSON.stringify(rows)),
    env.DB.prepare(
      `INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_tenant_id, event_id, event_type, state,
         attempts, manual, due_at_ms, lease_until_ms, created_at_ms, updated_at_ms)
       SELECT ?1, value ->> 'id', ?3, ?1, value ->> 'eventId', value ->> 'type', value ->> 'state', 12,
         value ->> 'manual', NULL, 0, value ->> 'atMs', value ->> 'atMs'
       FROM json_each(?2)`,
    ).bind(tenantId, JSON.stringify(rows), webhookId),
  ]);
  return rows.map(({ id }) => id);
}

const exhausted = (count: number) => Array.from({ length: count }, () => ({ state: "EXHAUSTED" }));

interface Made {
  id: string;
  repeatsId: string;
  state: string;
}

/** The deliveries that recoveries created for the webhook. */
async function made(tenantId: string, webhookId: string): Promise<Made[]> {
  const { results } = await env.DB.prepare(
    `SELECT id, repeats_id AS repeatsId, state FROM webhook_deliveries
     WHERE tenant_id = ? AND webhook_id = ? AND repeats_id IS NOT NULL ORDER BY id`,
  )
    .bind(tenantId, webhookId)
    .all<Made>();
  return results;
}

async function setState(tenantId: string, ids: readonly string[], state: string): Promise<void> {
  await env.DB.prepare(
    "UPDATE webhook_deliveries SET state = ?, due_at_ms = NULL WHERE tenant_id = ? AND id IN (SELECT value FROM json_each(?))",
  )
    .bind(state, tenantId, JSON.stringify(ids))
    .run();
}

async function scene(): Promise<{
  mine: TestTenant;
  webhookId: string;
  recover: (since: number, more?: object, headers?: Record<string, string>) => Promise<Answer>;
}> {
  const mine = await makeTenant();
  const { id } = await makeWebhook(mine);
  return {
    mine,
    webhookId: id,
    recover: (since, more = {}, headers = {}) =>
      mine.post(
        `/webhooks/${id}/recover`,
        { since: new Date(Date.now() - since).toISOString(), ...more },
        headers,
      ),
  };
}

describe("recovering", () => {
  it("repeats failed and canceled deliveries of the range once, and nothing else", async () => {
    const { mine, webhookId, recover } = await scene();
    const hour = 60 * MINUTE_MS;
    const [, failed, canceled] = await seed(mine.tenantId, webhookId, [
      { state: "EXHAUSTED", ageMs: 3 * hour },
      { state: "EXHAUSTED", ageMs: hour },
      { state: "CANCELED", ageMs: hour },
      { state: "SUCCEEDED", ageMs: hour },
      { state: "RETRYING", ageMs: hour },
      { state: "EXHAUSTED", ageMs: hour, manual: 1 },
      { state: "EXHAUSTED", ageMs: hour, type: "webhook.test" },
      { state: "EXHAUSTED", ageMs: hour, event: false },
      { state: "EXHAUSTED", ageMs: 5 * MINUTE_MS },
    ]);
    const other = await makeWebhook(mine);
    await seed(mine.tenantId, other.id, [{ state: "EXHAUSTED", ageMs: hour }]);
    const until = new Date(Date.now() - 10 * MINUTE_MS).toISOString();
    const answer = await recover(2 * hour, { until });
    expect(answer.status, answer.text).toBe(202);
    expect(answer.body).toMatchObject({ webhookId, state: "COMPLETED", count: 2, until });
    expect(answer.headers.get("server-timing")).toMatch(/d1;desc="\d+\/2"/);
    const path = `/webhooks/${webhookId}/recoveries/${answer.body.id}`;
    expect(answer.headers.get("location")).toBe(`/api/v1${path}`);
    expect((await mine.get(path)).body).toEqual(answer.body);
    const repeated = await made(mine.tenantId, webhookId);
    expect(new Set(repeated.map(({ repeatsId }) => repeatsId))).toEqual(
      new Set([failed, canceled]),
    );
    expect(repeated).toHaveLength(2);
    const [one] = repeated;
    const of = (id?: string) => mine.get(`/webhooks/${webhookId}/deliveries/${id}`);
    expect((await of(one?.id)).body).toMatchObject({
      manual: true,
      eventId: (await of(one?.repeatsId)).body.eventId,
    });
    expect(await made(mine.tenantId, other.id)).toEqual([]);
  });

  it("again skips deliveries that are on their way or arrived, and repeats those that failed again", async () => {
    const { mine, webhookId, recover } = await scene();
    await seed(mine.tenantId, webhookId, exhausted(3));
    expect((await recover(MINUTE_MS * 5)).body.count).toBe(3);
    const first = (await made(mine.tenantId, webhookId)).map(({ id }) => id);
    await setState(mine.tenantId, first, "PENDING");
    expect((await recover(MINUTE_MS * 5)).body.count).toBe(0);
    await setState(mine.tenantId, first.slice(0, 2), "SUCCEEDED");
    await setState(mine.tenantId, first.slice(2), "EXHAUSTED");
    // The failed redelivery and its original are both in the range: they are one event.
    expect((await recover(MINUTE_MS * 5)).body.count).toBe(1);
    expect(await made(mine.tenantId, webhookId)).toHaveLength(4);
  });

  it("skips events that were redelivered manually", async () => {
    const { mine, webhookId, recover } = await scene();
    const [id] = await seed(mine.tenantId, webhookId, [{ state: "EXHAUSTED" }]);
    const path = (of?: string) => `/webhooks/${webhookId}/deliveries/${of}/redeliver`;
    const first = await mine.post(path(id));
    await setState(mine.tenantId, [first.body.id], "EXHAUSTED");
    const second = await mine.post(path(first.body.id));
    await setState(mine.tenantId, [second.body.id], "SUCCEEDED");
    expect((await recover(MINUTE_MS * 5)).body.count).toBe(0);
    await setState(mine.tenantId, [second.body.id], "EXHAUSTED");
    expect((await recover(MINUTE_MS * 5)).body.count).toBe(1);
  });

  it("by simultaneous requests creates one recovery", async () => {
    const { mine, webhookId } = await scene();
    await seed(mine.tenantId, webhookId, exhausted(20));
    const since = new Date(Date.now() - 5 * MINUTE_MS).toISOString();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => mine.post(`/webhooks/${webhookId}/recover`, { since })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(202));
    const counts = answers.map(({ body }) => body.count).sort((a, b) => b - a);
    expect(counts).toEqual([20, 0, 0, 0, 0, 0]);
    expect(await made(mine.tenantId, webhookId)).toHaveLength(20);
  });

  it("rejects a range that is too old, empty or in the future, and a disabled webhook", async () => {
    const { mine, webhookId, recover } = await scene();
    expect((await recover(14 * DAY_MS - MINUTE_MS)).status).toBe(202);
    const before = new Date(Date.now() - 2 * MINUTE_MS).toISOString();
    for (const [since, more, pointer] of [
      [14 * DAY_MS + MINUTE_MS, {}, "/since"],
      [-MINUTE_MS, {}, "/since"],
      [MINUTE_MS, { until: before }, "/until"],
      [MINUTE_MS, { until: "yesterday" }, "/until"],
    ] as const) {
      const refused = await recover(since, more);
      expect([refused.status, refused.body.code]).toEqual([400, "validation_failed"]);
      expect(refused.body.errors[0].pointer).toBe(pointer);
    }
    const none = await mine.post(`/webhooks/${webhookId}/recover`, {});
    expect(none.body.errors[0].pointer).toBe("/since");
    await mine.patch(`/webhooks/${webhookId}`, { enabled: false });
    expect((await recover(MINUTE_MS)).body.code).toBe("webhook_disabled");
  });

  it("answers 404 for another tenant's webhook or recovery", async () => {
    const [a, b] = [await scene(), await scene()];
    const { body } = await a.recover(MINUTE_MS);
    expect((await b.mine.get(`/webhooks/${a.webhookId}/recoveries/${body.id}`)).status).toBe(404);
    expect((await b.mine.get(`/webhooks/${b.webhookId}/recoveries/${body.id}`)).status).toBe(404);
    const since = new Date(Date.now() - MINUTE_MS).toISOString();
    expect((await b.mine.post(`/webhooks/${a.webhookId}/recover`, { since })).status).toBe(404);
  });
});

describe("a large recovery", () => {
  const LARGE = 2 * STEP + 10;

  /** More deliveries than two steps; every fiftieth failed by default. */
  async function large(isFailed = (at: number) => at % 50 === 0) {
    const s = await scene();
    const seeds = Array.from({ length: LARGE }, (_, at) => ({
      state: isFailed(at) ? "EXHAUSTED" : "SUCCEEDED",
    }));
    const ids = await seed(s.mine.tenantId, s.webhookId, seeds);
    const answer = await s.recover(5 * MINUTE_MS);
    const read = async () =>
      (await s.mine.get(`/webhooks/${s.webhookId}/recoveries/${answer.body.id}`)).body;
    return { ...s, ids, answer, read, failed: seeds.filter((_, at) => isFailed(at)).length };
  }

  /** A sweep in which `between` runs between a step's read and its write. */
  async function sweepWith(between: () => Promise<unknown>): Promise<void> {
    let batches = 0;
    const DB = {
      prepare: (query: string) => env.DB.prepare(query),
      batch: async (statements: D1PreparedStatement[]) => {
        batches += 1;
        if (batches === 2) await between();
        return env.DB.batch(statements);
      },
    } as unknown as D1Database;
    await sweepRecoveries({ ...quietEnv, DB }, Date.now(), 1);
  }

  it("is not reset by a sweep that was overtaken", async () => {
    const { mine, webhookId, read, failed } = await large((at) => at >= LARGE - 10);
    await sweepWith(() => sweepRecoveries(quietEnv, Date.now()));
    expect(await read()).toMatchObject({ state: "COMPLETED", count: failed });
    expect(await made(mine.tenantId, webhookId)).toHaveLength(failed);
  });

  it("skips events that are redelivered manually at the same time", async () => {
    const { mine, webhookId, ids, read, failed } = await large();
    const byHand = ids.find((_, at) => at > STEP && at % 50 === 0);
    await sweepWith(() => mine.post(`/webhooks/${webhookId}/deliveries/${byHand}/redeliver`));
    await sweepRecoveries(quietEnv, Date.now());
    expect(await read()).toMatchObject({ state: "COMPLETED", count: failed - 1 });
    const all = await made(mine.tenantId, webhookId);
    expect(all.filter(({ repeatsId }) => repeatsId === byHand)).toHaveLength(1);
  });

  it("takes a step in the request and continues in the background; meanwhile the same request answers with it", async () => {
    const { mine, webhookId, answer, read, recover, failed } = await large();
    expect(answer.body).toMatchObject({ state: "RUNNING", count: Math.ceil(STEP / 50) });
    const again = { since: answer.body.since };
    const path = `/webhooks/${webhookId}/recover`;
    expect((await mine.post(path, again)).body.id).toBe(answer.body.id);
    const another = await recover(10 * MINUTE_MS);
    expect([another.status, another.body.code]).toEqual([409, "invalid_state"]);
    expect(another.body.detail).toContain(answer.body.id);
    await sweepRecoveries(quietEnv, Date.now(), 1);
    expect((await read()).state).toBe("RUNNING");
    await Promise.all([
      sweepRecoveries(quietEnv, Date.now()),
      sweepRecoveries(quietEnv, Date.now()),
    ]);
    expect(await read()).toMatchObject({ state: "COMPLETED", count: failed });
    const all = await made(mine.tenantId, webhookId);
    expect(all).toHaveLength(failed);
    expect(new Set(all.map(({ repeatsId }) => repeatsId)).size).toBe(failed);
  });

  it.each([
    [3, "before"],
    [3, "after"],
    [5, "before"],
    [5, "after"],
  ] as const)(
    "loses and repeats nothing if it crashes at batch %i, %s its commit",
    async (nth, when) => {
      const { mine, webhookId, read, failed } = await large();
      await sweepRecoveries({ ...quietEnv, DB: failingDb(nth, when) }, Date.now());
      await sweepRecoveries(quietEnv, Date.now());
      expect(await read()).toMatchObject({ state: "COMPLETED", count: failed });
      const all = await made(mine.tenantId, webhookId);
      expect(new Set(all.map(({ repeatsId }) => repeatsId)).size).toBe(failed);
      expect(all).toHaveLength(failed);
    },
  );

  it("is canceled when its webhook is disabled", async () => {
    const { mine, webhookId, read } = await large();
    await mine.patch(`/webhooks/${webhookId}`, { enabled: false });
    const count = (await read()).count;
    await sweepRecoveries(quietEnv, Date.now());
    expect(await read()).toMatchObject({ state: "CANCELED", count });
  });
});
