import { isJsonMap, type JsonMap } from "#platform/json.ts";
import { type DescribedCloud, describedCloud } from "#test/support/fake-cloud/described-cloud.ts";
import { type Description, readDescription } from "#test/support/fake-cloud/description.ts";
import { FakeCloud, type FakeOptions } from "#test/support/fake-cloud/fake-cloud.ts";
import { textOf } from "#test/support/fake-cloud/text-of.ts";
import { validatingProxy } from "#test/support/fake-cloud/validating-proxy.ts";
import { anError, vultrDocument } from "./description.ts";
import { vultrRules } from "./rules.ts";

export const API_KEY = "CANARYVULTRKEY0123456789";

const kept =
  /^\/v2\/(account$|instances($|\/\{instance-id\}($|\/vpcs\/(attach|detach)$))|bare-metals($|\/\{baremetal-id\}$)|vpcs|snapshots($|\/\{snapshot-id\}$)|ssh-keys|startup-scripts|kubernetes\/clusters($|\/\{vke-id\}($|\/(config|upgrades)$|\/node-pools($|\/\{nodepool-id\}$)))|firewalls|domains($|\/\{dns-domain\}($|\/records))|load-balancers($|\/\{load-balancer-id\}$)|reserved-ips($|\/\{)|blocks|object-storage($|\/\{object-storage-id\}$)|regist|databases)/;

/** The paths of the 22 types alone: the vendor's description has four times as many. */
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

const DATABASES = "/v2/databases";

/** A replica is a database. Its primary alone lists it, and gives it the engine and the plan. */
function withReplicas(fake: FakeCloud, { listLagMs = 0 }: FakeOptions): FakeCloud["fetch"] {
  const primaries = new Map<string, string>();
  return async (request) => {
    const url = new URL(request.url);
    const [, primary = "", isCreate] =
      /^\/v2\/databases\/([^/]+)(\/read-replica)?$/.exec(url.pathname) ?? [];
    const shown = fake.world.at(DATABASES, primary)?.shown;
    if (isCreate !== undefined && request.method === "POST") {
      if (shown === undefined) return fake.fetch(request);
      const { plan, database_engine, database_engine_version } = shown;
      const sent = (await request.json()) as JsonMap;
      const body = { plan, database_engine, database_engine_version, ...sent };
      const { headers } = request;
      const made = new Request(`${url.origin}${DATABASES}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      const before = new Set(fake.living(DATABASES).map(({ key }) => key));
      try {
        return await fake.fetch(made);
      } finally {
        for (const { key } of fake.living(DATABASES))
          if (!before.has(key)) primaries.set(key, primary);
      }
    }
    const answer = await fake.fetch(request);
    if (request.method !== "GET" || !answer.ok || !url.pathname.startsWith(DATABASES))
      return answer;
    const read = (await answer.json()) as JsonMap;
    const { database, databases } = read;
    const replicas = fake
      .living(DATABASES)
      .filter(({ key, createdMs }) => {
        const isListed = createdMs + listLagMs <= fake.world.now();
        return isListed && primaries.get(key) === primary;
      })
      .map(({ shown: one }) => one);
    if (isJsonMap(database) && replicas.length > 0) database["read_replicas"] = replicas;
    if (Array.isArray(databases) && url.pathname === DATABASES)
      read["databases"] = databases.filter(
        (one) => !isJsonMap(one) || !primaries.has(textOf(one["id"])),
      );
    return Response.json(read, { status: answer.status, headers: answer.headers });
  };
}

/** An empty Vultr behind its description. */
export function vultrCloud(description: Description, options: FakeOptions = {}): DescribedCloud {
  const fake = new FakeCloud(description, vultrRules, { token: API_KEY, ...options });
  const proxy = validatingProxy(description, withReplicas(fake, options));
  return describedCloud(fake, proxy, { region: "ewr", config: {}, credential: API_KEY });
}
