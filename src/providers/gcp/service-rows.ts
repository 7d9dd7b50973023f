import type { RestType } from "#providers/rest/rest-type.ts";
import type { RestRows } from "#providers/rest/rest-types.ts";
import { bucketShape } from "./bucket-shape.ts";
import { type GcpRow, gcpRow, methodPart } from "./gcp-row.ts";

const LOCATION = "projects/{project}/locations/{location}/";
const networks = {
  "template.vpcAccess.connector": "any",
  "template.vpcAccess.networkInterfaces[*].network": "compute/Network",
  "template.vpcAccess.networkInterfaces[*].subnetwork": "compute/Subnetwork",
};

/** Cloud Run: `kind` is `service` or `job`. */
function run(kind: string, { refers, ...row }: Omit<GcpRow, "at">): RestType {
  return gcpRow("run", "/v2/", {
    at: `${LOCATION}${kind}s`,
    paths: { create: `/v2/${LOCATION}${kind}s?${kind}Id={name}` },
    name: { rule: { maxLength: 49, letterFirst: true } },
    envelope: { list: `${kind}s` },
    unsent: ["name"],
    marks: "labels",
    update: "MERGE",
    mask: "query",
    refers: { ...refers, "template.encryptionKey": "any" },
    state: {
      path: "terminalCondition.state",
      ready: ["CONDITION_SUCCEEDED"],
      fail: ["CONDITION_FAILED"],
    },
    timing: { createMinutes: 20, updateMinutes: 20, deleteMinutes: 20 },
    ...row,
  });
}

/** Cloud Functions of the second generation, and Memorystore: operations, and a mask in the query. */
function located(host: string, version: string, kind: string, row: Omit<GcpRow, "at">): RestType {
  const at = `${LOCATION}${kind}s`;
  return gcpRow(host, `/${version}/`, {
    at,
    paths: { create: `/${version}/${at}?${kind}Id={name}` },
    envelope: { list: `${kind}s` },
    unsent: ["name"],
    marks: "labels",
    update: "MERGE",
    mask: "query",
    ...row,
  });
}

const secretsOf = (containers: string, volumes: string) => ({
  [`${containers}[*].env[*].valueSource.secretKeyRef.secret`]: "secretmanager/Secret",
  [`${volumes}[*].secret.secret`]: "secretmanager/Secret",
  [`${volumes}[*].cloudSqlInstance.instances[*]`]: "any",
  [`${volumes}[*].gcs.bucket`]: "storage/Bucket",
});

/** Pub/Sub: a PUT creates, and takes over no object. The body of an update has a mask. */
function pubsub(key: string, row: Omit<GcpRow, "at">): RestType {
  const at = `projects/{project}/${key}s`;
  return gcpRow("pubsub", "/v1/", {
    at,
    create: { method: "PUT" },
    paths: { create: `/v1/${at}/{name}` },
    name: { rule: { maxLength: 255, letterFirst: true } },
    envelope: { list: `${key}s` },
    unsent: ["name"],
    marks: "labels",
    update: "MERGE",
    mask: { beside: key },
    ...row,
  });
}

export function serviceRows(): RestRows {
  return {
    "run/Service": run("service", {
      about: "A service of Cloud Run: containers behind HTTPS.",
      takes:
        "name description labels annotations template traffic ingress launchStage scaling multiRegionSettings invokerIamDisabled defaultUriDisabled binaryAuthorization customAudiences iapEnabled client clientVersion",
      required: ["template"],
      refers: {
        ...networks,
        ...secretsOf("template.containers", "template.volumes"),
      },
      region: { more: ["multiRegionSettings.regions[*]"] },
    }),
    "run/Job": run("job", {
      about: "A job of Cloud Run: containers that run to their end.",
      takes:
        "name labels annotations template launchStage binaryAuthorization client clientVersion",
      required: ["template"],
      refers: {
        "template.template.vpcAccess.connector": "any",
        "template.template.vpcAccess.networkInterfaces[*].network": "compute/Network",
        "template.template.vpcAccess.networkInterfaces[*].subnetwork": "compute/Subnetwork",
        ...secretsOf("template.template.containers", "template.template.volumes"),
      },
    }),
    "cloudfunctions/Function": located("cloudfunctions", "v2", "function", {
      about: "A function, built of source code. Its `environment` is `GEN_2`.",
      takes:
        "name description environment labels kmsKeyName buildConfig serviceConfig eventTrigger",
      required: ["environment", "buildConfig"],
      name: { rule: { maxLength: 63, letterFirst: true } },
      region: { more: ["eventTrigger.triggerRegion"] },
      refers: {
        kmsKeyName: "any",
        "buildConfig.source.storageSource.bucket": "storage/Bucket",
        "buildConfig.source.repoSource": "any",
        "buildConfig.workerPool": "any",
        "buildConfig.dockerRepository": "artifactregistry/Repository",
        "serviceConfig.vpcConnector": "any",
        "serviceConfig.directVpcNetworkInterface[*].network": "compute/Network",
        "serviceConfig.directVpcNetworkInterface[*].subnetwork": "compute/Subnetwork",
        "serviceConfig.secretEnvironmentVariables[*].secret": "secretmanager/Secret",
        "serviceConfig.secretVolumes[*].secret": "secretmanager/Secret",
        "eventTrigger.pubsubTopic": "pubsub/Topic",
        "eventTrigger.channel": "any",
        "eventTrigger.eventFilters[*].value": "any",
      },
      immutable: ["environment", "kmsKeyName"],
      state: { path: "state", ready: ["ACTIVE"], fail: ["FAILED"] },
      timing: { pollMs: 5_000, createMinutes: 60, updateMinutes: 60, deleteMinutes: 60 },
    }),
    "redis/Instance": located("redis", "v1", "instance", {
      about: "A Redis server of Memorystore. With `authEnabled` its password is an output.",
      takes:
        "name displayName labels tier memorySizeGb redisVersion redisConfigs authEnabled authorizedNetwork connectMode transitEncryptionMode locationId alternativeLocationId reservedIpRange secondaryIpRange replicaCount readReplicasMode maintenancePolicy maintenanceVersion persistenceConfig customerManagedKey",
      required: ["tier", "memorySizeGb"],
      name: { rule: { maxLength: 40, letterFirst: true } },
      region: { more: ["locationId", "alternativeLocationId"] },
      facts: { regionShape: "zone" },
      refers: {
        authorizedNetwork: "compute/Network",
        customerManagedKey: "any",
        reservedIpRange: "any",
        secondaryIpRange: "any",
      },
      immutable: [
        "tier",
        "authorizedNetwork",
        "connectMode",
        "transitEncryptionMode",
        "locationId",
        "alternativeLocationId",
        "reservedIpRange",
        "customerManagedKey",
      ],
      parts: [methodPart("/v1/", ":upgrade", "redisVersion", { absent: "keep" })],
      read: { further: [{ path: "/v1/{+id}/authString", from: "authString", to: "authString" }] },
      secretOutputs: ["authString"],
      state: { path: "state", ready: ["READY"] },
      timing: { pollMs: 10_000, createMinutes: 60, updateMinutes: 60, deleteMinutes: 60 },
    }),
    "storage/Bucket": gcpRow("storage", "/storage/v1/b/", {
      about: "A bucket of Cloud Storage.",
      facts: {
        leaves: {
          says: "Objects that were deleted in the last seven days are kept, and cost until then. `softDeletePolicy: { retentionDurationSeconds: 0 }` keeps none.",
          unless: [{ "softDeletePolicy.retentionDurationSeconds": [0, "0"] }],
        },
      },
      at: "",
      path: "/storage/v1/b?project={project}",
      paths: { item: "/storage/v1/b/{id}" },
      id: { known: "{name}", at: "name" },
      takes:
        "name location project labels storageClass versioning lifecycle cors website iamConfiguration encryption logging retentionPolicy softDeletePolicy autoclass customPlacementConfig defaultEventBasedHold hierarchicalNamespace rpo billing",
      region: { property: "location" },
      defaults: { location: { region: true } },
      compare: { caseInsensitive: ["location", "customPlacementConfig.dataLocations[*]"] },
      name: { property: "name", rule: { maxLength: 63, letterFirst: true } },
      envelope: { list: "items" },
      marks: "labels",
      update: "MERGE",
      carriedQuery: { ifMetagenerationMatch: "metageneration" },
      refers: {
        project: "any",
        "logging.logBucket": "storage/Bucket",
        "encryption.defaultKmsKeyName": "any",
      },
      immutable: ["location", "customPlacementConfig", "hierarchicalNamespace"],
      shape: bucketShape(),
    }),
    "secretmanager/Secret": gcpRow("secretmanager", "/v1/", {
      about: "A secret; its values are versions.",
      at: "projects/{project}/secrets",
      paths: { create: "/v1/projects/{project}/secrets?secretId={name}" },
      takes:
        "name replication labels annotations topics expireTime ttl rotation versionAliases versionDestroyTtl",
      required: ["replication"],
      region: { property: "replication.userManaged.replicas[*].location" },
      refers: { "topics[*].name": "pubsub/Topic" },
      name: { rule: { maxLength: 255 } },
      envelope: { list: "secrets" },
      unsent: ["name"],
      marks: "labels",
      update: "MERGE",
      mask: "query",
      immutable: ["replication"],
      writeOnly: ["ttl"],
    }),
    "secretmanager/SecretVersion": secretVersion(),
    "pubsub/Topic": pubsub("topic", {
      about: "A topic of Pub/Sub.",
      takes:
        "name labels messageStoragePolicy kmsKeyName schemaSettings messageRetentionDuration ingestionDataSourceSettings messageTransforms",
      region: { property: "messageStoragePolicy.allowedPersistenceRegions[*]" },
      refers: { kmsKeyName: "any", "schemaSettings.schema": "any" },
      immutable: ["kmsKeyName"],
    }),
    "pubsub/Subscription": pubsub("subscription", {
      about: "A subscription to a topic.",
      takes:
        "name topic labels pushConfig bigqueryConfig cloudStorageConfig bigtableConfig ackDeadlineSeconds retainAckedMessages messageRetentionDuration enableMessageOrdering expirationPolicy filter deadLetterPolicy retryPolicy enableExactlyOnceDelivery messageTransforms",
      required: ["topic"],
      refers: {
        topic: "pubsub/Topic",
        "deadLetterPolicy.deadLetterTopic": "pubsub/Topic",
        "cloudStorageConfig.bucket": "storage/Bucket",
        "bigqueryConfig.table": "any",
        "bigtableConfig.table": "any",
      },
      immutable: ["topic", "filter", "enableMessageOrdering"],
    }),
    "servicenetworking/Connection": privateConnection(),
    "dns/ManagedZone": gcpRow("dns", "/dns/v1/", {
      about: "A DNS zone.",
      at: "projects/{project}/managedZones",
      takes:
        "name dnsName description labels visibility dnssecConfig privateVisibilityConfig forwardingConfig peeringConfig cloudLoggingConfig",
      required: ["dnsName", "description"],
      refers: {
        "privateVisibilityConfig.networks[*].networkUrl": "compute/Network",
        "peeringConfig.targetNetwork.networkUrl": "compute/Network",
      },
      name: { rule: { maxLength: 63, letterFirst: true } },
      envelope: { list: "managedZones" },
      marks: "labels",
      update: "MERGE",
      read: { back: true },
      immutable: ["dnsName", "visibility"],
    }),
    "dns/ResourceRecordSet": gcpRow("dns", "/dns/v1/", {
      about: "The records of one name and type in a zone. Names end with a dot.",
      at: "{+managedZone}/rrsets",
      segment: "{name}/{type}",
      takes: "name type ttl rrdatas routingPolicy",
      required: ["managedZone", "name", "type"],
      refers: { managedZone: "dns/ManagedZone" },
      envelope: { list: "rrsets" },
      // A record set does not say when it was made: an equal one proves nothing, but a list without one does.
      find: { by: "properties", properties: ["name", "type"], createdAt: "creationTime" },
      update: "MERGE",
      immutable: ["type"],
    }),
    "iam/ServiceAccount": gcpRow("iam", "/v1/", {
      about: "An identity for programs.",
      at: "projects/{project}/serviceAccounts",
      segment: "{name}@{project}.iam.gserviceaccount.com",
      takes: "name displayName description",
      name: { property: "name", rule: { maxLength: 30, letterFirst: true } },
      envelope: { list: "accounts" },
      bodyKey: "serviceAccount",
      besideBody: { accountId: "name" },
      unsent: ["name"],
      // As of record sets. Its `name` is shown in full, so one of a template's is never taken for this step's.
      find: { by: "properties", properties: ["name"], createdAt: "createTime" },
      update: "MERGE",
      mask: { beside: "serviceAccount" },
    }),
    "artifactregistry/Repository": gcpRow("artifactregistry", "/v1/", {
      about: "A repository of images or packages.",
      at: `${LOCATION}repositories`,
      paths: { create: `/v1/${LOCATION}repositories?repositoryId={name}` },
      takes:
        "name format mode description labels kmsKeyName dockerConfig mavenConfig cleanupPolicies cleanupPolicyDryRun remoteRepositoryConfig virtualRepositoryConfig vulnerabilityScanningConfig disallowUnspecifiedMode",
      required: ["format"],
      refers: {
        kmsKeyName: "any",
        "virtualRepositoryConfig.upstreamPolicies[*].repository": "artifactregistry/Repository",
      },
      name: { rule: { maxLength: 63, letterFirst: true } },
      envelope: { list: "repositories" },
      unsent: ["name"],
      marks: "labels",
      update: "MERGE",
      mask: "query",
      // Terraform's provider replaces a repository for the last two, which the description does not tell.
      immutable: ["format", "mode", "kmsKeyName", "mavenConfig", "remoteRepositoryConfig"],
    }),
  };
}

function secretVersion(): RestType {
  const {
    id: _,
    deleteFirst: __,
    ...row
  } = gcpRow("secretmanager", "/v1/", {
    about: "A value of a secret, in `payload.data` as base64.",
    at: "{+secret}/versions",
    paths: { create: "/v1/{+secret}:addVersion", delete: "/v1/{+id}:destroy" },
    takes: "payload",
    required: ["secret", "payload"],
    refers: { secret: "secretmanager/Secret" },
    delete: { method: "POST", body: {} },
    state: { path: "state", gone: ["DESTROYED"] },
    envelope: { list: "versions" },
    writeOnly: ["payload"],
    // Its value is never shown, so one that was made since proves nothing.
    find: { by: "properties", properties: ["payload"], createdAt: "createTime" },
  });
  return row;
}

/**
 * There is one for each network and service. Discovery document of servicenetworking v1; that `-` stands for the
 * peering in a PATCH is from Terraform's provider, as is `force`: without it a range that is left out stays.
 */
function privateConnection(): RestType {
  const at = "/v1/services/{service}/connections";
  return gcpRow("servicenetworking", "/v1/", {
    about:
      "Private access from a network to services of Google, such as Cloud SQL. It takes the addresses from ranges of the network.",
    at: "{+network}/services",
    segment: "{service}",
    path: at,
    paths: { list: `${at}?network={network}`, delete: `${at}/{peering}` },
    takes: "network service reservedPeeringRanges",
    required: ["network", "service", "reservedPeeringRanges"],
    refers: {
      network: "compute/Network",
      // Another tenant may publish the service.
      service: "any",
      "reservedPeeringRanges[*]": "compute/GlobalAddress",
    },
    envelope: { list: "connections" },
    read: { fromList: true },
    // It does not say when it was made: an equal one proves nothing, but a list without one does.
    find: { by: "properties", properties: ["network"], createdAt: "createTime" },
    immutable: ["network", "service"],
    parts: [
      {
        properties: ["reservedPeeringRanges"],
        method: "PATCH",
        path: `${at}/-?updateMask=reservedPeeringRanges&force=true`,
        body: { network: "{network}", reservedPeeringRanges: "{reservedPeeringRanges}" },
      },
    ],
    compare: { sets: ["reservedPeeringRanges"] },
    delete: { method: "POST", body: { consumerNetwork: "{network}" } },
    deletedBy: "peering",
    timing: { pollMs: 5_000, createMinutes: 20, updateMinutes: 20, deleteMinutes: 30 },
  });
}
