/** The quotas of Compute Engine that first deployments reach, beside those of single families of machines. */
import type { JsonMap } from "#platform/json.ts";
import type { AccountNeeds } from "#providers/provider.ts";
import type { RequestResult, RequestSpec } from "#providers/rest/definition.ts";
import {
  countedObjects,
  joined,
  type Quota,
  quotaLacks,
  quotasIn,
} from "#providers/rest/quota-lacks.ts";

/**
 * By type: names of the enum `Quota.metric` of compute v1. A machine takes one CPU at least. The quota of an address
 * depends on its properties.
 */
const ofProject = {
  "compute/BackendService": ["BACKEND_SERVICES"],
  "compute/Firewall": ["FIREWALLS"],
  "compute/HealthCheck": ["HEALTH_CHECKS"],
  "compute/Instance": ["CPUS_ALL_REGIONS"],
  "compute/InstanceTemplate": ["INSTANCE_TEMPLATES"],
  "compute/ManagedSslCertificate": ["SSL_CERTIFICATES"],
  "compute/Network": ["NETWORKS"],
  "compute/Router": ["ROUTERS"],
  "compute/Subnetwork": ["SUBNETWORKS"],
  "compute/TargetHttpProxy": ["TARGET_HTTP_PROXIES"],
  "compute/TargetHttpsProxy": ["TARGET_HTTPS_PROXIES"],
  "compute/UrlMap": ["URL_MAPS"],
};
const ofRegion = {
  "compute/Instance": ["INSTANCES"],
  "compute/RegionInstanceGroupManager": ["REGIONAL_INSTANCE_GROUP_MANAGERS"],
};

/** By one request for the project and one for the region, if they have quotas of the objects. */
export async function exceededQuotas(
  { project, region }: { project: string; region: string },
  types: ReadonlyMap<string, number>,
  request: (spec: RequestSpec) => Promise<RequestResult>,
): Promise<AccountNeeds> {
  const at = `/compute/v1/projects/${encodeURIComponent(project)}`;
  const places = [
    { quotas: ofProject, path: at, place: `the project ${project}` },
    { quotas: ofRegion, path: `${at}/regions/${encodeURIComponent(region)}`, place: region },
  ];
  const looks: AccountNeeds[] = [];
  for (const { quotas, path, place } of places) {
    const objects = countedObjects(quotas, types);
    if (objects.length === 0) continue;
    const found = await request({ method: "GET", host: "compute", path, filled: true });
    const shown = found.ok ? quotasIn(found.answer.json, "quotas", quotaOf) : undefined;
    if (shown === undefined) {
      const why = found.ok ? "the answer has none." : found.failed.message;
      looks.push({ lacks: [], unread: [`The quotas of ${place} were not found out: ${why}`] });
      continue;
    }
    const fix = ({ name }: Quota, limit: number): string =>
      `Ask for a limit of ${limit} of ${name} at https://console.cloud.google.com/iam-admin/quotas?project=${project}, or delete what is not needed.`;
    looks.push({ lacks: quotaLacks(objects, { shown, place, fix }), unread: [] });
  }
  return joined(looks);
}

function quotaOf({ metric: name, limit, usage: used }: JsonMap) {
  return { name, limit, used };
}
