/** Properties of one object of every verified type: as created, changed in place, and changed so that it is replaced. */
import type { JsonMap } from "#platform/json.ts";

export interface Sample {
  properties: JsonMap;
  /** Absent: nothing can be changed in place. */
  changed?: JsonMap;
  /** Absent: everything can. */
  replaced?: JsonMap;
}

const ROLE = "arn:aws:iam::123456789012:role/shop";
const BALANCER =
  "arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/shop/0123456789abcdef";
const TARGETS =
  "arn:aws:elasticloadbalancing:eu-central-1:123456789012:targetgroup/shop/0123456789abcdef";
const LISTENER =
  "arn:aws:elasticloadbalancing:eu-central-1:123456789012:listener/app/shop/0123456789abcdef/0a1b";
const CERTIFICATE = "arn:aws:acm:eu-central-1:123456789012:certificate/0a1b";
const FUNCTION = "arn:aws:lambda:eu-central-1:123456789012:function:shop";
const VpcId = "vpc-0a1b2c3d";
const subnets = ["subnet-0a1b2c3d", "subnet-1a1b2c3d"];

const tagged = (Value: string): JsonMap => ({ Tags: [{ Key: "team", Value }] });
const policy = (Action: string): JsonMap => ({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Action, Resource: "*" }],
});
const assumedBy = (Service: string): JsonMap => ({
  Version: "2012-10-17",
  Statement: [{ Effect: "Allow", Principal: { Service }, Action: "sts:AssumeRole" }],
});
const ingress = (port: number): JsonMap => ({
  IpProtocol: "tcp",
  FromPort: port,
  ToPort: port,
  CidrIp: "10.0.0.0/8",
});
const distribution = (Comment: string): JsonMap => ({
  DistributionConfig: {
    Enabled: true,
    Comment,
    DefaultCacheBehavior: { TargetOriginId: "shop", ViewerProtocolPolicy: "https-only" },
    Origins: [
      {
        Id: "shop",
        DomainName: "shop.example.com",
        CustomOriginConfig: { OriginProtocolPolicy: "https-only" },
      },
    ],
  },
});
const task = (Image: string): JsonMap => ({
  Family: "shop",
  Cpu: "256",
  Memory: "512",
  NetworkMode: "awsvpc",
  RequiresCompatibilities: ["FARGATE"],
  ExecutionRoleArn: ROLE,
  ContainerDefinitions: [{ Name: "web", Image, PortMappings: [{ ContainerPort: 8080 }] }],
});
const database: JsonMap = {
  Engine: "postgres",
  EngineVersion: "17",
  DBInstanceClass: "db.t4g.micro",
  AllocatedStorage: "20",
  MasterUsername: "shop",
  MasterUserPassword: "canary-database-password",
  DBInstanceIdentifier: "shop",
};
const cluster: JsonMap = {
  DBClusterIdentifier: "shop",
  Engine: "aurora-postgresql",
  MasterUsername: "shop",
  MasterUserPassword: "canary-cluster-password",
};
const forward: JsonMap = { Type: "forward", TargetGroupArn: TARGETS };
const signIn = (ClientSecret: string): JsonMap => ({
  Type: "authenticate-oidc",
  Order: 1,
  AuthenticateOidcConfig: {
    AuthorizationEndpoint: "https://id.example.com/authorize",
    ClientId: "shop",
    ClientSecret,
    Issuer: "https://id.example.com",
    TokenEndpoint: "https://id.example.com/token",
    UserInfoEndpoint: "https://id.example.com/me",
  },
});
const nodes: JsonMap = {
  NodegroupName: "web",
  ClusterName: "shop",
  NodeRole: ROLE,
  Subnets: subnets,
};

const group: JsonMap = {
  AutoScalingGroupName: "web",
  MinSize: "1",
  MaxSize: "4",
  LaunchTemplate: { LaunchTemplateId: "lt-0a1b", Version: "1" },
  VPCZoneIdentifier: subnets,
};
const tasks: JsonMap = {
  ResourceId: "service/shop/web",
  ScalableDimension: "ecs:service:DesiredCount",
  ServiceNamespace: "ecs",
};
const scaled = (TargetValue: number): JsonMap => ({
  PolicyName: "cpu",
  PolicyType: "TargetTrackingScaling",
  ...tasks,
  TargetTrackingScalingPolicyConfiguration: {
    TargetValue,
    PredefinedMetricSpecification: { PredefinedMetricType: "ECSServiceAverageCPUUtilization" },
  },
});
const paths = (...Values: string[]): JsonMap[] => [
  { Field: "path-pattern", PathPatternConfig: { Values } },
];
const cache: JsonMap = {
  ReplicationGroupId: "shop",
  ReplicationGroupDescription: "sessions",
  Engine: "valkey",
  CacheNodeType: "cache.t4g.micro",
  AuthToken: "canary-cache-token-0123",
  TransitEncryptionEnabled: true,
  CacheSubnetGroupName: "shop",
};
const visible = (MetricName: string): JsonMap => ({
  VisibilityConfig: { SampledRequestsEnabled: true, CloudWatchMetricsEnabled: true, MetricName },
});
const acl: JsonMap = {
  Name: "shop",
  Scope: "REGIONAL",
  DefaultAction: { Allow: {} },
  ...visible("shop"),
};
const workflow = (Comment: string): string =>
  JSON.stringify({ Comment, StartAt: "Done", States: { Done: { Type: "Succeed" } } });

export const samples: Readonly<Record<string, Sample>> = {
  "AWS::EC2::VPC": {
    properties: { CidrBlock: "10.0.0.0/16", ...tagged("web") },
    changed: { CidrBlock: "10.0.0.0/16", EnableDnsHostnames: true, ...tagged("shop") },
    replaced: { CidrBlock: "10.1.0.0/16" },
  },
  "AWS::EC2::Subnet": {
    properties: { VpcId, CidrBlock: "10.0.1.0/24", AvailabilityZone: "eu-central-1a" },
    changed: {
      VpcId,
      CidrBlock: "10.0.1.0/24",
      AvailabilityZone: "eu-central-1a",
      MapPublicIpOnLaunch: true,
    },
    replaced: { VpcId, CidrBlock: "10.0.2.0/24", AvailabilityZone: "eu-central-1a" },
  },
  "AWS::EC2::InternetGateway": { properties: tagged("web"), changed: tagged("shop") },
  "AWS::EC2::VPCGatewayAttachment": {
    properties: { VpcId, InternetGatewayId: "igw-0a1b" },
    changed: { VpcId, InternetGatewayId: "igw-1a1b" },
    replaced: { VpcId: "vpc-1a1b2c3d", InternetGatewayId: "igw-0a1b" },
  },
  "AWS::EC2::NatGateway": {
    properties: { SubnetId: "subnet-0a1b", AllocationId: "eipalloc-0a1b", ...tagged("web") },
    changed: { SubnetId: "subnet-0a1b", AllocationId: "eipalloc-0a1b", ...tagged("shop") },
    replaced: { SubnetId: "subnet-1a1b", AllocationId: "eipalloc-0a1b" },
  },
  "AWS::EC2::EIP": {
    properties: { Domain: "vpc", ...tagged("web") },
    changed: { Domain: "vpc", ...tagged("shop") },
    replaced: { Domain: "vpc", NetworkBorderGroup: "eu-central-1-ham-1" },
  },
  "AWS::EC2::RouteTable": {
    properties: { VpcId, ...tagged("web") },
    changed: { VpcId, ...tagged("shop") },
    replaced: { VpcId: "vpc-1a1b" },
  },
  "AWS::EC2::Route": {
    properties: {
      RouteTableId: "rtb-0a1b",
      DestinationCidrBlock: "0.0.0.0/0",
      GatewayId: "igw-0a1b",
    },
    changed: {
      RouteTableId: "rtb-0a1b",
      DestinationCidrBlock: "0.0.0.0/0",
      NatGatewayId: "nat-0a1b",
    },
    replaced: {
      RouteTableId: "rtb-0a1b",
      DestinationCidrBlock: "10.9.0.0/16",
      GatewayId: "igw-0a1b",
    },
  },
  "AWS::EC2::SubnetRouteTableAssociation": {
    properties: { RouteTableId: "rtb-0a1b", SubnetId: "subnet-0a1b" },
    replaced: { RouteTableId: "rtb-1a1b", SubnetId: "subnet-0a1b" },
  },
  "AWS::EC2::SecurityGroup": {
    properties: { GroupDescription: "web", VpcId, SecurityGroupIngress: [ingress(80)] },
    changed: { GroupDescription: "web", VpcId, SecurityGroupIngress: [ingress(80), ingress(443)] },
    replaced: { GroupDescription: "other", VpcId },
  },
  "AWS::EC2::VPCEndpoint": {
    properties: { VpcId, ServiceName: "com.amazonaws.eu-central-1.s3", VpcEndpointType: "Gateway" },
    changed: {
      VpcId,
      ServiceName: "com.amazonaws.eu-central-1.s3",
      VpcEndpointType: "Gateway",
      RouteTableIds: ["rtb-0a1b"],
    },
    replaced: {
      VpcId,
      ServiceName: "com.amazonaws.eu-central-1.dynamodb",
      VpcEndpointType: "Gateway",
    },
  },
  "AWS::EC2::Instance": {
    properties: {
      ImageId: "ami-0a1b",
      InstanceType: "t4g.micro",
      SubnetId: "subnet-0a1b",
      ...tagged("web"),
    },
    changed: {
      ImageId: "ami-0a1b",
      InstanceType: "t4g.micro",
      SubnetId: "subnet-0a1b",
      ...tagged("shop"),
    },
    replaced: { ImageId: "ami-1a1b", InstanceType: "t4g.micro", SubnetId: "subnet-0a1b" },
  },
  "AWS::EC2::LaunchTemplate": {
    properties: { LaunchTemplateName: "web", LaunchTemplateData: { ImageId: "ami-0a1b" } },
    changed: { LaunchTemplateName: "web", LaunchTemplateData: { ImageId: "ami-1a1b" } },
    replaced: { LaunchTemplateName: "shop", LaunchTemplateData: { ImageId: "ami-0a1b" } },
  },
  "AWS::AutoScaling::AutoScalingGroup": {
    properties: {
      ...group,
      Tags: [{ Key: "team", Value: "web", PropagateAtLaunch: true }],
    },
    changed: {
      ...group,
      MaxSize: "8",
      LaunchTemplate: { LaunchTemplateId: "lt-0a1b", Version: "2" },
    },
    replaced: { ...group, AutoScalingGroupName: "other" },
  },
  "AWS::ApplicationAutoScaling::ScalableTarget": {
    properties: { ...tasks, MinCapacity: 1, MaxCapacity: 4, RoleARN: ROLE },
    changed: { ...tasks, MinCapacity: 2, MaxCapacity: 8, RoleARN: ROLE },
    replaced: { ...tasks, ResourceId: "service/shop/api", MinCapacity: 1, MaxCapacity: 4 },
  },
  "AWS::ApplicationAutoScaling::ScalingPolicy": {
    properties: scaled(50),
    changed: scaled(70),
    replaced: { ...scaled(50), PolicyName: "memory" },
  },
  "AWS::Lambda::Function": {
    properties: {
      FunctionName: "shop",
      Role: ROLE,
      Runtime: "nodejs24.x",
      Handler: "index.handler",
      Code: { S3Bucket: "code", S3Key: "shop.zip" },
    },
    changed: {
      FunctionName: "shop",
      Role: ROLE,
      Runtime: "nodejs24.x",
      Handler: "index.handler",
      Timeout: 30,
      Code: { S3Bucket: "code", S3Key: "shop.zip" },
    },
    replaced: {
      FunctionName: "other",
      Role: ROLE,
      Code: { ImageUri: "shop:1" },
      PackageType: "Image",
    },
  },
  "AWS::Lambda::Permission": {
    properties: {
      FunctionName: "shop",
      Action: "lambda:InvokeFunction",
      Principal: "events.amazonaws.com",
    },
    replaced: {
      FunctionName: "shop",
      Action: "lambda:InvokeFunction",
      Principal: "s3.amazonaws.com",
    },
  },
  "AWS::Lambda::Url": {
    properties: { TargetFunctionArn: FUNCTION, AuthType: "NONE" },
    changed: { TargetFunctionArn: FUNCTION, AuthType: "AWS_IAM" },
    replaced: { TargetFunctionArn: `${FUNCTION}-2`, AuthType: "NONE" },
  },
  "AWS::AppRunner::Service": {
    properties: {
      ServiceName: "shop",
      SourceConfiguration: {
        ImageRepository: {
          ImageIdentifier: "public.ecr.aws/shop/web:1",
          ImageRepositoryType: "ECR_PUBLIC",
        },
      },
      ...tagged("web"),
    },
    changed: {
      ServiceName: "shop",
      SourceConfiguration: {
        ImageRepository: {
          ImageIdentifier: "public.ecr.aws/shop/web:2",
          ImageRepositoryType: "ECR_PUBLIC",
        },
      },
      ...tagged("web"),
    },
    replaced: {
      ServiceName: "other",
      SourceConfiguration: {
        ImageRepository: {
          ImageIdentifier: "public.ecr.aws/shop/web:1",
          ImageRepositoryType: "ECR_PUBLIC",
        },
      },
    },
  },
  "AWS::ECR::Repository": {
    properties: { RepositoryName: "shop", EmptyOnDelete: true },
    changed: { RepositoryName: "shop", EmptyOnDelete: true, ImageTagMutability: "IMMUTABLE" },
    replaced: { RepositoryName: "other", EmptyOnDelete: true },
  },
  "AWS::ECS::Cluster": {
    properties: { ClusterName: "shop", ...tagged("web") },
    changed: { ClusterName: "shop", ...tagged("shop") },
    replaced: { ClusterName: "other" },
  },
  "AWS::ECS::Service": {
    properties: {
      ServiceName: "web",
      Cluster: "shop",
      TaskDefinition: "shop:1",
      DesiredCount: 1,
      LaunchType: "FARGATE",
    },
    changed: {
      ServiceName: "web",
      Cluster: "shop",
      TaskDefinition: "shop:2",
      DesiredCount: 2,
      LaunchType: "FARGATE",
    },
    replaced: { ServiceName: "other", Cluster: "shop", TaskDefinition: "shop:1" },
  },
  "AWS::ECS::TaskDefinition": {
    properties: { ...task("shop:1"), ...tagged("web") },
    changed: { ...task("shop:1"), ...tagged("shop") },
    replaced: task("shop:2"),
  },
  "AWS::EKS::Cluster": {
    properties: {
      Name: "shop",
      RoleArn: ROLE,
      ResourcesVpcConfig: { SubnetIds: subnets },
      BootstrapSelfManagedAddons: false,
    },
    changed: {
      Name: "shop",
      RoleArn: ROLE,
      ResourcesVpcConfig: { SubnetIds: subnets, EndpointPrivateAccess: true },
      BootstrapSelfManagedAddons: false,
    },
    replaced: { Name: "other", RoleArn: ROLE, ResourcesVpcConfig: { SubnetIds: subnets } },
  },
  "AWS::EKS::Nodegroup": {
    properties: { ...nodes, Tags: { team: "web" } },
    changed: { ...nodes, ScalingConfig: { MinSize: 2 }, Tags: { team: "shop" } },
    replaced: { ...nodes, NodegroupName: "other" },
  },
  "AWS::S3::Bucket": {
    properties: { BucketName: "shop-files", ...tagged("web") },
    changed: { BucketName: "shop-files", VersioningConfiguration: { Status: "Enabled" } },
    replaced: { BucketName: "other-files" },
  },
  "AWS::S3::BucketPolicy": {
    properties: { Bucket: "shop-files", PolicyDocument: policy("s3:GetObject") },
    changed: { Bucket: "shop-files", PolicyDocument: policy("s3:PutObject") },
    replaced: { Bucket: "other-files", PolicyDocument: policy("s3:GetObject") },
  },
  "AWS::RDS::DBInstance": {
    properties: { ...database, ...tagged("web") },
    changed: { ...database, DBInstanceClass: "db.t4g.small", ...tagged("shop") },
    replaced: { ...database, DBInstanceIdentifier: "other" },
  },
  "AWS::RDS::DBCluster": {
    properties: cluster,
    changed: { ...cluster, BackupRetentionPeriod: 7 },
    replaced: { ...cluster, DBClusterIdentifier: "other" },
  },
  "AWS::RDS::DBSubnetGroup": {
    properties: { DBSubnetGroupName: "shop", DBSubnetGroupDescription: "shop", SubnetIds: subnets },
    changed: { DBSubnetGroupName: "shop", DBSubnetGroupDescription: "new", SubnetIds: subnets },
    replaced: { DBSubnetGroupName: "other", DBSubnetGroupDescription: "shop", SubnetIds: subnets },
  },
  "AWS::DynamoDB::Table": {
    properties: {
      TableName: "shop",
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
      BillingMode: "PAY_PER_REQUEST",
    },
    changed: {
      TableName: "shop",
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
      BillingMode: "PAY_PER_REQUEST",
      DeletionProtectionEnabled: true,
    },
    replaced: {
      TableName: "other",
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    },
  },
  "AWS::ElastiCache::ServerlessCache": {
    properties: { ServerlessCacheName: "shop", Engine: "valkey", FinalSnapshotName: "last" },
    changed: {
      ServerlessCacheName: "shop",
      Engine: "valkey",
      FinalSnapshotName: "last",
      Description: "new",
    },
    replaced: { ServerlessCacheName: "other", Engine: "valkey" },
  },
  "AWS::ElastiCache::ReplicationGroup": {
    properties: { ...cache, ...tagged("web") },
    changed: { ...cache, SnapshotRetentionLimit: 7, ...tagged("shop") },
    replaced: { ...cache, ReplicationGroupId: "other" },
  },
  "AWS::EFS::FileSystem": {
    properties: { Encrypted: true, FileSystemTags: [{ Key: "team", Value: "web" }] },
    changed: { Encrypted: true, BackupPolicy: { Status: "ENABLED" } },
    replaced: { Encrypted: false },
  },
  "AWS::EFS::MountTarget": {
    properties: { FileSystemId: "fs-0a1b", SubnetId: "subnet-0a1b", SecurityGroups: ["sg-0a1b"] },
    changed: { FileSystemId: "fs-0a1b", SubnetId: "subnet-0a1b", SecurityGroups: ["sg-1a1b"] },
    replaced: {
      FileSystemId: "fs-0a1b",
      SubnetId: "subnet-1a1b",
      SecurityGroups: ["sg-0a1b"],
      IpAddressType: "IPV4_ONLY",
    },
  },
  "AWS::Kinesis::Stream": {
    properties: { Name: "orders", ShardCount: 1, ...tagged("web") },
    changed: { Name: "orders", ShardCount: 2, WarmThroughputMiBps: 10 },
    replaced: { Name: "events", ShardCount: 1 },
  },
  "AWS::SQS::Queue": {
    properties: { QueueName: "shop", DelaySeconds: 1 },
    changed: { QueueName: "shop", DelaySeconds: 2 },
    replaced: { QueueName: "other" },
  },
  "AWS::SNS::Topic": {
    properties: { TopicName: "shop", DisplayName: "shop" },
    changed: { TopicName: "shop", DisplayName: "new" },
    replaced: { TopicName: "other" },
  },
  "AWS::SecretsManager::Secret": {
    properties: { Name: "shop", SecretString: "canary-secret-string" },
    changed: { Name: "shop", SecretString: "canary-secret-string", Description: "new" },
    replaced: { Name: "other", GenerateSecretString: { PasswordLength: 32 } },
  },
  "AWS::ElasticLoadBalancingV2::LoadBalancer": {
    properties: { Name: "shop", Type: "application", Scheme: "internet-facing", Subnets: subnets },
    changed: {
      Name: "shop",
      Type: "application",
      Scheme: "internet-facing",
      Subnets: subnets,
      SecurityGroups: ["sg-0a1b"],
    },
    replaced: { Name: "other", Type: "application", Scheme: "internal", Subnets: subnets },
  },
  "AWS::ElasticLoadBalancingV2::TargetGroup": {
    properties: { Name: "shop", Port: 8080, Protocol: "HTTP", VpcId, TargetType: "ip" },
    changed: {
      Name: "shop",
      Port: 8080,
      Protocol: "HTTP",
      VpcId,
      TargetType: "ip",
      HealthCheckPath: "/ready",
    },
    replaced: { Name: "other", Port: 8081, Protocol: "HTTP", VpcId, TargetType: "ip" },
  },
  "AWS::ElasticLoadBalancingV2::Listener": {
    properties: {
      LoadBalancerArn: BALANCER,
      Port: 443,
      Protocol: "HTTPS",
      Certificates: [{ CertificateArn: CERTIFICATE }],
      DefaultActions: [signIn("canary-client-secret"), forward],
    },
    changed: {
      LoadBalancerArn: BALANCER,
      Port: 8443,
      Protocol: "HTTPS",
      Certificates: [{ CertificateArn: CERTIFICATE }],
      DefaultActions: [signIn("canary-client-secret"), forward],
    },
    replaced: {
      LoadBalancerArn: `${BALANCER}0`,
      Port: 80,
      Protocol: "HTTP",
      DefaultActions: [forward],
    },
  },
  "AWS::ElasticLoadBalancingV2::ListenerRule": {
    properties: {
      ListenerArn: LISTENER,
      Priority: 10,
      Conditions: paths("/api/*"),
      Actions: [signIn("canary-rule-secret"), { ...forward, Order: 2 }],
    },
    changed: {
      ListenerArn: LISTENER,
      Priority: 20,
      Conditions: paths("/api/*", "/v2/*"),
      Actions: [signIn("canary-rule-secret"), { ...forward, Order: 2 }],
    },
    replaced: {
      ListenerArn: `${LISTENER}2c`,
      Priority: 10,
      Conditions: paths("/api/*"),
      Actions: [forward],
    },
  },
  "AWS::WAFv2::WebACL": {
    properties: acl,
    changed: {
      ...acl,
      Rules: [
        {
          Name: "common",
          Priority: 1,
          OverrideAction: { None: {} },
          Statement: {
            ManagedRuleGroupStatement: { VendorName: "AWS", Name: "AWSManagedRulesCommonRuleSet" },
          },
          ...visible("common"),
        },
      ],
    },
    replaced: { ...acl, Scope: "CLOUDFRONT" },
  },
  "AWS::ApiGatewayV2::Api": {
    properties: { Name: "shop", ProtocolType: "HTTP", Tags: { team: "web" } },
    changed: { Name: "new", ProtocolType: "HTTP", Tags: { team: "shop" } },
    replaced: {
      Name: "shop",
      ProtocolType: "WEBSOCKET",
      RouteSelectionExpression: "$request.body.action",
    },
  },
  "AWS::ApiGatewayV2::Integration": {
    properties: {
      ApiId: "api-1",
      IntegrationType: "HTTP_PROXY",
      IntegrationUri: "https://a.example",
    },
    changed: { ApiId: "api-1", IntegrationType: "HTTP_PROXY", IntegrationUri: "https://b.example" },
    replaced: {
      ApiId: "api-2",
      IntegrationType: "HTTP_PROXY",
      IntegrationUri: "https://a.example",
    },
  },
  "AWS::ApiGatewayV2::Route": {
    properties: { ApiId: "api-1", RouteKey: "GET /a", Target: "integrations/one" },
    changed: { ApiId: "api-1", RouteKey: "GET /b", Target: "integrations/one" },
    replaced: { ApiId: "api-2", RouteKey: "GET /a" },
  },
  "AWS::ApiGatewayV2::Stage": {
    properties: { ApiId: "api-1", StageName: "live", AutoDeploy: true },
    changed: { ApiId: "api-1", StageName: "live", AutoDeploy: true, Description: "new" },
    replaced: { ApiId: "api-1", StageName: "other" },
  },
  "AWS::CloudFront::Distribution": {
    properties: distribution("old"),
    changed: distribution("new"),
  },
  "AWS::CertificateManager::Certificate": {
    properties: {
      DomainName: "shop.example.com",
      ValidationMethod: "DNS",
      DomainValidationOptions: [{ DomainName: "shop.example.com", HostedZoneId: "Z0001" }],
    },
    changed: {
      DomainName: "shop.example.com",
      ValidationMethod: "DNS",
      DomainValidationOptions: [{ DomainName: "shop.example.com", HostedZoneId: "Z0001" }],
      ...tagged("shop"),
    },
    replaced: { DomainName: "other.example.com", ValidationMethod: "DNS" },
  },
  "AWS::Route53::HostedZone": {
    properties: { Name: "shop.example.com" },
    changed: { Name: "shop.example.com", HostedZoneConfig: { Comment: "new" } },
    replaced: { Name: "other.example.com" },
  },
  "AWS::Route53::RecordSet": {
    properties: {
      HostedZoneId: "Z0001",
      Name: "www.shop.example.com",
      Type: "A",
      TTL: "300",
      ResourceRecords: ["192.0.2.1"],
    },
    changed: {
      HostedZoneId: "Z0001",
      Name: "www.shop.example.com",
      Type: "A",
      AliasTarget: {
        DNSName: "shop-1.elb.amazonaws.com",
        HostedZoneId: "Z215",
        EvaluateTargetHealth: true,
      },
    },
    replaced: {
      HostedZoneId: "Z0001",
      Name: "*.shop.example.com",
      Type: "CNAME",
      TTL: "60",
      ResourceRecords: ["a.example"],
    },
  },
  "AWS::IAM::Role": {
    properties: {
      RoleName: "shop",
      AssumeRolePolicyDocument: assumedBy("ecs-tasks.amazonaws.com"),
    },
    changed: {
      RoleName: "shop",
      AssumeRolePolicyDocument: assumedBy("lambda.amazonaws.com"),
      Policies: [{ PolicyName: "logs", PolicyDocument: policy("logs:*") }],
    },
    replaced: { RoleName: "other", AssumeRolePolicyDocument: assumedBy("ecs-tasks.amazonaws.com") },
  },
  "AWS::IAM::ManagedPolicy": {
    properties: { ManagedPolicyName: "shop", PolicyDocument: policy("s3:GetObject") },
    changed: { ManagedPolicyName: "shop", PolicyDocument: policy("s3:PutObject") },
    replaced: { ManagedPolicyName: "other", PolicyDocument: policy("s3:GetObject") },
  },
  "AWS::IAM::InstanceProfile": {
    properties: { InstanceProfileName: "shop", Roles: ["shop"] },
    changed: { InstanceProfileName: "shop", Roles: ["other"] },
    replaced: { InstanceProfileName: "other", Roles: ["shop"] },
  },
  "AWS::Cognito::UserPool": {
    properties: {
      UserPoolName: "shop",
      Schema: [{ Name: "tier", AttributeDataType: "String", Mutable: true }],
      UserPoolTags: { team: "web" },
    },
    changed: {
      UserPoolName: "shop",
      Schema: [{ Name: "tier", AttributeDataType: "String", Mutable: true }],
      MfaConfiguration: "OPTIONAL",
      EnabledMfas: ["SOFTWARE_TOKEN_MFA"],
      UserPoolTags: { team: "shop" },
    },
  },
  "AWS::Cognito::UserPoolClient": {
    properties: { UserPoolId: "eu-central-1_0a1b", ClientName: "web", GenerateSecret: true },
    changed: {
      UserPoolId: "eu-central-1_0a1b",
      ClientName: "web",
      GenerateSecret: true,
      CallbackURLs: ["https://shop.example.com/signed-in"],
    },
    replaced: { UserPoolId: "eu-central-1_1a1b", ClientName: "web" },
  },
  "AWS::StepFunctions::StateMachine": {
    properties: {
      StateMachineName: "orders",
      RoleArn: ROLE,
      DefinitionString: workflow("one"),
      ...tagged("web"),
    },
    changed: {
      StateMachineName: "orders",
      RoleArn: ROLE,
      DefinitionString: workflow("two"),
      ...tagged("shop"),
    },
    replaced: {
      StateMachineName: "orders",
      StateMachineType: "EXPRESS",
      RoleArn: ROLE,
      Definition: { StartAt: "Done", States: { Done: { Type: "Succeed" } } },
    },
  },
  "AWS::KMS::Key": {
    properties: { Description: "shop", PendingWindowInDays: 7 },
    changed: { Description: "new", PendingWindowInDays: 7, EnableKeyRotation: true },
  },
  "AWS::Events::Rule": {
    properties: { Name: "nightly", ScheduleExpression: "rate(1 day)" },
    changed: { Name: "nightly", ScheduleExpression: "rate(2 days)" },
    replaced: { Name: "other", ScheduleExpression: "rate(1 day)" },
  },
  "AWS::Logs::LogGroup": {
    properties: { LogGroupName: "/ecs/shop", RetentionInDays: 7 },
    changed: { LogGroupName: "/ecs/shop", RetentionInDays: 30 },
    replaced: { LogGroupName: "/ecs/other" },
  },
  "AWS::CloudWatch::Alarm": {
    properties: {
      AlarmName: "busy",
      ComparisonOperator: "GreaterThanThreshold",
      EvaluationPeriods: 1,
      Namespace: "AWS/ECS",
      MetricName: "CPUUtilization",
      Period: 60,
      Statistic: "Average",
      Threshold: 80,
    },
    changed: {
      AlarmName: "busy",
      ComparisonOperator: "GreaterThanThreshold",
      EvaluationPeriods: 2,
      Namespace: "AWS/ECS",
      MetricName: "CPUUtilization",
      Period: 60,
      Statistic: "Average",
      Threshold: 80,
    },
    replaced: {
      AlarmName: "other",
      ComparisonOperator: "GreaterThanThreshold",
      EvaluationPeriods: 1,
    },
  },
};
