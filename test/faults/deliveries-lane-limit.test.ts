/** A tenant with hanging receivers delays only its own deliveries. None is lost or sent twice. */
import { beforeAll, describe, expect, it } from "vitest";
import { LEASE_MS } from "#areas/webhooks/delivery/claim.ts";
import { LANE_LIMIT } from "#areas/webhooks/delivery/lane-limit.ts";
import { sweepWebhooks } from "#areas/webhooks/sweep.ts";
import type { DeliveryRef } from "#kernel/outbox/outbox.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import {
  failingDb,
  makeLab,
  makeWebhook,
  type Received,
  silenceRealQueue,
} from "#test/support/delivery-lab.ts";
import { emptyDatabase } from "#test/support/empty-database.ts";

await emptyDatabase();

beforeAll(silenceRealQueue);

/** The size of a batch in wrangler.toml. */
const BATCH = 6;
/** Longer than a healthy attempt takes here. */
const PATIENCE_MS = 50;

type Lab = ReturnType<typeof makeLab>;

/** A lab whose receivers hang until `answer` is called, and whose consumer does not wait for them. */
function hangingLab() {
  const background: Promise<unknown>[] = [];
  const lab = makeLab({
    patienceMs: PATIENCE_MS,
    timeoutMs: 60_000,
    after: (work) => background.push(work),
  });
  let hanging: ((response: Response) => void)[] = [];
  const hang = () => new Promise<Response>((resolve) => hanging.push(resolve));
  lab.outside = hang;
  return {
    lab,
    hang,
    /** Answers the hanging requests, at most `count`. */
    answer: (count = Infinity) => {
      for (const resolve of hanging.splice(0, count)) resolve(new Response("at last"));
    },
    /** The consumer dies: its hanging requests are never answered. */
    die: () => {
      hanging = [];
      background.length = 0;
    },
    untilIdle: () => Promise.all(background.splice(0)),
  };
}

function batchesOf(deliveries: readonly DeliveryRef[]): DeliveryRef[][] {
  return Array.from({ length: Math.ceil(deliveries.length / BATCH) }, (_, at) =>
    deliveries.slice(at * BATCH, (at + 1) * BATCH),
  );
}

async function runAll(lab: Lab, deliveries: readonly DeliveryRef[]): Promise<void> {
  for (const batch of batchesOf(deliveries)) await lab.run(batch);
}

/** Takes the queue's messages out of the record. */
function takeQueued(lab: Lab, queue: "fast" | "slow"): DeliveryRef[] {
  const taken = lab.queued.filter((one) => one.queue === queue);
  lab.queued.splice(0, lab.queued.length, ...lab.queued.filter((one) => one.queue !== queue));
  return taken.map(({ tenantId, id }) => ({ tenantId, id }));
}

const idsOf = (received: readonly Received[]) =>
  received.map(({ headers }) => `${headers["webhook-id"]} ${headers["webhook-signature"]}`);

async function states(tenant: TestTenant, webhookId: string): Promise<Record<string, number>> {
  const listed = await tenant.get(`/webhooks/${webhookId}/deliveries?limit=100`);
  const all = listed.body.data as { state: string }[];
  return Object.fromEntries(
    Object.entries(Object.groupBy(all, ({ state }) => state)).map(([state, of]) => [
      state,
      of?.length ?? 0,
    ]),
  );
}

describe("a consumer whose receivers hang", () => {
  it("takes the next batch at once; the attempt goes on and is recorded, sent once", async () => {
    const { lab, answer, untilIdle } = hangingLab();
    const mine = await makeTenant();
    const webhook = await makeWebhook(mine);
    const [delivery] = await lab.publish(mine.tenantId);
    const result = await lab.run([delivery]);
    expect(result.retryMessages).toEqual([]);
    expect(await states(mine, webhook.id)).toEqual({ PENDING: 1 });
    await lab.run([delivery]);
    answer();
    await untilIdle();
    expect(lab.received).toHaveLength(1);
    expect(await states(mine, webhook.id)).toEqual({ SUCCEEDED: 1 });
  });

  it("marks the receiver as slow while the attempt goes on: the next delivery uses the slow queue", async () => {
    const { lab, answer, untilIdle } = hangingLab();
    const mine = await makeTenant();
    const webhook = await makeWebhook(mine);
    const [first] = await lab.publish(mine.tenantId);
    await lab.run([first], { patienceMs: 300, slowAfterMs: 10 });
    expect(await states(mine, webhook.id)).toEqual({ PENDING: 1 });
    const next = await lab.publish(mine.tenantId);
    await lab.run(next);
    expect(lab.received).toHaveLength(1);
    expect(takeQueued(lab, "slow")).toEqual(next);
    answer();
    await untilIdle();
    expect(await states(mine, webhook.id)).toEqual({ PENDING: 1, SUCCEEDED: 1 });
  });

  it("leaves an attempt that it cannot record to the sweep, once the lease has lapsed", async () => {
    const { lab, answer, untilIdle } = hangingLab();
    const mine = await makeTenant();
    const webhook = await makeWebhook(mine);
    const [delivery] = await lab.publish(mine.tenantId);
    await lab.run([delivery], { env: { ...lab.env, DB: failingDb(2, "before") } });
    answer();
    await untilIdle();
    lab.nowMs += LEASE_MS;
    await sweepWebhooks(lab.env, lab.nowMs);
    const repeated = takeQueued(lab, "fast");
    expect(repeated).toEqual([delivery]);
    lab.outside = () => new Response("ok");
    await lab.run(repeated);
    expect(new Set(lab.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(await states(mine, webhook.id)).toEqual({ SUCCEEDED: 1 });
  });
});

describe("the lane limit", () => {
  it("bounds what is under way: twenty hanging receivers do not delay another tenant", async () => {
    const { lab, hang, answer, untilIdle } = hangingLab();
    const [hostile, other] = [await makeTenant(), await makeTenant()];
    for (let at = 0; at < 20; at += 1) await makeWebhook(hostile);
    const good = await makeWebhook(other);
    const flood = [...(await lab.publish(hostile.tenantId, undefined, 3))];
    expect(flood).toHaveLength(60);
    const startMs = performance.now();
    await runAll(lab, flood);
    expect(lab.received).toHaveLength(LANE_LIMIT);
    // Only batches with an attempt cost the consumer's patience.
    const batches = LANE_LIMIT / BATCH;
    expect(performance.now() - startMs).toBeLessThan(batches * PATIENCE_MS + 1_500);
    lab.outside = () => new Response("ok");
    await lab.run(await lab.publish(other.tenantId));
    expect(await states(other, good.id)).toEqual({ SUCCEEDED: 1 });
    lab.outside = hang;
    answer();
    await untilIdle();
  });

  it("holds exactly among concurrent consumers, and everything is sent once in the end", async () => {
    const { lab, answer, untilIdle } = hangingLab();
    const mine = await makeTenant();
    const webhook = await makeWebhook(mine);
    const count = LANE_LIMIT + 2 * BATCH + 1;
    const published = await lab.publish(mine.tenantId, undefined, count);
    await Promise.all(batchesOf(published).map((batch) => lab.run(batch)));
    expect(lab.received).toHaveLength(LANE_LIMIT);
    // While the lane is full, a repeated message changes nothing.
    await runAll(lab, published);
    expect(lab.received).toHaveLength(LANE_LIMIT);
    for (let under = LANE_LIMIT; under < count;) {
      answer(BATCH);
      await expect
        .poll(() => lab.queued.length, { timeout: 5_000 })
        .toBe(Math.min(BATCH, count - under));
      const admitted = takeQueued(lab, "fast");
      await runAll(lab, admitted);
      under += admitted.length;
      expect(lab.received).toHaveLength(under);
    }
    answer();
    await untilIdle();
    expect(new Set(idsOf(lab.received)).size).toBe(count);
    expect(lab.queued).toEqual([]);
    expect(await states(mine, webhook.id)).toEqual({ SUCCEEDED: count });
  });

  it("holds exactly for a batch of which a part has room", async () => {
    const { lab, answer, untilIdle } = hangingLab();
    const mine = await makeTenant();
    await makeWebhook(mine);
    const [first, ...others] = await lab.publish(mine.tenantId, undefined, LANE_LIMIT + 1);
    await lab.run(first === undefined ? [] : [first]);
    await runAll(lab, others);
    expect(lab.received).toHaveLength(LANE_LIMIT);
    answer();
    await untilIdle();
  });

  it("of slow receivers does not take from that of the others", async () => {
    const { lab, answer, untilIdle } = hangingLab();
    const mine = await makeTenant();
    const slow = await makeWebhook(mine);
    const first = await lab.publish(mine.tenantId);
    await lab.run(first, { patienceMs: 300, slowAfterMs: 10 });
    lab.lane = "slow";
    await runAll(lab, await lab.publish(mine.tenantId, undefined, LANE_LIMIT));
    expect(lab.received).toHaveLength(LANE_LIMIT);
    await mine.patch(`/webhooks/${slow.id}`, { events: ["webhook.test"] });
    const good = await makeWebhook(mine);
    lab.lane = "fast";
    lab.outside = () => new Response("ok");
    await lab.run(await lab.publish(mine.tenantId));
    expect(await states(mine, good.id)).toEqual({ SUCCEEDED: 1 });
    answer();
    await untilIdle();
    // The delivery beyond the limit of the slow lane was waiting for it.
    expect(takeQueued(lab, "fast")).toHaveLength(1);
  });

  it("is free again when its receivers are marked as slow", async () => {
    const { lab, answer, untilIdle } = hangingLab();
    const mine = await makeTenant();
    await makeWebhook(mine);
    const published = await lab.publish(mine.tenantId, undefined, LANE_LIMIT + 1);
    await runAll(lab, published.slice(0, LANE_LIMIT - BATCH));
    await Promise.all([
      lab.run(published.slice(LANE_LIMIT - BATCH, LANE_LIMIT), {
        patienceMs: 500,
        slowAfterMs: 250,
      }),
      lab.run(published.slice(LANE_LIMIT)),
    ]);
    expect(takeQueued(lab, "fast")).toEqual(published.slice(LANE_LIMIT));
    answer();
    await untilIdle();
  });

  it("is given to those that wait by the sweep, if the consumer died", async () => {
    const { lab, die } = hangingLab();
    const mine = await makeTenant();
    const webhook = await makeWebhook(mine);
    const published = await lab.publish(mine.tenantId, undefined, LANE_LIMIT + BATCH);
    await runAll(lab, published);
    die();
    const swept = async () => {
      await sweepWebhooks(lab.env, lab.nowMs);
      return takeQueued(lab, "fast").filter(({ tenantId }) => tenantId === mine.tenantId);
    };
    expect(await swept()).toEqual([]);
    lab.nowMs += LEASE_MS;
    lab.outside = () => new Response("ok");
    const repeated = await swept();
    expect(repeated).toHaveLength(LANE_LIMIT + BATCH);
    await runAll(lab, repeated);
    expect(await states(mine, webhook.id)).toEqual({ SUCCEEDED: LANE_LIMIT + BATCH });
  });

  it("does not keep deliveries of a webhook that was disabled or deleted", async () => {
    const { lab, answer, untilIdle } = hangingLab();
    const mine = await makeTenant();
    const [off, gone] = [await makeWebhook(mine), await makeWebhook(mine)];
    const published = await lab.publish(mine.tenantId, undefined, LANE_LIMIT);
    await runAll(lab, published);
    expect(lab.received).toHaveLength(LANE_LIMIT);
    await mine.patch(`/webhooks/${off.id}`, { enabled: false });
    await mine.delete(`/webhooks/${gone.id}`);
    answer();
    await untilIdle();
    const admitted = takeQueued(lab, "fast");
    expect(admitted).toHaveLength(LANE_LIMIT);
    await runAll(lab, admitted);
    expect(lab.received).toHaveLength(LANE_LIMIT);
    expect(lab.queued).toEqual([]);
  });
});
