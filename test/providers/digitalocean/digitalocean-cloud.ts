import type { JsonMap } from "#platform/json.ts";
import { type DescribedCloud, describedCloud } from "#test/support/fake-cloud/described-cloud.ts";
import { type Description, readDescription } from "#test/support/fake-cloud/description.ts";
import { FakeCloud, type FakeOptions } from "#test/support/fake-cloud/fake-cloud.ts";
import { validatingProxy } from "#test/support/fake-cloud/validating-proxy.ts";
import { digitaloceanRules } from "./rules.ts";

export const TOKEN = "dop_v1_canary0123456789";

const kept =
  /^\/v2\/(actions\/|account($|\/keys)|apps($|\/\{[^/]+\}($|\/deployments$))|cdn|certificates|databases($|\/\{)|domains|droplets($|\/\{droplet_id\}($|\/actions$))|firewalls|functions|kubernetes|load_balancers|monitoring\/alerts|projects|registries|reserved_ips\b|snapshots|spaces|tags|volumes|vpc_peerings|vpcs)/;

/** The paths of the 27 types alone: the vendor's description has twenty times as many. */
export function digitaloceanDescription(document: JsonMap): Description {
  return readDescription(mended(document), (path) => kept.test(path));
}

/**
 * The vendor's schema of tagged resources lacks the databases that its text names. Its schema of load balancers requires
 * a region, which global ones do not have.
 */
function mended(document: JsonMap): JsonMap {
  return JSON.parse(
    JSON.stringify(document)
      .replaceAll(
        '"enum":["droplet","image","volume","volume_snapshot"]',
        '"enum":["droplet","database","image","volume","volume_snapshot"]',
      )
      .replaceAll(/"required":\["(droplet_ids|tag)","region"\]/g, '"required":["$1"]'),
  ) as JsonMap;
}

/** An empty DigitalOcean behind its description. */
export function digitaloceanCloud(
  description: Description,
  options: FakeOptions = {},
): DescribedCloud {
  const fake = new FakeCloud(description, digitaloceanRules, { token: TOKEN, ...options });
  const proxy = validatingProxy(description, fake.fetch);
  return describedCloud(fake, proxy, { region: "nyc3", config: {}, credential: TOKEN });
}
