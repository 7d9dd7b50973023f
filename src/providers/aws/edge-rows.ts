import { type AwsRows, controlled, marked, markedByMap } from "./row-parts.ts";

export function edgeRows(): AwsRows {
  return {
    ...controlled({
      "AWS::ElasticLoadBalancingV2::LoadBalancer": {
        description: "A load balancer.",
        refers: {
          "Subnets[*]": "AWS::EC2::Subnet",
          "SubnetMappings[*].SubnetId": "AWS::EC2::Subnet",
          "SubnetMappings[*].AllocationId": "any",
          "SecurityGroups[*]": "AWS::EC2::SecurityGroup",
        },
        name: { property: "Name", unique: true, rule: { maxLength: 32 } },
        immutable: ["Name", "Type", "Scheme"],
        writeOnly: ["EnableCapacityReservationProvisionStabilize"],
        ...marked(),
        timing: { createMinutes: 60, updateMinutes: 60, deleteMinutes: 60 },
      },
      "AWS::ElasticLoadBalancingV2::TargetGroup": {
        description: "Targets of a load balancer.",
        refers: { VpcId: "AWS::EC2::VPC", "Targets[*].Id": "AWS::EC2::Instance" },
        name: { property: "Name", unique: true, rule: { maxLength: 32 } },
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
        description: "A port on which a load balancer listens.",
        refers: {
          LoadBalancerArn: "AWS::ElasticLoadBalancingV2::LoadBalancer",
          "DefaultActions[*].TargetGroupArn": "AWS::ElasticLoadBalancingV2::TargetGroup",
          "DefaultActions[*].ForwardConfig.TargetGroups[*].TargetGroupArn":
            "AWS::ElasticLoadBalancingV2::TargetGroup",
          "Certificates[*].CertificateArn": "AWS::CertificateManager::Certificate",
          "MutualAuthentication.TrustStoreArn": "AWS::ElasticLoadBalancingV2::TrustStore",
          "DefaultActions[*].AuthenticateCognitoConfig": "any",
        },
        location: ["LoadBalancerArn"],
        immutable: ["LoadBalancerArn"],
        writeOnly: ["DefaultActions[*].AuthenticateOidcConfig.ClientSecret"],
        ...marked(),
      },
      "AWS::ElasticLoadBalancingV2::ListenerRule": {
        description: "Where a listener sends requests that meet conditions.",
        refers: {
          ListenerArn: "AWS::ElasticLoadBalancingV2::Listener",
          "Actions[*].TargetGroupArn": "AWS::ElasticLoadBalancingV2::TargetGroup",
          "Actions[*].ForwardConfig.TargetGroups[*].TargetGroupArn":
            "AWS::ElasticLoadBalancingV2::TargetGroup",
          "Actions[*].AuthenticateCognitoConfig": "any",
        },
        location: ["ListenerArn"],
        createOnly: ["ListenerArn"],
        writeOnly: ["Actions[*].AuthenticateOidcConfig.ClientSecret", "ListenerArn"],
        ...marked(),
      },
      "AWS::WAFv2::WebACL": {
        description: "Rules by which requests are let through or refused.",
        refers: {
          "Rules[*].Statement.RuleGroupReferenceStatement.Arn": "any",
          "Rules[*].Statement.IPSetReferenceStatement.Arn": "any",
          "Rules[*].Statement.RegexPatternSetReferenceStatement.Arn": "any",
          "Rules[*].Statement.AndStatement": "any",
          "Rules[*].Statement.OrStatement": "any",
          "Rules[*].Statement.NotStatement": "any",
          "Rules[*].Statement.RateBasedStatement.ScopeDownStatement": "any",
          "Rules[*].Statement.ManagedRuleGroupStatement.ScopeDownStatement": "any",
        },
        name: { property: "Name", unique: true, rule: { maxLength: 128 } },
        immutable: ["Name", "Scope"],
        ...marked(),
      },
      "AWS::ApiGatewayV2::Api": {
        description: "An HTTP or WebSocket API.",
        refers: {
          CredentialsArn: "any",
          Target: "any",
          "BodyS3Location.Bucket": "AWS::S3::Bucket",
        },
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
        description: "What an API calls for a route.",
        refers: {
          ApiId: "AWS::ApiGatewayV2::Api",
          ConnectionId: "AWS::ApiGatewayV2::VpcLink",
          CredentialsArn: "any",
        },
        location: ["ApiId"],
        immutable: ["ApiId"],
      },
      "AWS::ApiGatewayV2::Route": {
        description: "A route of an API.",
        refers: { ApiId: "AWS::ApiGatewayV2::Api" },
        location: ["ApiId"],
        immutable: ["ApiId"],
        writeOnly: ["AuthorizerId", "RequestParameters"],
      },
      "AWS::ApiGatewayV2::Stage": {
        description: "A stage under which an API is published.",
        refers: { ApiId: "AWS::ApiGatewayV2::Api", "AccessLogSettings.DestinationArn": "any" },
        location: ["ApiId"],
        immutable: ["StageName", "ApiId"],
        ...markedByMap("Tags", "{ApiId}|{StageName}"),
        deleteFirst: true,
      },
      "AWS::CloudFront::Distribution": {
        description: "A content delivery network in front of origins.",
        refers: {
          "DistributionConfig.ViewerCertificate.AcmCertificateArn":
            "AWS::CertificateManager::Certificate",
          "DistributionConfig.ViewerCertificate.IamCertificateId": "any",
          "DistributionConfig.Logging.Bucket": "any",
          "DistributionConfig.Origins[*].OriginAccessControlId":
            "AWS::CloudFront::OriginAccessControl",
          "DistributionConfig.Origins[*].S3OriginConfig.OriginAccessIdentity": "any",
          "DistributionConfig.Origins[*].VpcOriginConfig": "any",
          "DistributionConfig.DefaultCacheBehavior.LambdaFunctionAssociations": "any",
          "DistributionConfig.DefaultCacheBehavior.FunctionAssociations": "any",
          "DistributionConfig.CacheBehaviors[*].LambdaFunctionAssociations": "any",
          "DistributionConfig.CacheBehaviors[*].FunctionAssociations": "any",
          "DistributionConfig.WebACLId": "any",
        },
        ...marked(),
        timing: { createMinutes: 120, updateMinutes: 120, deleteMinutes: 120 },
      },
      "AWS::CertificateManager::Certificate": {
        description: "A TLS certificate. AWS issues it once its domains are validated.",
        refers: {
          CertificateAuthorityArn: "any",
          "DomainValidationOptions[*].HostedZoneId": "AWS::Route53::HostedZone",
        },
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
        timing: { createMinutes: 180, updateMinutes: 180, deleteMinutes: 180 },
      },
      "AWS::Route53::HostedZone": {
        description: "A DNS zone.",
        refers: {
          "VPCs[*].VPCId": "AWS::EC2::VPC",
          "QueryLoggingConfig.CloudWatchLogsLogGroupArn": "any",
        },
        immutable: ["Name"],
        compare: { caseInsensitive: ["Name"] },
        ...marked("HostedZoneTags"),
      },
    }),
    "AWS::Route53::RecordSet": {
      description: "A DNS record. It is made by Route 53's own API.",
      refers: {
        HostedZoneId: "AWS::Route53::HostedZone",
        HostedZoneName: "any",
        HealthCheckId: "AWS::Route53::HealthCheck",
        "CidrRoutingConfig.CollectionId": "AWS::Route53::CidrCollection",
      },
      path: "/",
      host: "dns",
      update: "PUT",
      immutable: ["HostedZoneId", "HostedZoneName", "Name", "Type", "SetIdentifier"],
      takes: { required: ["HostedZoneId", "Name", "Type"] },
      // A record does not show its maker, so an equal one proves nothing.
      find: { by: "properties", properties: ["Name", "Type"], createdAt: "CreatedAt" },
      deleteFirst: true,
    },
  };
}
