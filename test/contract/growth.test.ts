/**
 * What a request reads does not grow: neither with the rows of its tenant nor with the number of tenants. Counted in
 * rows that D1 reads, which is what is billed and the same on every machine.
 */
import { env } from "cloudflare:workers";
import { afterAll, describe, expect, it, vi } from "vitest";
import { endpoints } from "#app.ts";
import type { Endpoint } from "#http/endpoint.ts";
import { OPERATOR_KEY, send } from "#test/support/api.ts";
import { chargesOf, installMeter, total } from "#test/support/billing-meter.ts";
import { openPage } from "#test/support/console-pages.ts";
import { countFor } from "#test/support/depth.ts";
import { emptyDatabase } from "#test/support/empty-database.ts";
import { growTenant, growTenants, unlimited } from "#test/support/grow.ts";
import { headersOf, signedIn } from "#test/support/sessions.ts";
import { answerEveryReceiver, makeWorld, pathIn, titleOf } from "#test/support/world.ts";

answerEveryReceiver();
afterAll(emptyDatabase);

const FEW = 100;
const MANY = countFor({ ordinary: 1_000, deep: 100_000 });
const TENANTS = countFor({ ordinary: 20, deep: 1_000 });

const world = await makeWorld();
const member = await signedIn([world.tenantId, "CustomerOwner"]);

const reads = endpoints.filter(({ method, access }) => method === "GET" && access !== "public");
const isOperators = ({ access }: Endpoint) => access !== "public" && access.role === "operator";
const isPeoples = ({ access }: Endpoint) => access !== "public" && access.role === "session";

type Asked = () => Promise<{ status: number; text: string }>;

const withKey = (key: string) => ({ authorization: `Bearer ${key}` });

/** Every read, as each kind of caller that may ask, and the pages of the console. */
function everyRead(): Record<string, Asked> {
  const asked: Record<string, Asked> = {};
  for (const endpoint of reads) {
    const path = pathIn(world, endpoint);
    const ask = (by: string, headers: Record<string, string>, query = "") =>
      (asked[`${titleOf(endpoint)}${query} by ${by}`] = () =>
        send("GET", `${path}${query}`, { headers }));
    if (isOperators(endpoint)) ask("an operator", withKey(OPERATOR_KEY));
    else {
      ask("a member", headersOf(member));
      if (!isPeoples(endpoint)) ask("a key", withKey(world.tenant.key));
    }
    const { query } = endpoint;
    const sorts = query === undefined || isPeoples(endpoint) ? [] : sortsOf(endpoint);
    for (const sort of sorts) {
      ask("a member", headersOf(member), `?sort=${sort}`);
      ask("a key", withKey(world.tenant.key), `?sort=${sort}&limit=100`);
    }
  }
  for (const path of [
    "/",
    "/instances",
    `/instances/${world.instanceId}`,
    `/deployments/${world.deploymentId}`,
    "/templates",
    `/templates/${world.templateId}`,
    "/targets",
    `/targets/${world.targetId}`,
    "/webhooks",
    `/webhooks/${world.webhookId}`,
    "/members",
    "/keys",
    "/imports",
    "/incidents",
    "/audit",
  ])
    asked[`the page ${path}`] = () => openPage(path, member);
  return asked;
}

function sortsOf({ query }: Endpoint): string[] {
  const { sort } = (query as { shape?: Sorted } | undefined)?.shape ?? {};
  return sort?.unwrap().options.filter((one) => !one.endsWith("createdAt")) ?? [];
}

/** The schema of a query with `sortBy`. */
interface Sorted {
  sort?: { unwrap: () => { options: string[] } };
}

/** Those that the writes have requested are not run: what is open must not pile up. */
async function dropRequested(): Promise<void> {
  await env.DB.prepare("DELETE FROM deployments WHERE state = 'QUEUED'").run();
}

async function rowsReadBy(asked: Record<string, Asked>): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const [name, ask] of Object.entries(asked)) {
    // The use of a session is noted every few minutes.
    await env.DB.prepare("UPDATE sessions SET last_seen_at_ms = ? WHERE id = ?")
      .bind(Date.now(), member.sessionId)
      .run();
    // Known callers are cached, and the first request of a day notes when a key was used.
    await ask();
    const charges = await chargesOf(async () => {
      const { status, text } = await ask();
      expect(Math.floor(status / 100), `${name}: ${text.slice(0, 300)}`).toBe(2);
    });
    rows[name] = total(charges, "read", /^d1/);
  }
  return rows;
}

/** What counts, or asks of all of a kind that a plan limits, reads them all; the metrics ten thousand of each at most. */
const counts = /\/usage by |\/metrics by |the page \/templates\/./;

/** Those that read more than a seventh more. */
function grown(before: Record<string, number>, after: Record<string, number>): string[] {
  return Object.entries(after).flatMap(([name, rows]) => {
    const had = before[name] ?? 0;
    if (counts.test(name)) return [];
    return rows <= Math.max(had * 1.15, had + 1) ? [] : [`${name}: ${had} to ${rows}`];
  });
}

/** What a change reads besides: its commit. The deployments are not run. */
function everyWrite(): Record<string, Asked> {
  const { tenant, instanceId, templateId, targetId, webhookId } = world;
  let n = 0;
  const next = () => `name ${(n += 1)}`;
  return {
    "an instance changed": () => tenant.patch(`/instances/${instanceId}`, { name: next() }),
    "an instance created": () =>
      tenant.post("/instances", {
        name: next(),
        templateId,
        targetId,
        variables: { password: "correct horse battery" },
      }),
    "a deployment requested": () => tenant.post(`/instances/${instanceId}/deploy`),
    "a webhook changed": () => tenant.patch(`/webhooks/${webhookId}`, { description: next() }),
  };
}

/** A key is shown with those it descends from: the copies of keys all descend from the world's. */
async function letKeysDescend(): Promise<void> {
  await env.DB.prepare(
    `UPDATE api_keys SET ancestors = spare.ancestors FROM api_keys spare
      WHERE spare.id = ? AND api_keys.id <> spare.ancestors ->> '$[0][0]'`,
  )
    .bind(world.keyId)
    .run();
}

/** The pages of a list, from the first to the last. */
async function pagesOf(path: string): Promise<{ rows: number; items: number }[]> {
  const pages: { rows: number; items: number }[] = [];
  for (let cursor = ""; ;) {
    let next: string | null = null;
    let items = 0;
    const charges = await chargesOf(async () => {
      const { body } = await world.tenant.get(`${path}limit=100${cursor}`);
      next = body.nextCursor;
      items = body.data.length;
    });
    pages.push({ rows: total(charges, "read", /^d1/), items });
    if (next === null) return pages;
    cursor = `&cursor=${String(next)}`;
  }
}

describe("what a request reads", () => {
  it(`is the same with ${MANY} rows of its tenant as with ${FEW}, and with ${TENANTS} tenants`, async () => {
    await installMeter();
    vi.spyOn(env.DEPLOYMENTS_QUEUE, "send").mockResolvedValue(undefined as never);
    const asked = everyRead();
    const written = everyWrite();
    await growTenant(world.tenantId, FEW);
    // More than the status shows.
    await growTenant(world.tenantId, 250, ["incidents"]);
    await letKeysDescend();
    const few = await rowsReadBy(asked);
    const fewWritten = await rowsReadBy(written);
    await dropRequested();
    await growTenants(world.tenantId, TENANTS);
    expect(grown(few, await rowsReadBy(asked))).toEqual([]);
    expect(grown(fewWritten, await rowsReadBy(written))).toEqual([]);
    await dropRequested();
    await growTenant(world.tenantId, Math.min(MANY, 1_000));
    await growTenant(world.tenantId, MANY, unlimited);
    expect(grown(few, await rowsReadBy(asked))).toEqual([]);
    expect(grown(fewWritten, await rowsReadBy(written))).toEqual([]);
  }, 600_000);

  it.each([
    ["deployments", () => "/deployments?"],
    ["deliveries", () => `/webhooks/${world.webhookId}/deliveries?`],
    ["the audit log", () => "/audit-events?"],
  ])(
    "is a page and five rows for the first, the middle and the last page of %s",
    async (_, path) => {
      const pages = await pagesOf(path());
      expect(pages.length).toBeGreaterThan(9);
      // A deployment's approval, an entry's two hashes.
      for (const { rows, items } of pages) expect(rows).toBeLessThanOrEqual(3 * items + 5);
    },
    600_000,
  );
});
