import { expect, it } from "vitest";
import type { Json } from "#platform/json.ts";
import { callOf } from "./functions.ts";

it.for<[string, Json[], Json]>([
  ["split", [",", "${list}"], { "fn::split": [",", "${list}"] }],
  ["join", ["-", ["a", "${b}"]], { "fn::join": ["-", ["a", "${b}"]] }],
])("%s takes the separator first in Terraform and CloudFormation: %j", ([name, args, made]) => {
  expect(callOf(name, args)).toEqual({ kind: "value", value: made });
});
