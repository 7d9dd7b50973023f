import { isJsonMap, type Json, type JsonMap, readJson } from "#platform/json.ts";
import type { Behaviour, RealCloud } from "./behaviour.ts";
import { reversed } from "./rest-shape.ts";

const CREATE = /^CreateResource$/;
const DELETE = /^DeleteResource$/;

const behaviours: readonly Behaviour[] = [
  {
    what: "a new role cannot be assumed by ECS yet",
    source: "https://github.com/hashicorp/terraform/issues/4375",
    does: "end failed",
    method: CREATE,
    at: /^AWS::ECS::(?:Service|TaskDefinition)/,
    fresh: /^AWS::IAM::Role/,
    says: {
      code: "InvalidRequest",
      message:
        "Unable to assume role and validate the listeners configured on your load balancer. Please verify the role being passed has the proper permissions.",
    },
  },
  {
    what: "the service-linked role of ECS is being made",
    source: "https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/818",
    does: "end failed",
    method: CREATE,
    at: /^AWS::ECS::Cluster/,
    says: {
      code: "InvalidRequest",
      message:
        "Invalid request provided: CreateCluster Invalid Request: Unable to assume the service linked role. Please verify that the ECS service linked role exists.",
    },
    times: 1,
  },
  {
    what: "a new target group has no load balancer yet",
    source: "https://github.com/aws/aws-cdk/issues/1160",
    does: "end failed",
    method: CREATE,
    at: /^AWS::ECS::Service/,
    fresh: /^AWS::ElasticLoadBalancingV2::TargetGroup/,
    says: {
      code: "InvalidRequest",
      message:
        "Invalid request provided: CreateService error: The target group with targetGroupArn {name} does not have an associated load balancer.",
    },
  },
  {
    what: "a new load balancer is not found by its listener",
    source: "https://github.com/hashicorp/terraform-provider-aws/issues/15214",
    does: "end failed",
    method: CREATE,
    at: /^AWS::ElasticLoadBalancingV2::Listener/,
    fresh: /^AWS::ElasticLoadBalancingV2::LoadBalancer/,
    says: {
      code: "NotFound",
      message:
        "One or more load balancers not found (Service: ElasticLoadBalancingV2, Status Code: 400)",
    },
  },
  {
    what: "a new VPC is not found by what is made in it",
    source: "https://github.com/hashicorp/terraform/issues/1533",
    does: "end failed",
    method: CREATE,
    at: /^AWS::EC2::(?:Subnet|RouteTable|SecurityGroup|VPCGatewayAttachment)/,
    fresh: /^AWS::EC2::VPC(?: |$)/,
    says: {
      code: "NotFound",
      message: "The vpc ID '{name}' does not exist (Service: Ec2, Status Code: 400)",
    },
  },
  {
    what: "a cluster has tasks that still stop",
    source: "https://github.com/gchq/sleeper/issues/4499",
    does: "end failed",
    method: DELETE,
    at: /^AWS::ECS::Cluster/,
    says: {
      code: "GeneralServiceException",
      message: "The Cluster cannot be deleted while Tasks are active.",
    },
  },
  {
    what: "a gateway's network has mapped addresses",
    source: "https://github.com/hashicorp/terraform/issues/1303",
    does: "end failed",
    method: DELETE,
    at: /^AWS::EC2::VPCGatewayAttachment/,
    says: {
      code: "GeneralServiceException",
      message:
        "Network vpc-1 has some mapped public address(es). Please unmap those public address(es) before detaching the gateway.",
    },
  },
  {
    what: "a security group or subnet has a dependent object",
    source: "https://github.com/hashicorp/terraform-provider-aws/issues/1671",
    does: "end failed",
    method: DELETE,
    at: /^AWS::EC2::(?:SecurityGroup|Subnet|InternetGateway)/,
    says: {
      code: "GeneralServiceException",
      message: "resource has a dependent object (Service: Ec2, Status Code: 400, Request ID: 1)",
    },
  },
  {
    what: "a database's subnets are still in use",
    source: "https://github.com/anomalyco/sst/issues/4026",
    does: "end failed",
    method: DELETE,
    at: /^AWS::RDS::DBSubnetGroup/,
    says: {
      code: "InvalidRequest",
      message:
        "Cannot delete the subnet group because at least one database instance: shop is still using it.",
    },
  },
  {
    what: "a handler of a create is throttled",
    source: "https://github.com/pulumi/pulumi-aws-native/issues/1780",
    does: "end failed",
    method: CREATE,
    at: /^AWS::(?:EC2|Logs|IAM|SecretsManager)::/,
    says: { code: "Throttling", message: "Rate exceeded" },
  },
  {
    what: "a handler meets an internal error",
    source:
      "https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-test-contract-errors.html",
    does: "end failed",
    method: /^(?:Update|Delete)Resource$/,
    at: /^AWS::(?:EC2|Logs|SecretsManager|ECS)::/,
    says: {
      code: "ServiceInternalError",
      message: "Internal error reported by the downstream service",
    },
  },
  {
    what: "a bucket's earlier change is under way",
    source: "https://github.com/hashicorp/terraform-provider-aws/issues/33478",
    does: "end failed",
    at: /^AWS::S3::Bucket/,
    method: /^(?:Create|Update|Delete)Resource$/,
    says: {
      code: "GeneralServiceException",
      message:
        "A conflicting conditional operation is currently in progress against this resource. Please try again. (Service: S3, Status Code: 409)",
    },
  },
  {
    what: "a function's role cannot be assumed yet",
    source: "https://github.com/hashicorp/terraform-provider-awscc/issues/221",
    does: "end failed",
    method: CREATE,
    at: /^AWS::Lambda::Function/,
    fresh: /^AWS::IAM::Role/,
    says: {
      code: "InvalidRequest",
      message:
        'Resource handler returned message: "The role defined for the function cannot be assumed by Lambda. (Service: Lambda, Status Code: 400)"',
    },
  },
  {
    what: "a new role is no valid principal yet",
    source: "https://github.com/hashicorp/terraform-provider-aws/issues/41617",
    does: "end failed",
    method: CREATE,
    at: /^AWS::Lambda::Permission/,
    fresh: /^AWS::IAM::Role/,
    says: {
      code: "InvalidRequest",
      message:
        "The provided principal was invalid. Please check the principal and try again. (Service: Lambda, Status Code: 400)",
    },
  },
  {
    what: "Cloud Control is throttled",
    source: "https://github.com/hashicorp/terraform-provider-awscc/issues/2939",
    does: "refuse",
    at: /^AWS::/,
    status: 400,
    says: { code: "ThrottlingException", message: "Rate exceeded" },
    times: 1,
  },
  {
    what: "another operation is under way",
    source: "https://github.com/radius-project/radius/issues/7066",
    does: "refuse",
    method: /^(?:Update|Delete)Resource$/,
    at: /^AWS::/,
    status: 400,
    says: {
      code: "ConcurrentOperationException",
      message: "Concurrent operation found for resource {at} with RequestToken 6cc1f2ed-1ddf-412f",
    },
    times: 1,
  },
  {
    what: "a new object is not read yet",
    source: "https://github.com/pulumi/pulumi-aws-native/issues/1714",
    does: "hide",
    from: "reads",
    at: /^AWS::/,
    forMs: 20_000,
  },
  {
    what: "a new object is not listed yet",
    source: "https://docs.aws.amazon.com/ec2/latest/devguide/eventual-consistency.html",
    does: "hide",
    from: "lists",
    at: /^AWS::/,
    forMs: 20_000,
  },
  {
    what: "a deleted object is still read",
    source: "https://docs.aws.amazon.com/ec2/latest/devguide/eventual-consistency.html",
    does: "keep",
    method: DELETE,
    at: /^AWS::/,
    forMs: 20_000,
  },
  {
    what: "lists of ids are shown in another order",
    source:
      "https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-schema.html",
    does: "show",
    method: /^GetResource$/,
    at: /^AWS::(?:RDS|ElasticLoadBalancingV2|EC2)::/,
    as: (object) => reversed(object, "SubnetIds", "Subnets", "SecurityGroups", "VPCSecurityGroups"),
  },
  {
    what: "properties show defaults of their own",
    source:
      "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-ec2-securitygroup.html",
    does: "show",
    method: /^GetResource$/,
    at: /^AWS::EC2::SecurityGroup/,
    as: (object) => ({
      ...object,
      SecurityGroupEgress: object["SecurityGroupEgress"] ?? [
        { IpProtocol: "-1", CidrIp: "0.0.0.0/0", FromPort: -1, ToPort: -1 },
      ],
    }),
  },
];

function textIn(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

let number = 0;

/** Cloud Control; calls of other services pass. */
export const realAws: RealCloud = {
  callOf: (request, text) => {
    const method = request.headers.get("x-amz-target")?.split(".")[1];
    const body = readJson(text);
    if (method === undefined || !isJsonMap(body)) return undefined;
    const type = textIn(body["TypeName"]);
    const id = textIn(body["Identifier"]);
    const token = textIn(body["ClientToken"]);
    const at =
      type === "" ? `poll ${textIn(body["RequestToken"])}` : id === "" ? type : `${type} ${id}`;
    const { origin } = new URL(request.url);
    return { method, origin, at, text, ...(token === "" ? {} : { token }) };
  },
  reads: ({ method }) => method === "GetResource",
  lists: ({ method }) => method === "ListResources",
  deletes: ({ method }) => method === "DeleteResource",
  madeBy: (_, answer) => {
    const event =
      isJsonMap(answer) && isJsonMap(answer["ProgressEvent"]) ? answer["ProgressEvent"] : {};
    const [type, id] = [textIn(event["TypeName"]), textIn(event["Identifier"])];
    return event["Operation"] === "CREATE" && event["OperationStatus"] === "SUCCESS" && id !== ""
      ? { at: `${type} ${id}`, names: [id] }
      : undefined;
  },
  refuse: (_, { status, says }) =>
    Response.json({ __type: says.code, message: says.message }, { status }),
  missing: ({ at }) =>
    Response.json(
      {
        __type: "ResourceNotFoundException",
        message: `AWS::CloudControl: Resource of type and identifier '${at}' was not found.`,
      },
      { status: 400 },
    ),
  failed: ({ method, at }, says) => {
    const [type = "", ...id] = at.split(" ");
    const requestToken = `real-${(number += 1)}-${crypto.randomUUID()}`;
    const event = (more: JsonMap): Response =>
      Response.json({
        ProgressEvent: {
          TypeName: type,
          RequestToken: requestToken,
          Operation: method.replace("Resource", "").toUpperCase(),
          ...(id.length === 0 ? {} : { Identifier: id.join(" ") }),
          ...more,
        },
      });
    return {
      answer: event({ OperationStatus: "IN_PROGRESS" }),
      polledAt: `poll ${requestToken}`,
      polled: () =>
        event({ OperationStatus: "FAILED", ErrorCode: says.code, StatusMessage: says.message }),
    };
  },
  withObject: (answer, change) => {
    const { ResourceDescription } = answer;
    if (!isJsonMap(ResourceDescription)) return answer;
    const object = readJson(textIn(ResourceDescription["Properties"]));
    if (!isJsonMap(object)) return answer;
    const Properties = JSON.stringify(change(object));
    return { ...answer, ResourceDescription: { ...ResourceDescription, Properties } };
  },
  behaviours,
};
