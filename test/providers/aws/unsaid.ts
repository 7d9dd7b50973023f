/** What AWS does with its types and the package with its descriptions does not say; held to the registry by `npm run test:specs`. */

/** Properties that are taken and never shown. */
export const hiddenProperties: Readonly<Record<string, readonly string[]>> = {
  "AWS::ApplicationAutoScaling::ScalableTarget": ["RoleARN"],
  "AWS::ApplicationAutoScaling::ScalingPolicy": ["ScalingTargetId"],
  "AWS::AutoScaling::AutoScalingGroup": ["InstanceId", "SkipZonalShiftValidation"],
  "AWS::Cognito::UserPool": ["EnabledMfas"],
  "AWS::EFS::FileSystem": ["BypassPolicyLockoutSafetyCheck"],
  "AWS::EFS::MountTarget": ["IpAddressType"],
  "AWS::ElastiCache::ReplicationGroup": [
    "AuthToken",
    "CacheSubnetGroupName",
    "EngineVersion",
    "KmsKeyId",
    "NumNodeGroups",
    "SecurityGroupIds",
  ],
  "AWS::ElasticLoadBalancingV2::ListenerRule": [
    "Actions[*].AuthenticateOidcConfig.ClientSecret",
    "ListenerArn",
  ],
  "AWS::Kinesis::Stream": ["WarmThroughputMiBps"],
  "AWS::StepFunctions::StateMachine": [
    "Definition",
    "DefinitionS3Location",
    "DefinitionSubstitutions",
  ],
  "AWS::ApiGatewayV2::Route": ["RequestParameters"],
  "AWS::AppRunner::Service": ["AutoScalingConfigurationArn", "Tags"],
  "AWS::CertificateManager::Certificate": [
    "ValidationMethod",
    "DomainValidationOptions[*].HostedZoneId",
  ],
  "AWS::EC2::LaunchTemplate": ["LaunchTemplateData", "VersionDescription", "TagSpecifications"],
  "AWS::ECR::Repository": ["EmptyOnDelete"],
  "AWS::ECS::Service": [
    "ServiceConnectConfiguration",
    "VolumeConfigurations",
    "ForceNewDeployment",
  ],
  "AWS::EKS::Cluster": ["BootstrapSelfManagedAddons"],
  "AWS::EKS::Nodegroup": ["ForceUpdateEnabled"],
  "AWS::ElastiCache::ServerlessCache": ["FinalSnapshotName", "SnapshotArnsToRestore"],
  "AWS::ElasticLoadBalancingV2::Listener": [
    "DefaultActions[*].AuthenticateOidcConfig.ClientSecret",
  ],
  "AWS::KMS::Key": [
    "PendingWindowInDays",
    "BypassPolicyLockoutSafetyCheck",
    "RotationPeriodInDays",
  ],
  "AWS::Lambda::Function": [
    "Code.ImageUri",
    "Code.S3Bucket",
    "Code.S3Key",
    "Code.ZipFile",
    "SnapStart",
  ],
  "AWS::RDS::DBCluster": ["MasterUserPassword"],
  "AWS::RDS::DBInstance": [
    "MasterUserPassword",
    "AllowMajorVersionUpgrade",
    "ApplyImmediately",
    "DeleteAutomatedBackups",
  ],
  "AWS::S3::Bucket": ["AccessControl"],
  "AWS::SecretsManager::Secret": ["SecretString", "GenerateSecretString"],
};

/** Types without an update. */
export const fixedTypes: ReadonlySet<string> = new Set([
  "AWS::EC2::SubnetRouteTableAssociation",
  "AWS::Lambda::Permission",
]);

export const listParents: Readonly<Record<string, readonly string[]>> = {
  "AWS::ApiGatewayV2::Integration": ["ApiId"],
  "AWS::ApiGatewayV2::Route": ["ApiId"],
  "AWS::ApiGatewayV2::Stage": ["ApiId"],
  "AWS::ApplicationAutoScaling::ScalingPolicy": ["ServiceNamespace"],
  "AWS::Cognito::UserPoolClient": ["UserPoolId"],
  "AWS::EC2::Route": ["RouteTableId"],
  "AWS::EFS::MountTarget": ["FileSystemId"],
  "AWS::EKS::Nodegroup": ["ClusterName"],
  "AWS::ElasticLoadBalancingV2::ListenerRule": ["ListenerArn"],
  "AWS::Lambda::Permission": ["FunctionName"],
  "AWS::Lambda::Url": ["TargetFunctionArn"],
  "AWS::WAFv2::WebACL": ["Scope"],
};

/** Properties whose values are unique in an account and region, although they are not the identifier. */
export const uniqueProperties: Readonly<Record<string, string>> = {
  "AWS::EC2::LaunchTemplate": "LaunchTemplateName",
  "AWS::ElasticLoadBalancingV2::LoadBalancer": "Name",
  "AWS::ElasticLoadBalancingV2::TargetGroup": "Name",
  "AWS::Events::Rule": "Name",
  "AWS::IAM::ManagedPolicy": "ManagedPolicyName",
  "AWS::SecretsManager::Secret": "Name",
  "AWS::StepFunctions::StateMachine": "StateMachineName",
  "AWS::WAFv2::WebACL": "Name",
};

/** Where an object's ARN begins as that of the object around it: the property with that one, and what differs. */
export const arnsWithin: Readonly<
  Record<string, readonly [property: string, from: string, to: string]>
> = {
  "AWS::ElasticLoadBalancingV2::ListenerRule": ["ListenerArn", ":listener/", ":listener-rule/"],
};

/** Properties that say whether an object is usable: while it is made, and afterwards. */
export const states: Readonly<
  Record<string, { property: string; working: string; usable: string; failed: string }>
> = {
  "AWS::AppRunner::Service": {
    property: "Status",
    working: "OPERATION_IN_PROGRESS",
    usable: "RUNNING",
    failed: "CREATE_FAILED",
  },
  "AWS::ElastiCache::ServerlessCache": {
    property: "Status",
    working: "creating",
    usable: "available",
    failed: "create-failed",
  },
  "AWS::RDS::DBInstance": {
    property: "DBInstanceStatus",
    working: "creating",
    usable: "available",
    failed: "failed",
  },
};

/** Objects that cannot be deleted while others refer to them. */
export const heldByOthers: ReadonlySet<string> = new Set([
  "AWS::EC2::SecurityGroup",
  "AWS::EC2::Subnet",
  "AWS::EC2::VPC",
  "AWS::ECS::Cluster",
  "AWS::EFS::FileSystem",
  "AWS::RDS::DBSubnetGroup",
]);
