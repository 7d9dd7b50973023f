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
