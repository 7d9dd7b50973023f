import type { Json, JsonMap } from "#platform/json.ts";

/** The properties without which AWS lists no objects of a type. */
const parents: Readonly<Record<string, readonly string[]>> = {
  "AWS::ApiGatewayV2::Integration": ["ApiId"],
  "AWS::ApiGatewayV2::Route": ["ApiId"],
  "AWS::ApiGatewayV2::Stage": ["ApiId"],
  "AWS::ApplicationAutoScaling::ScalingPolicy": ["ServiceNamespace"],
  "AWS::Cognito::UserPoolClient": ["UserPoolId"],
  "AWS::EC2::Route": ["RouteTableId"],
  "AWS::ECS::Service": ["Cluster"],
  "AWS::EFS::MountTarget": ["FileSystemId"],
  "AWS::EKS::Nodegroup": ["ClusterName"],
  "AWS::ElasticLoadBalancingV2::Listener": ["LoadBalancerArn"],
  "AWS::ElasticLoadBalancingV2::ListenerRule": ["ListenerArn"],
  "AWS::Lambda::Permission": ["FunctionName"],
  "AWS::Lambda::Url": ["TargetFunctionArn"],
  "AWS::WAFv2::WebACL": ["Scope"],
};

/** The model that a list of this type is restricted by; undefined: it needs none. */
export function listedWithin(type: string, properties: JsonMap): JsonMap | undefined {
  const names = (Object.hasOwn(parents, type) ? parents[type] : undefined) ?? [];
  const given = names.flatMap((name): [string, Json][] => {
    const value = properties[name] ?? (name === "ServiceNamespace" && serviceIn(properties));
    return value === false ? [] : [[name, value]];
  });
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

/** The service of the scalable target that a policy names by its id in place of its parts. */
function serviceIn({ ScalingTargetId }: JsonMap): Json {
  const parts = typeof ScalingTargetId === "string" ? ScalingTargetId.split("|") : [];
  return parts[2] ?? false;
}
