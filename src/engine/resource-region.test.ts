import { describe, expect, it } from "vitest";
import { farCopyOf, forbiddenPlace, lacksPlace, unseenRegionOf } from "./resource-region.ts";
import { PartlyKnown, Secret, unknown, type Value, type ValueMap } from "./value.ts";

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

  it("is not derived from a zone if the property names regions", () => {
    expect(find("us-east-1a", ["us-east-1"])).toBe("us-east-1a");
  });

  it("includes the regions of backups and copies, which alone name no place", () => {
    const facts = { regionProperty: "region", moreRegions: ["backup.at", "copies[*].region"] };
    const place = (more: ValueMap) => forbiddenPlace({ region: "eu-1", ...more }, facts, ["eu-1"]);
    expect(place({})).toBeUndefined();
    expect(place({ backup: { at: "eu-1" }, copies: [{ region: "eu-1" }] })).toBeUndefined();
    expect(place({ backup: { at: "us-1" } })).toBe("us-1");
    expect(place({ copies: [{ region: "eu-1" }, { region: "us-1" }] })).toBe("us-1");
    expect(lacksPlace({ region: "eu-1" }, facts)).toBe(false);
  });

  it("is refused when it is not a text, unless every region is allowed", () => {
    for (const region of [["eu-1"], { name: "eu-1" }, 1, true, new Secret("us-1")])
      expect(find(region, ["eu-1"])).toBe(region);
    expect(find(["eu-1"], ["*"])).toBeUndefined();
    expect(find(unknown, ["eu-1"])).toBeUndefined();
    expect(find(new Secret(unknown), ["eu-1"])).toBeUndefined();
  });

  it("is checked for every item on its path", () => {
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

describe("a missing region", () => {
  const facts = { regionProperty: "spec.region" };
  it.for<[string, ValueMap]>([
    ["is left out", { spec: {} }],
    ["is left out with its parent", {}],
    ["is null", { spec: { region: null } }],
    ["has a null parent", { spec: null }],
    ["has a secret parent", { spec: new Secret({ name: "app" }) }],
    ["has a parent that is not a map", { spec: "region" }],
  ])("%s", ([, properties]) => {
    expect(lacksPlace(properties, facts)).toBe(true);
  });

  it.for<[string, ValueMap]>([
    ["is known later", { spec: { region: unknown } }],
    ["has a parent that is known later", { spec: unknown }],
    ["may be in a part known later", { spec: new PartlyKnown({ name: "app" }) }],
    ["is a secret", { spec: new Secret({ region: "eu-1" }) }],
    ["is empty, so checked as a place", { spec: { region: "" } }],
  ])("is not missing if it %s", ([, properties]) => {
    expect(lacksPlace(properties, facts)).toBe(false);
  });

  it("is missing if one item of a list has none, or there are no items", () => {
    const each = { regionProperty: "sites[*].zone" };
    const lacks = (sites: Value) => lacksPlace({ sites }, each);
    expect(lacks([{ zone: "eu-1" }, { zone: "eu-2" }])).toBe(false);
    for (const sites of [[], {}, null, [{ zone: "eu-1" }, {}], [{ zone: null }]])
      expect(lacks(sites)).toBe(true);
  });

  it("is not missing if another property gives the place, or may give it later", () => {
    const elsewhere = { ...facts, regionElsewhere: { type: ["GLOBAL"], "of.id": true } } as const;
    for (const properties of [
      { type: "GLOBAL" },
      { type: new Secret("GLOBAL") },
      { type: unknown },
      { of: { id: 1 } },
      { of: unknown },
    ])
      expect(lacksPlace(properties, elsewhere)).toBe(false);
    for (const properties of [{ type: "global" }, { type: ["GLOBAL"] }, { of: { id: null } }, {}])
      expect(lacksPlace(properties, elsewhere)).toBe(true);
    expect(lacksPlace({}, { ...facts, regionElsewhere: true })).toBe(false);
    expect(lacksPlace({}, {})).toBe(false);
  });
});

it("keys that name regions are places too", () => {
  const facts = { regionProperty: "region", regionKeys: ["settings.order"] };
  const find = (order: Value) =>
    forbiddenPlace({ region: "eu-1", settings: { order } }, facts, ["eu-1"]);
  expect(find({ "eu-1": 1, "us-1": 2 })).toBe("us-1");
  expect(find(new Secret({ "us-1": 2 }))).toBe("us-1");
  expect(find(["us-1"])).toEqual(["us-1"]);
  for (const order of [{ "eu-1": 1 }, null, {}, unknown]) expect(find(order)).toBeUndefined();
});

describe("a region that code chooses", () => {
  const unseenRegions = {
    at: { source: true, "files[*].file": ["vercel.json"] },
    allowedBy: "codeChooses",
  } as const;
  const find = (properties: ValueMap, config = {}) =>
    unseenRegionOf(properties, { unseenRegions }, config);

  it.for<[string, ValueMap]>([
    ["source", { source: { ref: "main" } }],
    ["source", { source: new PartlyKnown({ ref: unknown }) }],
    ["source", { source: new Secret("main") }],
    ["source", { source: false }],
    ["files[*].file", { files: [{ file: "a.js" }, { file: "vercel.json" }] }],
    ["files[*].file", { files: [{ file: "./web/Vercel.JSON" }] }],
    ["files[*].file", { files: [{ file: "web\\vercel.json" }] }],
    ["files[*].file", { files: new Secret([{ file: new Secret("vercel.json") }]) }],
  ])("by %s of %j is reported to the deployer", ([path, properties]) => {
    expect(find(properties)).toBe(path);
    expect(find(properties, { codeChooses: true })).toBeUndefined();
    for (const config of [{ codeChooses: "true" }, { codeChooses: false }, { other: true }])
      expect(find(properties, config)).toBe(path);
  });

  it.for<[string, ValueMap]>([
    ["nothing", {}],
    ["null", { source: null }],
    ["unknown values", { source: unknown, files: unknown }],
    ["other files", { files: [{ file: "vercel.json.md" }, { file: "vercel.json/a" }, {}] }],
    ["no list", { files: "vercel.json" }],
  ])("is not found in %s", ([, properties]) => {
    expect(find(properties)).toBeUndefined();
  });

  it("or the cloud, by a flag, differs from a value", () => {
    const facts = { farCopies: { "run.failover": [true as const], storage: ["grs"] } };
    expect(farCopyOf({ run: { failover: true } }, facts)).toBe("run.failover");
    expect(farCopyOf({ run: { failover: false } }, facts)).toBeUndefined();
    expect(farCopyOf({ storage: true }, facts)).toBeUndefined();
    expect(farCopyOf({ storage: "GRS" }, facts)).toBe("storage");
  });
});
