/** Accounts at clouds in memory, each empty, for the deployment of drafts. */
import { env } from "cloudflare:workers";
import { isJsonMap } from "#platform/json.ts";
import { describedTypes } from "#test/providers/aws/described-type.ts";
import { FakeAws, KEYS } from "#test/providers/aws/fake-aws.ts";
import {
  ArmCloud,
  CLIENT_ID,
  CLIENT_SECRET,
  GROUP,
  REGION as AZURE_REGION,
  SUBSCRIPTION,
  TENANT_ID,
} from "#test/providers/azure/arm-cloud.ts";
import { azureDescription } from "#test/providers/azure/description.ts";
import { digitaloceanDocument } from "#test/providers/digitalocean/description.ts";
import {
  digitaloceanCloud,
  digitaloceanDescription,
  TOKEN,
} from "#test/providers/digitalocean/digitalocean-cloud.ts";
import { GoogleCloud, KEY_FILE } from "#test/providers/gcp/google-cloud.ts";
import { PROJECT, REGION, ZONE } from "#test/providers/gcp/shown.ts";
import { vercelDocument } from "#test/providers/vercel/description.ts";
import { TEAM } from "#test/providers/vercel/rules.ts";
import {
  TOKEN as VERCEL_TOKEN,
  vercelCloud,
  vercelDescriptions,
} from "#test/providers/vercel/vercel-cloud.ts";

export function digitaloceanAccount() {
  const cloud = digitaloceanCloud(digitaloceanDescription(digitaloceanDocument));
  return {
    provider: "digitalocean",
    host: "api.digitalocean.com",
    fetch: cloud.fetch,
    config: {},
    region: "nyc3",
    token: TOKEN,
    cloud,
  };
}

export function vercelAccount() {
  const cloud = vercelCloud(vercelDescriptions(vercelDocument));
  return {
    provider: "vercel",
    host: "api.vercel.com",
    fetch: cloud.fetch,
    config: { teamId: TEAM },
    region: "fra1",
    token: VERCEL_TOKEN,
    cloud,
  };
}

export function googleAccount() {
  const cloud = new GoogleCloud();
  return {
    provider: "gcp",
    host: ".googleapis.com",
    fetch: cloud.fetch,
    config: { project: PROJECT, zone: ZONE },
    region: REGION,
    token: JSON.stringify(KEY_FILE),
    cloud,
  };
}

/** With the types that the draft names. Every operation is over when it is answered. */
export async function awsAccount({ source }: { source: string }) {
  const types = [...new Set(source.match(/\bAWS::\w+::\w+/g))];
  const cloud = new FakeAws(await describedTypes(types, env.ASSETS));
  const fetch = async (request: Request): Promise<Response> => {
    const answer = await cloud.fetch(request);
    const read: unknown = await answer.clone().json();
    const event = isJsonMap(read) ? read["ProgressEvent"] : undefined;
    if (!isJsonMap(event)) return answer;
    return Response.json(cloud.control.answer("GetResourceRequestStatus", event), answer);
  };
  return {
    provider: "aws",
    host: ".amazonaws.com",
    fetch,
    config: {},
    region: "eu-central-1",
    token: JSON.stringify(KEYS),
    cloud,
    types,
  };
}

/** Every change is done when it is answered. */
export function azureAccount() {
  const types = Object.entries(azureDescription).map(([type, described]) => [
    type,
    { ...described, style: "at once" as const },
  ]);
  const cloud = new ArmCloud({ types: Object.fromEntries(types) });
  return {
    provider: "azure",
    host: "",
    /** Of its API and of the service that signs in. */
    hosts: ["management.azure.com", "login.microsoftonline.com"],
    fetch: cloud.fetch,
    config: {
      subscriptionId: SUBSCRIPTION,
      resourceGroup: GROUP,
      tenantId: TENANT_ID,
      clientId: CLIENT_ID,
    },
    region: AZURE_REGION,
    token: CLIENT_SECRET,
    cloud,
  };
}
