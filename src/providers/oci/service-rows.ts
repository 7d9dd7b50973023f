import { kubernetesLeftovers } from "#providers/rest/kubernetes-leftovers.ts";
import type { RestPart } from "#providers/rest/rest-part.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import type { RestRows } from "#providers/rest/rest-types.ts";
import { ITEMS, ociRow } from "./oci-row.ts";

const INSTANCES = "/20160918/instances";
const VOLUMES = "/20160918/volumes";
const CONTAINER_INSTANCES = "/20210415/containerInstances";
const DB_SYSTEMS = "/20220915/dbSystems";
const ZONES = "/20180115/zones";
const BUCKETS = "/n/{namespace}/b";
const MOVE = "/actions/changeCompartment";
const LONG = { createMinutes: 60, updateMinutes: 60, deleteMinutes: 60 };

export function serviceRows(): RestRows {
  return {
    Instance: ociRow("iaas", {
      about: "A compute instance.",
      at: INSTANCES,
      paths: { delete: `${INSTANCES}/{id}?preserveBootVolume=false` },
      takes:
        "displayName availabilityDomain shape shapeConfig sourceDetails createVnicDetails metadata extendedMetadata faultDomain agentConfig availabilityConfig instanceOptions launchOptions platformConfig preemptibleInstanceConfig capacityReservationId dedicatedVmHostId computeClusterId clusterPlacementGroupId ipxeScript isPvEncryptionInTransitEnabled launchVolumeAttachments placementConstraintDetails securityAttributes",
      required: ["availabilityDomain", "shape"],
      changes:
        "displayName shape shapeConfig agentConfig availabilityConfig instanceOptions faultDomain capacityReservationId securityAttributes",
      moves: MOVE,
      writeOnly: [
        "createVnicDetails",
        "launchVolumeAttachments",
        "isPvEncryptionInTransitEnabled",
        "sourceDetails.bootVolumeSizeInGBs",
      ],
      refers: {
        "createVnicDetails.subnetId": "Subnet",
        "createVnicDetails.nsgIds[*]": "NetworkSecurityGroup",
        "createVnicDetails.vlanId": "any",
        "createVnicDetails.privateIpId": "any",
        "sourceDetails.bootVolumeId": "any",
        "sourceDetails.imageId": "any",
        "sourceDetails.kmsKeyId": "any",
        "launchVolumeAttachments[*].volumeId": "any",
        capacityReservationId: "any",
        dedicatedVmHostId: "any",
        computeClusterId: "any",
        clusterPlacementGroupId: "any",
      },
      state: { ready: ["RUNNING", "STOPPED"] },
      timing: LONG,
    }),
    Volume: ociRow("iaas", {
      about: "A block volume.",
      at: VOLUMES,
      takes:
        "displayName availabilityDomain sizeInGBs vpusPerGB isAutoTuneEnabled autotunePolicies blockVolumeReplicas isReservationsEnabled backupPolicyId clusterPlacementGroupId kmsKeyId xrcKmsKeyId sourceDetails",
      required: ["availabilityDomain"],
      changes:
        "displayName sizeInGBs vpusPerGB isAutoTuneEnabled autotunePolicies blockVolumeReplicas isReservationsEnabled",
      moves: MOVE,
      parts: [
        {
          properties: ["kmsKeyId"],
          method: "PUT",
          path: `${VOLUMES}/{id}/kmsKey`,
          absent: "keep",
        },
      ],
      writeOnly: ["backupPolicyId", "xrcKmsKeyId"],
      refers: {
        kmsKeyId: "any",
        xrcKmsKeyId: "any",
        backupPolicyId: "any",
        clusterPlacementGroupId: "any",
        "sourceDetails.id": "any",
      },
      state: { ready: ["AVAILABLE"], fail: ["FAULTY"] },
    }),
    Bucket: ociRow("objectstorage", {
      about: "A bucket of object storage. Its name is unique in the tenancy and region.",
      at: BUCKETS,
      paths: { list: `${BUCKETS}?compartmentId={compartmentId}&fields=tags&limit=100` },
      takes:
        "name publicAccessType storageTier objectEventsEnabled metadata kmsKeyId isBucketKeyEnabled versioning autoTiering",
      changes:
        "publicAccessType objectEventsEnabled metadata kmsKeyId isBucketKeyEnabled versioning autoTiering",
      parts: [{ properties: ["compartmentId"], method: "POST", path: `${BUCKETS}/{id}` }],
      name: { property: "name", unique: true },
      id: { at: "name" },
      update: "POST",
      fallback: { metadata: {} },
      plain: true,
      refers: { kmsKeyId: "any" },
    }),
    ContainerInstance: ociRow("containerinstances", {
      about: "Containers that run together, without a server of one's own.",
      at: CONTAINER_INSTANCES,
      takes:
        "displayName availabilityDomain faultDomain shape shapeConfig containers vnics volumes dnsConfig gracefulShutdownTimeoutInSeconds imagePullSecrets containerRestartPolicy securityContext",
      required: ["availabilityDomain", "shape", "shapeConfig", "containers", "vnics"],
      changes: "displayName",
      moves: MOVE,
      writeOnly: ["containers", "vnics", "volumes", "imagePullSecrets"],
      refers: {
        "vnics[*].subnetId": "Subnet",
        "vnics[*].nsgIds[*]": "NetworkSecurityGroup",
        "imagePullSecrets[*].secretId": "any",
      },
      envelope: ITEMS,
      state: { ready: ["ACTIVE", "INACTIVE"], fail: ["FAILED"] },
      timing: LONG,
    }),
    DbSystem: ociRow("psql", {
      about: "A PostgreSQL database system.",
      at: DB_SYSTEMS,
      takes:
        "displayName description systemType dbVersion configId storageDetails shape instanceOcpuCount instanceMemorySizeInGBs instanceCount instancesDetails credentials networkDetails managementPolicy source",
      required: ["dbVersion", "storageDetails", "shape", "networkDetails"],
      changes:
        "displayName description shape instanceOcpuCount instanceMemorySizeInGBs managementPolicy storageDetails networkDetails",
      // UpdateStorageDetailsParams and UpdateNetworkDetails take the others.
      fixed: {
        storageDetails: "systemType isRegionallyDurable availabilityDomain",
        networkDetails: "subnetId primaryDbEndpointPrivateIp",
      },
      moves: MOVE,
      writeOnly: ["credentials", "instancesDetails"],
      refers: {
        "networkDetails.subnetId": "Subnet",
        "networkDetails.nsgIds[*]": "NetworkSecurityGroup",
        "credentials.passwordDetails.secretId": "any",
        configId: "any",
        "source.backupId": "any",
      },
      read: { further: [{ path: `${DB_SYSTEMS}/{id}/connectionDetails`, to: "connection" }] },
      envelope: ITEMS,
      state: { ready: ["ACTIVE", "INACTIVE"], fail: ["FAILED"] },
      timing: { createMinutes: 120, updateMinutes: 120, deleteMinutes: 60 },
    }),
    DnsZone: ociRow("dns", {
      about: "A DNS zone.",
      at: ZONES,
      takes:
        "name zoneType viewId scope externalMasters externalDownstreams resolutionMode dnssecState migrationSource",
      required: ["name", "zoneType"],
      changes: "externalMasters externalDownstreams resolutionMode dnssecState",
      moves: MOVE,
      name: { unique: "name" },
      writeOnly: ["migrationSource"],
      refers: { viewId: "any" },
      state: { ready: ["ACTIVE"], fail: ["FAILED"] },
    }),
    DnsRecords: {
      description: "The records of one name and type in a zone.",
      takes: {
        properties: {
          zone: { description: "The OCID of the zone.", type: "string" },
          domain: { description: "The name, with all its labels.", type: "string" },
          rtype: { description: "The type, as in `A`.", type: "string" },
          items: {
            description: "The records, each with `domain`, `rtype`, `rdata` and `ttl`.",
            type: "array",
          },
        },
        required: ["zone", "domain", "rtype", "items"],
      },
      host: "dns",
      path: `${ZONES}/{zone}/records`,
      paths: {
        create: `${ZONES}/{zone}/records/{domain}/{rtype}`,
        list: `${ZONES}/{zone}/records/{domain}/{rtype}`,
        item: `${ZONES}/{+id}`,
      },
      id: {
        known: "{zone}/records/{domain}/{rtype}",
        // An answer has no id of its own, and a record of a list is named by its domain.
        at: "domain",
      },
      unsent: ["domain", "rtype"],
      immutable: ["domain", "rtype"],
      create: { method: "PUT", guard: "read" },
      update: "PUT",
      state: { path: "items", gone: [[]] },
      envelope: { list: "items" },
      find: { by: "properties", properties: ["domain", "rtype"], createdAt: "timeCreated" },
      refers: { zone: "DnsZone" },
      deleteFirst: true,
    },
    Policy: ociRow("identity", {
      about: "Rights of groups in a compartment. It is made in the tenancy's home region.",
      at: "/20160918/policies",
      takes: "name description statements versionDate",
      required: ["description", "statements"],
      changes: "description statements versionDate",
      name: { property: "name", rule: { maxLength: 100 }, unique: true },
      state: { ready: ["ACTIVE"] },
    }),
    ContainerRepository: ociRow("artifacts", {
      about: "A repository of container images. Its name is unique in the tenancy and region.",
      at: "/20160918/container/repositories",
      takes: "displayName isImmutable isPublic readme",
      changes: "isImmutable isPublic readme",
      moves: MOVE,
      name: { unique: true },
      envelope: ITEMS,
      state: { ready: ["AVAILABLE"] },
    }),
    OkeCluster: ociRow("containerengine", {
      about: "A Kubernetes cluster.",
      facts: {
        leaves: kubernetesLeftovers,
      },
      at: "/20180222/clusters",
      takes:
        "name vcnId kubernetesVersion endpointConfig kmsKeyId options imagePolicyConfig clusterPodNetworkOptions type",
      required: ["vcnId", "kubernetesVersion"],
      changes: "name kubernetesVersion type imagePolicyConfig",
      name: { property: "name" },
      refers: {
        vcnId: "Vcn",
        kmsKeyId: "any",
        "endpointConfig.subnetId": "Subnet",
        "endpointConfig.nsgIds[*]": "NetworkSecurityGroup",
        "options.serviceLbSubnetIds[*]": "Subnet",
      },
      state: { ready: ["ACTIVE"], fail: ["FAILED"] },
      timing: LONG,
    }),
    OkeNodePool: ociRow("containerengine", {
      about: "Nodes of a Kubernetes cluster.",
      at: "/20180222/nodePools",
      takes:
        "name clusterId kubernetesVersion nodeShape nodeShapeConfig nodeSourceDetails nodeMetadata initialNodeLabels nodeConfigDetails nodeEvictionNodePoolSettings nodePoolCyclingDetails secondaryVnics sshPublicKey",
      required: ["clusterId", "nodeShape"],
      changes:
        "name kubernetesVersion nodeShape nodeShapeConfig nodeSourceDetails nodeMetadata initialNodeLabels nodeConfigDetails nodeEvictionNodePoolSettings nodePoolCyclingDetails secondaryVnics sshPublicKey",
      fixed: { nodeConfigDetails: "computeClusterId" },
      immutable: ["nodeConfigDetails.nodePoolPodNetworkOptionDetails.cniType"],
      location: ["clusterId"],
      name: { property: "name" },
      refers: {
        clusterId: "OkeCluster",
        "nodeConfigDetails.placementConfigs[*].subnetId": "Subnet",
        "nodeConfigDetails.nsgIds[*]": "NetworkSecurityGroup",
        "nodeConfigDetails.kmsKeyId": "any",
        "nodeConfigDetails.computeClusterId": "any",
        "nodeConfigDetails.nodePoolPodNetworkOptionDetails.podSubnetIds[*]": "Subnet",
        "nodeConfigDetails.nodePoolPodNetworkOptionDetails.podNsgIds[*]": "NetworkSecurityGroup",
        "nodeSourceDetails.imageId": "any",
        "secondaryVnics[*].createVnicDetails.subnetId": "Subnet",
      },
      state: { ready: ["ACTIVE"], fail: ["FAILED", "NEEDS_ATTENTION"] },
      timing: LONG,
    }),
    AutonomousDatabase: autonomousDatabase(),
  };
}

/** Oracle refuses most changes together, and a password that is the same: each has a call of its own. */
function autonomousDatabase(): RestType {
  const at = "/20160918/autonomousDatabases";
  const alone = (...properties: readonly string[]): RestPart => ({
    properties,
    method: "PUT",
    path: `${at}/{id}`,
    absent: "keep",
  });
  const changing =
    "displayName dbName adminPassword dbVersion dbWorkload licenseModel isFreeTier isDevTier isAutoScalingEnabled isAutoScalingForStorageEnabled subnetId privateEndpointLabel privateEndpointIp isAccessControlEnabled isMtlsConnectionRequired backupRetentionPeriodInDays customerContacts databaseEdition isLocalDataGuardEnabled scheduledOperations dbToolsDetails inMemoryPercentage securityAttributes";
  return ociRow("database", {
    about: "An Autonomous Database.",
    at,
    takes: `${changing} computeModel computeCount cpuCoreCount dataStorageSizeInTBs dataStorageSizeInGBs secretId secretVersionNumber nsgIds whitelistedIps characterSet ncharacterSet kmsKeyId vaultId isDedicated autonomousContainerDatabaseId autonomousMaintenanceScheduleType`,
    moves: MOVE,
    parts: [
      alone("computeModel", "computeCount"),
      alone("cpuCoreCount"),
      alone("dataStorageSizeInTBs"),
      alone("dataStorageSizeInGBs"),
      alone("secretId", "secretVersionNumber"),
      ...["nsgIds", "whitelistedIps"].map((name): RestPart => ({
        properties: [name],
        method: "PUT",
        path: `${at}/{id}`,
      })),
      ...changing.split(" ").map((name) => alone(name)),
    ],
    name: { unique: "dbName" },
    writeOnly: ["adminPassword", "secretId", "secretVersionNumber"],
    compare: { sets: ["nsgIds", "whitelistedIps"], caseInsensitive: ["dbName"] },
    refers: {
      subnetId: "Subnet",
      "nsgIds[*]": "NetworkSecurityGroup",
      kmsKeyId: "Key",
      vaultId: "Vault",
      secretId: "Secret",
      autonomousContainerDatabaseId: "any",
    },
    state: {
      ready: ["AVAILABLE", "AVAILABLE_NEEDS_ATTENTION", "STOPPED"],
      fail: ["UNAVAILABLE", "INACCESSIBLE", "RESTORE_FAILED"],
    },
    timing: { createMinutes: 720, updateMinutes: 720, deleteMinutes: 720 },
  });
}
