/**
 * Buckets, by S3 at a host for each of two regions, with a key pair of their own. (The source of Terraform's provider: the
 * hosts, the key pair, the settings.) The region br-mgl1 has none.
 */
import { bucketRow } from "#providers/buckets/bucket-row.ts";
import {
  type BucketSetting,
  corsSetting,
  policySetting,
  versioningSetting,
} from "#providers/buckets/bucket-settings.ts";
import type { BucketService } from "#providers/buckets/with-buckets.ts";
import { text } from "#providers/rest/fields.ts";
import type { RestRows } from "#providers/rest/rest-types.ts";

export const OBJECTS = "objects";

export function objectsUrl(region: string): string {
  return `https://${region}.magaluobjects.com`;
}

function settings(): BucketSetting[] {
  return [versioningSetting(), corsSetting(), policySetting()];
}

export function objectStorageRows(): RestRows {
  return {
    Bucket: bucketRow({
      description: "A bucket of object storage. The credential needs a key pair.",
      region: text("The region. Without one, the target's.", "br-se1", "br-ne1"),
      settings: settings(),
      outputs: ["url"],
    }),
  };
}

export function magaluBuckets(keysOf: BucketService["keysOf"]): BucketService {
  return {
    type: "magalu:Bucket",
    host: OBJECTS,
    settings: settings(),
    keysOf,
    withoutKeys:
      'Write it as {"apiKey": "…", "keyPair": {"accessKeyId": "…", "secretAccessKey": "…"}}.',
    shown: (name, region) => ({ url: `${objectsUrl(region)}/${name}` }),
  };
}
