import { expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { asSent } from "./as-sent.ts";

const place = { region: "eu-central-1", config: {} };
const tier: JsonMap = { Name: "tier", AttributeDataType: "String", Mutable: true };
const shown = (more: JsonMap = {}): JsonMap => ({
  Schema: [
    { Name: "sub", AttributeDataType: "String", Required: true },
    { ...tier, Name: "custom:tier", Required: false, ...more },
  ],
});

it("takes the attributes of a pool of users for those that were sent", () => {
  expect(asSent(shown(), { Schema: [tier] }, place)).toEqual({ Schema: [tier] });
});

it.each<[string, JsonMap, JsonMap]>([
  ["has another member", shown({ Mutable: false }), { Schema: [tier] }],
  ["lacks one", shown(), { Schema: [tier, { ...tier, Name: "size" }] }],
  ["is no pool of users", { Schema: [tier, { ...tier, Name: "size" }] }, { Schema: [tier] }],
])("shows attributes that differ where the object %s", (_, object, sent) => {
  expect(asSent(object, sent, place)).toEqual(object);
});
