import { readFile } from "node:fs/promises";
import path from "node:path";
import { projectRoot } from "../files/project-root.ts";
import type { Receiver } from "../receiver/receiver.ts";
import { type Client, clientOf, type Named } from "./client.ts";
import { makePersonKey } from "./person-key.ts";

export interface Tenant {
  client: Client;
  tenantId: string;
  webhookId: string;
}

/** Creates a tenant with an API key and a webhook that sends all events to `receiver`. */
export async function setUpTenant(
  address: string,
  operatorKey: string,
  receiver: Receiver,
): Promise<Tenant> {
  const operator = clientOf(address, operatorKey);
  const tenant = await operator.post<Named>("/tenants", { name: "Acme", slug: "acme" });
  const body = { name: "deployer", scopes: ["*"], tenantId: tenant.id };
  const { key } = await operator.post<{ key: string }>("/api-keys", body);
  const client = clientOf(address, key);
  const webhook = await client.post<Named & { secret: string }>("/webhooks", {
    url: receiver.url,
    events: ["*"],
  });
  receiver.setSecret(webhook.secret);
  return { client, tenantId: tenant.id, webhookId: webhook.id };
}

/** Creates an instance, not yet deployed, on a new mock target with this config. `variables`: default, the example's. */
export async function setUpInstance(
  client: Client,
  options: {
    name: string;
    templateId: string;
    config: Readonly<Record<string, unknown>>;
    variables?: Readonly<Record<string, unknown>>;
  },
): Promise<string> {
  const target = await client.post<Named>("/cloud/targets", {
    provider: "mock",
    name: `${options.name} cloud`,
    environment: "sandbox",
    config: options.config,
    allowedRegions: ["eu-1"],
    defaultRegion: "eu-1",
  });
  const instance = await client.post<Named>("/instances", {
    name: options.name,
    templateId: options.templateId,
    targetId: target.id,
    variables: options.variables ?? { dbPassword: "correct horse battery staple" },
  });
  return instance.id;
}

/** Creates a template from a file of the examples folder. */
export async function setUpTemplate(client: Client, file: string): Promise<string> {
  const source = await readFile(path.join(projectRoot, "examples", file), "utf8");
  const template = await client.post<Named>("/templates", {
    name: path.basename(file, ".yaml"),
    source,
  });
  return template.id;
}

/** Another person of the tenant, because the requester of a deployment may not approve it. */
export async function setUpApprover(
  address: string,
  operatorKey: string,
  tenantId: string,
): Promise<Client> {
  return clientOf(address, await makePersonKey({ address, operatorKey, tenantId, scopes: ["*"] }));
}
