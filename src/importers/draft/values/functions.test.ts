import { expect, it } from "vitest";
import type { Json } from "#platform/json.ts";
import { armCallOf, callOf } from "./functions.ts";

it.for<[string, Json[], Json]>([
  ["split", [",", "${list}"], { "fn::split": [",", "${list}"] }],
  ["join", ["-", ["a", "${b}"]], { "fn::join": ["-", ["a", "${b}"]] }],
])("%s takes the separator first in Terraform and CloudFormation: %j", ([name, args, made]) => {
  expect(callOf(name, args)).toEqual({ kind: "value", value: made });
});

it.for<[string, Json[], Json]>([
  ["split", ["${list}", ","], { "fn::split": [",", "${list}"] }],
  ["Join", ["${list}", ";"], { "fn::join": [";", "${list}"] }],
  ["string", [{ k: 1 }], { "fn::toJSON": { k: 1 } }],
  ["string", ["${n}"], "${n}"],
])("%s of ARM takes the separator last, and makes JSON of a map: %j", ([name, args, made]) => {
  expect(armCallOf(name, args)).toEqual({ kind: "value", value: made });
});
