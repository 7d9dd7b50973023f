/**
 * Sweeps that remove rows by age or with their tenant. Each writes and reads a bounded amount, however many rows exist.
 * After a crash, removed rows stay removed. Repeated sweeps come to an end.
 */
import { env } from "cloudflare:workers";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { sealAudit } from "#areas/audit/seal-audit.ts";
import { sweepImports } from "#areas/imports/sweep-imports.ts";
import { sweepSessions } from "#areas/sign-in/sweep-sessions.ts";
import { sweepStatus } from "#areas/status/sweep-status.ts";
import { purgeTenants } from "#areas/tenants/purge-tenants.ts";
import { sweepWebhooks } from "#areas/webhooks/sweep.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { forgetAnswers } from "#kernel/call/forget-answers.ts";
import { sentBy, total } from "#test/support/billing-meter.ts";
import { countFor } from "#test/support/depth.ts";
import { emptyDatabase } from "#test/support/empty-database.ts";

const ROWS = countFor({ ordinary: 12_000, deep: 1_000_000 });
const TENANTS = 7;
const DAY_MS = 86_400_000;
const OLD_MS = 31 * DAY_MS;
/** In the first minute of an hour, when answers are forgotten. */
const nowMs = Math.floor(Date.now() / 3_600_000) * 3_600_000;

type Sweep = (env: Bindings, nowMs: number) => Promise<void>;

interface Scene {
  /** Inserts about `ROWS` rows. */
  fill: string[];
  sweep: Sweep;
  /** Counts the rows still to be removed. */
  left: string;
  /** The most rows that one sweep writes. */
  writes: number;
  /** The most further rows that it reads. */
  reads?: number;
  /** The most statements that it sends. */
  statements: number;
}

const many = `WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < ${ROWS})`;
const tenant = `'tenant-' || (n % ${TENANTS})`;
const tenants = `WITH RECURSIVE many(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM many WHERE n < ${TENANTS - 1})
  INSERT INTO tenants (id, name, search_text, slug, limits, allowed_email_domains, version, created_at_ms, updated_at_ms)
  SELECT ${tenant}, 'n', 'N', ${tenant}, '{}', '[]', 1, 0, 0 FROM many`;
const watch = "INSERT INTO sweep_watch (id, swept_at_ms) VALUES (1, 0)";
/** Ids of that time, in order. */
const idOf = (ms: string) =>
  `substr(printf('%012x', ${ms}), 1, 8) || '-' || substr(printf('%012x', ${ms}), 9) || '-7000-8000-' || printf('%012x', n)`;
const old = idOf(`${nowMs - OLD_MS}`);
const deployments = (tenantId: string, ms: number) => `${many}
  INSERT INTO deployments (id, tenant_id, instance_id, target_id, operation, state, trigger, requested_by, inputs, timestamps,
    projected, version, created_at_ms, updated_at_ms)
  SELECT ${idOf(`${ms}`)}, ${tenantId}, 'i', 't', 'deploy', 'SUCCEEDED', 'manual', 'key:k', '{}', '{}', 1, 1, ${ms}, ${ms}
  FROM many`;

const scenes: Record<string, Scene> = {
  "old events, deliveries and attempts": {
    fill: [
      `${many} INSERT INTO events (tenant_id, id, type, resource_type, resource_id, payload, created_at_ms)
        SELECT ${tenant}, ${old}, 'instance.created', 'instance', 'i', '{}', ${nowMs - OLD_MS} FROM many`,
      `${many} INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_tenant_id, event_id, event_type, state, attempts,
          manual, due_at_ms, lease_until_ms, created_at_ms, updated_at_ms)
        SELECT ${tenant}, ${old}, 'w', ${tenant}, 'e', 'instance.created', 'SUCCEEDED', 1, 0, NULL, 0, ${nowMs - OLD_MS}, 0 FROM many`,
      `${many} INSERT INTO webhook_attempts (tenant_id, id, webhook_id, delivery_id, number, started_at_ms, duration_ms,
          request_headers, answer, answer_cut)
        SELECT ${tenant}, ${old}, 'w', 'd', 1, ${nowMs - OLD_MS}, 1, '{}', '', 0 FROM many`,
    ],
    sweep: sweepWebhooks,
    left: "SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM webhook_deliveries) + (SELECT count(*) FROM webhook_attempts)",
    writes: 5_000 + 2 * 25_000,
    statements: 4 * 10 + 20,
  },
  "deliveries that wait in a lane": {
    fill: [
      `${many} INSERT INTO webhook_deliveries (tenant_id, id, webhook_id, event_tenant_id, event_id, event_type, state, attempts,
          manual, due_at_ms, lease_until_ms, waits_in, created_at_ms, updated_at_ms)
        SELECT ${tenant}, ${idOf(`${nowMs}`)}, 'w', ${tenant}, 'e', 'instance.created', 'PENDING', 0, 0, 1, 0, 'fast', ${nowMs}, 0 FROM many`,
    ],
    sweep: sweepWebhooks,
    left: "SELECT 0",
    // As many as a lane takes of each tenant, with their indices.
    writes: TENANTS * 24 * 6,
    statements: 40,
  },
  "expired answers": {
    fill: [
      watch,
      `${many} INSERT INTO idempotency_keys SELECT 'p' || (n % 50), 'o', n, '', 204, '{}', '', ${nowMs - 2} + n % 4, 0 FROM many`,
    ],
    sweep: forgetAnswers,
    left: `SELECT count(*) FROM idempotency_keys WHERE expires_at_ms <= ${nowMs}`,
    writes: 2_000 * 10 + 10,
    statements: 3 * 10 + 1,
  },
  "the rows of a tenant that was deleted": {
    fill: [
      `INSERT INTO tenant_purges VALUES ('tenant-0', ${nowMs - 8 * DAY_MS}, ${nowMs - 1})`,
      deployments("'tenant-0'", nowMs - OLD_MS),
      `${many} INSERT INTO deployment_plans SELECT 'tenant-0', n, '[]' FROM many`,
    ],
    sweep: purgeTenants,
    left: "SELECT (SELECT count(*) FROM deployments) + (SELECT count(*) FROM deployment_plans) + (SELECT count(*) FROM tenant_purges)",
    // Each row with its index entries or the count of its bytes.
    writes: 100 * 500 * 3,
    statements: 200,
  },
  "old imports": {
    fill: [
      `${many.replace(String(ROWS), String(ROWS / 40))} INSERT INTO imports (id, tenant_id, state, formats, progress, counts, version, created_at_ms)
        SELECT ${old}, ${tenant}, 'SUCCEEDED', '[]', '{}', '{}', 1, ${nowMs - OLD_MS} FROM many`,
      `INSERT INTO import_parts SELECT imports.tenant_id, imports.id, 'resources', c.value, '[]' FROM imports,
        json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40]') c`,
    ],
    sweep: sweepImports,
    left: "SELECT (SELECT count(*) FROM imports) + (SELECT count(*) FROM import_parts)",
    // Each row, and the count of its bytes.
    writes: 100 * (40 + 1) * 2,
    statements: 3,
  },
  "sessions and sign-ins that are over": {
    fill: [
      `${many} INSERT INTO sessions (id, digest, user_id, operator, provider, last_seen_at_ms, expires_at_ms, created_at_ms)
        SELECT n, n, 'u', 0, 'p', 0, 0, 0 FROM many`,
      `${many} INSERT INTO sign_ins (state_digest, browser_digest, provider, issuer, return_to, secrets, expires_at_ms)
        SELECT n, n, 'p', 'i', '/', '', 0 FROM many`,
    ],
    sweep: sweepSessions,
    left: "SELECT (SELECT count(*) FROM sessions) + (SELECT count(*) FROM sign_ins)",
    writes: 2 * 5_000,
    statements: 2,
  },
  "entries of the audit log without a seal": {
    fill: [
      `${many} INSERT INTO audit_events (tenant_id, id, at_ms, actor, action, resource_type, resource_id, request_id, sequence)
        SELECT ${tenant}, ${old}, 0, 'a', 'a', 'r', 'i', 'q', n / ${TENANTS} + 1 FROM many`,
    ],
    sweep: sealAudit,
    left: "SELECT (SELECT count(*) FROM audit_events) - (SELECT count(*) FROM audit_seals)",
    writes: 20 * 500,
    statements: 40,
  },
  "a day of deployments that is not counted yet": {
    fill: [tenants, deployments(tenant, nowMs - 3 * DAY_MS)],
    sweep: sweepStatus,
    left: "SELECT 1 - EXISTS (SELECT 1 FROM status_days WHERE tenant_id <> 'platform')",
    // A row for each day of the status, and one for each tenant with deployments.
    writes: 90 + TENANTS,
    // Each deployment of the day once, and each tenant for each day.
    reads: ROWS + 90 * 2 * TENANTS + 10_000,
    statements: 2 * 90 + 1,
  },
};

/** A database whose n-th round trip from now fails, before or after it takes effect. */
function dyingDb(nth: number, when: "before" | "after"): D1Database {
  let trips = 0;
  const trip = async <T>(send: () => Promise<T>): Promise<T> => {
    trips += 1;
    if (trips !== nth) return send();
    if (when === "after") await send();
    throw new Error("D1_ERROR: the sweep dies here, as the test plans");
  };
  const native = new Map<D1PreparedStatement, D1PreparedStatement>();
  const wrapped = (statement: D1PreparedStatement): D1PreparedStatement => {
    const dying = {
      bind: (...values: unknown[]) => wrapped(statement.bind(...values)),
      all: () => trip(() => statement.all()),
      run: () => trip(() => statement.run()),
    } as D1PreparedStatement;
    native.set(dying, statement);
    return dying;
  };
  return {
    prepare: (query: string) => wrapped(env.DB.prepare(query)),
    batch: (statements: D1PreparedStatement[]) =>
      trip(() => env.DB.batch(statements.map((one) => native.get(one) ?? one))),
  } as D1Database;
}

async function leftOf({ left }: Scene): Promise<number> {
  return Number((await env.DB.prepare(`SELECT (${left}) AS n`).first("n")) ?? 0);
}

describe.each(Object.entries(scenes))("%s", (_, scene) => {
  beforeEach(emptyDatabase);
  // Its rows do not match the service's declarations.
  afterAll(emptyDatabase);

  it("take a bounded number of rows and statements in each sweep, until none is left", async () => {
    for (const statement of scene.fill) await env.DB.prepare(statement).run();
    let left = await leftOf(scene);
    // In a deep run, the rows would take too long.
    for (let sweeps = 0; sweeps < 20 && (left > 0 || sweeps === 0); sweeps += 1) {
      const { charges, sent } = await sentBy(() => scene.sweep(env, nowMs));
      expect(total(charges, "written", /^d1/)).toBeLessThanOrEqual(scene.writes);
      expect(sent.statements).toBeLessThanOrEqual(scene.statements);
      expect(sent.longestMs).toBeLessThan(10_000);
      // Kept rows are not read again and again.
      expect(total(charges, "read", /^d1/)).toBeLessThan(
        20 * scene.writes + (scene.reads ?? 20_000),
      );
      const next = await leftOf(scene);
      if (left > 0) expect(next).toBeLessThan(left);
      left = next;
    }
    if (ROWS < 100_000) expect(left).toBe(0);
  }, 600_000);

  it.runIf(scene.left !== "SELECT 0")(
    "are fewer after a sweep that died between two steps, and none in the end",
    async () => {
      for (const statement of scene.fill) await env.DB.prepare(statement).run();
      const first = await leftOf(scene);
      let deaths = 0;
      for (const when of ["before", "after"] as const)
        for (const nth of [1, 2, 5])
          await scene.sweep({ ...env, DB: dyingDb(nth, when) }, nowMs).catch(() => (deaths += 1));
      expect(deaths).toBeGreaterThan(1);
      const died = await leftOf(scene);
      expect(died).toBeLessThanOrEqual(first);
      for (let sweeps = 0; sweeps < 20; sweeps += 1) await scene.sweep(env, nowMs);
      const left = await leftOf(scene);
      if (ROWS < 100_000) expect(left).toBe(0);
      else expect(left).toBeLessThan(died);
    },
    600_000,
  );
});
