/** `GET /metrics`: what an operator watches, against states that the tests construct. */
import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { getMetricsEndpoint } from "#areas/operations/contract.ts";
import { noteSweeps } from "#areas/operations/note-sweeps.ts";
import { figureStatements, MAX_COUNTED } from "#areas/operations/read-figures.ts";
import { version } from "#package.json";
import { openDb } from "#platform/db/client.ts";
import { derivedId, newId, PLATFORM } from "#platform/ids.ts";
import { expectedMigrations, latestMigration } from "#schema/latest-migration.ts";
import { problemOf, roundTripsOf } from "#test/support/answers.ts";
import { clientOf, makeTenant, operator, OPERATOR_KEY, stranger } from "#test/support/api.ts";
import { ask } from "#test/support/declared.ts";
import { emptyDatabase } from "#test/support/empty-database.ts";
import { readOpenMetrics } from "#test/support/read-openmetrics.ts";
import worker from "#worker.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Whatever a test takes in itself, in seconds. */
const SLACK = 30;

/** The samples of a metric by the value of their label; of one without labels under the empty text. */
type Samples = Record<string, number>;

async function metrics(key = OPERATOR_KEY): Promise<(name: string) => Samples> {
  const answer = await ask(getMetricsEndpoint, "/metrics", { key });
  expect(answer.status, answer.text).toBe(200);
  expect(roundTripsOf(answer)).toBe(1);
  const families = readOpenMetrics(answer.text);
  return (name) => {
    const family = families.get(`control_api_${name}`);
    if (family === undefined) throw new Error(`There is no metric ${name}`);
    expect(family.help).not.toBe("");
    return Object.fromEntries(
      family.samples.map(({ labels, value }) => [Object.values(labels).join(" "), value]),
    );
  };
}

const idAt = (atMs: number) => derivedId(atMs, newId().replaceAll("-", ""));
const now = () => Date.now();

async function insert(table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
  await env.DB.batch(
    rows.map((row) =>
      env.DB.prepare(
        `INSERT INTO ${table} (${Object.keys(row)
          .map((name) => `"${name}"`)
          .join(", ")}) VALUES (${Object.keys(row)
          .map(() => "?")
          .join(", ")})`,
      ).bind(...Object.values(row)),
    ),
  );
}

const deployment = (state: string, ageMs: number, idleMs = ageMs, more = {}) => ({
  id: idAt(now() - ageMs),
  tenant_id: "a-tenant",
  instance_id: "i",
  target_id: "t",
  operation: "deploy",
  state,
  trigger: "manual",
  requested_by: "x",
  inputs: "{}",
  timestamps: "{}",
  projected: 0,
  version: 1,
  created_at_ms: now() - ageMs,
  updated_at_ms: now() - idleMs,
  ...more,
});

const delivery = (state: string, more: Record<string, unknown>) => ({
  id: newId(),
  tenant_id: "a-tenant",
  webhook_id: "w",
  event_tenant_id: "a-tenant",
  event_id: "e",
  event_type: "instance.created",
  state,
  attempts: 0,
  manual: 0,
  lease_until_ms: 0,
  created_at_ms: now(),
  updated_at_ms: now(),
  ...more,
});

const webhook = (circuitOpenSinceMs: number | null) => ({
  id: newId(),
  tenant_id: "a-tenant",
  url: "https://hooks.example.com/in",
  description: "",
  search_text: "",
  events: "[]",
  state: "ENABLED",
  secret: "",
  secret_created_at_ms: 0,
  old_secrets: "[]",
  circuit_open_since_ms: circuitOpenSinceMs,
  version: 1,
  created_at_ms: 0,
  updated_at_ms: 0,
});

const trigger = (nextFireAtMs: number | null) => ({
  id: newId(),
  tenant_id: "a-tenant",
  instance_id: "i",
  kind: "schedule",
  enabled: 1,
  condition: "{}",
  next_fire_at_ms: nextFireAtMs,
  version: 1,
  created_at_ms: 0,
  updated_at_ms: 0,
});

let auditSequence = 1_000;

const auditEvent = (action: string, ageMs: number, tenantId = PLATFORM) => ({
  id: idAt(now() - ageMs),
  tenant_id: tenantId,
  at_ms: now() - ageMs,
  sequence: (auditSequence += 1),
  actor: "system:dead-letters",
  action,
  resource_type: "message",
  resource_id: "m",
  request_id: "r",
});

/** About so many seconds. */
const about = (seconds: number) =>
  expect.toSatisfy((value: number) => {
    return value >= seconds && value < seconds + SLACK;
  }, `about ${seconds} s`);

beforeEach(emptyDatabase);

describe("the metrics", () => {
  it("of an installation in which nothing happens say so", async () => {
    const of = await metrics();
    expect(of("build")).toEqual({ [`${version} ${latestMigration}`]: 1 });
    expect(of("migrations_applied")).toEqual({ "": expectedMigrations });
    expect(of("migrations_expected")).toEqual({ "": expectedMigrations });
    expect(of("deployments_open")).toEqual({
      QUEUED: 0,
      PLANNING: 0,
      AWAITING_APPROVAL: 0,
      APPLYING: 0,
      CANCELING: 0,
    });
    for (const absent of [
      "deployment_oldest_age_seconds",
      "deployment_max_idle_seconds",
      "sweep_last_run_timestamp_seconds",
    ])
      expect(of(absent)).toEqual({});
    for (const none of [
      "deliveries_retrying",
      "delivery_lag_seconds",
      "deliveries_failed_last_hour",
      "circuits_open",
      "circuit_longest_open_seconds",
      "triggers_due",
      "trigger_lag_seconds",
      "dead_letters_last_day",
    ])
      expect(of(none), none).toEqual({ "": 0 });
  });

  it("count open deployments by state, with the oldest and the one without progress for longest", async () => {
    await insert("deployments", [
      deployment("QUEUED", 300_000, 20_000),
      deployment("QUEUED", 100_000),
      deployment("PLANNING", 5_000),
      deployment("APPLYING", 900_000, 40_000),
      deployment("APPLYING", 700_000, 600_000),
      deployment("AWAITING_APPROVAL", 86_400_000),
      deployment("SUCCEEDED", 9_000_000),
    ]);
    const of = await metrics();
    expect(of("deployments_open")).toEqual({
      QUEUED: 2,
      PLANNING: 1,
      AWAITING_APPROVAL: 1,
      APPLYING: 2,
      CANCELING: 0,
    });
    expect(of("deployment_oldest_age_seconds")).toEqual({
      QUEUED: about(300),
      PLANNING: about(5),
      AWAITING_APPROVAL: about(86_400),
      APPLYING: about(900),
    });
    expect(of("deployment_max_idle_seconds")).toEqual({
      QUEUED: about(100),
      PLANNING: about(5),
      AWAITING_APPROVAL: about(86_400),
      APPLYING: about(600),
    });
  });

  it("count the deployments of the last hour by what became of them, and by whose fault it is", async () => {
    const failed = (fault: unknown, ageMs = MINUTE_MS) =>
      deployment("FAILED", ageMs, ageMs, { error: JSON.stringify({ code: "x", fault }) });
    await insert("deployments", [
      deployment("SUCCEEDED", 59 * MINUTE_MS, 0),
      deployment("SUCCEEDED", 61 * MINUTE_MS, 0),
      deployment("APPLYING", MINUTE_MS),
      failed("user"),
      failed("user"),
      failed("provider"),
      failed("service"),
      failed(undefined),
      failed('no"such\nfault'),
      failed("service", 2 * HOUR_MS),
    ]);
    const of = await metrics();
    expect(of("deployments_last_hour")).toMatchObject({
      SUCCEEDED: 1,
      APPLYING: 1,
      FAILED: 6,
      CANCELED: 0,
    });
    expect(Object.keys(of("deployments_last_hour"))).toHaveLength(12);
    expect(of("deployments_failed_last_hour")).toEqual({ user: 2, provider: 1, service: 2 });
  });

  it("count deliveries by what they wait for, with the lag of the oldest that is due", async () => {
    const due = (ageMs: number) => ({ due_at_ms: now() - ageMs });
    await insert("webhook_deliveries", [
      delivery("PENDING", due(90_000)),
      delivery("RETRYING", due(10_000)),
      delivery("PENDING", { ...due(200_000), lease_until_ms: now() + MINUTE_MS }),
      delivery("PENDING", { ...due(95_000), lease_until_ms: now() - MINUTE_MS }),
      delivery("PENDING", { ...due(300_000), waits_in: "fast" }),
      delivery("RETRYING", due(-HOUR_MS)),
      delivery("RETRYING", { held_at_ms: now() }),
      delivery("PENDING", { held_at_ms: now() }),
      delivery("SUCCEEDED", {}),
      delivery("EXHAUSTED", { updated_at_ms: now() - 59 * MINUTE_MS }),
      delivery("EXHAUSTED", { updated_at_ms: now() - 61 * MINUTE_MS }),
      delivery("CANCELED", {}),
    ]);
    await insert("webhooks", [webhook(null), webhook(now() - 120_000), webhook(now() - 7_200_000)]);
    const of = await metrics();
    expect(of("deliveries")).toEqual({
      due: 3,
      under_way: 1,
      lane_limit: 1,
      scheduled: 1,
      held: 2,
    });
    expect(of("deliveries_retrying")).toEqual({ "": 2 });
    expect(of("delivery_lag_seconds")).toEqual({ "": about(95) });
    expect(of("deliveries_failed_last_hour")).toEqual({ "": 1 });
    expect(of("circuits_open")).toEqual({ "": 2 });
    expect(of("circuit_longest_open_seconds")).toEqual({ "": about(7_200) });
  });

  it("count triggers that are due, and lost messages of the last day", async () => {
    await insert("triggers", [
      trigger(now() - 45_000),
      trigger(now() - 5_000),
      trigger(now() + HOUR_MS),
      trigger(null),
    ]);
    await insert("audit_events", [
      auditEvent("message.dead_letter", MINUTE_MS),
      auditEvent("message.dead_letter", 23 * HOUR_MS),
      auditEvent("message.dead_letter", 25 * HOUR_MS),
      auditEvent("message.dead_letter", MINUTE_MS, "a-tenant"),
      auditEvent("tenant.create", MINUTE_MS),
    ]);
    const of = await metrics();
    expect(of("triggers_due")).toEqual({ "": 2 });
    expect(of("trigger_lag_seconds")).toEqual({ "": about(45) });
    expect(of("dead_letters_last_day")).toEqual({ "": 2 });
  });
});

describe("the sweeps", () => {
  it("are shown as they last ran, with all their failures", async () => {
    const atMs = 1_795_000_000_000;
    const run = (startedAtMs: number, durationMs: number, failed = false) => ({
      startedAtMs,
      durationMs,
      failed,
    });
    await noteSweeps(env, {
      audit: run(atMs, 10),
      old: run(atMs, 1),
      webhooks: run(atMs, 20, true),
    });
    await noteSweeps(env, {
      audit: run(atMs + 60_000, 30, true),
      webhooks: run(atMs + 60_000, 40, true),
    });
    const of = await metrics();
    expect(of("sweep_last_run_timestamp_seconds")).toEqual({
      audit: 1_795_000_060,
      webhooks: 1_795_000_060,
    });
    expect(of("sweep_last_success_timestamp_seconds")).toEqual({ audit: 1_795_000_000 });
    expect(of("sweep_last_duration_seconds")).toEqual({ audit: 0.03, webhooks: 0.04 });
    expect(of("sweep_failures")).toEqual({ audit: 1, webhooks: 2 });
    await noteSweeps(env, { audit: run(atMs + 120_000, 5), webhooks: run(atMs + 120_000, 6) });
    const later = await metrics();
    expect(later("sweep_last_success_timestamp_seconds")).toEqual({
      audit: 1_795_000_120,
      webhooks: 1_795_000_120,
    });
    expect(later("sweep_failures")).toEqual({ audit: 1, webhooks: 2 });
  });

  it("are noted by the clock, each minute in one row, also those that fail", async () => {
    await insert("webhook_deliveries", [delivery("PENDING", { due_at_ms: now() - MINUTE_MS })]);
    const lines = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const broken = {
      ...env,
      WEBHOOKS_QUEUE: { sendBatch: async () => Promise.reject(new Error("away")) } as never,
    };
    await expect(worker.scheduled(createScheduledController(), broken)).rejects.toThrow(
      /^1 of \d+ sweeps failed/,
    );
    lines.mockRestore();
    const of = await metrics();
    expect(of("sweep_failures")).toMatchObject({ webhooks: 1, deployments: 0, audit: 0 });
    const [lastRun, lastSuccess] = [
      of("sweep_last_run_timestamp_seconds"),
      of("sweep_last_success_timestamp_seconds"),
    ];
    expect(Object.keys(lastRun).length).toBeGreaterThan(10);
    expect(Object.keys(lastRun)).toEqual(expect.arrayContaining(["webhooks", "deployments"]));
    for (const seconds of Object.values(lastRun))
      expect(now() / 1000 - seconds).toBeLessThan(SLACK);
    expect(Object.keys(lastRun).filter((sweep) => !Object.hasOwn(lastSuccess, sweep))).toEqual([
      "webhooks",
    ]);
    const row = await env.DB.prepare("SELECT count(*) AS count FROM sweep_runs").first("count");
    expect(row).toBe(1);
  });

  it("run although they cannot be noted", async () => {
    const lines = vi.spyOn(console, "error").mockImplementation(() => undefined);
    await noteSweeps(
      {
        ...env,
        DB: {
          prepare: () => {
            throw new Error("away");
          },
        } as never,
      },
      {},
    );
    expect(String(lines.mock.lastCall?.[0])).toContain("could not be noted");
    lines.mockRestore();
  });
});

describe("the text", () => {
  it("has no id and no text of a tenant, and keeps hostile label values as they are", async () => {
    const tenant = await makeTenant();
    const hostile = 'x"} 1\ncontrol_api_deployments_open{state="\\';
    await insert("deployments", [
      deployment("FAILED", 1, 1, { error: JSON.stringify({ fault: hostile }), message: hostile }),
      deployment("QUEUED", 1, 1, { tenant_id: tenant.tenantId, requested_by_name: hostile }),
    ]);
    const run = { startedAtMs: 1, durationMs: 1, failures: 0, succeededAtMs: 1 };
    await insert("sweep_runs", [{ id: 1, runs: JSON.stringify({ [hostile]: run }) }]);
    const { text, headers } = await operator.get("/metrics");
    expect(headers.get("content-type")).toBe(
      "application/openmetrics-text; version=1.0.0; charset=utf-8",
    );
    expect(headers.get("cache-control")).toBe("no-store");
    const samples = readOpenMetrics(text).get("control_api_sweep_failures")?.samples;
    expect(samples).toEqual([{ labels: { sweep: hostile }, value: 0 }]);
    for (const foreign of [tenant.tenantId, tenant.slug, "a-tenant"])
      expect(text).not.toContain(foreign);
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  });

  it("is for operators with the scope alone, and refused to others as other endpoints of operators are", async () => {
    const tenant = await makeTenant();
    const keyOf = async (scopes: string[]) => {
      const made = await operator.post("/api-keys", { name: "narrow", scopes });
      expect(made.status, made.text).toBe(201);
      return made.body.key as string;
    };
    const scraper = await keyOf(["metrics:read"]);
    await metrics(scraper);
    const cached = await metrics(scraper);
    expect(cached("circuits_open")).toEqual({ "": 0 });
    expect((await clientOf(scraper).get("/operations/runs")).status).toBe(403);
    expect((await clientOf(scraper).get("/tenants")).status).toBe(403);
    const unscoped = await clientOf(await keyOf(["deployments:read"])).get("/metrics");
    expect([unscoped.status, unscoped.body.detail]).toEqual([
      403,
      "The API key lacks the scope metrics:read.",
    ]);
    for (const client of [tenant, stranger, clientOf("cpk_nothing")]) {
      const refused = await client.get("/metrics");
      expect([401, 403]).toContain(refused.status);
      expect(problemOf(refused)).toEqual(problemOf(await client.get("/operations/runs")));
      expect(refused.text).not.toContain("control_api");
    }
  });
});

describe("reading them", () => {
  interface Preparable {
    _prepare: () => { getQuery: () => { sql: string; params: unknown[] } };
  }

  async function costs(): Promise<{ rows: number; scans: string[] }> {
    const seen = { rows: 0, scans: [] as string[] };
    for (const statement of figureStatements({ db: openDb(env.DB), now: now() })) {
      const { sql: text, params } = (statement as unknown as Preparable)._prepare().getQuery();
      const { meta } = await env.DB.prepare(text)
        .bind(...params)
        .all();
      seen.rows += meta.rows_read;
      const plan = await env.DB.prepare(`EXPLAIN QUERY PLAN ${text}`)
        .bind(...params)
        .all<{ detail: string }>();
      seen.scans.push(
        ...plan.results.map(({ detail }) => detail).filter((one) => one.startsWith("SCAN ")),
      );
    }
    return seen;
  }

  it("scans no table that grows, only the indexes of what is counted", async () => {
    const { scans } = await costs();
    const allowed =
      /^SCAN (?:\(subquery-\d+\)|d1_migrations.*|\w+ USING (?:COVERING )?INDEX (?:deployments_open_of_instance|deployments_parked|webhook_deliveries_(?:due|held|waiting)|webhooks_open))$/;
    expect(scans.filter((one) => !allowed.test(one))).toEqual([]);
  });

  it("costs the same however much has ended", async () => {
    const before = (await costs()).rows;
    const count = 1_000;
    const old = 2 * 24 * HOUR_MS;
    for (let at = 0; at < count; at += 100) {
      const rows = Array.from({ length: 100 });
      await insert(
        "deployments",
        rows.map(() => deployment("SUCCEEDED", old)),
      );
      await insert(
        "webhook_deliveries",
        rows.map(() => delivery("EXHAUSTED", { updated_at_ms: now() - old })),
      );
      await insert(
        "webhooks",
        rows.map(() => webhook(null)),
      );
      await insert(
        "triggers",
        rows.map(() => trigger(null)),
      );
      await insert(
        "audit_events",
        rows.map(() => auditEvent("message.dead_letter", old)),
      );
    }
    expect((await costs()).rows).toBeLessThanOrEqual(before + 5);
  });

  it("stops counting a backlog, and still finds its oldest", async () => {
    await insert("webhook_deliveries", [delivery("PENDING", { due_at_ms: now() - 500_000 })]);
    await backlog({ due_at_ms: now() - 1_000 });
    const of = await metrics();
    expect(of("deliveries")).toMatchObject({ due: MAX_COUNTED });
    expect(of("delivery_lag_seconds")).toEqual({ "": about(500) });
  });

  it("finds the oldest that is late beside the backlog of a tenant that waits for its lane limit", async () => {
    await insert("webhook_deliveries", [delivery("PENDING", { due_at_ms: now() - 300_000 })]);
    await backlog({ due_at_ms: now() - 900_000, waits_in: "slow" });
    const of = await metrics();
    expect(of("deliveries")).toMatchObject({ lane_limit: MAX_COUNTED, due: 1 });
    expect(of("delivery_lag_seconds")).toEqual({ "": about(300) });
  });
});

/** More deliveries than are counted. */
async function backlog(more: { due_at_ms: number; waits_in?: string }): Promise<void> {
  await env.DB.prepare(
    `WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < ?1)
      INSERT INTO webhook_deliveries (id, tenant_id, webhook_id, event_tenant_id, event_id, event_type, state,
        attempts, manual, due_at_ms, waits_in, lease_until_ms, created_at_ms, updated_at_ms)
      SELECT 'd' || at, 'a-tenant', 'w', 'a-tenant', 'e', 'x', 'PENDING', 0, 0, ?2, ?3, 0, 0, 0 FROM n`,
  )
    .bind(MAX_COUNTED + 50, more.due_at_ms, more.waits_in ?? null)
    .run();
}
