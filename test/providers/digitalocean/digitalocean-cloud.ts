import type { JsonMap } from "#platform/json.ts";
import { type DescribedCloud, describedCloud } from "#test/support/fake-cloud/described-cloud.ts";
import { type Description, readDescription } from "#test/support/fake-cloud/description.ts";
import {
  BUCKET_KEYS,
  FakeBuckets,
  type FakeBucketsOptions,
  isForBuckets,
} from "#test/support/fake-cloud/fake-buckets.ts";
import { FakeCloud, type FakeOptions } from "#test/support/fake-cloud/fake-cloud.ts";
import { validatingProxy } from "#test/support/fake-cloud/validating-proxy.ts";
import { digitaloceanRules, SNAPSHOTS } from "./rules.ts";

export const TOKEN = "dop_v1_canary0123456789";
/** With the access key of Spaces. */
export const CREDENTIAL = { token: TOKEN, spacesAccessKey: { ...BUCKET_KEYS } };

const kept =
  /^\/v2\/(actions\/|account($|\/keys)|apps($|\/\{[^/]+\}($|\/deployments$))|cdn|certificates|databases($|\/\{)|domains|droplets($|\/\{droplet_id\}($|\/(actions|snapshots)$))|firewalls|functions|kubernetes|load_balancers|monitoring\/alerts|projects|registries|reserved_ips\b|snapshots|spaces|tags|volumes|vpc_peerings|vpcs)/;

/** The paths of the other 28 types alone: the vendor's description has twenty times as many. */
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

/** The action of a Droplet that makes a snapshot of it. */
function withSnapshots(fake: FakeCloud): FakeCloud["fetch"] {
  return async (request) => {
    const [, droplet] =
      /^\/v2\/droplets\/(\d+)\/actions$/.exec(new URL(request.url).pathname) ?? [];
    if (droplet === undefined || request.method !== "POST") return fake.fetch(request);
    const { type, name } = (await request.clone().json()) as JsonMap;
    const answer = await fake.fetch(request);
    if (type !== "snapshot" || !answer.ok) return answer;
    const id = String(fake.world.nextNumber());
    const made = fake.put(SNAPSHOTS, { id, name: name ?? "" }, { volume_id: droplet });
    made.shown["resource_type"] = "droplet";
    return answer;
  };
}

export interface DigitalOceanCloud extends DescribedCloud {
  /** Spaces, which has no description. */
  buckets: FakeBuckets;
}

/** An empty DigitalOcean behind its description. */
export function digitaloceanCloud(
  description: Description,
  options: FakeOptions & FakeBucketsOptions = {},
): DigitalOceanCloud {
  const fake = new FakeCloud(description, digitaloceanRules, { token: TOKEN, ...options });
  const proxy = validatingProxy(description, withSnapshots(fake));
  const buckets = new FakeBuckets(options);
  const fetch = (request: Request): Promise<Response> =>
    isForBuckets(request) ? buckets.fetch(request) : proxy.fetch(request);
  const target = { region: "nyc3", config: {}, credential: CREDENTIAL };
  return { ...describedCloud(fake, { ...proxy, fetch }, target), buckets };
}
