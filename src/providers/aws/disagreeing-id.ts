import type { JsonMap } from "#platform/json.ts";
import type { Failed } from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";

/**
 * The properties that an identifier is made of, in order, apart from names, which the engine may choose; null: a part
 * that is none.
 */
const parts: Readonly<Record<string, readonly (string | null)[]>> = {
  "aws:AWS::ApiGatewayV2::Integration": ["ApiId"],
  "aws:AWS::ApiGatewayV2::Route": ["ApiId"],
  "aws:AWS::ApiGatewayV2::Stage": ["ApiId", "StageName"],
  "aws:AWS::ApplicationAutoScaling::ScalableTarget": [
    "ResourceId",
    "ScalableDimension",
    "ServiceNamespace",
  ],
  "aws:AWS::ApplicationAutoScaling::ScalingPolicy": [null, "ScalableDimension"],
  "aws:AWS::Cognito::UserPoolClient": ["UserPoolId"],
  "aws:AWS::EC2::Route": ["RouteTableId"],
  "aws:AWS::EC2::VPCGatewayAttachment": [null, "VpcId"],
  "aws:AWS::ECS::Service": [null, "Cluster"],
  "aws:AWS::ElasticLoadBalancingV2::ListenerRule": ["ListenerArn"],
  "aws:AWS::Lambda::Permission": ["FunctionName"],
  "aws:AWS::S3::BucketPolicy": ["Bucket"],
  "aws:AWS::WAFv2::WebACL": [null, null, "Scope"],
};

/**
 * The refusal of an id that says something else than the properties: what they name is judged, and the id is called.
 * Undefined: they agree, or the type's ids say nothing of the properties.
 */
export function disagreeingId(type: string, id: string, properties: JsonMap): Failed | undefined {
  const names = Object.hasOwn(parts, type) ? (parts[type] ?? []) : [];
  const said = id.split("|");
  const other = names.find((name, at) => {
    const given = name === null ? undefined : properties[name];
    return name !== null && typeof given === "string" && !isSame(name, given, said[at] ?? "");
  });
  return typeof other === "string" ? otherThanSaid(id, other) : undefined;
}

export function otherThanSaid(id: string, property: string): Failed {
  const message = `The id ${id} says another ${property} than the property. Write the ${property} that the id has.`;
  return failure("invalid_id", message, { fault: "user" });
}

/**
 * A function and a cluster can be given by name or ARN, and a function with its version or alias. The ARN of a rule
 * begins as its listener's.
 */
function isSame(property: string, given: string, said: string): boolean {
  if (given === said) return true;
  if (property === "ListenerArn")
    return said.startsWith(`${given.replace(":listener/", ":listener-rule/")}/`);
  if (property !== "Cluster" && property !== "FunctionName") return false;
  if (given.startsWith("arn:") && said.startsWith("arn:"))
    return given.includes(":function:") && unqualified(given) === unqualified(said);
  return nameIn(given) === nameIn(said);
}

function unqualified(arn: string): string {
  return arn.split(":").slice(0, 7).join(":");
}

function nameIn(text: string): string | undefined {
  const name = /:function:([^:]+)/.exec(text)?.[1];
  return name ?? (text.startsWith("arn:") ? text.split("/").at(-1) : text.split(":")[0]);
}
