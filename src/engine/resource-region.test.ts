import { describe, expect, it } from "vitest";
import { forbiddenPlace } from "./resource-region.ts";
import { Secret, unknown, type Value, type ValueMap } from "./value.ts";

const find = (
  region: Value,
  allowed: string[],
  shape?: "region" | "zone",
  properties: ValueMap = { region },
) =>
  forbiddenPlace(
    properties,
    { regionProperty: "region", ...(shape === undefined ? {} : { regionShape: shape }) },
    allowed,
  );

describe("the region of a resource", () => {
  it.for([
    ["europe-west1-b", "europe-west1"],
    ["us-east-1a", "us-east-1"],
    ["us-gov-west-1c", "us-gov-west-1"],
    ["fra1", "fra1"],
    ["europe-west1-b", "europe-west1-b"],
  ] as const)("by the zone %s is allowed with %s", ([zone, region]) => {
    expect(find(zone, [region], "zone")).toBeUndefined();
    expect(find(zone, ["elsewhere-1"], "zone")).toBe(zone);
  });

  it.for([
    "us-east-1-bos-1a",
    "us-east-11a",
    "us-east-1a\n",
    "x-us-east-1a",
    "us-east-1aa",
    "projects/p/zones/us-east-1-a",
    "US-EAST-1a",
    "",
  ])("is not us-east-1 by the zone %j", (zone) => {
    expect(find(zone, ["us-east-1"], "zone")).toBe(zone);
  });

  it("is not read out of a zone where the property names regions", () => {
    expect(find("us-east-1a", ["us-east-1"])).toBe("us-east-1a");
  });

  it("is refused when it is no text, unless every region is allowed", () => {
    for (const region of [["eu-1"], { name: "eu-1" }, 1, true, new Secret("us-1")])
      expect(find(region, ["eu-1"])).toBe(region);
    expect(find(["eu-1"], ["*"])).toBeUndefined();
    expect(find(unknown, ["eu-1"])).toBeUndefined();
    expect(find(new Secret(unknown), ["eu-1"])).toBeUndefined();
  });

  it("is asked of every item on its path", () => {
    const properties = { sites: [{ zone: "eu-1" }, { zone: null }, {}, { zone: "us-1" }] };
    const facts = { regionProperty: "sites[*].zone" };
    expect(forbiddenPlace(properties, facts, ["eu-1"])).toBe("us-1");
    expect(forbiddenPlace(properties, facts, ["eu-1", "us-1"])).toBeUndefined();
    const nested = { place: new Secret({ region: "us-1" }) };
    expect(forbiddenPlace(nested, { regionProperty: "place.region" }, ["eu-1"])).toEqual(
      new Secret("us-1"),
    );
  });
});
