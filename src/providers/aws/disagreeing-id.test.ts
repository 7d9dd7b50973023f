import { expect, it } from "vitest";
import { disagreeingId } from "./disagreeing-id.ts";

const balancing = "arn:aws:elasticloadbalancing:eu-central-1:123456789012";
const LISTENER = `${balancing}:listener/app/shop/0a1b/2c3d`;
const RULE = "AWS::ElasticLoadBalancingV2::ListenerRule";
const TARGET = "AWS::ApplicationAutoScaling::ScalableTarget";
const scaled = "service/shop/web|ecs:service:DesiredCount|ecs";

it.each([
  [RULE, `${balancing}:listener-rule/app/shop/0a1b/2c3d/4e5f`, { ListenerArn: LISTENER }],
  [TARGET, scaled, { ResourceId: "service/shop/web", ServiceNamespace: "ecs" }],
  ["AWS::WAFv2::WebACL", "shop|0a1b|REGIONAL", { Name: "shop", Scope: "REGIONAL" }],
  ["AWS::ECS::Service", "arn:aws:ecs:r:1:service/shop/web|arn:x/shop", { Cluster: "shop" }],
])("takes the id of a %s that the properties agree with", (type, id, properties) => {
  expect(disagreeingId(`aws:${type}`, id, properties)).toBeUndefined();
});

it.each([
  [RULE, `${balancing}:listener-rule/app/shop/0a1b/2c3d9/4e5f`, { ListenerArn: LISTENER }],
  [TARGET, scaled, { ScalableDimension: "ecs:service:Other" }],
  ["AWS::WAFv2::WebACL", "shop|0a1b|REGIONAL", { Scope: "CLOUDFRONT" }],
  ["AWS::Cognito::UserPoolClient", "eu-central-1_a|0a1b", { UserPoolId: "eu-central-1_b" }],
])("refuses the id of a %s that is elsewhere than the properties say", (type, id, properties) => {
  expect(disagreeingId(`aws:${type}`, id, properties)).toMatchObject({ code: "invalid_id" });
});
