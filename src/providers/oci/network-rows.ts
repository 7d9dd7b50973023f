import type { RestType } from "#providers/rest/rest-type.ts";
import type { RestRows } from "#providers/rest/rest-types.ts";
import { DAY_MS, type OciRow, ociRow } from "./oci-row.ts";

const BASE = "/20160918/";
const LOAD_BALANCERS = "/20170115/loadBalancers";
const MOVE = "/actions/changeCompartment";

function network(row: OciRow): RestType {
  return ociRow("iaas", { state: { ready: ["AVAILABLE"] }, moves: MOVE, ...row });
}

const NEW_ONE =
  "Change it at Oracle and set the option ignoreChanges, or set replaceOnChanges for another load balancer, with another address.";
const IN_PLACE = (type: string) =>
  `Leave it out, and make a resource of the type ${type} for each, which can change. ${NEW_ONE}`;

/** A part of a load balancer, which its own object shows by the name. A change sends the whole part. */
function balancerPart(
  collection: string,
  about: string,
  takes: string,
  required: readonly string[],
): RestType {
  const at = `${LOAD_BALANCERS}/{loadBalancerId}/${collection}`;
  const names = ["loadBalancerId", "name", ...takes.split(" ")];
  return {
    description: about,
    takes: {
      properties: Object.fromEntries(
        names.map((name) => [
          name,
          name === "loadBalancerId"
            ? { description: "The OCID of the load balancer.", type: "string" as const }
            : { description: "As in Oracle's API." },
        ]),
      ),
      required: ["loadBalancerId", ...required],
    },
    host: "iaas",
    path: at,
    paths: { list: `${LOAD_BALANCERS}/{loadBalancerId}` },
    id: { at: "name", known: "{name}", within: "{loadBalancerId}" },
    name: { property: "name", unique: true, rule: { maxLength: 32 } },
    createOnly: ["name"],
    update: "PUT",
    create: {
      longestRequestMs: 120_000,
      token: { header: "opc-retry-token", lifeMs: DAY_MS, format: "uuid" },
    },
    envelope: { list: collection },
    read: { fromList: true },
    // It does not show its age: an equal one proves nothing, but its absence does.
    find: { by: "properties", properties: ["name"], createdAt: "timeCreated" },
    refers: { loadBalancerId: "LoadBalancer" },
    timing: { pollMs: 3_000 },
  };
}

export function networkRows(): RestRows {
  return {
    Vcn: network({
      about: "A virtual cloud network.",
      at: `${BASE}vcns`,
      takes:
        "displayName cidrBlock cidrBlocks dnsLabel isIpv6Enabled ipv6PrivateCidrBlocks isOracleGuaAllocationEnabled byoipv6CidrDetails securityAttributes isZprOnly",
      changes: "displayName securityAttributes isZprOnly",
      writeOnly: ["isIpv6Enabled", "isOracleGuaAllocationEnabled"],
    }),
    Subnet: network({
      about: "A subnet of a network, in all availability domains or in one.",
      at: `${BASE}subnets`,
      takes:
        "displayName vcnId cidrBlock ipv4CidrBlocks availabilityDomain dhcpOptionsId dnsLabel ipv6CidrBlock ipv6CidrBlocks prohibitInternetIngress prohibitPublicIpOnVnic routeTableId securityListIds",
      required: ["vcnId"],
      changes:
        "displayName dhcpOptionsId routeTableId securityListIds cidrBlock ipv6CidrBlock ipv6CidrBlocks",
      name: { unique: "cidrBlock" },
      refers: {
        vcnId: "Vcn",
        routeTableId: "RouteTable",
        "securityListIds[*]": "SecurityList",
        dhcpOptionsId: "any",
      },
    }),
    InternetGateway: network({
      about: "A network's way to and from the internet, of which it has one.",
      at: `${BASE}internetGateways`,
      takes: "displayName vcnId isEnabled routeTableId",
      required: ["vcnId", "isEnabled"],
      changes: "displayName isEnabled routeTableId",
      deleteFirst: true,
      refers: { vcnId: "Vcn", routeTableId: "RouteTable" },
    }),
    ServiceGateway: network({
      about: "A network's way to Oracle's own services, of which it has one.",
      at: `${BASE}serviceGateways`,
      takes: "displayName vcnId services routeTableId",
      required: ["vcnId", "services"],
      changes: "displayName services routeTableId",
      deleteFirst: true,
      compare: { sets: ["services"] },
      refers: { vcnId: "Vcn", routeTableId: "RouteTable" },
    }),
    NatGateway: network({
      about: "A network's way to the internet, and not from there.",
      at: `${BASE}natGateways`,
      takes: "displayName vcnId blockTraffic publicIpId routeTableId",
      required: ["vcnId"],
      changes: "displayName blockTraffic routeTableId",
      refers: { vcnId: "Vcn", routeTableId: "RouteTable", publicIpId: "any" },
    }),
    RouteTable: network({
      about: "A network's routes, which subnets use.",
      at: `${BASE}routeTables`,
      takes: "displayName vcnId routeRules",
      required: ["vcnId", "routeRules"],
      changes: "displayName routeRules",
      refers: { vcnId: "Vcn", "routeRules[*].networkEntityId": "any" },
    }),
    SecurityList: network({
      about: "Rules for the traffic of subnets.",
      at: `${BASE}securityLists`,
      takes: "displayName vcnId ingressSecurityRules egressSecurityRules",
      required: ["vcnId", "ingressSecurityRules", "egressSecurityRules"],
      changes: "displayName ingressSecurityRules egressSecurityRules",
      refers: { vcnId: "Vcn" },
    }),
    NetworkSecurityGroup: network({
      about: "A group of network cards, to which its rules apply.",
      at: `${BASE}networkSecurityGroups`,
      takes: "displayName vcnId",
      required: ["vcnId"],
      changes: "displayName",
      refers: { vcnId: "Vcn" },
    }),
    NetworkSecurityGroupRules: {
      description: "All rules of a network security group.",
      takes: {
        properties: {
          networkSecurityGroupId: { description: "The OCID of the group.", type: "string" },
          securityRules: { description: "The rules, as in Oracle's API.", type: "array" },
        },
        required: ["networkSecurityGroupId", "securityRules"],
      },
      host: "iaas",
      path: `${BASE}networkSecurityGroups/{networkSecurityGroupId}/securityRules`,
      update: "PUT",
      facts: { createdInParts: true },
      refers: { networkSecurityGroupId: "NetworkSecurityGroup" },
    },
    LoadBalancer: ociRow("iaas", {
      about: "A load balancer, with its listeners and sets of backends.",
      at: LOAD_BALANCERS,
      paths: { list: `${LOAD_BALANCERS}?compartmentId={compartmentId}&limit=100&detail=full` },
      takes:
        "displayName shapeName shapeDetails isPrivate isDeleteProtectionEnabled ipMode ipv6SubnetCidr isRequestIdEnabled requestIdHeader reservedIps listeners hostnames backendSets networkSecurityGroupIds subnetIds certificates sslCipherSuites pathRouteSets securityAttributes ruleSets",
      required: ["shapeName", "subnetIds"],
      changes:
        "displayName isDeleteProtectionEnabled isRequestIdEnabled requestIdHeader securityAttributes",
      moves: "/changeCompartment",
      parts: [
        {
          properties: ["shapeName", "shapeDetails"],
          method: "PUT",
          path: `${LOAD_BALANCERS}/{id}/updateShape`,
        },
        {
          properties: ["networkSecurityGroupIds"],
          method: "PUT",
          path: `${LOAD_BALANCERS}/{id}/networkSecurityGroups`,
        },
        {
          properties: ["ipMode", "ipv6SubnetCidr", "reservedIps"],
          method: "PUT",
          path: `${LOAD_BALANCERS}/{id}`,
          absent: "keep",
        },
      ],
      onlyAtCreate: {
        listeners: IN_PLACE("oci:LoadBalancerListener"),
        backendSets: IN_PLACE("oci:LoadBalancerBackendSet"),
        ...Object.fromEntries(
          ["certificates", "hostnames", "pathRouteSets", "ruleSets", "sslCipherSuites"].map(
            (name) => [name, NEW_ONE],
          ),
        ),
      },
      writeOnly: ["reservedIps", "ipv6SubnetCidr", "certificates"],
      refers: {
        "subnetIds[*]": "Subnet",
        "networkSecurityGroupIds[*]": "NetworkSecurityGroup",
        "reservedIps[*].id": "any",
      },
      compare: { sets: ["subnetIds", "networkSecurityGroupIds"] },
      state: { ready: ["ACTIVE"], fail: ["FAILED"] },
      timing: { createMinutes: 30, updateMinutes: 30, deleteMinutes: 30 },
    }),
    LoadBalancerBackendSet: balancerPart(
      "backendSets",
      "Backends of a load balancer, and how they are checked.",
      "policy backends healthChecker backendMaxConnections sslConfiguration sessionPersistenceConfiguration lbCookieSessionPersistenceConfiguration",
      ["policy", "healthChecker"],
    ),
    LoadBalancerListener: balancerPart(
      "listeners",
      "A port on which a load balancer listens. It depends on its backend set.",
      "defaultBackendSetName port protocol hostnameNames pathRouteSetName routingPolicyName sslConfiguration connectionConfiguration ruleSetNames",
      ["defaultBackendSetName", "port", "protocol"],
    ),
  };
}
