import { expect, it } from "vitest";
import { listedWithin } from "./listed-within.ts";

const POLICY = "AWS::ApplicationAutoScaling::ScalingPolicy";

it.each([
  [{ ServiceNamespace: "ecs", PolicyName: "cpu" }, { ServiceNamespace: "ecs" }],
  [
    { ScalingTargetId: "service/shop/web|ecs:service:DesiredCount|ecs" },
    { ServiceNamespace: "ecs" },
  ],
  [{ ScalingTargetId: "service/shop/web" }, undefined],
  [{}, undefined],
])("lists the scaling policies of %j within %j", (properties, within) => {
  expect(listedWithin(POLICY, properties)).toEqual(within);
});

it("lists what is in no other object without a model", () => {
  expect(listedWithin("AWS::SQS::Queue", { QueueName: "shop" })).toBeUndefined();
});
