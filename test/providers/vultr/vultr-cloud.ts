import { isJsonMap, type JsonMap } from "#platform/json.ts";
import { type DescribedCloud, describedCloud } from "#test/support/fake-cloud/described-cloud.ts";
import { type Description, readDescription } from "#test/support/fake-cloud/description.ts";
import { FakeCloud, type FakeOptions } from "#test/support/fake-cloud/fake-cloud.ts";
import { validatingProxy } from "#test/support/fake-cloud/validating-proxy.ts";
import { anError, vultrDocument } from "./description.ts";
import { vultrRules } from "./rules.ts";

export const API_KEY = "CANARYVULTRKEY0123456789";

const kept =
  /^\/v2\/(account$|instances($|\/\{instance-id\}($|\/vpcs\/(attach|detach)$))|bare-metals($|\/\{baremetal-id\}$)|vpcs|snapshots($|\/\{snapshot-id\}$)|ssh-keys|startup-scripts|kubernetes\/clusters($|\/\{vke-id\}($|\/(config|upgrades)$|\/node-pools($|\/\{nodepool-id\}$)))|firewalls|domains($|\/\{dns-domain\}($|\/records))|load-balancers($|\/\{load-balancer-id\}$)|reserved-ips($|\/\{)|blocks|object-storage($|\/\{object-storage-id\}$)|regist|databases)/;

/** The paths of the 21 types alone: the vendor's description has four times as many. */
export function vultrDescription(document: JsonMap): Description {
  return readDescription(document === vultrDocument ? document : mended(document), (path) =>
    kept.test(path),
  );
}

/**
 * The vendor's published description is older than its API: it lacks databases and registries, which are those of ours,
 * misnames what two answers have, and has the body of errors in its text alone.
 */
function mended(document: JsonMap): JsonMap {
  const text = JSON.stringify(document)
    .replaceAll('"baremetal":{"$ref"', '"bare_metal":{"$ref"')
    .replaceAll('"forward_rules"', '"forwarding_rules"');
  const vendors = JSON.parse(text) as JsonMap;
  const paths = isJsonMap(vendors["paths"]) ? vendors["paths"] : {};
  const own = isJsonMap(vultrDocument["paths"]) ? vultrDocument["paths"] : {};
  const missing = Object.entries(own)
    .filter(([path]) => /^\/v2\/(databases|regist)/.test(path))
    .map(([path, item]) => [path.slice("/v2".length), item]);
  for (const item of Object.values(paths))
    for (const operation of isJsonMap(item) ? Object.values(item) : [])
      if (isJsonMap(operation) && isJsonMap(operation["responses"]))
        operation["responses"] = {
          ...Object.fromEntries(
            Object.entries(operation["responses"]).filter(([status]) => status.startsWith("2")),
          ),
          default: { description: "", content: { "application/json": { schema: anError } } },
        };
  return { ...vendors, paths: { ...paths, ...Object.fromEntries(missing) } };
}

/** An empty Vultr behind its description. */
export function vultrCloud(description: Description, options: FakeOptions = {}): DescribedCloud {
  const fake = new FakeCloud(description, vultrRules, { token: API_KEY, ...options });
  const proxy = validatingProxy(description, fake.fetch);
  return describedCloud(fake, proxy, { region: "ewr", config: {}, credential: API_KEY });
}
