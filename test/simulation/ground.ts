/** The start of every simulation: a migrated database with a tenant and what the runs need. */
import type { Json } from "#platform/json.ts";
import { secrets } from "./canaries.ts";
import { TOKEN_LIFE_MS, type World } from "./kinds.ts";
import { firstProgram, sourceOf } from "./programs.ts";
import { Random } from "./random.ts";
import { receiverUrls } from "./receivers.ts";
import { componentSource } from "./repeats.ts";
import { migratedSqlite, type Sqlite } from "./sqlite.ts";

/** A target and its two instances. */
export interface Place {
  capacity: number;
  targetId: string;
  templateId: string;
  instanceIds: readonly string[];
  /** The path of the hook that deploys the first instance. */
  hook?: string;
}

export interface Ground {
  d1: Sqlite;
  tenantId: string;
  keys: readonly [asks: string, approves: string];
  chance: { now: Random };
}

/** Creates an object by a request of the operator. */
export type Make = (path: string, body: Json) => Promise<Record<string, string>>;

export function emptyGround(): Ground {
  const chance = { now: new Random(1) };
  return { d1: migratedSqlite(() => chance.now), tenantId: "", keys: ["", ""], chance };
}

export async function makeGround(ground: Ground, make: Make): Promise<Ground> {
  const { id: tenantId = "" } = await make("/tenants", { name: "Simulated", slug: "simulated" });
  const key = async (name: string) =>
    (await make("/api-keys", { name, scopes: ["*"], tenantId }))["key"] ?? "";
  const keys = [await key("asks"), await key("approves")] as const;
  // A person of the tenant approves: those who sign in are not simulated.
  ground.d1
    .script(`INSERT INTO members (id, tenant_id, user_id, role, version, created_at_ms, updated_at_ms)
      VALUES ('approver', '${tenantId}', 'approver', 'CustomerAdmin', 1, 0, 0);
    UPDATE api_keys SET person = 'approver', creator_user_id = 'approver' WHERE name = 'approves'`);
  await make("/templates", { name: "part", source: componentSource, release: "1.0.0", tenantId });
  for (const [name, events] of Object.entries(receiverUrls))
    await make("/webhooks", { url: `https://${name}`, events: [...events], tenantId });
  return { ...ground, tenantId, keys };
}

/** They are often forgotten before they are polled. */
const operations = { takesMs: 200, forgottenAfterMs: 1_500 };
/** They end in the middle of a run, and serve more calls than two runs make at the same time. */
const sessions = { lifeMs: 60_000, callsEach: 16 };

const tokens = { remembers: {}, forgets: { tokens: { lifeMs: TOKEN_LIFE_MS } } } as const;

export async function makePlace({ tenantId }: Ground, world: World, make: Make): Promise<Place> {
  const { capacity, cloud, bound } = world;
  const special = (["bound", "operations", "sessions"] as const).filter((name) => world[name]);
  const name = [cloud, capacity, ...special].join(" ");
  const source = sourceOf(firstProgram);
  const { id: templateId = "" } = await make("/templates", { name, source, tenantId });
  const { id: targetId = "" } = await make("/cloud/targets", {
    provider: "mock",
    name,
    config: {
      ...(cloud === "none" ? { tokens: "none" } : tokens[cloud]),
      ...(world.operations ? { operations } : {}),
      ...(world.sessions ? { sessions } : {}),
    },
    allowedRegions: ["local-1"],
    defaultRegion: "local-1",
    maxConcurrentDeployments: capacity,
    tenantId,
  });
  const instance = async (name: string, bindings: Json) => {
    const variables = { password: secrets[0] };
    const body = { name, templateId, targetId, tenantId, variables, bindings };
    return (await make("/instances", body))["id"] ?? "";
  };
  const first = await instance("first", {});
  const second = await instance(
    "second",
    bound ? { upstream: { instanceId: first, output: "mark" } } : {},
  );
  const place = { capacity, targetId, templateId, instanceIds: [first, second] };
  if (!bound) return place;
  const trigger = (instanceId: string, kind: string, condition: Json) =>
    make(`/instances/${instanceId}/triggers`, { kind, condition });
  await trigger(first, "schedule", { cron: "*/20 * * * *" });
  await trigger(second, "upstream_output", {});
  await trigger(second, "drift", { cron: "7,37 * * * *", remediate: true });
  const { url } = await trigger(first, "inbound_webhook", {});
  return { ...place, ...(url === undefined ? {} : { hook: url }) };
}
