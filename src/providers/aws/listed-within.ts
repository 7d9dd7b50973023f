import type { JsonMap } from "#platform/json.ts";

/** The properties without which AWS lists no objects of a type. */
const parents: Readonly<Record<string, readonly string[]>> = {
  "AWS::ApiGatewayV2::Integration": ["ApiId"],
  "AWS::ApiGatewayV2::Route": ["ApiId"],
  "AWS::ApiGatewayV2::Stage": ["ApiId"],
  "AWS::EC2::Route": ["RouteTableId"],
  "AWS::ECS::Service": ["Cluster"],
  "AWS::EKS::Nodegroup": ["ClusterName"],
  "AWS::ElasticLoadBalancingV2::Listener": ["LoadBalancerArn"],
  "AWS::Lambda::Permission": ["FunctionName"],
  "AWS::Lambda::Url": ["TargetFunctionArn"],
};

/** The model that a list of this type is restricted by; undefined: it needs none. */
export function listedWithin(type: string, properties: JsonMap): JsonMap | undefined {
  const names = (Object.hasOwn(parents, type) ? parents[type] : undefined) ?? [];
  const given = names.filter((name) => properties[name] !== undefined);
  if (given.length === 0) return undefined;
  return Object.fromEntries(given.map((name) => [name, properties[name] ?? null]));
}
