/** Data that Google Cloud keeps outside the regions that a target allows, and properties that no row lists. */
import { beforeEach, describe, expect, it } from "vitest";
import { PROJECT, REGION, ZONE } from "#test/providers/gcp/shown.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import { partOf } from "#test/support/depth.ts";
import { deployAt, sharedGoogle } from "./gcp-target.ts";

const scene = sharedGoogle();
let tenant: TestTenant;
beforeEach(async () => {
  tenant = await makeTenant();
});

describe("attack: nothing is kept in a region that the target forbids", () => {
  it.each(
    partOf(
      [
        [
          "a secret that Google replicates anywhere",
          "{ type: gcp:secretmanager/Secret, properties: { name: spy, replication: { automatic: {} } } }",
        ],
        [
          "a topic without a storage policy",
          "{ type: gcp:pubsub/Topic, properties: { name: spy } }",
        ],
        [
          "backups of a database in another region",
          `{ type: gcp:sql/Instance, properties: { name: spy, databaseVersion: POSTGRES_16, settings: { tier: db-f1-micro, backupConfiguration: { enabled: true, location: us-east1 } } } }`,
        ],
        [
          "a service of Cloud Run in further regions",
          `{ type: gcp:run/Service, properties: { name: spy, multiRegionSettings: { regions: [us-east1] }, template: { containers: [{ image: x }] } } }`,
        ],
        [
          "held: a bucket in US",
          "{ type: gcp:storage/Bucket, properties: { name: spy-bucket, location: US } }",
        ],
        [
          "held: a disk in a forbidden zone",
          "{ type: gcp:compute/Disk, properties: { name: spy, zone: us-east1-b, sizeGb: 10 } }",
        ],
        [
          "held: a location that means all of them",
          "{ type: gcp:artifactregistry/Repository, properties: { name: spy, location: '-', format: DOCKER } }",
        ],
      ],
      4,
    ),
  )("%s", async (_, resource) => {
    const { error } = await deployAt(scene.targetId, tenant, `  one: ${resource}\n`);
    expect(scene.sent.map(({ path }) => path)).toEqual([]);
    expect(error?.code).toBe("region_not_allowed");
  });
});

describe("attack: a property that the row does not list is sent, and leads to others' objects", () => {
  it.each(
    partOf(
      [
        [
          "a machine from another tenant's machine image",
          `{ type: gcp:compute/Instance, properties: { name: spy, machineType: zones/${ZONE}/machineTypes/e2-micro, networkInterfaces: [{}], disks: [{ boot: true }], sourceMachineImage: projects/${PROJECT}/global/machineImages/victim } }`,
        ],
        [
          "a disk from another tenant's instant snapshot",
          `{ type: gcp:compute/Disk, properties: { name: spy, zone: ${ZONE}, sourceInstantSnapshot: projects/${PROJECT}/zones/${ZONE}/instantSnapshots/victim } }`,
        ],
        [
          "a build with a service account of the operator",
          `{ type: gcp:run/Service, properties: { name: spy, location: ${REGION}, buildConfig: { serviceAccount: projects/${PROJECT}/serviceAccounts/owner@${PROJECT}.iam.gserviceaccount.com }, template: { containers: [{ image: x }] } } }`,
        ],
      ],
      3,
    ),
  )("%s", async (_, resource) => {
    const { error } = await deployAt(scene.targetId, tenant, `  one: ${resource}\n`);
    expect(scene.sent.map(({ path }) => path)).toEqual([]);
    expect(error?.code).toBe("reference_not_allowed");
  });
});
