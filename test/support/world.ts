/** One object of every kind in one tenant, and how each declared endpoint is asked about them. */
import { expect, vi } from "vitest";
import type { Endpoint } from "#platform/http/endpoint.ts";
import { API_PREFIX } from "#platform/http/router.ts";
import type { JsonMap } from "#platform/json.ts";
import { clientOf, makeTenant, operator, type TestTenant } from "./api.ts";
import { makeInstance, makeTarget, makeTemplate, untilOver } from "./cloud.ts";
import { SOURCE } from "./templates.ts";

/** Has the form of an id and names nothing. */
export const MISSING_ID = "01890000-0000-7000-8000-000000000000";

export interface World {
  tenant: TestTenant;
  tenantId: string;
  keyId: string;
  targetId: string;
  templateId: string;
  instanceId: string;
  deploymentId: string;
  webhookId: string;
  deliveryId: string;
}

/** The outside world that webhooks meet. Call it once, before any world is made. */
export function answerEveryReceiver(): void {
  vi.spyOn(globalThis, "fetch").mockImplementation(async () => new Response("ok"));
}

/** All of it is at rest when this returns: nothing goes on changing rows by itself. */
export async function makeWorld(): Promise<World> {
  const tenant = await makeTenant();
  const { tenantId } = tenant;
  const [targetId, templateId, key, webhook] = await Promise.all([
    makeTarget(tenant),
    makeTemplate(tenant, SOURCE),
    operator.post("/api-keys", { name: "spare", scopes: ["*"], tenantId }),
    tenant.post("/webhooks", { url: "https://hooks.example.com/in", events: ["license.expired"] }),
  ]);
  expect([key.status, webhook.status]).toEqual([201, 201]);
  const instanceId = await makeInstance(tenant, templateId, targetId, {
    variables: { password: "correct horse battery" },
  });
  const [planned, tested] = await Promise.all([
    tenant.post(`/instances/${instanceId}/plan`),
    tenant.post(`/webhooks/${webhook.body.id}/test`),
  ]);
  expect([planned.status, tested.status]).toEqual([202, 202]);
  await untilOver(tenant, planned.body.id);
  await untilDelivered(tenant, `/webhooks/${webhook.body.id}/deliveries/${tested.body.id}`);
  return {
    tenant,
    tenantId,
    keyId: key.body.id,
    targetId,
    templateId,
    instanceId,
    deploymentId: planned.body.id,
    webhookId: webhook.body.id,
    deliveryId: tested.body.id,
  };
}

async function untilDelivered(tenant: TestTenant, path: string): Promise<void> {
  await vi.waitFor(async () => expect((await tenant.get(path)).body.state).toBe("SUCCEEDED"), {
    timeout: 10_000,
    interval: 20,
  });
}

/** A key of the tenant's with just these scopes, never used before. */
export async function makeKey(
  tenantId: string | undefined,
  more: { scopes?: readonly string[]; expiresAt?: string } = {},
): Promise<{ id: string; key: string; client: ReturnType<typeof clientOf> }> {
  const made = await operator.post("/api-keys", {
    name: "suite",
    scopes: ["*"],
    ...more,
    ...(tenantId === undefined ? {} : { tenantId }),
  });
  expect(made.status, made.text).toBe(201);
  return { id: made.body.id, key: made.body.key, client: clientOf(made.body.key) };
}

/** What stands in a path's holes, by the collection before them. */
const idsIn: Readonly<Record<string, (world: World) => string>> = {
  "/api-keys": ({ keyId }) => keyId,
  "/cloud/targets": ({ targetId }) => targetId,
  "/deployments": ({ deploymentId }) => deploymentId,
  "/instances": ({ instanceId }) => instanceId,
  "/templates": ({ templateId }) => templateId,
  "/templates/{id}/versions": () => "1",
  "/tenants": ({ tenantId }) => tenantId,
  "/webhooks": ({ webhookId }) => webhookId,
  "/webhooks/{id}/deliveries": ({ deliveryId }) => deliveryId,
};

/** The endpoint's path for this world's objects, below `/api/v1`. */
export function pathIn(world: World, { path }: Pick<Endpoint, "path">): string {
  return filled(path, (collection) => {
    const id = Object.hasOwn(idsIn, collection) ? idsIn[collection] : undefined;
    if (id === undefined) throw new Error(`test/support/world.ts has nothing in ${collection}`);
    return id(world);
  });
}

/** The same path with this text, as it stands, in its first hole. */
export function pathWith(id: string, world: World, endpoint: Pick<Endpoint, "path">): string {
  let holes = 0;
  return filled(endpoint.path, (collection) => {
    holes += 1;
    return holes === 1 ? id : (idsIn[collection]?.(world) ?? MISSING_ID);
  });
}

function filled(path: string, fill: (collection: string) => string): string {
  return path.replace(/\{\w+\}/g, (_, at: number) => fill(path.slice(0, at - 1)));
}

/** A body the endpoint accepts, different each time it is asked for. */
const bodies: Readonly<Record<string, (world: World) => JsonMap>> = {
  createApiKey: () => ({ name: "sample", scopes: ["instances:read"] }),
  createTenant: () => ({ name: "Sample", slug: `s-${crypto.randomUUID().slice(0, 13)}` }),
  createCloudTarget: () => ({
    provider: "mock",
    name: "sample",
    config: {},
    allowedRegions: ["local-1"],
    defaultRegion: "local-1",
  }),
  createTemplate: () => ({ name: "sample", source: SOURCE }),
  addTemplateVersion: () => ({ source: SOURCE }),
  validateTemplate: () => ({ source: SOURCE }),
  createInstance: ({ templateId, targetId }) => ({ name: "sample", templateId, targetId }),
  updateInstance: () => ({ name: `sample ${crypto.randomUUID()}` }),
  createWebhook: () => ({ url: "https://hooks.example.com/in", events: ["license.expired"] }),
  updateWebhook: () => ({ description: crypto.randomUUID() }),
};

/** Undefined: the endpoint takes no body. */
export function sampleBody(world: World, endpoint: Endpoint): JsonMap | undefined {
  if (endpoint.body === undefined) return undefined;
  const { operationId } = endpoint;
  const make = Object.hasOwn(bodies, operationId) ? bodies[operationId] : undefined;
  if (make === undefined) throw new Error(`test/support/world.ts has no body for ${operationId}`);
  return make(world);
}

/** What takes objects away comes last: the others need them. */
export function deletesLast(endpoints: readonly Endpoint[]): Endpoint[] {
  const deletes = ({ method }: Endpoint) => method === "DELETE";
  return [...endpoints.filter((it) => !deletes(it)), ...endpoints.filter(deletes)];
}

/** How the endpoint is named in a test's title. */
export function titleOf({ method, path }: Pick<Endpoint, "method" | "path">): string {
  return `${method} ${API_PREFIX}${path}`;
}
