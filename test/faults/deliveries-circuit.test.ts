import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { BURST, OPENING_FAILURES, PROBE_EVERY_MS } from "#areas/webhooks/delivery/circuit.ts";
import { LEASE_MS } from "#areas/webhooks/delivery/claim.ts";
import { sweepCircuits } from "#areas/webhooks/delivery/sweep-circuits.ts";
import { sweepWebhooks } from "#areas/webhooks/sweep.ts";
import type { DeliveryRef } from "#kernel/outbox/outbox.ts";
import { openDb } from "#platform/db/client.ts";
import {
  failingDb,
  type makeLab,
  makeWebhook,
  scene,
  silenceRealQueue,
} from "#test/support/delivery-lab.ts";
import { emptyDatabase } from "#test/support/empty-database.ts";

await emptyDatabase();

const MINUTE_MS = 60_000;
const BATCH = 6;

beforeAll(silenceRealQueue);

type Lab = ReturnType<typeof makeLab>;
type Scene = Awaited<ReturnType<typeof scene>>;

const refuse = () => new Response(null, { status: 500 });
const accept = () => new Response("ok");

/** Publishes and sends one new delivery for each status, one after the other; the receiver answers with it. */
async function attempts(s: Scene, statuses: readonly number[]): Promise<void> {
  for (const status of statuses) {
    s.lab.outside = () => new Response(null, { status });
    await s.lab.run(await s.lab.publish(s.mine.tenantId));
  }
  s.lab.queued.length = 0;
}

/** A webhook whose circuit has just opened. */
async function openScene(): Promise<Scene> {
  const s = await scene();
  s.lab.outside = refuse;
  await s.lab.run(await s.lab.publish(s.mine.tenantId, undefined, OPENING_FAILURES));
  s.lab.queued.length = 0;
  expect((await s.state()).circuit).toBe("open");
  return s;
}

const queues = new WeakMap<Lab, { atMs: number; to: DeliveryRef }[]>();

/** Delivers the queued messages up to `untilMs`, in order, and advances the clock with them. */
async function pump({ lab }: Scene, untilMs: number): Promise<void> {
  const waiting = queues.get(lab) ?? [];
  queues.set(lab, waiting);
  for (let batches = 0; batches < 500; batches += 1) {
    for (const { tenantId, id, delaySeconds } of lab.queued.splice(0))
      waiting.push({ atMs: lab.nowMs + delaySeconds * 1000, to: { tenantId, id } });
    waiting.sort((a, b) => a.atMs - b.atMs);
    const [first] = waiting;
    if (first === undefined || first.atMs > untilMs) break;
    lab.nowMs = Math.max(lab.nowMs, first.atMs);
    const due = waiting.filter(({ atMs }) => atMs <= lab.nowMs).slice(0, BATCH);
    for (const one of due) waiting.splice(waiting.indexOf(one), 1);
    await lab.run(due.map(({ to }) => to));
  }
  lab.nowMs = Math.max(lab.nowMs, untilMs);
}

/** Drops the queued messages, then runs the sweep. */
async function sweep(s: Scene): Promise<void> {
  s.lab.queued.length = 0;
  queues.delete(s.lab);
  await sweepWebhooks(s.lab.env, s.lab.nowMs);
  const { tenantId } = s.mine;
  s.lab.queued.splice(0, Infinity, ...s.lab.queued.filter((one) => one.tenantId === tenantId));
}

async function states(s: Scene): Promise<Record<string, number>> {
  const { results } = await env.DB.prepare(
    `SELECT state || CASE WHEN held_at_ms IS NULL THEN '' ELSE ' held' END AS state, count(*) AS n
     FROM webhook_deliveries WHERE webhook_id = ? AND tenant_id IS NOT NULL GROUP BY 1`,
  )
    .bind(s.webhook.id)
    .all<{ state: string; n: number }>();
  return Object.fromEntries(results.map(({ state, n }) => [state, n]));
}

async function isOver(s: Scene): Promise<boolean> {
  const { SUCCEEDED: _, RETRYING: __, ...open } = await states(s);
  return Object.keys(open).length === 0;
}

const ok = 200;
const bad = 500;

describe("the circuit", () => {
  it.each<[string, readonly number[], string]>([
    ["ten failures in a row", Array(10).fill(bad), "open"],
    ["nine", Array(9).fill(bad), "closed"],
    ["nine after a success", [ok, ...Array(8).fill(bad)], "closed"],
    ["seven of ten", [bad, bad, ok, bad, bad, ok, bad, bad, ok, bad], "open"],
    ["six of ten", [bad, bad, ok, bad, ok, ok, bad, bad, ok, bad], "closed"],
    ["eight of nine", [bad, bad, bad, bad, ok, bad, bad, bad, bad], "closed"],
  ])("after %s", async (_, statuses, circuit) => {
    const s = await scene();
    await attempts(s, statuses);
    const state = await s.state();
    expect(state.circuit).toBe(circuit);
    const at = (ms: number) =>
      circuit === "open" ? new Date(s.lab.nowMs + ms).toISOString() : null;
    expect([state.circuitOpenSince, state.nextProbeAt]).toEqual([at(0), at(PROBE_EVERY_MS)]);
  });

  it("ignores attempts older than five minutes, and those of other webhooks", async () => {
    const s = await scene();
    const other = await makeWebhook(s.mine, ["template.*"]);
    await attempts(s, [bad, bad, bad, bad, ok]);
    s.lab.nowMs += 5 * MINUTE_MS + 1;
    await attempts(s, [bad, bad, bad, bad, ok]);
    s.lab.outside = refuse;
    for (let at = 0; at < 5; at += 1)
      await s.lab.run(await s.lab.publish(s.mine.tenantId, "template.created"));
    await attempts(s, [bad]);
    expect((await s.state()).circuit).toBe("closed");
    expect((await s.mine.get(`/webhooks/${other.id}`)).body.circuit).toBe("closed");
  });

  it("is not closed by an attempt that was in flight when it opened", async () => {
    const s = await scene();
    s.lab.outside = async () => {
      await attempts(s, Array(OPENING_FAILURES).fill(bad));
      return accept();
    };
    await s.lab.run([s.delivery]);
    expect(await s.log()).toMatchObject({ state: "SUCCEEDED" });
    expect((await s.state()).circuit).toBe("open");
  });

  it("is not closed by the probe of an earlier open circuit, sent to another URL", async () => {
    const s = await openScene();
    const [probe] = await s.lab.publish(s.mine.tenantId);
    await s.lab.run([probe]);
    s.lab.nowMs += PROBE_EVERY_MS;
    s.lab.outside = async () => {
      const url = "https://new.example.com/";
      expect((await s.mine.patch(`/webhooks/${s.webhook.id}`, { url })).body.circuit).toBe(
        "closed",
      );
      await attempts(s, Array(OPENING_FAILURES).fill(bad));
      return accept();
    };
    await s.lab.run([probe]);
    expect(await s.log(probe)).toMatchObject({ state: "SUCCEEDED" });
    expect((await s.state()).circuit).toBe("open");
  });

  it("changes the ETag, so that a conditional read is not answered with 304", async () => {
    const s = await openScene();
    const path = `/webhooks/${s.webhook.id}`;
    const got = await s.mine.get(path, { "if-none-match": '"1"' });
    expect(got.status).toBe(200);
    const etag = got.headers.get("etag") ?? "";
    expect((await s.mine.get(path, { "if-none-match": etag })).status).toBe(304);
    const patched = await s.mine.patch(path, { description: "x" }, { "if-match": etag });
    expect(patched.status, patched.text).toBe(200);
    const stale = await s.mine.patch(path, { description: "y" }, { "if-match": etag });
    expect(stale.status).toBe(412);
  });
});

describe("an open circuit", () => {
  it("holds due deliveries without using an attempt, and sends one probe every 30 s", async () => {
    const s = await openScene();
    const { lab } = s;
    lab.outside = refuse;
    const held = await lab.publish(s.mine.tenantId, undefined, 4);
    const before = lab.received.length;
    await lab.run(held);
    expect(lab.received).toHaveLength(before);
    expect(await states(s)).toMatchObject({ "PENDING held": 3, PENDING: 2 });
    for (let probes = 1; probes <= 3; probes += 1) {
      const startedMs = lab.nowMs;
      await pump(s, startedMs + PROBE_EVERY_MS - 1);
      expect(lab.received).toHaveLength(before + probes - 1);
      await pump(s, startedMs + PROBE_EVERY_MS);
      expect(lab.received).toHaveLength(before + probes);
      expect((await s.state()).circuit).toBe("open");
    }
    // Each probe used one attempt of a due delivery. No other attempt was used.
    const logs = await Promise.all(held.map((one) => s.log(one)));
    const counts: number[] = logs.map((log) => log.attemptCount);
    expect(counts.reduce((sum, count) => sum + count)).toBe(3);
    expect(Math.max(...counts)).toBeLessThanOrEqual(2);
    expect(logs.filter((log) => log.attempts.length !== log.attemptCount)).toEqual([]);
  });

  it("shows which deliveries are held, and when the probe is in flight", async () => {
    const s = await openScene();
    const [first, second] = await s.lab.publish(s.mine.tenantId, undefined, 2);
    await s.lab.run([first, second]);
    const logs = [await s.log(first), await s.log(second)];
    const heldOne = logs.find((log) => log.held);
    expect(heldOne).toMatchObject({ state: "PENDING", nextTryAt: null, attemptCount: 0 });
    expect(logs.filter((log) => log.held)).toHaveLength(1);
    s.lab.nowMs += PROBE_EVERY_MS;
    const seen: unknown[] = [];
    s.lab.outside = async () => {
      // The service reads the real clock: make the probe due for it as well.
      await env.DB.prepare("UPDATE webhooks SET next_probe_at_ms = 1 WHERE id = ?")
        .bind(s.webhook.id)
        .run();
      seen.push((await s.state()).circuit);
      return accept();
    };
    await s.lab.run([first, second]);
    expect(seen).toEqual(["probing"]);
  });

  it("closes when the probe succeeds and drains: ten at once, then one for each success", async () => {
    const s = await openScene();
    const { lab } = s;
    lab.outside = accept;
    const waiting = await lab.publish(s.mine.tenantId, undefined, 26);
    await lab.run(waiting);
    const before = lab.received.length;
    lab.nowMs += PROBE_EVERY_MS;
    const [probe] = lab.queued.splice(0);
    await lab.run([probe]);
    expect(lab.received).toHaveLength(before + 1);
    expect(await s.state()).toMatchObject({
      circuit: "closed",
      circuitOpenSince: null,
      nextProbeAt: null,
    });
    expect(lab.queued).toHaveLength(BURST);
    let most = 0;
    for (let runs = 0; lab.queued.length > 0 && runs < 100; runs += 1) {
      most = Math.max(most, lab.queued.length);
      await lab.run(lab.queued.splice(0, BATCH));
    }
    expect(most).toBe(BURST);
    expect(lab.received).toHaveLength(before + 26);
    expect(new Set(lab.received.map(({ headers }) => headers["webhook-id"])).size).toBe(
      lab.received.length,
    );
    expect(await states(s)).toMatchObject({ SUCCEEDED: 26 });
    const row = await env.DB.prepare("SELECT draining FROM webhooks WHERE id = ?")
      .bind(s.webhook.id)
      .first();
    expect(row).toEqual({ draining: 0 });
  });

  it("releases nothing for a success that arrives after it opened again", async () => {
    const s = await openScene();
    const { lab } = s;
    await lab.run(await lab.publish(s.mine.tenantId, undefined, 1 + BURST + 3));
    lab.nowMs += PROBE_EVERY_MS;
    lab.outside = accept;
    await lab.run(lab.queued.splice(0));
    const [freed] = lab.queued;
    lab.outside = async () => {
      lab.nowMs += 1;
      await attempts(s, Array(OPENING_FAILURES).fill(bad));
      return accept();
    };
    await lab.run([freed]);
    expect((await s.state()).circuit).toBe("open");
    // One of the three is the next probe.
    expect(await states(s)).toMatchObject({ "PENDING held": 2 });
  });

  it("does not open again after one failure, but after ten", async () => {
    const s = await openScene();
    const [probe] = await s.lab.publish(s.mine.tenantId);
    await s.lab.run([probe]);
    s.lab.nowMs += PROBE_EVERY_MS;
    s.lab.outside = accept;
    await s.lab.run([probe]);
    s.lab.nowMs += 1;
    await attempts(s, Array(9).fill(bad));
    expect((await s.state()).circuit).toBe("closed");
    await attempts(s, [bad]);
    expect((await s.state()).circuit).toBe("open");
  });

  it("has one probe, even with duplicate, concurrent and reordered messages", async () => {
    const s = await openScene();
    const { lab } = s;
    const waiting = await lab.publish(s.mine.tenantId, undefined, 5);
    const all = [...waiting, ...waiting.toReversed()];
    await Promise.all([lab.run(all), lab.run(waiting.toReversed()), lab.run(waiting)]);
    const before = lab.received.length;
    lab.nowMs += PROBE_EVERY_MS;
    lab.outside = refuse;
    await Promise.all([lab.run(all), lab.run(waiting.toReversed()), lab.run(lab.queued.splice(0))]);
    expect(lab.received).toHaveLength(before + 1);
    expect(await states(s)).toMatchObject({ "PENDING held": 3 });
  });

  it.each(["fast", "slow"] as const)("holds deliveries of the %s queue", async (lane) => {
    const s = await openScene();
    await env.DB.prepare("UPDATE webhooks SET slow = ? WHERE id = ?")
      .bind(lane === "slow" ? 1 : 0, s.webhook.id)
      .run();
    s.lab.lane = lane;
    const before = s.lab.received.length;
    await s.lab.run(await s.lab.publish(s.mine.tenantId, undefined, 3));
    expect(s.lab.received).toHaveLength(before);
    expect(s.lab.queued).toMatchObject([{ queue: lane, delaySeconds: PROBE_EVERY_MS / 1000 }]);
  });

  it.each([
    ["another URL", { url: "https://new.example.com/" }],
    ["off and on", { enabled: false }],
  ])("is closed by %s, and what was held goes out", async (_, change) => {
    const s = await openScene();
    const { lab } = s;
    await lab.run(await lab.publish(s.mine.tenantId, undefined, 3));
    const before = lab.received.length;
    const path = `/webhooks/${s.webhook.id}`;
    expect((await s.mine.patch(path, change)).body.circuit).toBe("closed");
    if ("enabled" in change) await s.mine.patch(path, { enabled: true });
    lab.outside = accept;
    lab.nowMs += PROBE_EVERY_MS;
    await sweep(s);
    await pump(s, lab.nowMs + 1);
    expect(lab.received.length - before).toBeGreaterThanOrEqual(3);
    expect(await states(s)).not.toHaveProperty("PENDING held");
  });

  it.each(["disabled", "deleted"])(
    "of a %s webhook holds nothing: its deliveries are canceled",
    async (how) => {
      const s = await openScene();
      await s.lab.run(await s.lab.publish(s.mine.tenantId, undefined, 4));
      const path = `/webhooks/${s.webhook.id}`;
      const ended =
        how === "deleted" ? s.mine.delete(path) : s.mine.patch(path, { enabled: false });
      expect((await ended).status).toBeLessThan(300);
      s.lab.nowMs += PROBE_EVERY_MS;
      const before = s.lab.received.length;
      await sweep(s);
      await pump(s, s.lab.nowMs);
      expect(s.lab.received).toHaveLength(before);
      // Also due: the first delivery, for which no message was sent, and the ten that failed before.
      const left = await states(s);
      expect(Object.keys(left).sort()).toEqual(["CANCELED"]);
    },
  );
});

/** The sender dies at each of its batches, from the failure that opens a circuit to the last delivery. */
describe("a crash", () => {
  const moments = ["before", "after"].flatMap((when) =>
    [1, 2].map((nth) => [nth, when as "before" | "after"] as const),
  );

  it.each(
    moments.flatMap(([nth, when]) =>
      (["holding", "probing", "draining"] as const).map((during) => [during, nth, when] as const),
    ),
  )("while %s, at batch %i, %s its commit, loses nothing", async (during, nth, when) => {
    const s = await openScene();
    const { lab } = s;
    const waiting = await lab.publish(s.mine.tenantId, undefined, 14);
    const broken = { env: { ...lab.env, DB: failingDb(nth, when) } };
    lab.outside = accept;
    await lab.run(waiting.slice(0, 3), during === "holding" ? broken : {});
    await lab.run(waiting.slice(3));
    lab.nowMs += PROBE_EVERY_MS;
    await lab.run(lab.queued.splice(0), during === "probing" ? broken : {});
    await lab.run(lab.queued.splice(0, BATCH), during === "draining" ? broken : {});
    for (let minutes = 0; minutes < 8 && !(await isOver(s)); minutes += 1) {
      lab.nowMs += LEASE_MS;
      await sweep(s);
      await pump(s, lab.nowMs);
    }
    const left = await states(s);
    expect(left["PENDING held"] ?? 0).toBe(0);
    expect(left["SUCCEEDED"]).toBeGreaterThanOrEqual(14);
    for (const one of waiting)
      expect(await s.log(one)).toMatchObject({ state: "SUCCEEDED", held: false });
    // Sent at least once, and at most once more if the first attempt was not recorded.
    const sent = lab.received.length - OPENING_FAILURES;
    expect(sent).toBeLessThanOrEqual((left["SUCCEEDED"] ?? 0) + BATCH);
    expect((await s.state()).circuit).toBe("closed");
  });
});

describe("a sender that outlived its lease", () => {
  const row = (s: Scene) =>
    env.DB.prepare(
      `SELECT failures_in_row AS failures, failing_since_ms AS failingSinceMs, circuit_open_since_ms AS openSinceMs,
         next_probe_at_ms AS nextProbeAtMs, probe_delivery_id AS probeId, slow FROM webhooks WHERE id = ?`,
    )
      .bind(s.webhook.id)
      .first();

  it("does not count its failure against the webhook", async () => {
    const s = await scene();
    s.lab.outside = async () => {
      s.lab.nowMs += LEASE_MS;
      s.lab.outside = accept;
      await s.lab.run([s.delivery]);
      return refuse();
    };
    await s.lab.run([s.delivery]);
    expect(await row(s)).toMatchObject({ failures: 0, failingSinceMs: null, slow: 0 });
  });

  it.each([ok, bad])(
    "while sending the probe, answered %i, leaves the circuit to the sender that took over",
    async (status) => {
      const s = await openScene();
      const { lab } = s;
      await lab.run(await lab.publish(s.mine.tenantId, undefined, 3));
      lab.nowMs += PROBE_EVERY_MS;
      const [probe] = lab.queued.splice(0);
      let before: unknown;
      lab.outside = async () => {
        lab.nowMs += LEASE_MS;
        // The sender that takes over claims the probe and dies.
        await lab.run([probe], { env: { ...lab.env, DB: failingDb(1, "after") } });
        before = await row(s);
        return new Response(null, { status });
      };
      await lab.run([probe]);
      expect(await row(s)).toEqual(before);
      expect(await states(s)).toMatchObject({ "PENDING held": 2 });
    },
  );
});

describe("the sweep", () => {
  it("drains ten per minute if no success does, the oldest first, and replaces a lost probe", async () => {
    const s = await openScene();
    const { lab } = s;
    await lab.run(await lab.publish(s.mine.tenantId, undefined, 14));
    const probeOf = () =>
      env.DB.prepare("SELECT probe_delivery_id AS id FROM webhooks WHERE id = ?")
        .bind(s.webhook.id)
        .first<{ id: string }>();
    const probe = await probeOf();
    await env.DB.prepare(
      "UPDATE webhook_deliveries SET state = 'CANCELED', due_at_ms = NULL WHERE tenant_id = ? AND id = ?",
    )
      .bind(s.mine.tenantId, probe?.id ?? "")
      .run();
    await sweep(s);
    const next = await probeOf();
    expect(next?.id).not.toBe(probe?.id);
    expect(await states(s)).toMatchObject({ "PENDING held": 12 });
    await sweep(s);
    expect(await probeOf()).toEqual(next);
    await env.DB.prepare("UPDATE webhooks SET circuit_open_since_ms = NULL WHERE id = ?")
      .bind(s.webhook.id)
      .run();
    const { results: held } = await env.DB.prepare(
      "SELECT id FROM webhook_deliveries WHERE webhook_id = ? AND tenant_id IS NOT NULL AND held_at_ms IS NOT NULL ORDER BY id",
    )
      .bind(s.webhook.id)
      .all();
    await sweep(s);
    expect(await states(s)).toMatchObject({ "PENDING held": 12 - BURST });
    const { results: left } = await env.DB.prepare(
      "SELECT id FROM webhook_deliveries WHERE webhook_id = ? AND tenant_id IS NOT NULL AND held_at_ms IS NOT NULL ORDER BY id",
    )
      .bind(s.webhook.id)
      .all();
    // The oldest go first.
    expect(left).toEqual(held.slice(BURST));
    await sweep(s);
    expect(await states(s)).not.toHaveProperty("PENDING held");
  });
});

describe("an open circuit with its probe", () => {
  it("does not use up the sweep's limit for webhooks that need it", async () => {
    const db = openDb(env.DB);
    const [fine, stuck] = [await openScene(), await openScene()];
    for (const s of [fine, stuck])
      await s.lab.run(await s.lab.publish(s.mine.tenantId, undefined, 3));
    // Sweeps the leftovers of other tests first.
    for (let sweeps = 0; sweeps < 3; sweeps += 1) await sweepCircuits(db, stuck.lab.nowMs);
    await env.DB.prepare("UPDATE webhooks SET circuit_open_since_ms = NULL WHERE id = ?")
      .bind(stuck.webhook.id)
      .run();
    await sweepCircuits(db, stuck.lab.nowMs, 1);
    expect(await states(stuck)).not.toHaveProperty("PENDING held");
    expect(await states(fine)).toMatchObject({ "PENDING held": 2 });
  });
});

describe("the statements", () => {
  it("of the sender, the circuit and the sweep use an index", async () => {
    const s = await openScene();
    const { lab } = s;
    const queries = new Set<string>();
    const listening = {
      prepare: (query: string) => {
        queries.add(query);
        return env.DB.prepare(query);
      },
      batch: (statements: D1PreparedStatement[]) => env.DB.batch(statements),
    } as unknown as D1Database;
    const parts = { env: { ...lab.env, DB: listening } };
    lab.outside = refuse;
    const waiting = await lab.publish(s.mine.tenantId, undefined, 14);
    await lab.run(waiting, parts);
    lab.nowMs += PROBE_EVERY_MS;
    await lab.run(lab.queued.splice(0), parts);
    lab.outside = accept;
    lab.nowMs += PROBE_EVERY_MS;
    await lab.run(lab.queued.splice(0), parts);
    await lab.run(lab.queued.splice(0, 1), parts);
    lab.outside = refuse;
    await lab.run(lab.queued.splice(0, 1), parts);
    await sweepWebhooks(parts.env, lab.nowMs);
    expect(queries.size).toBeGreaterThan(15);
    const plans = await Promise.all(
      [...queries].map(async (query) => {
        const count = query.split("?").length - 1;
        const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${query}`)
          .bind(...Array(count).fill("[]"))
          .all<{ detail: string }>();
        return plan.results.map(({ detail }) => `${detail} :: ${query}`);
      }),
    );
    // Held and running rows are few and have their own indexes. A tenant's rows may be many, and are read only once an
    // hour, to find the oldest that is kept.
    const few =
      /^SCAN (?:held|waiting|j|json_each|tenant|turn|\(|webhook_recoveries USING INDEX webhook_recoveries_running)|ORDER BY id DESC LIMIT 1 OFFSET \?$/;
    const scans = plans
      .flat()
      .filter((line) => /^SCAN |PRIMARY KEY \(tenant_id=\?\)/.test(line) && !few.test(line));
    expect(scans).toEqual([]);
  });
});
