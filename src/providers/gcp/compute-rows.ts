import type { RestPart, WholePart } from "#providers/rest/rest-part.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import type { RestRows } from "#providers/rest/rest-types.ts";
import { type GcpRow, gcpRow, MARK_KEY, methodPart } from "./gcp-row.ts";

const BASE = "/compute/v1/";
const GLOBAL = "projects/{project}/global/";
const REGION = "projects/{project}/regions/{region}/";
const ZONE = "projects/{project}/zones/{zone}/";

/** For types without labels: the time shows that the name is not an older object's. */
const byTime: RestType["find"] = {
  by: "properties",
  properties: ["name"],
  createdAt: "creationTimestamp",
};

function compute(row: GcpRow): RestType {
  return gcpRow("compute", BASE, {
    name: { rule: { maxLength: 63, letterFirst: true } },
    envelope: { list: "items" },
    create: { token: { query: "requestId", format: "uuid" } },
    timing: { createMinutes: 20, updateMinutes: 20, deleteMinutes: 20 },
    ...(row.marks === undefined ? { find: byTime } : {}),
    ...row,
  });
}

const method = (name: string, property: string, more: Partial<WholePart> = {}): RestPart =>
  methodPart(BASE, name, property, more);
const setLabels = method("setLabels", "labels", {
  carried: { labelFingerprint: "labelFingerprint" },
});

/** Of types whose labels "can only be added or modified by the setLabels method" (compute v1), the mark too. */
const labelledLater = {
  find: {
    by: "label",
    property: "labels",
    key: MARK_KEY,
    as: "uuid",
    createdAt: "creationTimestamp",
  },
} as const satisfies Partial<GcpRow>;
const setLabelsLater: RestPart = { ...setLabels, afterCreate: true };

/** Some methods of proxies stand outside `global`, where the proxies are. */
const outsideGlobal = (proxies: string, name: string, property: string): RestPart => ({
  properties: [property],
  method: "POST",
  path: `${BASE}projects/{project}/${proxies}/{name}/${name}`,
});

/**
 * A managed group of instances. `named_port` and `target_size` have calls of their own in Terraform's provider, which
 * also says what replaces a group.
 */
function instanceGroup(at: string, row: Omit<GcpRow, "at">): RestType {
  return compute({
    at: `${at}instanceGroupManagers`,
    refers: {
      instanceTemplate: "compute/InstanceTemplate",
      "versions[*].instanceTemplate": "compute/InstanceTemplate",
      "autoHealingPolicies[*].healthCheck": "compute/HealthCheck",
      "targetPools[*]": "any",
      "resourcePolicies.workloadPolicy": "any",
    },
    update: "MERGE",
    carried: ["fingerprint"],
    parts: [
      {
        properties: ["namedPorts"],
        method: "POST",
        path: `${BASE}${at}instanceGroups/{name}/setNamedPorts`,
      },
      method("resize?size={targetSize}", "targetSize", { body: {}, absent: "keep" }),
    ],
    ...row,
    takes: `name description baseInstanceName instanceTemplate versions targetSize targetPools namedPorts autoHealingPolicies updatePolicy instanceLifecyclePolicy allInstancesConfig statefulPolicy standbyPolicy targetSuspendedSize targetStoppedSize targetSizePolicy listManagedInstancesResults resourcePolicies ${row.takes}`,
    immutable: ["baseInstanceName", "targetSizePolicy.mode", ...(row.immutable ?? [])],
  });
}

export function computeRows(): RestRows {
  return {
    "compute/Network": compute({
      about: "A VPC network.",
      at: `${GLOBAL}networks`,
      takes:
        "name description autoCreateSubnetworks mtu routingConfig enableUlaInternalIpv6 internalIpv6Range networkFirewallPolicyEnforcementOrder networkProfile",
      update: "MERGE",
      immutable: [
        "description",
        "autoCreateSubnetworks",
        "enableUlaInternalIpv6",
        "internalIpv6Range",
        "networkProfile",
      ],
    }),
    "compute/Subnetwork": compute({
      about: "A subnet of a network in a region.",
      at: `${REGION}subnetworks`,
      takes:
        "name description network ipCidrRange secondaryIpRanges privateIpGoogleAccess logConfig purpose role stackType ipv6AccessType",
      required: ["network", "ipCidrRange"],
      refers: { network: "compute/Network" },
      update: "MERGE",
      carried: ["fingerprint"],
      immutable: ["description", "network", "purpose", "ipv6AccessType"],
      parts: [
        method("expandIpCidrRange", "ipCidrRange"),
        method("setPrivateIpGoogleAccess", "privateIpGoogleAccess"),
      ],
    }),
    "compute/Firewall": compute({
      about: "A firewall rule of a network.",
      at: `${GLOBAL}firewalls`,
      takes:
        "name description network direction priority allowed denied sourceRanges destinationRanges sourceTags sourceServiceAccounts targetTags targetServiceAccounts disabled logConfig",
      required: ["network"],
      refers: {
        network: "compute/Network",
        "sourceServiceAccounts[*]": "any",
        "targetServiceAccounts[*]": "any",
        "sourceTags[*]": "any",
        "targetTags[*]": "any",
      },
      update: "MERGE",
      immutable: ["network", "direction"],
    }),
    "compute/Address": compute({
      about: "An address that is kept, in a region.",
      at: `${REGION}addresses`,
      takes:
        "name description address addressType ipVersion network networkTier prefixLength purpose subnetwork labels",
      refers: { network: "compute/Network", subnetwork: "compute/Subnetwork" },
      ...labelledLater,
      parts: [setLabelsLater],
    }),
    "compute/GlobalAddress": compute({
      about: "An address that is kept, for global load balancers and for ranges of services.",
      at: `${GLOBAL}addresses`,
      takes: "name description address addressType ipVersion network prefixLength purpose labels",
      refers: { network: "compute/Network" },
      ...labelledLater,
      parts: [setLabelsLater],
    }),
    "compute/Router": compute({
      about: "A router of a network in a region, with its NAT gateways in `nats`.",
      at: `${REGION}routers`,
      takes:
        "name description network bgp bgpPeers interfaces nats md5AuthenticationKeys encryptedInterconnectRouter",
      required: ["network"],
      refers: {
        network: "compute/Network",
        "nats[*].subnetworks[*].name": "compute/Subnetwork",
        "nats[*].natIps[*]": "compute/Address",
      },
      update: "MERGE",
      immutable: ["network", "encryptedInterconnectRouter"],
      writeOnly: ["md5AuthenticationKeys"],
    }),
    "compute/Disk": compute({
      about: "A disk in a zone.",
      at: `${ZONE}disks`,
      takes:
        "name description type sizeGb labels sourceImage sourceSnapshot sourceDisk architecture provisionedIops provisionedThroughput physicalBlockSizeBytes resourcePolicies diskEncryptionKey licenses guestOsFeatures",
      refers: {
        sourceDisk: "compute/Disk",
        "resourcePolicies[*]": "any",
        "diskEncryptionKey.kmsKeyName": "any",
      },
      marks: "labels",
      writeOnly: ["diskEncryptionKey.rawKey", "diskEncryptionKey.rsaEncryptedKey"],
      state: { path: "status", ready: ["READY"], fail: ["FAILED"] },
      parts: [method("resize", "sizeGb"), setLabels],
    }),
    "compute/Instance": compute({
      about: "A virtual machine in a zone.",
      facts: {
        leaves: {
          says: "Disks without `autoDelete: true` stay, and cost.",
          unless: [{ "disks[*].autoDelete": [true] }],
        },
      },
      at: `${ZONE}instances`,
      takes:
        "name description machineType disks networkInterfaces labels tags metadata serviceAccounts scheduling deletionProtection canIpForward minCpuPlatform guestAccelerators shieldedInstanceConfig confidentialInstanceConfig hostname resourcePolicies reservationAffinity advancedMachineFeatures",
      required: ["machineType", "disks", "networkInterfaces"],
      refers: {
        "disks[*].source": "compute/Disk",
        "networkInterfaces[*].network": "compute/Network",
        "networkInterfaces[*].subnetwork": "compute/Subnetwork",
        "tags.items[*]": "any",
        "resourcePolicies[*]": "any",
      },
      marks: "labels",
      createOnly: [],
      writeOnly: ["disks[*].initializeParams", "disks[*].diskEncryptionKey.rawKey"],
      state: { path: "status", ready: ["RUNNING", "TERMINATED", "SUSPENDED"] },
      parts: [
        method(
          "setDeletionProtection?deletionProtection={deletionProtection}",
          "deletionProtection",
          {
            body: {},
          },
        ),
        method("setMachineType", "machineType"),
        setLabels,
        method("setTags", "tags", {
          body: { items: "{tags.items}" },
          carried: { fingerprint: "tags.fingerprint" },
        }),
        method("setMetadata", "metadata", {
          body: { items: "{metadata.items}" },
          carried: { fingerprint: "metadata.fingerprint" },
        }),
        method("setScheduling", "", {
          properties: ["scheduling.automaticRestart", "scheduling.onHostMaintenance"],
        }),
      ],
    }),
    "compute/InstanceTemplate": compute({
      about: "What new virtual machines are made of.",
      at: `${GLOBAL}instanceTemplates`,
      takes: "name description properties sourceInstance",
      refers: {
        sourceInstance: "compute/Instance",
        "properties.networkInterfaces[*].network": "compute/Network",
        "properties.networkInterfaces[*].subnetwork": "compute/Subnetwork",
      },
    }),
    "compute/InstanceGroupManager": instanceGroup(ZONE, {
      about: "A group of equal virtual machines in a zone.",
      takes: "instanceFlexibilityPolicy",
    }),
    "compute/RegionInstanceGroupManager": instanceGroup(REGION, {
      about: "A group of equal virtual machines in the zones of a region.",
      takes: "distributionPolicy instanceFlexibilityPolicy",
      immutable: ["description", "distributionPolicy.zones"],
    }),
    "compute/HealthCheck": compute({
      about: "How backends are checked.",
      at: `${GLOBAL}healthChecks`,
      takes:
        "name description type checkIntervalSec timeoutSec healthyThreshold unhealthyThreshold httpHealthCheck httpsHealthCheck http2HealthCheck tcpHealthCheck sslHealthCheck grpcHealthCheck logConfig",
      required: ["type"],
      update: "MERGE",
      immutable: ["type"],
    }),
    "compute/RegionNetworkEndpointGroup": compute({
      about: "A service without servers (Cloud Run) as a backend of load balancers.",
      at: `${REGION}networkEndpointGroups`,
      takes:
        "name description networkEndpointType cloudRun appEngine cloudFunction network subnetwork pscTargetService defaultPort annotations",
      required: ["networkEndpointType"],
      refers: {
        network: "compute/Network",
        subnetwork: "compute/Subnetwork",
        pscTargetService: "any",
        "cloudRun.service": "any",
        "cloudRun.urlMask": "any",
        "appEngine.service": "any",
        "cloudFunction.function": "any",
      },
    }),
    "compute/BackendService": compute({
      about: "The backends of a global load balancer.",
      at: `${GLOBAL}backendServices`,
      takes:
        "name description backends healthChecks protocol portName timeoutSec loadBalancingScheme localityLbPolicy sessionAffinity affinityCookieTtlSec enableCDN cdnPolicy connectionDraining customRequestHeaders customResponseHeaders compressionMode iap logConfig network outlierDetection circuitBreakers consistentHash",
      refers: {
        network: "compute/Network",
        "backends[*].group": "compute/RegionNetworkEndpointGroup",
        "healthChecks[*]": "compute/HealthCheck",
      },
      update: "MERGE",
      carried: ["fingerprint"],
      immutable: ["loadBalancingScheme", "network"],
      writeOnly: ["iap.oauth2ClientSecret"],
    }),
    "compute/UrlMap": compute({
      about: "Which backends answer which addresses.",
      at: `${GLOBAL}urlMaps`,
      takes:
        "name description defaultService defaultUrlRedirect defaultRouteAction hostRules pathMatchers headerAction tests defaultCustomErrorResponsePolicy",
      refers: {
        defaultService: "compute/BackendService",
        "pathMatchers[*].defaultService": "compute/BackendService",
        "pathMatchers[*].pathRules[*].service": "compute/BackendService",
        "pathMatchers[*].routeRules[*].service": "compute/BackendService",
        "tests[*].service": "compute/BackendService",
      },
      update: "MERGE",
      carried: ["fingerprint"],
    }),
    "compute/TargetHttpsProxy": compute({
      about: "Where HTTPS ends: certificates, and the URL map behind them.",
      at: `${GLOBAL}targetHttpsProxies`,
      takes:
        "name description urlMap sslCertificates sslPolicy quicOverride certificateMap httpKeepAliveTimeoutSec tlsEarlyData",
      required: ["urlMap"],
      refers: {
        urlMap: "compute/UrlMap",
        "sslCertificates[*]": "compute/ManagedSslCertificate",
        sslPolicy: "any",
        certificateMap: "any",
      },
      parts: [
        outsideGlobal("targetHttpsProxies", "setUrlMap", "urlMap"),
        outsideGlobal("targetHttpsProxies", "setSslCertificates", "sslCertificates"),
        method("setQuicOverride", "quicOverride"),
        method("setSslPolicy", "sslPolicy"),
        method("setCertificateMap", "certificateMap"),
      ],
    }),
    "compute/TargetHttpProxy": compute({
      about: "Where HTTP ends, and the URL map behind it.",
      at: `${GLOBAL}targetHttpProxies`,
      takes: "name description urlMap proxyBind httpKeepAliveTimeoutSec",
      required: ["urlMap"],
      refers: { urlMap: "compute/UrlMap" },
      parts: [outsideGlobal("targetHttpProxies", "setUrlMap", "urlMap")],
    }),
    "compute/ManagedSslCertificate": compute({
      about: "A certificate that Google obtains and renews once the domains lead to it.",
      at: `${GLOBAL}sslCertificates`,
      takes: "name description type managed",
      required: ["type", "managed"],
    }),
    "compute/GlobalForwardingRule": compute({
      about: "The address at which a global load balancer listens.",
      at: `${GLOBAL}forwardingRules`,
      takes:
        "name description IPAddress IPProtocol portRange target loadBalancingScheme ipVersion network subnetwork networkTier labels",
      required: ["target"],
      refers: {
        IPAddress: "compute/GlobalAddress",
        network: "compute/Network",
        subnetwork: "compute/Subnetwork",
      },
      ...labelledLater,
      // Google shows the address in place of its name, and a range for a port.
      writeOnly: ["IPAddress", "portRange"],
      parts: [method("setTarget", "target"), setLabelsLater],
    }),
  };
}
