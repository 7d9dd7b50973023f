/**
 * What a project lacks for a template: APIs that are not enabled, permissions, and quotas. Google tells one at each
 * attempt.
 */
import { isJsonMap, type Json } from "#platform/json.ts";
import type { AccountNeeds, Lack } from "#providers/provider.ts";
import type {
  RequestResult,
  RequestSpec,
  RestProviderDefinition,
} from "#providers/rest/definition.ts";
import { joined } from "#providers/rest/quota-lacks.ts";
import { exceededQuotas } from "./quotas.ts";
import { gcpConfig } from "./sign-in.ts";
import { gcpTypes } from "./types.ts";

/** The most that Service Usage takes in a request, and Resource Manager. */
const MAX_SERVICES = 20;
const MAX_PERMISSIONS = 100;

type Ask = (spec: RequestSpec) => Promise<RequestResult>;

export const gcpNeeds: NonNullable<RestProviderDefinition["needs"]> = async (
  context,
  types,
  request,
): Promise<AccountNeeds> => {
  const { project } = gcpConfig().parse(context.config);
  if (project === undefined) return { lacks: [], unread: [] };
  const names = [...types.keys()];
  const apis = await disabledApis(project, names, request);
  const rights = await missingPermissions(project, names, request);
  // An API that is not enabled shows no quotas.
  const isDisabled = apis.lacks.some((lack) =>
    lack.types.some((type) => type.startsWith("compute/")),
  );
  const { region } = context;
  const quotas = isDisabled ? [] : [await exceededQuotas({ project, region }, types, request)];
  return joined([apis, rights, ...quotas]);
};

async function disabledApis(
  project: string,
  types: readonly string[],
  request: Ask,
): Promise<AccountNeeds> {
  const byApi = Map.groupBy(types, (type) => {
    const host = gcpTypes.rowOf(`gcp:${type}`)?.host;
    return host === undefined ? "" : `${host}.googleapis.com`;
  });
  byApi.delete("");
  const asked = [...byApi.keys()].slice(0, MAX_SERVICES);
  if (asked.length === 0) return { lacks: [], unread: [] };
  const names = asked.map((api) => `names=projects/${project}/services/${api}`).join("&");
  const found = await request({
    method: "GET",
    host: "serviceusage",
    path: `/v1/projects/${encodeURIComponent(project)}/services:batchGet?${names}`,
    filled: true,
  });
  if (!found.ok)
    return {
      lacks: [],
      unread: [`Which APIs are enabled was not found out: ${found.failed.message}`],
    };
  const services = listIn(found.answer.json, "services");
  if (services.length < asked.length)
    return { lacks: [], unread: ["Google did not say of all APIs whether they are enabled."] };
  const lacks = services.flatMap((one): Lack[] => {
    const { name, state } = isJsonMap(one) ? one : {};
    const api = typeof name === "string" ? (name.split("/").at(-1) ?? "") : "";
    if (state !== "DISABLED") return [];
    return [
      {
        what: `The project ${project} has not enabled the API ${api}.`,
        fix: `gcloud services enable ${api} --project ${project}`,
        types: byApi.get(api) ?? [],
      },
    ];
  });
  return { lacks, unread: [] };
}

async function missingPermissions(
  project: string,
  types: readonly string[],
  request: Ask,
): Promise<AccountNeeds> {
  const byPermission = new Map<string, string[]>();
  for (const type of types)
    for (const one of permissions[type] ?? [])
      byPermission.set(one, [...(byPermission.get(one) ?? []), type]);
  const asked = [...byPermission.keys()].slice(0, MAX_PERMISSIONS);
  if (asked.length === 0) return { lacks: [], unread: [] };
  const found = await request({
    method: "POST",
    host: "cloudresourcemanager",
    path: `/v3/projects/${encodeURIComponent(project)}:testIamPermissions`,
    filled: true,
    body: { permissions: asked },
  });
  if (!found.ok)
    return {
      lacks: [],
      unread: [`The identity's permissions were not found out: ${found.failed.message}`],
    };
  // Without any of them, the answer is an empty object.
  if (!isJsonMap(found.answer.json))
    return { lacks: [], unread: ["Google did not say which permissions the identity has."] };
  const held = new Set(listIn(found.answer.json, "permissions"));
  const lacks = asked
    .filter((one) => !held.has(one))
    .map((one): Lack => ({
      what: `The identity lacks the permission ${one} in the project ${project}.`,
      fix: "Give it a role with this permission: https://cloud.google.com/iam/docs/roles-permissions lists them.",
      types: byPermission.get(one) ?? [],
    }));
  return { lacks, unread: [] };
}

function listIn(json: Json | undefined, name: string): readonly Json[] {
  const value = isJsonMap(json) ? json[name] : undefined;
  return Array.isArray(value) ? value : [];
}

const made = (...collections: readonly string[]): readonly string[] =>
  collections.flatMap((one) => [`${one}.create`, `${one}.delete`]);

/** The permissions without which objects of a type are not made or deleted. Google's reference of permissions. */
const permissions: Readonly<Record<string, readonly string[]>> = {
  "artifactregistry/Repository": made("artifactregistry.repositories"),
  "cloudfunctions/Function": made("cloudfunctions.functions"),
  "cloudresourcemanager/ProjectIamMember": ["resourcemanager.projects.setIamPolicy"],
  "compute/Address": made("compute.addresses"),
  "compute/BackendService": made("compute.backendServices"),
  "compute/Disk": made("compute.disks"),
  "compute/Firewall": made("compute.firewalls"),
  "compute/GlobalAddress": made("compute.globalAddresses"),
  "compute/GlobalForwardingRule": made("compute.globalForwardingRules"),
  "compute/HealthCheck": made("compute.healthChecks"),
  "compute/Instance": made("compute.instances"),
  "compute/InstanceGroupManager": made("compute.instanceGroupManagers"),
  "compute/InstanceTemplate": made("compute.instanceTemplates"),
  "compute/ManagedSslCertificate": made("compute.sslCertificates"),
  "compute/Network": made("compute.networks"),
  "compute/RegionInstanceGroupManager": made("compute.instanceGroupManagers"),
  "compute/RegionNetworkEndpointGroup": made("compute.regionNetworkEndpointGroups"),
  "compute/Router": made("compute.routers"),
  "compute/Subnetwork": made("compute.subnetworks"),
  "compute/TargetHttpProxy": made("compute.targetHttpProxies"),
  "compute/TargetHttpsProxy": made("compute.targetHttpsProxies"),
  "compute/UrlMap": made("compute.urlMaps"),
  "container/Cluster": made("container.clusters"),
  "container/NodePool": ["container.clusters.update"],
  "dns/ManagedZone": made("dns.managedZones"),
  "dns/ResourceRecordSet": ["dns.changes.create", ...made("dns.resourceRecordSets")],
  "iam/ServiceAccount": made("iam.serviceAccounts"),
  "pubsub/Subscription": made("pubsub.subscriptions"),
  "pubsub/Topic": made("pubsub.topics"),
  "redis/Instance": made("redis.instances"),
  "run/Job": made("run.jobs"),
  "run/Service": made("run.services"),
  "run/ServiceIamMember": ["run.services.setIamPolicy"],
  "secretmanager/Secret": made("secretmanager.secrets"),
  "secretmanager/SecretIamMember": ["secretmanager.secrets.setIamPolicy"],
  "secretmanager/SecretVersion": ["secretmanager.versions.add", "secretmanager.versions.destroy"],
  "servicenetworking/Connection": [
    "servicenetworking.services.addPeering",
    "servicenetworking.services.deleteConnection",
  ],
  "sql/Database": made("cloudsql.databases"),
  "sql/Instance": made("cloudsql.instances"),
  "sql/User": made("cloudsql.users"),
  "storage/Bucket": made("storage.buckets"),
  "storage/BucketIamMember": ["storage.buckets.setIamPolicy"],
};
