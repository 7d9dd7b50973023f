/**
 * Buckets of Spaces, by S3 at a host for each region. (The reference of the Spaces API: regions, the signature's region,
 * no tags on buckets. The source of Terraform's provider: the settings, `urn` and the names of hosts.)
 */
import { bucketRow } from "#providers/buckets/bucket-row.ts";
import {
  aclSetting,
  type BucketSetting,
  corsSetting,
  lifecycleSetting,
  policySetting,
  versioningSetting,
} from "#providers/buckets/bucket-settings.ts";
import type { BucketService } from "#providers/buckets/with-buckets.ts";
import { choice } from "./fields.ts";
import type { DigitalOceanRows } from "./prepare-request.ts";

export const SPACES = "spaces";

export function spacesHost(region: string): string {
  return `${region}.digitaloceanspaces.com`;
}

function settings(): BucketSetting[] {
  return [aclSetting(), versioningSetting(), corsSetting(), lifecycleSetting(), policySetting()];
}

export function spacesRows(): DigitalOceanRows {
  return {
    SpacesBucket: bucketRow({
      description: "A bucket of Spaces. The credential needs a Spaces access key.",
      region: choice("The region's slug."),
      settings: settings(),
      outputs: ["urn", "bucket_domain_name", "endpoint"],
    }),
  };
}

export function spacesBuckets(keysOf: BucketService["keysOf"]): BucketService {
  return {
    type: "digitalocean:SpacesBucket",
    host: SPACES,
    settings: settings(),
    keysOf,
    withoutKeys:
      'Write it as {"token": "…", "spacesAccessKey": {"accessKeyId": "…", "secretAccessKey": "…"}}, with a key that has full access.',
    shown: (name, region) => ({
      urn: `do:space:${name}`,
      bucket_domain_name: `${name}.${spacesHost(region)}`,
      endpoint: spacesHost(region),
    }),
  };
}
