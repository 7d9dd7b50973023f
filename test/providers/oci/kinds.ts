/** How the services of the fake Oracle differ: where objects stand, what answers changes, and what states they have. */
export interface Kind {
  host: string;
  /** The collection's path. */
  at: string;
  /** In an OCID. */
  entity: string;
  /** A create is answered with a work request alone. */
  answers: "object" | "work request";
  /** Updates are answered with a work request alone. */
  updates?: "work request";
  /** Where work requests of it are. */
  workRequests?: string;
  list: "array" | "items";
  /** Values of `lifecycleState`: usable, being made, failed, deleted. Absent: it shows none. */
  states?: readonly [ready: string, slow: string, failed: string, deleted: string];
  /** What is deleted can be read for a while. */
  lingers?: true;
  /** Members of a create that a read does not show. */
  hidden?: readonly string[];
  /** Objects of which an update changes the members that it has. */
  merged?: readonly string[];
  /** By its name, which only one has. */
  named?: "name" | "displayName" | "secretName";
  /** A delete is a date in some weeks: until then the object is pending, and its name is taken. */
  scheduled?: true;
  /** Takes a retry token. */
  repeatable: boolean;
}

const core = (name: string, entity: string, more: Partial<Kind> = {}): Kind => ({
  host: "iaas",
  at: `/20160918/${name}`,
  entity,
  answers: "object",
  list: "array",
  states: ["AVAILABLE", "PROVISIONING", "PROVISIONING", "TERMINATED"],
  lingers: true,
  repeatable: true,
  workRequests: "/20160918/workRequests/",
  ...more,
});

const scheduled = (host: string, name: string, entity: string, more: Partial<Kind> = {}): Kind => ({
  host,
  at: `/20180608/${name}`,
  entity,
  answers: "object",
  list: "array",
  states: ["ACTIVE", "CREATING", "FAILED", "PENDING_DELETION"],
  lingers: true,
  scheduled: true,
  repeatable: true,
  ...more,
});

export const kinds: Readonly<Record<string, Kind>> = {
  Vcn: core("vcns", "vcn", { hidden: ["isIpv6Enabled", "isOracleGuaAllocationEnabled"] }),
  Subnet: core("subnets", "subnet"),
  InternetGateway: core("internetGateways", "internetgateway"),
  NatGateway: core("natGateways", "natgateway"),
  ServiceGateway: core("serviceGateways", "servicegateway"),
  Volume: core("volumes", "volume", {
    states: ["AVAILABLE", "PROVISIONING", "FAULTY", "TERMINATED"],
    hidden: ["backupPolicyId", "xrcKmsKeyId"],
  }),
  Vault: scheduled("kms", "vaults", "vault", { hidden: ["externalKeyManagerMetadata"] }),
  Key: scheduled("vaultKeys", "keys", "key", {
    states: ["ENABLED", "CREATING", "DISABLED", "PENDING_DELETION"],
  }),
  Secret: scheduled("vaults", "secrets", "vaultsecret", {
    hidden: ["secretContent", "enableAutoGeneration"],
    named: "secretName",
  }),
  AutonomousDatabase: {
    host: "database",
    at: "/20160918/autonomousDatabases",
    entity: "autonomousdatabase",
    answers: "object",
    list: "array",
    states: ["AVAILABLE", "PROVISIONING", "UNAVAILABLE", "TERMINATED"],
    lingers: true,
    hidden: ["adminPassword", "secretId", "secretVersionNumber"],
    repeatable: true,
  },
  RouteTable: core("routeTables", "routetable"),
  SecurityList: core("securityLists", "securitylist"),
  NetworkSecurityGroup: core("networkSecurityGroups", "networksecuritygroup"),
  Instance: core("instances", "instance", {
    states: ["RUNNING", "PROVISIONING", "TERMINATED", "TERMINATED"],
    hidden: ["createVnicDetails", "launchVolumeAttachments"],
  }),
  LoadBalancer: {
    host: "iaas",
    at: "/20170115/loadBalancers",
    entity: "loadbalancer",
    answers: "work request",
    updates: "work request",
    workRequests: "/20170115/loadBalancerWorkRequests/",
    list: "array",
    states: ["ACTIVE", "CREATING", "FAILED", "DELETED"],
    hidden: ["certificates", "reservedIps"],
    repeatable: true,
  },
  Bucket: {
    host: "objectstorage",
    at: "/n/shopspace/b",
    entity: "bucket",
    answers: "object",
    list: "array",
    named: "name",
    repeatable: false,
  },
  ContainerInstance: {
    host: "containerinstances",
    at: "/20210415/containerInstances",
    entity: "computecontainerinstance",
    answers: "object",
    updates: "work request",
    workRequests: "/20210415/workRequests/",
    list: "items",
    states: ["ACTIVE", "CREATING", "FAILED", "DELETED"],
    lingers: true,
    hidden: ["containers", "vnics", "imagePullSecrets", "volumes"],
    repeatable: true,
  },
  DbSystem: {
    host: "psql",
    at: "/20220915/dbSystems",
    entity: "postgresqldbsystem",
    answers: "object",
    updates: "work request",
    workRequests: "/20220915/workRequests/",
    list: "items",
    states: ["ACTIVE", "CREATING", "FAILED", "DELETED"],
    lingers: true,
    hidden: ["credentials", "instancesDetails"],
    merged: ["storageDetails", "networkDetails"],
    repeatable: true,
  },
  DnsZone: {
    host: "dns",
    at: "/20180115/zones",
    entity: "dns-zone",
    answers: "object",
    list: "array",
    states: ["ACTIVE", "CREATING", "FAILED", "DELETED"],
    hidden: ["migrationSource"],
    named: "name",
    repeatable: true,
  },
  Policy: {
    host: "identity",
    at: "/20160918/policies",
    entity: "policy",
    answers: "object",
    list: "array",
    states: ["ACTIVE", "CREATING", "INACTIVE", "DELETED"],
    named: "name",
    repeatable: true,
  },
  ContainerRepository: {
    host: "artifacts",
    at: "/20160918/container/repositories",
    entity: "containerrepo",
    answers: "object",
    list: "items",
    states: ["AVAILABLE", "AVAILABLE", "DELETING", "DELETED"],
    named: "displayName",
    repeatable: true,
  },
  OkeNodePool: {
    host: "containerengine",
    at: "/20180222/nodePools",
    entity: "nodepool",
    answers: "work request",
    updates: "work request",
    workRequests: "/20180222/workRequests/",
    list: "array",
    states: ["ACTIVE", "CREATING", "FAILED", "DELETED"],
    lingers: true,
    repeatable: true,
  },
  OkeCluster: {
    host: "containerengine",
    at: "/20180222/clusters",
    entity: "cluster",
    answers: "work request",
    updates: "work request",
    workRequests: "/20180222/workRequests/",
    list: "array",
    states: ["ACTIVE", "CREATING", "FAILED", "DELETED"],
    lingers: true,
    repeatable: true,
  },
};
