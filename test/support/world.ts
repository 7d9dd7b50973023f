/** One object of every kind in one tenant, and the paths and bodies for each declared endpoint. */
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { API_PREFIX } from "#http/api-prefix.ts";
import type { Endpoint } from "#http/endpoint.ts";
import type { JsonMap } from "#platform/json.ts";
import { openStates } from "#schema/lists/deployment-states.ts";
import { limitNames } from "#schema/lists/plans.ts";
import type { TenantRole } from "#schema/lists/roles.ts";
import { type Answer, clientOf, makeTenant, operator, type TestTenant } from "./api.ts";
import { makeInstance, makeTarget, makeTemplate, untilOver } from "./cloud.ts";
import { partOf } from "./depth.ts";
import { makeMembership, makeSession, makeUser, useBeside } from "./sessions.ts";
import { SOURCE, usingComponent } from "./templates.ts";

/** A well-formed id without an object. */
export const MISSING_ID = "01890000-0000-7000-8000-000000000000";

const DOMAIN = 'resource "digitalocean_domain" "shop" { name = "shop.example" }';

export interface World {
  tenant: TestTenant;
  tenantId: string;
  keyId: string;
  /** An unverified domain. The world's DNS has its record. */
  emailDomain: string;
  targetId: string;
  templateId: string;
  instanceId: string;
  deploymentId: string;
  webhookId: string;
  deliveryId: string;
  recoveryId: string;
  sessionId: string;
  profileId: string;
  triggerId: string;
  /** The token of an inbound trigger whose instance was destroyed: calls start nothing. */
  hookToken: string;
  importId: string;
  incidentId: string;
  memberUserId: string;
  invitationId: string;
  /** An invitation of the person whose session the world uses, who is a member already. */
  ownInvitationId: string;
  flagKey: string;
  /** A published listing: it can be installed and edited. */
  listingId: string;
  /** A rejected listing: it cannot be submitted or reviewed. */
  rejectedListingId: string;
  /** Objects that nothing else uses, to be deleted. */
  spare: {
    templateId: string;
    targetId: string;
    profileId: string;
    instanceId: string;
    importId: string;
  };
}

/** Answers all webhook requests. Call it once, before any world is created. */
export function answerEveryReceiver(): void {
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const { pathname, searchParams } = new URL(new Request(input).url);
    const name = searchParams.get("name");
    return pathname === "/dns-query" && name !== null ? txtAnswer(name) : new Response("ok");
  });
}

/** The answer of a DNS in which every domain has its record. */
async function txtAnswer(name: string): Promise<Response> {
  const domain = name.slice(name.indexOf(".") + 1);
  const { results } = await env.DB.prepare(
    "SELECT challenge FROM tenant_email_domains WHERE domain = ?",
  )
    .bind(domain)
    .all<{ challenge: string }>();
  return Response.json({
    Status: 0,
    Question: [{ name, type: 16 }],
    Answer: results.map(({ challenge }) => ({ name, type: 16, data: `control-api=${challenge}` })),
  });
}

/** Makes a world. When it returns, no background work changes rows any more. */
export async function makeWorld(): Promise<World> {
  const tenant = await makeTenant();
  const { tenantId } = tenant;
  const [targetId, templateId, key, webhook] = await Promise.all([
    makeTarget(tenant),
    makeTemplate(tenant, SOURCE),
    tenant.post("/api-keys", { name: "spare", scopes: ["*"] }),
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
  // The suites create more of everything than a plan allows.
  await made(200, operator.patch(`/tenants/${tenantId}`, { limits: noLimits }));
  const emailDomain = `${tenant.slug}.example`;
  await made(200, tenant.patch(`/tenants/${tenantId}`, { allowedEmailDomains: [emailDomain] }));
  const slug = `l-${crypto.randomUUID().slice(0, 13)}`;
  const destroyedId = await makeInstance(tenant, templateId, targetId, {
    bindings: { note: { instanceId, output: "none" } },
  });
  await env.DB.prepare("UPDATE instances SET state = 'DESTROYED' WHERE id = ?")
    .bind(destroyedId)
    .run();
  const hook = await made(
    201,
    tenant.post(`/instances/${destroyedId}/triggers`, { kind: "inbound_webhook" }),
  );
  const flagKey = `flag-${crypto.randomUUID()}`;
  const self = person().email;
  const [profile, trigger, imported, incident, invitation, offered, listing] = await Promise.all([
    made(201, tenant.post("/profiles", { name: "sample" })),
    made(201, tenant.post(`/instances/${instanceId}/triggers`, scheduled(0))),
    made(201, tenant.post("/imports", { files: [{ path: "main.tf", content: DOMAIN }] })),
    made(201, tenant.post("/incidents", { title: "Slow", message: "It is slow." })),
    made(201, tenant.post(`/tenants/${tenantId}/invitations`, person())),
    made(201, tenant.post(`/tenants/${tenantId}/invitations`, { ...person(), email: self })),
    made(201, tenant.post("/marketplace/listings", { ...listingBody, slug, templateId })),
    made(200, operator.put(`/feature-flags/${flagKey}`, flag())),
  ]);
  const rejected = await made(
    201,
    tenant.post("/marketplace/listings", { ...listingBody, slug: `${slug}-2`, templateId }),
  );
  for (const [{ id }, decision] of [
    [listing, "approve"],
    [rejected, "reject"],
  ]) {
    await made(200, tenant.post(`/marketplace/listings/${id}/submit`));
    await made(200, operator.post(`/marketplace/listings/${id}/review`, { decision }));
  }
  const recovery = await made(
    202,
    tenant.post(`/webhooks/${webhook.body.id}/recover`, { since: new Date().toISOString() }),
  );
  // A second version, so that one can be deprecated, and a template that uses it.
  const release = { source: SOURCE, release: "1.0.0" };
  await made(201, tenant.post(`/templates/${templateId}/versions`, release));
  await makeTemplate(tenant, usingComponent(templateId));
  const [spareTarget, spareTemplate, spareProfile, spareInstance, spareImport] = await Promise.all([
    makeTarget(tenant),
    makeTemplate(tenant, SOURCE),
    made(201, tenant.post("/profiles", { name: "spare" })),
    makeInstance(tenant, templateId, targetId),
    made(201, tenant.post("/imports", { files: [] })),
  ]);
  const session = await makeSession(await makeUser(undefined, self));
  await makeMembership(session.userId, tenantId, "CustomerOwner");
  useBeside(tenant.key, session);
  const memberUserId = await makeUser();
  await makeMembership(memberUserId, tenantId, "CustomerViewer");
  const spareSession = await makeSession(session.userId);
  return {
    sessionId: spareSession.sessionId,
    profileId: profile.id,
    triggerId: trigger.id,
    hookToken: String(hook.url).replace(/.*\//, ""),
    importId: imported.id,
    incidentId: incident.id,
    memberUserId,
    invitationId: invitation.id,
    ownInvitationId: offered.id,
    flagKey,
    listingId: listing.id,
    rejectedListingId: rejected.id,
    spare: {
      targetId: spareTarget,
      templateId: spareTemplate,
      profileId: spareProfile.id,
      instanceId: spareInstance,
      importId: spareImport.id,
    },
    tenant,
    tenantId,
    keyId: key.body.id,
    emailDomain,
    targetId,
    templateId,
    instanceId,
    deploymentId: planned.body.id,
    webhookId: webhook.body.id,
    deliveryId: tested.body.id,
    recoveryId: recovery.id,
  };
}

const noLimits = Object.fromEntries(limitNames.map((name) => [name, null]));
const listingBody = {
  title: "Web server",
  summary: "A web server with a database.",
  categories: ["web"],
};
const person = () => ({
  email: `p-${crypto.randomUUID()}@example.com`,
  role: "CustomerViewer",
});
const flag = () => ({
  type: "string",
  enabled: true,
  variants: { only: crypto.randomUUID() },
  defaultVariant: "only",
});
const request = () => ({ message: crypto.randomUUID(), labels: { team: "web" } });
const scheduled = (minute: number) => ({
  kind: "schedule",
  condition: { cron: `${minute} 3 1 1 *` },
});

async function made(status: number, answer: Promise<Answer>): Promise<Answer["body"]> {
  const received = await answer;
  expect(received.status, received.text).toBe(status);
  return received.body;
}

async function untilDelivered(tenant: TestTenant, path: string): Promise<void> {
  await vi.waitFor(async () => expect((await tenant.get(path)).body.state).toBe("SUCCEEDED"), {
    timeout: 30_000,
    interval: 20,
  });
}

/** A tenant can be deleted only without deployed instances and open deployments. */
export async function untilNothingDeployed({ tenantId }: World): Promise<void> {
  await vi.waitFor(
    async () => {
      const { results } = await env.DB.prepare(
        `SELECT id, state FROM instances WHERE tenant_id = ?1 AND state NOT IN ('INITIALIZED', 'DESTROYED')
          UNION ALL SELECT id, state FROM deployments WHERE tenant_id = ?1 AND state IN (${openStates.map((state) => `'${state}'`).join()})`,
      )
        .bind(tenantId)
        .all();
      expect(results).toEqual([]);
    },
    { timeout: 10_000, interval: 20 },
  );
}

/** A new key of the tenant with just these scopes. */
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

/** The ids for path parameters, by the collection before them. */
const idsIn: Readonly<Record<string, (world: World) => string>> = {
  "/auth/oidc": () => "none",
  "/auth/invitations": ({ ownInvitationId }) => ownInvitationId,
  "/auth/sessions": ({ sessionId }) => sessionId,
  "/api-keys": ({ keyId }) => keyId,
  "/cloud/providers": () => "mock",
  "/cloud/targets": ({ targetId }) => targetId,
  "/deployments": ({ deploymentId }) => deploymentId,
  "/feature-flags": ({ flagKey }) => flagKey,
  "/hooks": ({ hookToken }) => hookToken,
  "/imports": ({ importId }) => importId,
  "/incidents": ({ incidentId }) => incidentId,
  "/instances": ({ instanceId }) => instanceId,
  "/instances/{id}/triggers": ({ triggerId }) => triggerId,
  "/marketplace/listings": ({ listingId }) => listingId,
  "/ofrep/v1/evaluate/flags": ({ flagKey }) => flagKey,
  "/profiles": ({ profileId }) => profileId,
  "/status": ({ tenantId }) => tenantId,
  "/templates": ({ templateId }) => templateId,
  "/templates/{id}/versions": () => "1",
  "/tenants": ({ tenantId }) => tenantId,
  "/tenants/{tenantId}/invitations": ({ invitationId }) => invitationId,
  "/tenants/{tenantId}/email-domains": ({ emailDomain }) => emailDomain,
  "/tenants/{tenantId}/members": ({ memberUserId }) => memberUserId,
  "/webhooks": ({ webhookId }) => webhookId,
  "/webhooks/{id}/deliveries": ({ deliveryId }) => deliveryId,
  "/webhooks/{id}/recoveries": ({ recoveryId }) => recoveryId,
};

/** Endpoints that need a different object than their neighbours; deletes use spare objects. */
const idsFor: Readonly<Record<string, (world: World) => string>> = {
  "DELETE /cloud/targets/{id}": ({ spare }) => spare.targetId,
  "DELETE /imports/{id}": ({ spare }) => spare.importId,
  "DELETE /instances/{id}": ({ spare }) => spare.instanceId,
  "DELETE /profiles/{id}": ({ spare }) => spare.profileId,
  "DELETE /templates/{id}": ({ spare }) => spare.templateId,
  "POST /marketplace/listings/{id}/submit": ({ rejectedListingId }) => rejectedListingId,
  "POST /marketplace/listings/{id}/review": ({ rejectedListingId }) => rejectedListingId,
};

/** The endpoint's path for this world's objects, below `/api/v1`. */
export function pathIn(
  world: World,
  { path, method }: Pick<Endpoint, "path"> & Partial<Pick<Endpoint, "method">>,
): string {
  return filled(path, (collection) => {
    const id =
      idsFor[`${method} ${path}`] ??
      (Object.hasOwn(idsIn, collection) ? idsIn[collection] : undefined);
    if (id === undefined) throw new Error(`test/support/world.ts has nothing in ${collection}`);
    return id(world);
  });
}

/** The same path with this text, unescaped, as its first parameter. */
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

let counted = 0;
const next = (): number => (counted += 1);

const developers = new WeakSet<World>();

/** A role that the world's member does not have now. The member begins as a viewer. */
function otherRole(world: World): TenantRole {
  if (developers.delete(world)) return "CustomerViewer";
  developers.add(world);
  return "CustomerDeveloper";
}

/** Bodies that the endpoints accept, different in each call. */
const bodies: Readonly<Record<string, (world: World) => JsonMap>> = {
  acceptInvitation: () => ({ token: `cpi_${"x".repeat(43)}` }),
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
  validateTemplateSource: () => ({ source: SOURCE }),
  createInstance: ({ templateId, targetId }) => ({ name: "sample", templateId, targetId }),
  deployInstance: request,
  planInstance: request,
  destroyInstance: request,
  checkInstanceDrift: request,
  rollbackDeployment: request,
  updateInstance: () => ({ name: `sample ${crypto.randomUUID()}` }),
  createWebhook: () => ({ url: "https://hooks.example.com/in", events: ["license.expired"] }),
  updateApiKey: () => ({ name: crypto.randomUUID() }),
  updateTenant: () => ({ name: crypto.randomUUID() }),
  addMember: person,
  changeMemberRole: (world) => ({ role: otherRole(world) }),
  createInvitation: person,
  verifyCloudTarget: ({ templateId }) => ({ templateId }),
  updateCloudTarget: () => ({ name: crypto.randomUUID() }),
  updateTemplate: () => ({ description: crypto.randomUUID() }),
  createInstanceTrigger: () => ({ ...scheduled(next() % 60), enabled: false }),
  updateInstanceTrigger: () => ({ condition: scheduled(next() % 60).condition }),
  createListing: ({ templateId }) => ({
    ...listingBody,
    templateId,
    slug: `l-${crypto.randomUUID().slice(0, 13)}`,
  }),
  updateListing: () => ({ description: crypto.randomUUID() }),
  reviewListing: () => ({ decision: "reject" }),
  installListing: () => ({ name: crypto.randomUUID() }),
  approveDeployment: () => ({ comment: crypto.randomUUID() }),
  discardDeployment: () => ({ comment: crypto.randomUUID() }),
  abandonDeployment: () => ({ reason: crypto.randomUUID() }),
  createIncident: () => ({ title: "Slow", message: crypto.randomUUID() }),
  addIncidentUpdate: () => ({ status: "MONITORING", message: crypto.randomUUID() }),
  createProfile: () => ({ name: crypto.randomUUID() }),
  updateProfile: () => ({ name: crypto.randomUUID() }),
  createImport: () => ({ files: [{ path: "main.tf", content: `# ${crypto.randomUUID()}` }] }),
  createTemplateOfImport: () => ({ name: `sample ${next()}` }),
  putFeatureFlag: flag,
  evaluateFeatureFlag: () => ({ context: { targetingKey: crypto.randomUUID() } }),
  evaluateFeatureFlags: () => ({ context: { targetingKey: crypto.randomUUID() } }),
  updateWebhook: () => ({ description: crypto.randomUUID() }),
  recoverWebhook: () => ({ since: new Date(Date.now() - next()).toISOString() }),
};

/** Undefined: the endpoint takes no body. */
export function sampleBody(world: World, endpoint: Endpoint): JsonMap | undefined {
  if (endpoint.body === undefined) return undefined;
  const { operationId } = endpoint;
  const make = Object.hasOwn(bodies, operationId) ? bodies[operationId] : undefined;
  if (make === undefined) throw new Error(`test/support/world.ts has no body for ${operationId}`);
  return make(world);
}

/** The endpoints that answer 409 in this world, with the reasons. */
export const nothingToDo: Readonly<Record<string, string>> = {
  acceptInvitation: "the world's person is a member already",
  abandonDeployment: "the world's deployment is over",
  approveDeployment: "the world's deployment is over",
  cancelDeployment: "the world's deployment is over",
  discardDeployment: "the world's deployment is over",
  rotateInstanceTrigger: "the world's trigger is a schedule: it has no URL",
  rollbackDeployment: "the world's deployment is a plan",
  submitListing: "the world's listing is rejected: a draft can be submitted once only",
  reviewListing: "the world's listing is rejected: a submission can be reviewed once only",
};

/** The status of the answer to a valid request. */
export function statusIn({ operationId, answer }: Endpoint): number {
  return Object.hasOwn(nothingToDo, operationId) ? 409 : answer.status;
}

/** Orders deletes last, inner objects first, and the tenant with its keys at the end. */
export function deletesLast(endpoints: readonly Endpoint[]): Endpoint[] {
  const deletes = ({ method }: Endpoint) => method === "DELETE";
  const isTenant = ({ operationId }: Endpoint) => operationId === "deleteTenant";
  return [
    ...endpoints.filter((it) => !deletes(it)),
    ...endpoints.filter((it) => deletes(it) && !isTenant(it)).reverse(),
    ...endpoints.filter(isTenant),
  ];
}

/**
 * Deletes all triggers but the world's: an instance can have 20, and the suites create more. With a test given, only if
 * its title or its suite's title names an endpoint of triggers.
 */
export async function makeRoomForTriggers(
  { instanceId, triggerId }: World,
  task?: { name: string; suite?: { name: string } | undefined },
): Promise<void> {
  if (task !== undefined && !`${task.suite?.name} ${task.name}`.includes("/triggers")) return;
  await env.DB.prepare("DELETE FROM triggers WHERE instance_id = ? AND id <> ?")
    .bind(instanceId, triggerId)
    .run();
}

/**
 * For `describe.each`: each endpoint with the picker of its cases. An ordinary run tries an eighth of the cases, and on
 * the next endpoint another eighth.
 */
export function inParts(
  list: readonly Endpoint[],
): [string, Endpoint, <T>(cases: readonly T[]) => T[]][] {
  return list.map((endpoint, turn) => [
    titleOf(endpoint),
    endpoint,
    (cases) => partOf(cases, 8, turn),
  ]);
}

/** The endpoint's name in a test's title. */
export function titleOf({ method, path }: Pick<Endpoint, "method" | "path">): string {
  return `${method} ${API_PREFIX}${path}`;
}
