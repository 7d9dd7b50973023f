/**
 * What Oracle's API takes at the top level of a create and of an update, in our own words: `s` a text, `n` a number, `b` a
 * flag, `a` a list, `o` an object; `!` has to be there.
 */
export const ociDescription: Readonly<Record<string, { create: string; update: string }>> = {
  Vcn: {
    create:
      "byoipv6CidrDetails:a cidrBlock:s cidrBlocks:a compartmentId:s! definedTags:o displayName:s dnsLabel:s freeformTags:o ipv6PrivateCidrBlocks:a isIpv6Enabled:b isOracleGuaAllocationEnabled:b isZprOnly:b securityAttributes:o",
    update: "definedTags:o displayName:s freeformTags:o isZprOnly:b securityAttributes:o",
  },
  Subnet: {
    create:
      "availabilityDomain:s cidrBlock:s compartmentId:s! definedTags:o dhcpOptionsId:s displayName:s dnsLabel:s freeformTags:o ipv4CidrBlocks:a ipv6CidrBlock:s ipv6CidrBlocks:a prohibitInternetIngress:b prohibitPublicIpOnVnic:b routeTableId:s securityListIds:a vcnId:s!",
    update:
      "cidrBlock:s definedTags:o dhcpOptionsId:s displayName:s freeformTags:o ipv6CidrBlock:s ipv6CidrBlocks:a routeTableId:s securityListIds:a",
  },
  InternetGateway: {
    create:
      "compartmentId:s! definedTags:o displayName:s freeformTags:o isEnabled:b! routeTableId:s vcnId:s!",
    update: "definedTags:o displayName:s freeformTags:o isEnabled:b routeTableId:s",
  },
  NatGateway: {
    create:
      "blockTraffic:b compartmentId:s! definedTags:o displayName:s freeformTags:o publicIpId:s routeTableId:s vcnId:s!",
    update: "blockTraffic:b definedTags:o displayName:s freeformTags:o routeTableId:s",
  },
  RouteTable: {
    create: "compartmentId:s! definedTags:o displayName:s freeformTags:o routeRules:a! vcnId:s!",
    update: "definedTags:o displayName:s freeformTags:o routeRules:a",
  },
  SecurityList: {
    create:
      "compartmentId:s! definedTags:o displayName:s egressSecurityRules:a! freeformTags:o ingressSecurityRules:a! vcnId:s!",
    update:
      "definedTags:o displayName:s egressSecurityRules:a freeformTags:o ingressSecurityRules:a",
  },
  NetworkSecurityGroup: {
    create: "compartmentId:s! definedTags:o displayName:s freeformTags:o vcnId:s!",
    update: "definedTags:o displayName:s freeformTags:o",
  },
  Instance: {
    create:
      "agentConfig:o availabilityConfig:o availabilityDomain:s! capacityReservationId:s clusterPlacementGroupId:s compartmentId:s! computeClusterId:s createVnicDetails:o dedicatedVmHostId:s definedTags:o displayName:s extendedMetadata:o faultDomain:s freeformTags:o hostnameLabel:s imageId:s instanceConfigurationId:s instanceOptions:o ipxeScript:s isAIEnterpriseEnabled:b isPvEncryptionInTransitEnabled:b launchOptions:o launchVolumeAttachments:a licensingConfigs:a metadata:o placementConstraintDetails:o platformConfig:o preemptibleInstanceConfig:o securityAttributes:o shape:s shapeConfig:o sourceDetails:o subnetId:s",
    update:
      "agentConfig:o availabilityConfig:o capacityReservationId:s dedicatedVmHostId:s definedTags:o displayName:s extendedMetadata:o faultDomain:s freeformTags:o instanceOptions:o isAIEnterpriseEnabled:b launchOptions:o licensingConfigs:a metadata:o platformConfig:o securityAttributes:o shape:s shapeConfig:o sourceDetails:o timeMaintenanceRebootDue:s updateOperationConstraint:s",
  },
  Bucket: {
    create:
      "autoTiering:s bucketScope:s compartmentId:s! definedTags:o freeformTags:o isBucketKeyEnabled:b kmsKeyId:s metadata:o name:s! objectEventsEnabled:b publicAccessType:s storageTier:s versioning:s",
    update:
      "autoTiering:s bucketScope:s compartmentId:s definedTags:o freeformTags:o isBucketKeyEnabled:b kmsKeyId:s metadata:o name:s namespace:s objectEventsEnabled:b publicAccessType:s versioning:s",
  },
  ContainerInstance: {
    create:
      "availabilityDomain:s! compartmentId:s! containerRestartPolicy:s containers:a! definedTags:o displayName:s dnsConfig:o faultDomain:s freeformTags:o gracefulShutdownTimeoutInSeconds:n imagePullSecrets:a securityContext:o shape:s! shapeConfig:o! vnics:a! volumes:a",
    update: "definedTags:o displayName:s freeformTags:o",
  },
  DbSystem: {
    create:
      "compartmentId:s! configId:s credentials:o dbVersion:s! definedTags:o description:s displayName:s! freeformTags:o instanceCount:n instanceMemorySizeInGBs:n instanceOcpuCount:n instancesDetails:a managementPolicy:o networkDetails:o! odspInsightDetails:o replicationConfig:o shape:s! source:o storageDetails:o! systemType:s",
    update:
      "dbConfigurationParams:o definedTags:o description:s displayName:s freeformTags:o instanceMemorySizeInGBs:n instanceOcpuCount:n kerberosAuthDetails:o managementPolicy:o networkDetails:o odspInsightDetails:o replicationConfig:o shape:s storageDetails:o",
  },
  LoadBalancer: {
    create:
      "backendSets:o certificates:o compartmentId:s! definedTags:o displayName:s! freeformTags:o hostnames:o ipMode:s ipv6SubnetCidr:s isDeleteProtectionEnabled:b isPrivate:b isRequestIdEnabled:b listeners:o networkSecurityGroupIds:a pathRouteSets:o requestIdHeader:s reservedIps:a ruleSets:o securityAttributes:o shapeDetails:o shapeName:s! sslCipherSuites:o subnetIds:a!",
    update:
      "definedTags:o displayName:s freeformTags:o ipMode:s ipv6SubnetCidr:s isDeleteProtectionEnabled:b isRequestIdEnabled:b requestIdHeader:s reservedIps:a securityAttributes:o",
  },
  DnsZone: {
    create:
      "compartmentId:s! definedTags:o dnssecState:s externalDownstreams:a externalMasters:a freeformTags:o migrationSource:s name:s! resolutionMode:s scope:s viewId:s zoneType:s",
    update:
      "definedTags:o dnssecState:s externalDownstreams:a externalMasters:a freeformTags:o resolutionMode:s",
  },
  Policy: {
    create:
      "compartmentId:s! definedTags:o description:s! freeformTags:o name:s! statements:a! versionDate:s",
    update: "definedTags:o description:s freeformTags:o statements:a versionDate:s",
  },
  ContainerRepository: {
    create:
      "compartmentId:s! definedTags:o displayName:s! freeformTags:o isImmutable:b isPublic:b readme:o",
    update: "definedTags:o freeformTags:o isImmutable:b isPublic:b readme:o",
  },
  OkeCluster: {
    create:
      "clusterPodNetworkOptions:a compartmentId:s! definedTags:o endpointConfig:o freeformTags:o imagePolicyConfig:o kmsKeyId:s kubernetesVersion:s! name:s! options:o type:s vcnId:s!",
    update:
      "definedTags:o freeformTags:o imagePolicyConfig:o kubernetesVersion:s name:s options:o type:s",
  },
  ServiceGateway: {
    create:
      "compartmentId:s! definedTags:o displayName:s freeformTags:o routeTableId:s services:a! vcnId:s!",
    update: "blockTraffic:b definedTags:o displayName:s freeformTags:o routeTableId:s services:a",
  },
  Volume: {
    create:
      "autotunePolicies:a availabilityDomain:s backupPolicyId:s blockVolumeReplicas:a clusterPlacementGroupId:s compartmentId:s! definedTags:o displayName:s freeformTags:o isAutoTuneEnabled:b isReservationsEnabled:b kmsKeyId:s sizeInGBs:n sizeInMBs:n sourceDetails:o volumeBackupId:s vpusPerGB:n xrcKmsKeyId:s",
    update:
      "autotunePolicies:a blockVolumeReplicas:a definedTags:o displayName:s freeformTags:o isAutoTuneEnabled:b isReservationsEnabled:b sizeInGBs:n vpusPerGB:n",
  },
  Vault: {
    create:
      "compartmentId:s! definedTags:o displayName:s! externalKeyManagerMetadata:o freeformTags:o vaultType:s!",
    update: "definedTags:o displayName:s freeformTags:o",
  },
  Key: {
    create:
      "autoKeyRotationDetails:o compartmentId:s! definedTags:o displayName:s! externalKeyReference:o freeformTags:o isAutoRotationEnabled:b keyShape:o! protectionMode:s",
    update:
      "autoKeyRotationDetails:o definedTags:o displayName:s freeformTags:o isAutoRotationEnabled:b",
  },
  Secret: {
    create:
      "compartmentId:s! definedTags:o description:s enableAutoGeneration:b freeformTags:o keyId:s! metadata:o replicationConfig:o rotationConfig:o secretContent:o secretGenerationContext:o secretName:s! secretRules:a vaultId:s!",
    update:
      "currentVersionNumber:n definedTags:o description:s enableAutoGeneration:b freeformTags:o metadata:o replicationConfig:o rotationConfig:o secretContent:o secretGenerationContext:o secretRules:a",
  },
  OkeNodePool: {
    create:
      "clusterId:s! compartmentId:s! definedTags:o freeformTags:o initialNodeLabels:a kubernetesVersion:s name:s! networkLaunchType:s nodeConfigDetails:o nodeEvictionNodePoolSettings:o nodeImageName:s nodeMetadata:o nodePoolCyclingDetails:o nodeShape:s! nodeShapeConfig:o nodeSourceDetails:o primaryVnic:o quantityPerSubnet:n secondaryVnics:a sshPublicKey:s subnetIds:a",
    update:
      "definedTags:o freeformTags:o initialNodeLabels:a kubernetesVersion:s name:s networkLaunchType:s nodeConfigDetails:o nodeEvictionNodePoolSettings:o nodeMetadata:o nodePoolCyclingDetails:o nodeShape:s nodeShapeConfig:o nodeSourceDetails:o primaryVnic:o quantityPerSubnet:n secondaryVnics:a sshPublicKey:s subnetIds:a",
  },
  AutonomousDatabase: {
    create:
      "adminPassword:s arePrimaryWhitelistedIpsUsed:b autonomousContainerDatabaseId:s autonomousDatabaseMaintenanceWindow:o autonomousMaintenanceScheduleType:s availabilityDomain:s backupRetentionPeriodInDays:n byolComputeCountLimit:n characterSet:s compartmentId:s! computeCount:n computeModel:s cpuCoreCount:n customerContacts:a dataStorageSizeInGBs:n dataStorageSizeInTBs:n databaseEdition:s dbName:s dbToolsDetails:a dbVersion:s dbWorkload:s definedTags:o displayName:s encryptionKey:o freeformTags:o inMemoryPercentage:n isAccessControlEnabled:b isAutoScalingEnabled:b isAutoScalingForStorageEnabled:b isBackupRetentionLocked:b isDataGuardEnabled:b isDedicated:b isDevTier:b isFreeTier:b isLocalDataGuardEnabled:b isMtlsConnectionRequired:b isPreviewVersionWithServiceTermsAccepted:b kmsKeyId:s licenseModel:s ncharacterSet:s nsgIds:a ocpuCount:n privateEndpointIp:s privateEndpointLabel:s resourcePoolLeaderId:s resourcePoolSummary:o scheduledOperations:a secretId:s secretVersionNumber:n securityAttributes:o source:s standbyWhitelistedIps:a subnetId:s subscriptionId:s transportableTablespace:o vaultId:s whitelistedIps:a",
    update:
      "adminPassword:s arePrimaryWhitelistedIpsUsed:b autoRefreshFrequencyInSeconds:n autoRefreshPointLagInSeconds:n autonomousDatabaseMaintenanceWindow:o autonomousMaintenanceScheduleType:s availabilityDomain:s backupRetentionPeriodInDays:n byolComputeCountLimit:n computeCount:n computeModel:s cpuCoreCount:n customerContacts:a dataStorageSizeInGBs:n dataStorageSizeInTBs:n databaseEdition:s dbName:s dbToolsDetails:a dbVersion:s dbWorkload:s definedTags:o displayName:s encryptionKey:o freeformTags:o inMemoryPercentage:n isAccessControlEnabled:b isAutoScalingEnabled:b isAutoScalingForStorageEnabled:b isBackupRetentionLocked:b isDataGuardEnabled:b isDevTier:b isDisableAdUpdateSchedule:b isDisableDbVersionUpgradeSchedule:b isDisconnectPeer:b isFreeTier:b isLocalDataGuardEnabled:b isMtlsConnectionRequired:b isRefreshableClone:b isScheduleAdUpdateToEarliest:b isScheduleDbVersionUpgradeToEarliest:b licenseModel:s localAdgAutoFailoverMaxDataLossLimit:n localAdgResourcePoolLeaderId:s longTermBackupSchedule:o nsgIds:a ocpuCount:n openMode:s peerDbId:s permissionLevel:s privateEndpointIp:s privateEndpointLabel:s refreshableMode:s resourcePoolLeaderId:s resourcePoolSummary:o scheduledOperations:a secretId:s secretVersionNumber:n securityAttributes:o standbyWhitelistedIps:a subnetId:s timeMaintenancePauseUntil:s timeOfAutoRefreshStart:s timeScheduledAdUpdate:s timeScheduledDbVersionUpgrade:s vanityUrlDetails:o whitelistedIps:a",
  },
  LoadBalancerListener: {
    create:
      "connectionConfiguration:o defaultBackendSetName:s! hostnameNames:a name:s! pathRouteSetName:s port:n! protocol:s! routingPolicyName:s ruleSetNames:a sslConfiguration:o",
    update:
      "connectionConfiguration:o defaultBackendSetName:s! hostnameNames:a pathRouteSetName:s port:n! protocol:s! routingPolicyName:s ruleSetNames:a sslConfiguration:o",
  },
  LoadBalancerBackendSet: {
    create:
      "backendMaxConnections:n backends:a healthChecker:o! lbCookieSessionPersistenceConfiguration:o name:s! policy:s! sessionPersistenceConfiguration:o sslConfiguration:o",
    update:
      "backendMaxConnections:n backends:a! healthChecker:o! lbCookieSessionPersistenceConfiguration:o policy:s! sessionPersistenceConfiguration:o sslConfiguration:o",
  },
  DnsRecords: { create: "items:a!", update: "items:a!" },
};

/** The mistakes of a body at its top level. */
export function mistakesIn(
  type: string,
  verb: "create" | "update",
  body: Readonly<Record<string, unknown>>,
): string[] {
  const known = (ociDescription[type]?.[verb] ?? "").split(" ").map((one) => one.split(":"));
  const kinds = new Map(known.map(([name = "", kind = ""]) => [name, kind]));
  const missing = [...kinds].flatMap(([name, kind]) =>
    kind.endsWith("!") && body[name] === undefined ? [`${name} must not be null`] : [],
  );
  const wrong = Object.entries(body).flatMap(([name, value]) => {
    const kind = kinds.get(name);
    if (kind === undefined) return [`Unrecognized field "${name}"`];
    return fits(kind.replace("!", ""), value) ? [] : [`${name} is of a wrong type`];
  });
  return [...missing, ...wrong];
}

function fits(kind: string, value: unknown): boolean {
  switch (kind) {
    case "s":
      return typeof value === "string";
    case "n":
      return typeof value === "number";
    case "b":
      return typeof value === "boolean";
    case "a":
      return Array.isArray(value);
    default:
      return typeof value === "object" && value !== null && !Array.isArray(value);
  }
}
