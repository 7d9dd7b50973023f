import type { RestRows } from "#providers/rest/rest-types.ts";
import { HOURS } from "./hours.ts";
import { controlled, marked, markedByMap } from "./row-parts.ts";

export function edgeRows() {
  return {
    "AWS::ElasticLoadBalancingV2::LoadBalancer": {
      ...controlled(),
      description: "A load balancer.",
      nameProperty: "Name",
      nameRule: { maxLength: 32 },
      immutable: ["Name", "Type", "Scheme"],
      writeOnly: ["EnableCapacityReservationProvisionStabilize"],
      ...marked(),
      timeouts: { create: 1 * HOURS, update: 1 * HOURS, delete: 1 * HOURS },
    },
    "AWS::ElasticLoadBalancingV2::TargetGroup": {
      ...controlled(),
      description: "Targets of a load balancer.",
      nameProperty: "Name",
      nameRule: { maxLength: 32 },
      immutable: [
        "TargetType",
        "ProtocolVersion",
        "Port",
        "Name",
        "VpcId",
        "Protocol",
        "IpAddressType",
      ],
      ...marked(),
    },
    "AWS::ElasticLoadBalancingV2::Listener": {
      ...controlled(),
      description: "A port on which a load balancer listens.",
      immutable: ["LoadBalancerArn"],
      writeOnly: ["DefaultActions[*].AuthenticateOidcConfig.ClientSecret"],
      ...marked(),
    },
    "AWS::ApiGatewayV2::Api": {
      ...controlled(),
      description: "An HTTP or WebSocket API.",
      immutable: ["ProtocolType"],
      writeOnly: [
        "Body",
        "BasePath",
        "BodyS3Location",
        "CredentialsArn",
        "FailOnWarnings",
        "RouteKey",
        "Target",
        "DisableSchemaValidation",
      ],
      ...markedByMap(),
    },
    "AWS::ApiGatewayV2::Integration": {
      ...controlled(),
      description: "What an API calls for a route.",
      immutable: ["ApiId"],
    },
    "AWS::ApiGatewayV2::Route": {
      ...controlled(),
      description: "A route of an API.",
      immutable: ["ApiId"],
      writeOnly: ["AuthorizerId", "RequestParameters"],
    },
    "AWS::ApiGatewayV2::Stage": {
      ...controlled(),
      description: "A stage under which an API is published.",
      immutable: ["StageName", "ApiId"],
      ...markedByMap("Tags", "{ApiId}|{StageName}"),
      deleteFirst: true,
    },
    "AWS::CloudFront::Distribution": {
      ...controlled(),
      description: "A content delivery network in front of origins.",
      ...marked(),
      timeouts: { create: 2 * HOURS, update: 2 * HOURS, delete: 2 * HOURS },
    },
    "AWS::CertificateManager::Certificate": {
      ...controlled(),
      description: "A TLS certificate. AWS issues it once its domains are validated.",
      immutable: [
        "SubjectAlternativeNames",
        "DomainValidationOptions",
        "KeyAlgorithm",
        "DomainName",
        "CertificateAuthorityArn",
        "CertificateExport",
      ],
      createOnly: ["ValidationMethod"],
      writeOnly: ["DomainValidationOptions[*].HostedZoneId", "ValidationMethod"],
      ...marked(),
      timeouts: { create: 3 * HOURS, update: 3 * HOURS, delete: 3 * HOURS },
    },
    "AWS::Route53::HostedZone": {
      ...controlled(),
      description: "A DNS zone.",
      immutable: ["Name"],
      caseInsensitive: ["Name"],
      ...marked("HostedZoneTags"),
    },
    "AWS::Route53::RecordSet": {
      description: "A DNS record. It is made by Route 53's own API.",
      path: "/",
      host: "dns",
      update: "PUT",
      immutable: ["HostedZoneId", "HostedZoneName", "Name", "Type", "SetIdentifier"],
      required: ["HostedZoneId", "Name", "Type"],
      // Nothing shows who made a record, so that one that is alike proves nothing.
      find: { by: "properties", properties: ["Name", "Type"], createdAt: "CreatedAt" },
      deleteFirst: true,
    },
  } as const satisfies RestRows;
}
