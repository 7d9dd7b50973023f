/** The quotas of a subscription in a region that first deployments reach, beside those of single sizes of machines. */
import { isJsonMap, type JsonMap } from "#platform/json.ts";
import type { AccountNeeds, ProviderContext } from "#providers/provider.ts";
import type { RequestResult, RequestSpec } from "#providers/rest/definition.ts";
import {
  countedObjects,
  joined,
  type Quota,
  quotaLacks,
  quotasIn,
} from "#providers/rest/quota-lacks.ts";
import { azureSchemas } from "./sign-in.ts";

type Ask = (spec: RequestSpec) => Promise<RequestResult>;

interface Usages {
  version: string;
  quotas: Readonly<Record<string, readonly string[]>>;
}

/**
 * The names of quotas by the namespace that shows them: `Usage - List` of Compute, `Usages` of Virtual Networks and
 * Container Apps in Azure's REST reference. A machine takes one core at least. New public addresses are of the SKU
 * Standard, whose quota has another name in some subscriptions (`az quota list`).
 */
const usages: Readonly<Record<string, Usages>> = {
  "microsoft.compute": {
    version: "2024-11-01",
    quotas: {
      "Microsoft.Compute/availabilitySets": ["availabilitySets"],
      "Microsoft.Compute/virtualMachines": ["cores", "virtualMachines"],
      "Microsoft.Compute/virtualMachineScaleSets": ["virtualMachineScaleSets"],
    },
  },
  "microsoft.network": {
    version: "2025-05-01",
    quotas: {
      "Microsoft.Network/applicationGateways": ["ApplicationGateways"],
      "Microsoft.Network/networkInterfaces": ["NetworkInterfaces"],
      "Microsoft.Network/networkSecurityGroups": ["NetworkSecurityGroups"],
      "Microsoft.Network/publicIPAddresses": [
        "StandardSkuPublicIpAddresses",
        "IPv4StandardSkuPublicIpAddresses",
      ],
      "Microsoft.Network/routeTables": ["RouteTables"],
      "Microsoft.Network/virtualNetworks": ["VirtualNetworks"],
    },
  },
  "microsoft.app": {
    version: "2025-07-01",
    quotas: { "Microsoft.App/managedEnvironments": ["ManagedEnvironmentCount"] },
  },
};

/**
 * By one request for each namespace that has quotas of the objects. `without`: namespaces that are not registered, whose
 * quotas are shown as 0.
 */
export async function exceededQuotas(
  { config, region }: ProviderContext,
  types: ReadonlyMap<string, number>,
  { without, request }: { without: ReadonlySet<string>; request: Ask },
): Promise<AccountNeeds> {
  const { subscriptionId } = azureSchemas().config.parse(config);
  const looks: AccountNeeds[] = [];
  for (const [namespace, { version, quotas }] of Object.entries(usages)) {
    const objects = countedObjects(quotas, types);
    if (objects.length === 0 || without.has(namespace)) continue;
    const [name = ""] = objects[0]?.type.split("/") ?? [];
    const scope = `/subscriptions/${subscriptionId}/providers/${name}/locations/${encodeURIComponent(region)}`;
    const found = await request({
      method: "GET",
      path: `${scope}/usages?api-version=${version}`,
      filled: true,
    });
    const shown = found.ok ? quotasIn(found.answer.json, "value", usageOf) : undefined;
    if (shown === undefined) {
      const why = found.ok ? "the answer has no list." : found.failed.message;
      const unread = [`The quotas of ${name} in ${region} were not found out: ${why}`];
      looks.push({ lacks: [], unread });
      continue;
    }
    const fix = (quota: Quota, limit: number): string =>
      `az quota update --resource-name ${quota.name} --scope ${scope} --limit-object value=${limit}`;
    looks.push({ lacks: quotaLacks(objects, { shown, place: region, fix }), unread: [] });
  }
  return joined(looks);
}

function usageOf({ name, limit, currentValue: used }: JsonMap) {
  return { name: isJsonMap(name) ? name["value"] : undefined, limit, used };
}
