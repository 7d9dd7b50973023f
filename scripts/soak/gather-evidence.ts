/** Reads the stopped service's state directory for the audit. */
import { createHash } from "node:crypto";
import { mayBeLost } from "./book.ts";
import type { Book } from "./book.ts";
import type { Canaries } from "./canaries.ts";
import type {
  DeliveryFact,
  DeploymentFact,
  EventFact,
  Evidence,
  UsageFact,
  WebhookFact,
} from "./evidence.ts";
import type { HostileReceivers } from "./hostile-receivers.ts";
import { type Row, rowsOfD1, rowsOfObjects } from "./stored-rows.ts";

type Stored = Pick<
  Evidence,
  "deployments" | "versions" | "rows" | "events" | "deliveries" | "runs" | "snapshots" | "places"
>;

const RUNS = "SELECT deployment_id, instance_id, phase FROM runs";
const SNAPSHOTS = `SELECT deployment_id, body ->> 'instanceId' AS instance_id, origin IS NOT NULL AS has_origin
  FROM snapshots`;

async function storedFacts(stateDir: string): Promise<Stored> {
  const rows = async (table: string, query: string): Promise<Row[]> =>
    rowsOfD1(stateDir, table, query);
  const deployments = (await rows("deployments", "SELECT * FROM deployments")).map(deploymentOf);
  const named = await Promise.all(
    ["instances", "templates", "webhooks"].map((table) =>
      rows(table, `SELECT id, version, labels FROM ${table}`),
    ),
  );
  const others = await Promise.all(
    ["cloud_targets", "tenants", "api_keys"].map((table) =>
      rows(table, `SELECT id, version FROM ${table}`),
    ),
  );
  const versions = new Map(
    [...named.flat(), ...others.flat()].map(({ id, version }) => [String(id), Number(version)]),
  );
  for (const { id, version } of deployments) versions.set(id, version);
  // The status of a tenant has the tenant's id and a version of its own.
  for (const row of await rows("announced_statuses", "SELECT * FROM announced_statuses"))
    versions.set(`status ${String(row["tenant_id"])}`, Number(row["version"]));
  const attempts = Map.groupBy(
    await rows(
      "webhook_attempts",
      "SELECT delivery_id, error_class FROM webhook_attempts ORDER BY id",
    ),
    (row) => String(row["delivery_id"]),
  );
  return {
    deployments,
    versions,
    rows: new Map(named.flat().map(({ id, labels }) => [String(id), String(labels)])),
    events: (await rows("events", "SELECT * FROM events")).map(eventOf),
    deliveries: (await rows("webhook_deliveries", "SELECT * FROM webhook_deliveries")).map((row) =>
      deliveryOf(row, attempts.get(String(row["id"])) ?? []),
    ),
    runs: (await rowsOfObjects(stateDir, "InstanceRunner", { table: "runs", query: RUNS })).map(
      (row) => ({
        deploymentId: String(row["deployment_id"]),
        instanceId: String(row["instance_id"]),
        phase: String(row["phase"]),
      }),
    ),
    snapshots: (
      await rowsOfObjects(stateDir, "InstanceRunner", { table: "snapshots", query: SNAPSHOTS })
    ).map((row) => ({
      deploymentId: String(row["deployment_id"]),
      instanceId: String(row["instance_id"]),
      hasOrigin: row["has_origin"] === 1,
    })),
    places: [
      ...(await placesIn(stateDir, { table: "slots", query: "SELECT * FROM slots" }, true)),
      ...(await placesIn(
        stateDir,
        { table: "queue", query: "SELECT * FROM queue", isRare: true },
        false,
      )),
    ],
  };
}

async function placesIn(
  stateDir: string,
  given: { table: string; query: string; isRare?: boolean },
  holds: boolean,
): Promise<Evidence["places"]> {
  const rows = await rowsOfObjects(stateDir, "TargetGate", given);
  return rows.map((row) => ({
    deploymentId: String(row["deployment_id"]),
    instanceId: String(row["instance_id"]),
    holds,
  }));
}

/** The stored facts, and those of clients and receivers; nothing of clouds or of the service's answers. */
export async function storedEvidence(
  stateDir: string,
  {
    book,
    canaries,
    receivers,
    webhooks,
  }: {
    book: Book;
    canaries: Canaries;
    receivers: HostileReceivers;
    webhooks: readonly Pick<WebhookFact, "id" | "tenantId" | "path" | "mood">[];
  },
): Promise<Evidence> {
  const nothing = { objects: [], resources: [] };
  return {
    ...(await storedFacts(stateDir)),
    stoppedAtMs: Date.now(),
    lossWindow: book.lossWindow,
    calls: book.calls,
    acknowledged: book.acknowledged,
    deleted: book.deleted,
    wrong: book.wrong,
    logs: book.logs,
    wholeLogs: new Map(),
    webhooks: await webhookFacts(stateDir, webhooks, book.deleted),
    arrivals: receivers.arrivals,
    receiversWrong: receivers.wrong,
    atRest: nothing,
    destroyed: nothing,
    comparison: { instances: 0, compared: 0, differing: [], missing: [], failed: [], unheard: [] },
    audit: { ok: true, lines: [] },
    usage: [],
    sightings: canaries.sightings,
  };
}

/** The existing webhooks, with their stored facts. */
async function webhookFacts(
  stateDir: string,
  webhooks: readonly Pick<WebhookFact, "id" | "tenantId" | "path" | "mood">[],
  deleted: ReadonlySet<string>,
): Promise<WebhookFact[]> {
  const rows = await rowsOfD1(
    stateDir,
    "webhooks",
    "SELECT id, events, created_at_ms FROM webhooks",
  );
  const stored = new Map(rows.map((row) => [String(row["id"]), row]));
  return webhooks.flatMap((webhook) => {
    const row = stored.get(webhook.id);
    if (row === undefined) return [];
    const getsAll = row["events"] === '["*"]' && !deleted.has(webhook.id);
    return [{ ...webhook, createdAtMs: Number(row["created_at_ms"]), getsAll }];
  });
}

function deploymentOf(row: Row): DeploymentFact {
  const labels = JSON.parse(String(row["labels"])) as Record<string, string>;
  return {
    id: String(row["id"]),
    tenantId: String(row["tenant_id"]),
    instanceId: String(row["instance_id"]),
    operation: String(row["operation"]),
    state: String(row["state"]),
    call: labels["call"],
    version: Number(row["version"]),
    isAbandoned: String(row["error"]).includes('"abandoned"'),
    timestamps: JSON.parse(String(row["timestamps"])) as Record<string, number>,
  };
}

function eventOf(row: Row): EventFact {
  const payload = String(row["payload"]);
  const { sequence, ...rest } = JSON.parse(payload) as {
    sequence: number;
    data: { previousState?: string; state?: string };
  };
  return {
    id: String(row["id"]),
    tenantId: String(row["tenant_id"]),
    type: String(row["type"]),
    resourceType: String(row["resource_type"]),
    resourceId: String(row["resource_id"]),
    sequence,
    from: rest.data.previousState,
    to: rest.data.state,
    createdAtMs: Number(row["created_at_ms"]),
    digest: digestOf(payload),
    digestWithoutSequence: digestOf(JSON.stringify(rest)),
  };
}

function deliveryOf(row: Row, attempts: readonly Row[]): DeliveryFact {
  return {
    id: String(row["id"]),
    webhookId: String(row["webhook_id"]),
    eventId: String(row["event_id"]),
    state: String(row["state"]),
    attempts: Number(row["attempts"]),
    manual: row["manual"] === 1,
    held: row["held_at_ms"] !== null || row["waits_in"] !== null,
    dueAtMs: row["due_at_ms"] === null ? null : Number(row["due_at_ms"]),
    log: attempts.map((attempt) => attempt["error_class"] === null),
  };
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const countedIn = {
  instances: "SELECT count(*) AS n FROM instances WHERE tenant_id = ?",
  targets: "SELECT count(*) AS n FROM cloud_targets WHERE tenant_id = ?",
  templates: "SELECT count(*) AS n FROM templates WHERE tenant_id = ?",
  templateVersions:
    "SELECT count(*) AS n FROM template_versions WHERE template_id IN (SELECT id FROM templates WHERE tenant_id = ?)",
  webhooks: "SELECT count(*) AS n FROM webhooks WHERE tenant_id = ?",
  apiKeys: "SELECT count(*) AS n FROM api_keys WHERE tenant_id = ? AND revoked_at_ms IS NULL",
} as const;

/** The service's counts of a tenant's usage, beside the stored ones. */
export async function usageFacts(
  stateDir: string,
  tenantId: string,
  told: Readonly<Record<string, unknown>>,
  deployments: readonly DeploymentFact[],
  lossWindow: Book["lossWindow"],
): Promise<UsageFact[]> {
  const toldOf = (limit: string): number => (told[limit] as { used: number }).used;
  const facts: UsageFact[] = [];
  for (const [limit, query] of Object.entries(countedIn)) {
    const [row] = await rowsOfD1(stateDir, "tenants", query.replace("?", `'${tenantId}'`));
    facts.push({ tenantId, limit, told: toldOf(limit), counted: Number(row?.["n"]), mayBeLost: 0 });
  }
  const counted = deployments.filter(
    (deployment) =>
      deployment.tenantId === tenantId && ["deploy", "rollback"].includes(deployment.operation),
  );
  facts.push({
    tenantId,
    limit: "deploymentsPerMonth",
    told: toldOf("deploymentsPerMonth"),
    counted: counted.length,
    mayBeLost: counted.filter(({ timestamps }) => mayBeLost(lossWindow, timestamps["QUEUED"] ?? 0))
      .length,
  });
  return facts;
}
