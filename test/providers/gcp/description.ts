/**
 * What Google's API takes for each type, at the top level, in our own words: `s` a text, `i` a whole number as text, `n`
 * a number, `b` a flag, `a` a list, `o` an object. `npm run test:specs` holds all levels to Google's own descriptions.
 */
export const gcpDescription: Readonly<Record<string, string>> = {
  "run/Service":
    "annotations:o binaryAuthorization:o buildConfig:o client:s clientVersion:s customAudiences:a defaultUriDisabled:b description:s iapEnabled:b ingress:s invokerIamDisabled:b labels:o launchStage:s multiRegionSettings:o name:s scaling:o template:o terminalCondition:o traffic:a",
  "run/Job":
    "annotations:o binaryAuthorization:o client:s clientVersion:s labels:o latestCreatedExecution:o launchStage:s name:s runExecutionToken:s startExecutionToken:s template:o terminalCondition:o",
  "storage/Bucket":
    "acl:a autoclass:o billing:o cors:a customPlacementConfig:o defaultEventBasedHold:b defaultObjectAcl:a encryption:o generation:s hardDeleteTime:s hierarchicalNamespace:o iamConfiguration:o ipFilter:o labels:o lifecycle:o location:s locationType:s logging:o metageneration:s name:s objectRetention:o owner:o projectNumber:s retentionPolicy:o rpo:s satisfiesPZI:b satisfiesPZS:b softDeletePolicy:o softDeleteTime:s storageClass:s timeCreated:s updated:s versioning:o website:o",
  "secretmanager/Secret":
    "annotations:o customerManagedEncryption:o expireTime:s labels:o replication:o rotation:o tags:o topics:a ttl:s versionAliases:o versionDestroyTtl:s",
  "secretmanager/SecretVersion": "payload:o",
  "pubsub/Topic":
    "ingestionDataSourceSettings:o kmsKeyName:s labels:o messageRetentionDuration:s messageStoragePolicy:o messageTransforms:a name:s satisfiesPzs:b schemaSettings:o tags:o",
  "pubsub/Subscription":
    "ackDeadlineSeconds:n analyticsHubSubscriptionInfo:o bigqueryConfig:o bigtableConfig:o cloudStorageConfig:o deadLetterPolicy:o detached:b enableExactlyOnceDelivery:b enableMessageOrdering:b expirationPolicy:o filter:s labels:o messageRetentionDuration:s messageTransforms:a name:s pushConfig:o retainAckedMessages:b retryPolicy:o tags:o topic:s",
  "dns/ManagedZone":
    "cloudLoggingConfig:o creationTime:s description:s dnsName:s dnssecConfig:o forwardingConfig:o labels:o name:s nameServerSet:s nameServers:a peeringConfig:o privateVisibilityConfig:o reverseLookupConfig:o serviceDirectoryConfig:o visibility:s",
  "dns/ResourceRecordSet": "name:s routingPolicy:o rrdatas:a signatureRrdatas:a ttl:n type:s",
  "iam/ServiceAccount": "description:s displayName:s name:s",
  "artifactregistry/Repository":
    "cleanupPolicies:o cleanupPolicyDryRun:b description:s disallowUnspecifiedMode:b dockerConfig:o format:s kmsKeyName:s labels:o mavenConfig:o mode:s name:s platformLogsConfig:o remoteRepositoryConfig:o virtualRepositoryConfig:o vulnerabilityScanningConfig:o",
  "container/Cluster":
    "addonsConfig:o alphaClusterFeatureGates:a anonymousAuthenticationConfig:o authenticatorGroupsConfig:o autopilot:o autoscaling:o binaryAuthorization:o clusterIpv4Cidr:s compliancePostureConfig:o conditions:a confidentialNodes:o controlPlaneEgress:o controlPlaneEndpointsConfig:o costManagementConfig:o databaseEncryption:o defaultMaxPodsConstraint:o description:s enableK8sBetaApis:o enableKubernetesAlpha:b enableTpu:b enterpriseConfig:o fleet:o gkeAutoUpgradeConfig:o identityServiceConfig:o initialClusterVersion:s initialNodeCount:n ipAllocationPolicy:o labelFingerprint:s legacyAbac:o locations:a loggingConfig:o loggingService:s maintenancePolicy:o managedMachineLearningDiagnosticsConfig:o managedOpentelemetryConfig:o masterAuth:o masterAuthorizedNetworksConfig:o meshCertificates:o monitoringConfig:o monitoringService:s name:s network:s networkConfig:o networkPolicy:o nodeConfig:o nodePoolAutoConfig:o nodePoolDefaults:o nodePools:a notificationConfig:o parentProductConfig:o podAutoscaling:o privateClusterConfig:o rbacBindingConfig:o releaseChannel:o resourceLabels:o resourceUsageExportConfig:o scheduleUpgradeConfig:o secretManagerConfig:o secretSyncConfig:o securityPostureConfig:o shieldedNodes:o subnetwork:s userManagedKeysConfig:o verticalPodAutoscaling:o workloadIdentityConfig:o",
  "container/NodePool":
    "autopilotConfig:o autoscaling:o bestEffortProvisioning:o conditions:a config:o initialNodeCount:n locations:a management:o maxPodsConstraint:o name:s networkConfig:o nodeDrainConfig:o placementPolicy:o queuedProvisioning:o upgradeSettings:o version:s",
  "sql/Instance":
    "backendType:s connectionName:s currentDiskSize:s databaseVersion:s diskEncryptionConfiguration:o diskEncryptionStatus:o failoverReplica:o gceZone:s geminiConfig:o includeReplicasForMajorVersionUpgrade:b instanceType:s ipAddresses:a ipv6Address:s maintenanceVersion:s masterInstanceName:s maxDiskSize:s name:s nodeCount:n onPremisesConfiguration:o outOfDiskReport:o project:s region:s replicaConfiguration:o replicaNames:a replicationCluster:o rootPassword:s satisfiesPzs:b scheduledMaintenance:o secondaryGceZone:s serverCaCert:o serviceAccountEmailAddress:s settings:o sqlNetworkArchitecture:s state:s suspensionReason:a switchTransactionLogsToCloudStorageEnabled:b tags:o",
  "sql/Database": "charset:s collation:s instance:s name:s project:s sqlserverDatabaseDetails:o",
  "sql/User":
    "databaseRoles:a dualPasswordType:s host:s iamEmail:s iamStatus:s instance:s name:s password:s passwordPolicy:o project:s sqlserverUserDetails:o type:s",
  "compute/Network":
    "IPv4Range:s autoCreateSubnetworks:b description:s enableUlaInternalIpv6:b internalIpv6Range:s mtu:n name:s networkFirewallPolicyEnforcementOrder:s networkProfile:s params:o routingConfig:o",
  "compute/Subnetwork":
    "allowSubnetCidrRoutesOverlap:b description:s enableFlowLogs:b externalIpv6Prefix:s fingerprint:s internalIpv6Prefix:s ipCidrRange:s ipCollection:s ipv6AccessType:s logConfig:o name:s network:s params:o privateIpGoogleAccess:b privateIpv6GoogleAccess:s purpose:s region:s reservedInternalRange:s resolveSubnetMask:s role:s secondaryIpRanges:a stackType:s utilizationDetails:o",
  "compute/Firewall":
    "allowed:a denied:a description:s destinationRanges:a direction:s disabled:b logConfig:o name:s network:s params:o priority:n sourceRanges:a sourceServiceAccounts:a sourceTags:a targetServiceAccounts:a targetTags:a",
  "compute/Address":
    "address:s addressType:s description:s ipCollection:s ipVersion:s ipv6EndpointType:s labelFingerprint:s labels:o name:s network:s networkTier:s prefixLength:n purpose:s subnetwork:s",
  "compute/GlobalAddress":
    "address:s addressType:s description:s ipCollection:s ipVersion:s ipv6EndpointType:s labelFingerprint:s labels:o name:s network:s networkTier:s prefixLength:n purpose:s subnetwork:s",
  "compute/Router":
    "bgp:o bgpPeers:a description:s encryptedInterconnectRouter:b interfaces:a md5AuthenticationKeys:a name:s nats:a nccGateway:s network:s params:o",
  "compute/Disk":
    "accessMode:s architecture:s asyncPrimaryDisk:o description:s diskEncryptionKey:o enableConfidentialCompute:b guestOsFeatures:a labelFingerprint:s labels:o licenseCodes:a licenses:a locationHint:s name:s options:s params:o physicalBlockSizeBytes:i provisionedIops:i provisionedThroughput:i replicaZones:a resourcePolicies:a resourceStatus:o sizeGb:i sourceDisk:s sourceImage:s sourceImageEncryptionKey:o sourceInstantSnapshot:s sourceSnapshot:s sourceSnapshotEncryptionKey:o sourceStorageObject:s storagePool:s type:s",
  "compute/Instance":
    "advancedMachineFeatures:o canIpForward:b confidentialInstanceConfig:o deletionProtection:b description:s disks:a displayDevice:o fingerprint:s guestAccelerators:a hostname:s instanceEncryptionKey:o keyRevocationActionType:s labelFingerprint:s labels:o localSsdEncryptionMode:s machineType:s metadata:o minCpuPlatform:s name:s networkInterfaces:a networkPerformanceConfig:o params:o privateIpv6GoogleAccess:s reservationAffinity:o resourcePolicies:a resourceStatus:o scheduling:o serviceAccounts:a shieldedInstanceConfig:o shieldedInstanceIntegrityPolicy:o sourceMachineImage:s sourceMachineImageEncryptionKey:o tags:o workloadIdentityConfig:o",
  "compute/InstanceTemplate":
    "description:s name:s properties:o sourceInstance:s sourceInstanceParams:o",
  "compute/HealthCheck":
    "checkIntervalSec:n description:s grpcHealthCheck:o grpcTlsHealthCheck:o healthyThreshold:n http2HealthCheck:o httpHealthCheck:o httpsHealthCheck:o logConfig:o name:s sourceRegions:a sslHealthCheck:o tcpHealthCheck:o timeoutSec:n type:s unhealthyThreshold:n",
  "compute/RegionNetworkEndpointGroup":
    "annotations:o appEngine:o cloudFunction:o cloudRun:o defaultPort:n description:s name:s network:s networkEndpointType:s pscData:o pscTargetService:s subnetwork:s",
  "compute/BackendService":
    "affinityCookieTtlSec:n backends:a cdnPolicy:o circuitBreakers:o compressionMode:s connectionDraining:o connectionTrackingPolicy:o consistentHash:o customMetrics:a customRequestHeaders:a customResponseHeaders:a description:s enableCDN:b externalManagedMigrationState:s externalManagedMigrationTestingPercentage:n failoverPolicy:o fingerprint:s haPolicy:o healthChecks:a iap:o ipAddressSelectionPolicy:s loadBalancingScheme:s localityLbPolicies:a localityLbPolicy:s logConfig:o maxStreamDuration:o metadatas:o name:s network:s networkPassThroughLbTrafficPolicy:o orchestrationInfo:o outlierDetection:o params:o port:n portName:s protocol:s securitySettings:o serviceBindings:a serviceLbPolicy:s sessionAffinity:s strongSessionAffinityCookie:o subsetting:o timeoutSec:n tlsSettings:o",
  "compute/UrlMap":
    "defaultCustomErrorResponsePolicy:o defaultRouteAction:o defaultService:s defaultUrlRedirect:o description:s fingerprint:s headerAction:o hostRules:a name:s pathMatchers:a tests:a",
  "compute/TargetHttpsProxy":
    "authorizationPolicy:s certificateMap:s description:s fingerprint:s httpKeepAliveTimeoutSec:n name:s proxyBind:b quicOverride:s serverTlsPolicy:s sslCertificates:a sslPolicy:s tlsEarlyData:s urlMap:s",
  "compute/ManagedSslCertificate":
    "certificate:s description:s managed:o name:s privateKey:s selfManaged:o type:s",
  "cloudfunctions/Function":
    "buildConfig:o description:s environment:s eventTrigger:o kmsKeyName:s labels:o serviceConfig:o",
  "servicenetworking/Connection": "network:s reservedPeeringRanges:a",
  "redis/Instance":
    "alternativeLocationId:s authEnabled:b authorizedNetwork:s availableMaintenanceVersions:a connectMode:s customerManagedKey:s displayName:s labels:o locationId:s maintenancePolicy:o maintenanceVersion:s memorySizeGb:n persistenceConfig:o readReplicasMode:s redisConfigs:o redisVersion:s replicaCount:n reservedIpRange:s secondaryIpRange:s suspensionReasons:a tags:o tier:s transitEncryptionMode:s",
  "compute/InstanceGroupManager":
    "allInstancesConfig:o autoHealingPolicies:a baseInstanceName:s description:s distributionPolicy:o fingerprint:s instanceFlexibilityPolicy:o instanceLifecyclePolicy:o instanceTemplate:s listManagedInstancesResults:s name:s namedPorts:a resourcePolicies:o standbyPolicy:o statefulPolicy:o targetPools:a targetSize:n targetSizePolicy:o targetStoppedSize:n targetSuspendedSize:n updatePolicy:o versions:a",
  "compute/RegionInstanceGroupManager":
    "allInstancesConfig:o autoHealingPolicies:a baseInstanceName:s description:s distributionPolicy:o fingerprint:s instanceFlexibilityPolicy:o instanceLifecyclePolicy:o instanceTemplate:s listManagedInstancesResults:s name:s namedPorts:a resourcePolicies:o standbyPolicy:o statefulPolicy:o targetPools:a targetSize:n targetSizePolicy:o targetStoppedSize:n targetSuspendedSize:n updatePolicy:o versions:a",
  "compute/TargetHttpProxy":
    "description:s fingerprint:s httpKeepAliveTimeoutSec:n name:s proxyBind:b urlMap:s",
  "compute/GlobalForwardingRule":
    "IPAddress:s IPProtocol:s allPorts:b allowGlobalAccess:b allowPscGlobalAccess:b backendService:s description:s externalManagedBackendBucketMigrationState:s externalManagedBackendBucketMigrationTestingPercentage:n fingerprint:s ipCollection:s ipVersion:s isMirroringCollector:b labelFingerprint:s labels:o loadBalancingScheme:s metadataFilters:a name:s network:s networkTier:s noAutomateDnsZone:b portRange:s ports:a serviceDirectoryRegistrations:a serviceLabel:s sourceIpRanges:a subnetwork:s target:s",
};

/** The mistakes of a body at its top level. */
export function mistakesIn(type: string, body: Readonly<Record<string, unknown>>): string[] {
  const known = new Map(
    (gcpDescription[type] ?? "").split(" ").map((one) => one.split(":") as [string, string]),
  );
  return Object.entries(body).flatMap(([name, value]) => {
    const kind = known.get(name);
    if (kind === undefined) return [`Unknown name "${name}": Cannot find field.`];
    return value === null || fits(kind, value) ? [] : [`Invalid value at '${name}'.`];
  });
}

function fits(kind: string, value: unknown): boolean {
  switch (kind) {
    case "s":
      return typeof value === "string";
    case "i":
      return /^\d+$/.test(String(value));
    case "n":
      return typeof value === "number";
    case "b":
      return typeof value === "boolean";
    case "a":
      return Array.isArray(value);
    default:
      return typeof value === "object" && !Array.isArray(value);
  }
}
