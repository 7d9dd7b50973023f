/** The tenants of a soak: keys of different rights, targets at two clouds, templates, instances and webhooks. */
import type { Random } from "#test/simulation/random.ts";
import { makePersonKey } from "../client/person-key.ts";
import type { Book } from "./book.ts";
import { type Answer, Caller } from "./caller.ts";
import type { Canaries } from "./canaries.ts";
import { type HostileReceivers, type Mood, moods } from "./hostile-receivers.ts";

export interface SoakPlace {
  address: string;
  operatorKey: string;
  book: Book;
  canaries: Canaries;
  random: Random;
  receivers: HostileReceivers;
  signal: AbortSignal;
}

export interface SoakInstance {
  id: string;
  name: string;
  cloud: "mock" | "tokenless" | "digitalocean";
}

export interface SoakWebhook {
  id: string;
  url: string;
  mood: Mood;
}

export interface SoakTenant {
  id: string;
  slug: string;
  admin: Caller;
  approver: Caller;
  viewer: Caller;
  targets: Record<SoakInstance["cloud"], string>;
  templates: { mock: string; digitalocean: string };
  instances: SoakInstance[];
  webhooks: SoakWebhook[];
}

const INSTANCES: readonly SoakInstance["cloud"][] = ["mock", "mock", "tokenless", "digitalocean"];

/** Two versions of a template at the mock cloud: a server whose image replaces it, more or fewer records. */
export function mockTemplate(version: 1 | 2): string {
  const records = version === 1 ? ["www", "api"] : ["www", "mail", "ftp"];
  return JSON.stringify({
    name: "rows",
    runtime: "yaml",
    config: {
      dbPassword: { type: "string", secret: true },
      round: { type: "string", default: "0" },
      image: { type: "string", default: "debian-13" },
    },
    resources: {
      net: {
        type: "mock:Network",
        properties: { name: "${control.instance.name}-net", cidr: "10.0.0.0/16" },
      },
      db: {
        type: "mock:Database",
        properties: {
          name: "${control.instance.name}-db",
          engine: "pg",
          password: "${dbPassword}",
          network: "${net.id}",
        },
      },
      app: {
        type: "mock:Server",
        properties: {
          name: "${control.instance.name}-app",
          image: "${image}",
          round: "${round}",
          network: "${net.id}",
        },
      },
      ...Object.fromEntries(
        records.map((record) => [
          record,
          {
            type: "mock:Record",
            properties: {
              name: `\${control.instance.name}-${record}`,
              to: "${app.id}",
              round: "${round}",
            },
          },
        ]),
      ),
    },
    outputs: { app: "${app.id}" },
  });
}

const digitaloceanTemplate = JSON.stringify({
  name: "droplets",
  runtime: "yaml",
  config: {
    round: { type: "string", default: "0" },
    image: { type: "string", default: "debian-13-x64" },
    dbPassword: { type: "string", secret: true },
  },
  resources: {
    net: {
      type: "digitalocean:Vpc",
      properties: {
        name: "${control.instance.name}-net",
        region: "nyc3",
        description: "Round ${round}",
      },
    },
    app: {
      type: "digitalocean:Droplet",
      properties: {
        name: "${control.instance.name}-app",
        region: "nyc3",
        size: "s-1vcpu-1gb",
        image: "${image}",
        user_data: "${dbPassword}",
        vpc_uuid: "${net.id}",
      },
    },
    disk: {
      type: "digitalocean:Volume",
      properties: { name: "${control.instance.name}-disk", region: "nyc3", size_gigabytes: 10 },
    },
    wall: {
      type: "digitalocean:Firewall",
      properties: {
        name: "${control.instance.name}-wall",
        droplet_ids: ["${app.id}"],
        inbound_rules: [{ protocol: "tcp", ports: "8080", sources: { addresses: ["10.0.0.0/8"] } }],
      },
    },
  },
  outputs: { app: "${app.id}" },
});

/** The id in an answer that must be a success. */
export function idOf({ status, body }: Answer, what: string): string {
  if (status >= 300 || typeof body["id"] !== "string")
    throw new Error(`${what} was answered ${status}: ${JSON.stringify(body)}`);
  return body["id"];
}

export async function makeTenant(
  place: SoakPlace,
  operator: Caller,
  slug: string,
): Promise<SoakTenant> {
  const { book } = place;
  const tenantAnswer = await operator.change({
    method: "POST",
    path: "/tenants",
    body: { name: slug, slug },
  });
  const id = idOf(tenantAnswer, "A tenant");
  const keyFor = async (name: string, scopes: readonly string[]): Promise<Caller> => {
    const body = { name, scopes, tenantId: id };
    const answer = await operator.change({ method: "POST", path: "/api-keys", body });
    idOf(answer, "A key");
    return new Caller(place, String(answer.body["key"]));
  };
  const admin = await keyFor("admin", ["*"]);
  const approver = new Caller(
    place,
    await makePersonKey({
      address: place.address,
      operatorKey: place.operatorKey,
      tenantId: id,
      scopes: ["deployments:approve", "deployments:write", "instances:read"],
    }),
  );
  const viewer = await keyFor("viewer", [
    "deployments:read",
    "instances:read",
    "templates:read",
    "webhooks:read",
    "targets:read",
  ]);
  const make = async (path: string, body: object): Promise<string> =>
    idOf(await admin.change({ method: "POST", path, body }), path);
  const target = async (
    name: string,
    provider: string,
    region: string,
    more: object,
  ): Promise<string> =>
    make("/cloud/targets", {
      provider,
      name,
      environment: "sandbox",
      allowedRegions: [region],
      defaultRegion: region,
      maxConcurrentDeployments: 2,
      ...more,
    });
  const latency = { latencyMs: 40, readyAfterMs: 300 };
  const targets = {
    mock: await target("mock", "mock", "eu-1", { config: latency }),
    tokenless: await target("tokenless", "mock", "eu-1", {
      config: { ...latency, tokens: "none", longestRequestMs: 500 },
    }),
    digitalocean: await target("do", "digitalocean", "nyc3", {
      config: {},
      credentialRef: `env://${credentialName(id)}`,
    }),
  };
  const templates = {
    mock: await make("/templates", { name: `${slug}-rows`, source: mockTemplate(1) }),
    digitalocean: await make("/templates", {
      name: `${slug}-droplets`,
      source: digitaloceanTemplate,
    }),
  };
  await admin.change({
    method: "POST",
    path: `/templates/${templates.mock}/versions`,
    body: { source: mockTemplate(2) },
  });
  const tenant: SoakTenant = {
    id,
    slug,
    admin,
    approver,
    viewer,
    targets,
    templates,
    instances: [],
    webhooks: [],
  };
  for (const mood of moods) await addWebhook(place, tenant, mood);
  for (const [at, cloud] of INSTANCES.entries()) {
    const instance = await addInstance(place, tenant, `${slug}${at}`, cloud);
    tenant.instances.push(instance);
  }
  book.acknowledge({ id: templates.mock, kind: "template", tenantId: id });
  return tenant;
}

/** The Worker's secret that has the tenant's credential. */
export function credentialName(tenantId: string): string {
  return `TARGET_${tenantId.replaceAll("-", "").toUpperCase()}_DO`;
}

export async function addInstance(
  { book, canaries }: SoakPlace,
  tenant: SoakTenant,
  name: string,
  cloud: SoakInstance["cloud"],
): Promise<SoakInstance> {
  const templateId =
    cloud === "digitalocean" ? tenant.templates.digitalocean : tenant.templates.mock;
  const answer = await tenant.admin.change({
    method: "POST",
    path: "/instances",
    body: {
      name,
      templateId,
      targetId: tenant.targets[cloud],
      variables: { dbPassword: canaries.make() },
      labels: { call: name },
    },
  });
  const id = idOf(answer, "An instance");
  book.acknowledge({ id, kind: "instance", tenantId: tenant.id });
  return { id, name, cloud };
}

export async function addWebhook(
  { book, receivers, canaries }: SoakPlace,
  tenant: SoakTenant,
  mood: Mood,
  events: readonly string[] = ["*"],
): Promise<SoakWebhook> {
  const url = receivers.addressFor(tenant.id, mood);
  const answer = await tenant.admin.change({
    method: "POST",
    path: "/webhooks",
    body: { url, events },
  });
  const id = idOf(answer, "A webhook");
  const secret = String(answer.body["secret"]);
  receivers.setSecret(url, secret);
  // Only the answer above shows it.
  canaries.add(secret);
  book.acknowledge({ id, kind: "webhook", tenantId: tenant.id });
  const webhook = { id, url, mood };
  tenant.webhooks.push(webhook);
  return webhook;
}
