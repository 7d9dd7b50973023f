/** A tenant whose backlog is too large for a sweep does not keep sweeps from other tenants. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { sealAudit } from "#areas/audit/seal-audit.ts";
import { MAX_OF_A_TENANT, MAX_TRIGGERS, sweepTriggers } from "#areas/triggers/sweep-triggers.ts";
import { LANE_LIMIT } from "#areas/webhooks/delivery/lane-limit.ts";
import { sweepCircuits } from "#areas/webhooks/delivery/sweep-circuits.ts";
import { sweepWebhooks } from "#areas/webhooks/sweep.ts";
import { openDb } from "#platform/db/client.ts";
import { chargesOf, total } from "#test/support/billing-meter.ts";
import { makeLab } from "#test/support/delivery-lab.ts";
import { emptyDatabase } from "#test/support/empty-database.ts";

beforeEach(emptyDatabase);

const lab = makeLab();
const now = Date.now();
const OF_OTHERS = "zz-of-others";

/** `count` rows; the values may name the row's number `n`. */
async function insert(table: string, count: number, row: Record<string, string | number>) {
  await env.DB.prepare(
    `INSERT INTO ${table} (${Object.keys(row).join(", ")})
      WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${count})
      SELECT ${Object.values(row).join(", ")} FROM number`,
  ).run();
}

const delivery = {
  tenant_id: "'aa'",
  id: "printf('%08d-0000-7000-8000-000000000000', n)",
  webhook_id: "'a-webhook'",
  event_tenant_id: "'aa'",
  event_id: "'e'",
  event_type: "'instance.created'",
  state: "'PENDING'",
  attempts: 0,
  manual: 0,
  lease_until_ms: 0,
  created_at_ms: now,
  updated_at_ms: now,
};

async function isTrueSoon(sweep: () => Promise<void>, condition: string): Promise<boolean> {
  for (let sweeps = 0; sweeps < 15; sweeps += 1) {
    await sweep();
    if ((await env.DB.prepare(condition).first()) !== null) return true;
  }
  return false;
}

it("admits what a crash left waiting, beside a hundred tenants whose lanes stay full", async () => {
  const [tenants, tenantId] = [100, "printf('aa-%03d', n % 100)"];
  const of = { ...delivery, tenant_id: tenantId, event_tenant_id: tenantId, due_at_ms: now };
  await insert("webhook_deliveries", tenants * LANE_LIMIT, { ...of, lease_until_ms: now + 60_000 });
  const waiting = { ...of, waits_in: "'fast'", id: "printf('waits-%d', n)" };
  await insert("webhook_deliveries", tenants, waiting);
  await insert("webhook_deliveries", 1, { ...waiting, tenant_id: `'${OF_OTHERS}'` });
  const admitted = `SELECT 1 FROM webhook_deliveries WHERE tenant_id = '${OF_OTHERS}' AND waits_in IS NULL`;
  expect(await isTrueSoon(() => sweepWebhooks(lab.env, now), admitted)).toBe(true);
});

it("releases what a crash left held, beside a tenant with many held deliveries of deleted webhooks", async () => {
  const held = { ...delivery, held_at_ms: now };
  await insert("webhook_deliveries", 10_000, held);
  await insert("webhook_deliveries", 1, {
    ...held,
    tenant_id: `'${OF_OTHERS}'`,
    webhook_id: "'z-webhook'",
  });
  const released = `SELECT 1 FROM webhook_deliveries WHERE tenant_id = '${OF_OTHERS}' AND held_at_ms IS NULL`;
  const sweep = () => sweepCircuits(openDb(env.DB), now, 1);
  expect(await isTrueSoon(sweep, released)).toBe(true);
});

it("sends in the next sweep what became due, beside a tenant that deleted many webhooks", async () => {
  const webhookId = "printf('a-webhook-%d', n % 40)";
  await insert("webhook_deliveries", 20_000, {
    ...delivery,
    webhook_id: webhookId,
    held_at_ms: now,
  });
  await sweepWebhooks(lab.env, now);
  const late = { ...delivery, tenant_id: `'${OF_OTHERS}'`, due_at_ms: now + 30_000 };
  await insert("webhook_deliveries", 1, late);
  lab.queued.length = 0;
  await sweepWebhooks(lab.env, now + 60_000);
  expect(lab.queued.filter(({ tenantId }) => tenantId === OF_OTHERS)).toHaveLength(1);
});

it("seals the entry of a tenant in the next sweep, beside a tenant with more than a sweep seals", async () => {
  const entry = {
    tenant_id: "'aa'",
    id: "printf('%08d-0000-7000-8000-000000000000', n)",
    at_ms: now,
    sequence: "n",
    actor: "'system:x'",
    action: "'x.y'",
    resource_type: "'x'",
    resource_id: "'y'",
    request_id: "'z'",
  };
  await insert("audit_events", 10_100, entry);
  await insert("audit_events", 3, { ...entry, tenant_id: `'${OF_OTHERS}'` });
  await sealAudit(env, now);
  const { results } = await env.DB.prepare(
    "SELECT tenant_id AS id, count(*) AS count, max(sequence) AS last FROM audit_seals GROUP BY 1 ORDER BY 1",
  ).all();
  expect(results).toEqual([
    { id: "aa", count: 9_997, last: 9_997 },
    { id: OF_OTHERS, count: 3, last: 3 },
  ]);
});

const trigger = {
  id: "printf('%s-%06d', 'aa', n)",
  tenant_id: "'aa'",
  instance_id: "'an-instance'",
  kind: "'schedule'",
  enabled: 1,
  condition: "'{}'",
  next_fire_at_ms: now - 60_000,
  version: 1,
  created_at_ms: now,
  updated_at_ms: now,
};

/** The tenants of the triggers for which a sweep sends messages, in their order. */
async function sentBySweep(): Promise<string[]> {
  const sent: string[] = [];
  const sendBatch = async (batch: Iterable<{ body: { tenantId: string } }>) => {
    for (const { body } of batch) sent.push(body.tenantId);
  };
  const queue = { sendBatch } as unknown as typeof env.TRIGGERS_QUEUE;
  await sweepTriggers({ ...env, TRIGGERS_QUEUE: queue }, now);
  return sent;
}

it("fires the trigger of a tenant in the next sweep, beside tenants with more than a sweep fires", async () => {
  const busy = ["aa", "ab", "ac"];
  for (const tenant of busy)
    await insert("triggers", MAX_TRIGGERS, {
      ...trigger,
      id: trigger.id.replace("aa", tenant),
      tenant_id: `'${tenant}'`,
    });
  const late = { ...trigger, tenant_id: `'${OF_OTHERS}'`, next_fire_at_ms: now };
  await insert("triggers", 2, { ...late, id: trigger.id.replace("aa", "zz") });
  await insert("triggers", 1, { ...late, id: "'later'", next_fire_at_ms: now + 1 });
  const charges = await chargesOf(async () => {
    const sent = await sentBySweep();
    expect(sent.filter((one) => one === OF_OTHERS)).toHaveLength(2);
    expect(sent.indexOf(OF_OTHERS)).toBeLessThan(busy.length + 1);
    const parts = busy.map((tenant) => sent.filter((one) => one === tenant).length);
    expect(parts).toEqual(busy.map(() => MAX_OF_A_TENANT));
  });
  // The triggers due longest, then a part of each tenant's: not all due ones.
  expect(total(charges, "read", /^d1/)).toBeLessThan(4 * MAX_TRIGGERS);
});

it("sends all that is due, in turns, where no sweep is full", async () => {
  await insert("triggers", 50, trigger);
  await insert("triggers", 1, {
    ...trigger,
    id: "'zz'",
    tenant_id: `'${OF_OTHERS}'`,
    next_fire_at_ms: now,
  });
  const sent = await sentBySweep();
  expect(sent).toHaveLength(51);
  expect(sent.indexOf(OF_OTHERS)).toBeLessThan(2);
});
