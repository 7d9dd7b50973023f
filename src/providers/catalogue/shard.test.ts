import { describe, expect, it } from "vitest";
import { factsIn, type Shard } from "./shard.ts";

const shard: Shard = {
  objects: [
    { p: { Key: "s", Value: "s" }, r: ["Key"], c: ["Key"] },
    { p: { Inner: 1, Mode: { e: ["a", "b"] }, State: "s" }, o: ["State"] },
    { p: { "a.b": "i" }, c: ["a.b"], x: 1 },
  ],
  types: {
    T: {
      p: {
        Name: "s",
        Tags: [0],
        Deep: 1,
        Map: { m: 2 },
        Either: { u: [0] },
        Port: { e: [80, 443] },
        Password: "s",
        Arn: "s",
        Any: "",
      },
      r: ["Name"],
      c: ["Name"],
      o: ["Arn"],
      w: ["Password"],
      id: ["Arn"],
      shown: ["Name", "Arn"],
    },
  },
};

describe("the facts of a described type", () => {
  const facts = factsIn(shard, "T");

  it("have its flags as paths, at every depth, those of an object that contains itself too", () => {
    expect(facts).toMatchObject({
      required: ["Name"],
      immutable: ["Name", "Tags[*].Key", 'Map.*["a.b"]', "Either[*].Key"],
      readOnly: ["Deep.State", "Arn"],
      writeOnly: ["Password"],
      identifier: ["Arn"],
      shown: ["Arn", "Name"],
      deleteBeforeReplace: false,
    });
    expect(facts?.outputs).toEqual(["Name", "Tags", "Deep", "Map", "Either", "Port", "Arn", "Any"]);
  });

  it("have its shape", () => {
    const properties = facts?.shape?.properties ?? {};
    expect(properties["Tags"]).toEqual({
      type: "array",
      items: {
        type: "object",
        object: {
          properties: { Key: { type: "string" }, Value: { type: "string" } },
          required: ["Key"],
        },
      },
    });
    expect(properties["Map"]).toMatchObject({ type: "object", items: { object: { open: true } } });
    expect(properties["Either"]).not.toHaveProperty("type");
    expect(properties["Either"]).toHaveProperty("items.type", "object");
    expect(properties["Port"]).toEqual({ enum: [80, 443], type: "integer" });
    expect(properties["Arn"]).toEqual({ type: "string", readOnly: true });
    expect(properties["Any"]).toEqual({});
    const deep = properties["Deep"]?.object;
    expect(deep?.properties["Inner"]?.object).toBe(deep);
    expect(deep?.properties["Mode"]).toEqual({ enum: ["a", "b"], type: "string" });
  });

  it("are decoded once, and none of a type that is not there", () => {
    expect(factsIn(shard, "T")).toBe(facts);
    expect(factsIn(shard, "U")).toBeUndefined();
    expect(factsIn(shard, "constructor")).toBeUndefined();
  });
});
